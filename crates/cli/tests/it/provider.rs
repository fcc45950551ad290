//! Setting providers up from the command line: addresses in the database, keys sealed beside it.

use crate::desk::{Desk, Run, run};
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::process::Stdio;

const KEY: &str = "sk-hunter2hunter2hunter2";

/// Runs the program with something to read.
fn told(desk: &Desk, args: &[&str], input: &str) -> Run {
    let mut command = desk.bare(args);
    command.env("DOSSIER_EMBEDDER", "none").stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Run::of(child.wait_with_output().unwrap())
}

fn row(desk: &Desk, name: &str) -> Value {
    let list = desk.json(&["--data", "data", "provider", "list"]);
    let rows = list["providers"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).cloned().unwrap_or(Value::Null)
}

#[test]
fn a_provider_is_set_up_asked_and_removed_and_its_key_is_never_seen() {
    let desk = Desk::with_notes();
    let list = Reply::json(200, &json!({"data": [{"id": "qwen"}]}));
    let provider = Provider::start([list.clone(), list, Reply::chat("In October.")]).unwrap();
    let url = provider.url("/v1");
    let set = ["--data", "data", "provider", "set", "home", "--base-url", &url, "--key"];
    let set = told(&desk, &set, &format!("{KEY}\n")).ok();
    assert!(set.err.contains("home is set up"), "{set:#?}");
    let expected = json!({
        "name": "home", "protocol": "chat", "base_url": url, "origin": "database",
        "key_origin": "the stored keys", "key": "…ter2", "ready": true, "problem": null,
    });
    assert_eq!(row(&desk, "home"), expected);
    let tested = desk.json(&["--data", "data", "provider", "test", "home"]);
    assert_eq!(tested["models"], json!(["qwen"]));
    let refreshed = desk.json(&["--data", "data", "models", "--refresh"]);
    assert_eq!(refreshed["refreshed"], json!([{"provider": "home", "models": 1, "problem": null}]));
    let found = refreshed["models"].as_array().unwrap().iter().any(|row| row["id"] == "home/qwen");
    assert!(found, "{refreshed}");

    desk.dossier(&["--data", "data", "config", "set", "model", "home/qwen"]).ok();
    let asked = desk.json(&["--data", "data", "ask", "When are the tulips planted?"]);
    assert_eq!(asked["replies"][0]["model"], "home/qwen");
    let bearer = format!("Bearer {KEY}");
    for request in provider.requests() {
        assert_eq!(request.header("authorization"), Some(bearer.as_str()));
    }
    for entry in fs::read_dir(desk.path("data")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = fs::read(&path).unwrap();
            let seen = bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes());
            assert!(!seen, "{}", path.display());
        }
    }
    desk.dossier(&["--data", "data", "provider", "remove", "home"]).ok();
    assert_eq!(row(&desk, "home"), Value::Null);
}

#[test]
fn what_a_provider_told_is_known_to_later_commands_and_the_users_file_overrides_it() {
    let desk = Desk::with_notes();
    desk.dossier(&["--data", "data", "index", "notes"]).ok();
    let list = json!({"data": [
        {"id": "qwen", "context_length": 16_000},
        {"id": "llama", "context_length": 24_000,
         "pricing": {"prompt": "0.000001", "completion": "0.000002"}},
    ]});
    let provider = Provider::start([Reply::json(200, &list)]).unwrap();
    let url = provider.url("/v1");
    desk.dossier(&["--data", "data", "provider", "set", "home", "--base-url", &url]).ok();
    let model = |listed: &Value, id: &str| {
        let rows = listed["models"].as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).cloned().unwrap()
    };
    let told = desk.json(&["--data", "data", "models", "--refresh"]);
    let later = desk.json(&["--data", "data", "models"]);
    for id in ["home/qwen", "home/llama"] {
        assert_eq!(model(&later, id), model(&told, id));
    }
    assert_eq!(model(&later, "home/qwen")["context_window"], 16_000);
    assert_eq!(model(&later, "home/qwen")["costs"], Value::Null);
    let explain = ["--data", "data", "explain", "tulips", "--profile", "project", "--model"];
    let limit = |model: &str| {
        let explained = desk.json(&[explain.as_slice(), &[model]].concat());
        explained["receipt"]["budget"]["limit"].as_u64().unwrap()
    };
    assert!(limit("home/qwen") < 16_000 && limit("home/llama") > 16_000);
    let own = "[[model]]\nprovider = \"home\"\nid = \"qwen\"\nwindow = 64000\n";
    desk.write("data/models.toml", own);
    let own = model(&desk.json(&["--data", "data", "models"]), "home/qwen");
    assert_eq!(own["context_window"], 64_000);
    assert!(limit("home/qwen") > 24_000);
}

#[test]
fn what_cannot_be_used_is_refused_and_nothing_is_kept() {
    let desk = Desk::new();
    let set = |args: &[&str], says: &[&str]| {
        let args = [&["--data", "data", "provider", "set"], args].concat();
        told(&desk, &args, "k-123").failed(1, says);
    };
    set(&["home"], &["give --base-url"]);
    set(&["home", "--key"], &["base_url"]);
    set(&["home", "--base-url", "nowhere"], &["no URL"]);
    set(&["Home", "--base-url", "https://home.example"], &["lower-case"]);
    set(&["home", "--base-url", "http://10.0.0.1/v1", "--key"], &["in clear"]);
    assert_eq!(row(&desk, "home"), Value::Null);
    assert!(!desk.path("data/keys.json").exists());
    desk.dossier(&["provider", "test", "nobody"]).failed(1, &["provider `nobody` is not known"]);
    desk.dossier(&["provider", "set", "x", "--protocol", "smoke"]).failed(2, &["smoke"]);
}

#[test]
fn a_settings_file_names_providers_and_models_and_the_environment_is_stronger() {
    let desk = Desk::with_notes();
    let provider = Provider::start([Reply::chat("Yes.")]).unwrap();
    let file = format!(
        "model = [\"home/qwen\"]\n[providers.home]\nbase_url = \"{}\"\n",
        provider.url("/v1")
    );
    desk.write("dossier.toml", file);
    let asked = desk.json(&["ask", "Tulips?"]);
    assert_eq!(asked["replies"][0]["model"], "home/qwen");
    let shown = desk.json(&["config", "show"]);
    assert_eq!(shown["model"], json!({"value": "home/qwen", "origin": "file dossier.toml"}));
    let shown = run(desk.bare(&["config", "show", "--json"]).env("DOSSIER_MODEL", "a, b")).ok();
    let expected = json!({"value": "a,b", "origin": "environment DOSSIER_MODEL"});
    assert_eq!(shown.json()["model"], expected);
    desk.write("dossier.toml", "[providers.home]\nbase = \"x\"\n");
    desk.dossier(&["provider", "list"]).failed(1, &["unknown field `base`"]);
}

#[test]
fn doctor_asks_the_providers_that_are_set_up() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let well = desk.dossier(&["doctor"]).ok();
    assert!(well.out.contains("passages are quoted"), "{well:#?}");
    let refused = Reply::json(401, &json!({"error": {"message": "no such key"}}));
    let provider = Provider::start([refused]).unwrap();
    let mut doctor = desk.bare(&["doctor"]);
    doctor.env("OPENAI_API_KEY", KEY).env("OPENAI_BASE_URL", provider.url("/v1"));
    let unwell = run(doctor.env("DOSSIER_EMBEDDER", "none"));
    assert_eq!(unwell.code, Some(1), "{unwell:#?}");
    assert!(unwell.out.contains("does not accept the key"), "{unwell:#?}");
    assert!(!unwell.out.contains("hunter2"), "{unwell:#?}");
}
