//! Personas in the terminal: made, talked with, given more time, deleted.

use crate::care::execute;
use crate::desk::{Desk, run, strings};
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

#[test]
fn a_persona_is_talked_with_and_keeps_its_prompt() {
    let desk = Desk::new();
    let provider = Provider::answering(|_| Reply::chat("Breathe.")).unwrap();
    let made = desk.json(&["persona", "create", "Ada", "--preset", "calm_counselor", "--tag", "x"]);
    assert_eq!(made["preset_id"], "preset-calm-counselor");
    let mut chat = desk.bare(&["chat", "--persona", "ada", "--model", "gpt-4o"]);
    chat.env("DOSSIER_EMBEDDER", "none")
        .env("OPENAI_API_KEY", "sk-hunter2hunter2hunter2")
        .env("OPENAI_BASE_URL", provider.url("/v1"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = chat.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"I HATE this!\nAnd you.\n").unwrap();
    let ended = crate::desk::Run::of(child.wait_with_output().unwrap()).ok();
    assert_eq!(ended.out, "Breathe.\nBreathe.\n", "{ended:#?}");
    let system: Vec<Value> = provider
        .requests()
        .iter()
        .map(|request| request.body["messages"][0]["content"].clone())
        .collect();
    assert_eq!(system.len(), 2);
    assert_eq!(system[0], system[1]);
    let prompt = made["system_prompt"].as_str().unwrap();
    assert!(system[0].as_str().unwrap().starts_with(prompt), "{system:?}");

    let found = desk.dossier(&["search", "hate", "--project", "personas"]).ok();
    assert!(found.out.contains("I HATE this!"), "{found:#?}");
    let listed = desk.json(&["persona", "list", "--tag", "x"]);
    assert_eq!(strings(&listed["personas"], "/name"), ["Ada"]);
}

#[test]
fn what_is_wrong_is_told_with_a_way_out() {
    let desk = Desk::new();
    desk.dossier(&["persona", "create", "Ada", "--prompt", "You are calm."]).ok();
    let wrong = ["persona", "change", "Ada", "--temperature", "3", "--days", "0"];
    desk.dossier(&wrong).failed(1, &["temperature: is a number from 0 to 1", "expiry_days: "]);
    desk.dossier(&["chat", "--persona", "Bea"]).failed(1, &["`Bea` is not known", "Ada (psn_"]);
    assert_eq!(desk.dossier(&["persona", "create", "Bea"]).code, Some(2));
    assert_eq!(desk.dossier(&["chat", "--persona", "Ada", "--thread", "x"]).code, Some(2));
    let presets = desk.json(&["persona", "presets"]);
    assert_eq!(presets["presets"].as_array().unwrap().len(), 6);
}

#[test]
fn one_that_was_deleted_comes_back() {
    let desk = Desk::new();
    let made = desk.json(&["persona", "create", "Ada", "--prompt", "You are calm."]);
    let longer = desk.json(&["persona", "extend", "Ada", "--days", "30"]);
    assert!(longer["expires_at"].as_str() > made["expires_at"].as_str());
    let gone = desk.dossier(&["persona", "delete", "Ada"]).ok();
    assert!(gone.err.contains("--undo"), "{gone:#?}");
    assert_eq!(desk.json(&["persona", "list"])["personas"], Value::Array(vec![]));
    let thread = made["conversation_id"].as_str().unwrap();
    desk.dossier(&["forget", "thread", thread, "--project", "personas", "--undo"]).ok();
    assert_eq!(desk.json(&["persona", "show", "Ada"])["id"], made["id"]);
    run(desk.bare(&["persona", "delete", "Ada", "--now"]).env("DOSSIER_EMBEDDER", "none")).ok();
    desk.dossier(&["persona", "show", "Ada"]).failed(1, &["there is none yet"]);
}

fn preset<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [&["persona", "preset"], rest].concat()
}

#[test]
fn a_preset_of_ones_own_is_made_changed_put_away_and_brought_back() {
    let desk = Desk::new();
    let made = desk.json(&preset(&[
        "create",
        "Editor",
        "--prompt",
        "You edit with care.",
        "--description",
        "For texts",
        "--temperature",
        "0",
    ]));
    assert_eq!((&made["id"], &made["is_built_in"]), (&json!("preset-editor"), &json!(false)));
    assert_eq!(made["default_settings"]["temperature"].as_f64(), Some(0.0));
    let persona = desk.json(&["persona", "create", "Eve", "--preset", "editor"]);
    assert_eq!(persona["system_prompt"], "You edit with care.");
    desk.dossier(&preset(&["change", "editor", "--days", "0"])).failed(1, &["expiry_days: "]);
    let changed = desk.json(&preset(&["change", "editor", "--days", "30"]));
    assert_eq!(changed["default_settings"]["expiry_days"], 30);

    let away = desk.dossier(&preset(&["delete", "editor"])).ok();
    assert!(away.err.contains("--active true"), "{away:#?}");
    desk.dossier(&["persona", "create", "Eve", "--preset", "editor"])
        .failed(1, &["the preset preset-editor was put away"]);
    assert_eq!(desk.json(&preset(&["change", "editor", "--active", "true"]))["is_active"], true);
    let gone = desk.dossier(&preset(&["delete", "editor", "--now"])).ok();
    assert!(gone.err.contains("gone for good"), "{gone:#?}");
    desk.dossier(&preset(&["show", "editor"])).failed(1, &["`editor` is not known"]);

    let before = desk.json(&preset(&["show", "calm_counselor"]));
    desk.json(&preset(&["change", "calm_counselor", "--temperature", "0.9"]));
    desk.dossier(&preset(&["delete", "calm_counselor", "--now"])).ok();
    assert_eq!(desk.json(&preset(&["show", "calm_counselor"])), before);
    assert!(desk.dossier(&preset(&["show", "calm_counselor"])).ok().out.contains("0.6"));
    assert_eq!(desk.dossier(&preset(&["create"])).code, Some(2));
}

#[test]
fn a_preset_is_rated_and_its_figures_are_shown() {
    let desk = Desk::new();
    let rated = desk.json(&preset(&["rate", "calm_counselor", "4", "--comment", "A little slow"]));
    assert_eq!(rated["feedback"][0]["comment"], "A little slow");
    desk.dossier(&preset(&["rate", "calm_counselor", "5"])).ok();
    let judged = desk.json(&preset(&["rate", "calm_counselor"]));
    assert_eq!(judged["figures"]["ratings"], 2);
    assert_eq!(judged["figures"]["mean_rating"].as_f64(), Some(4.5));
    let shown = desk.dossier(&preset(&["rate", "calm_counselor"])).ok().out;
    assert!(shown.contains("2 ratings, 4.5 of 5"), "{shown}");
    desk.dossier(&preset(&["rate", "calm_counselor", "6"])).failed(1, &["rating: "]);
}

#[test]
fn maintaining_tells_of_personas_whose_time_is_over() {
    let desk = Desk::new();
    desk.dossier(&["persona", "create", "Ada", "--prompt", "You are calm."]).ok();
    assert_eq!(desk.json(&["maintain"])["personas_hidden"], 0);
    let database = desk.home().join(".local/share/dossier/dossier.db");
    execute(&database, "UPDATE personas SET expires_at = 1");
    let done = desk.dossier(&["maintain"]).ok();
    assert!(done.out.contains("personas  1 hidden, for their time is over"), "{done:#?}");
    assert_eq!(desk.json(&["persona", "list", "--expired"])["personas"], json!([]));
    assert_eq!(desk.json(&["maintain"])["personas_hidden"], 0);
}
