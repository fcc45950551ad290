//! Personas in the terminal: made, talked with, given more time, deleted.

use crate::desk::{Desk, run, strings};
use dossier_testkit::{Provider, Reply};
use serde_json::Value;
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
