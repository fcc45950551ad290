//! `dossier serve` and `dossier token`, as someone at a terminal meets them.

use crate::desk::Desk;
use crate::served::Served;
use serde_json::{Value, json};
use std::process::Command;

fn bare(desk: &Desk) -> Command {
    let mut command = desk.bare::<&str>(&[]);
    command.env("DOSSIER_EMBEDDER", "none");
    command
}

#[test]
fn what_was_indexed_is_served_until_the_program_is_asked_to_end() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "--project", "garden"]).ok();
    let served = Served::start(bare(&desk).env("DOSSIER_SERVER_LOG", "json"));
    let (status, found) =
        served.ask("POST", "/api/search/global", "X-Request-Id: r1\r\n", "{\"query\":\"tulips\"}");
    assert_eq!((status, &found["hits"][0]["project"]), (200, &json!("garden")), "{found}");
    let (code, log) = served.end();
    assert_eq!(code, Some(0), "{log}");
    let lines: Vec<Value> =
        log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let request = lines.iter().find(|line| line["message"] == "request").unwrap();
    for (key, value) in [("id", json!("r1")), ("method", json!("POST")), ("status", json!(200))] {
        assert_eq!(request[key], value, "{log}");
    }
    assert!(!log.contains("tulips"), "{log}");
}

#[test]
fn settings_that_something_stronger_says_are_locked() {
    let desk = Desk::new();
    desk.write("dossier.toml", "profile = \"project\"\n\n[server]\nhosts = [\"notes.example\"]\n");
    let served = Served::start(bare(&desk).env("DOSSIER_BUDGET_USD_PER_DAY", "2.50"));
    let (_, settings) = served.ask("GET", "/api/settings", "", "");
    let row = |settings: &Value, key: &str| {
        let rows = settings["settings"].as_array().unwrap();
        rows.iter().find(|row| row["key"] == key).cloned().unwrap()
    };
    let setting = |key: &str, value: &str, origin: &str, locked: bool, applies: &str| json!({ "key": key, "value": value, "origin": origin, "locked": locked, "applies": applies });
    for (key, value, origin, locked, applies) in [
        ("embedder", "none", "environment DOSSIER_EMBEDDER", true, "restart"),
        ("profile", "project", "file dossier.toml", true, "now"),
        ("user.role", "", "default", false, "now"),
        ("listen", "127.0.0.1:0", "flag --listen", true, "restart"),
        ("budget.usd_per_day", "2.5", "environment DOSSIER_BUDGET_USD_PER_DAY", true, "now"),
        ("server.hosts", "notes.example", "file dossier.toml", true, "restart"),
    ] {
        assert_eq!(row(&settings, key), setting(key, value, origin, locked, applies));
    }
    let set = "{\"values\":{\"user.role\":\"cook\"}}";
    let (status, settings) = served.ask("PUT", "/api/settings", "", set);
    assert_eq!(status, 200);
    assert_eq!(row(&settings, "user.role"), setting("user.role", "cook", "database", false, "now"));
    let (status, problem) =
        served.ask("PUT", "/api/settings", "", "{\"values\":{\"profile\":\"lean\"}}");
    assert_eq!((status, &problem["code"]), (409, &json!("conflict")));
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn an_address_for_other_machines_is_refused_without_a_token() {
    let desk = Desk::new();
    desk.dossier(&["serve", "--listen", "0.0.0.0:0"])
        .failed(1, &["0.0.0.0:0", "dossier token create NAME"]);
    desk.dossier(&["serve", "--listen", "everywhere"]).failed(2, &["127.0.0.1:7717"]);
}

#[test]
fn a_taken_address_is_an_error_with_a_way_out() {
    let desk = Desk::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    desk.dossier(&["serve", "--listen", &address]).failed(1, &[&address, "--listen"]);
}

#[test]
fn a_token_is_shown_once_and_opens_until_it_is_revoked() {
    let desk = Desk::new();
    let made = desk.dossier(&["token", "create", "laptop", "--owner", "ana"]).ok();
    let token = made.out.trim();
    assert!(token.starts_with("tok_") && token.len() == 95, "{token}");
    assert!(!made.err.contains(token), "{}", made.err);
    desk.dossier(&["token", "create", "laptop", "--owner", "ana"]).failed(1, &["laptop"]);
    desk.dossier(&["token", "create", " "]).failed(1, &["1 to 100 characters"]);
    let old = desk.json(&["token", "create", "build", "--days", "90"]);
    assert_eq!(
        (&old["name"], &old["owner"], &old["expired"]),
        (&json!("build"), &json!("local"), &json!(false))
    );
    let list = desk.dossier(&["token", "list"]).ok().out;
    assert!(list.contains("laptop") && list.contains("ana"), "{list}");
    assert!(!list.contains(token.rsplit('.').next().unwrap()), "{list}");

    let served = Served::start(bare(&desk).env("DOSSIER_SERVER_TOKENS_REQUIRED", "true"));
    let bearer = format!("Authorization: Bearer {token}\r\n");
    assert_eq!(served.ask("GET", "/api/projects", "", "").0, 401);
    assert_eq!(served.ask("GET", "/api/projects", &bearer, "").0, 200);
    // Of the machine's settings other owners see nothing.
    let (_, settings) = served.ask("GET", "/api/settings", &bearer, "");
    let keys: Vec<&Value> =
        settings["settings"].as_array().unwrap().iter().map(|row| &row["key"]).collect();
    let of_machine = |key: &&Value| {
        let own = ["profile", "model", "user.", "consult.", "files.skip", "budget."];
        !own.iter().any(|own| key.as_str().unwrap().starts_with(own))
    };
    assert_eq!(keys.into_iter().find(of_machine), None);
    let budget = "{\"values\":{\"budget.usd_per_day\":\"2\"}}";
    assert_eq!(served.ask("PUT", "/api/settings", &bearer, budget).0, 200);
    desk.dossier(&["token", "revoke", "laptop"]).ok();
    assert_eq!(served.ask("GET", "/api/projects", &bearer, "").0, 401);
    desk.dossier(&["token", "revoke", "laptop"]).failed(1, &["dossier token list"]);
    let (code, log) = served.end();
    assert_eq!(code, Some(0));
    assert!(!log.contains(token), "{log}");
}
