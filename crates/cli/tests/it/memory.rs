//! Facts and refs on the command line: written down, found, mended, pinned, expanded and forgotten.

use crate::desk::{Desk, strings};
use serde_json::{Value, json};

fn id(shown: &Value) -> String {
    shown["id"].as_str().unwrap().to_owned()
}

#[test]
fn facts_are_added_found_edited_pinned_and_forgotten() {
    let desk = Desk::new();
    let launch = "The launch is on 2027-03-05.";
    let added = desk.json(&["facts", "add", launch, "--tag", "launch"]);
    assert_eq!((&added["text"], &added["state"]), (&json!(launch), &json!("holds")));
    desk.json(&["facts", "add", "Our dog is called Rex."]);
    let found = desk.json(&["facts", "search", "when is the launch?"]);
    assert_eq!(strings(&found["facts"], "/text")[0], launch);
    let first = id(&added);
    let moved = "The launch is on 2027-04-12.";
    let edited = desk.json(&["facts", "edit", &first, "--text", moved]);
    assert_eq!((id(&edited), &edited["text"]), (first.clone(), &json!(moved)));
    let pinned = desk.dossier(&["facts", "pin", &first]).ok();
    assert!(pinned.err.contains(&format!("{first} is pinned")), "{pinned:#?}");
    // What contradicts it waits for a person, who decides.
    let doubtful = desk.json(&["facts", "add", "The launch is on 2027-05-01."]);
    assert_eq!(doubtful["state"], "doubtful");
    let accepted = desk.json(&["facts", "edit", &id(&doubtful), "--accept"]);
    assert_eq!(accepted["state"], "holds");
    let closed = desk.json(&["facts", "list", "--state", "closed"]);
    assert_eq!(strings(&closed["facts"], "/id"), [first.as_str()]);
    let shown = desk.dossier(&["facts", "show", &first]).ok().out;
    assert!(shown.contains(&format!("closed by {}", id(&doubtful))), "{shown}");
    desk.dossier(&["facts", "unpin", &first]).ok();
    desk.dossier(&["facts", "forget", &first]).ok();
    desk.dossier(&["facts", "show", &first]).failed(1, &["is not known", "it was forgotten"]);
    let left = desk.json(&["facts", "list", "--state", "all"]);
    assert_eq!(left["total"], 2);
}

#[test]
fn refs_are_shown_expanded_marked_and_forgotten() {
    let desk = Desk::new();
    let log: String = (0..120).map(|n| format!("step {n} of the backup is done\n")).collect();
    desk.write("backup.log", &log);
    let name = id(&desk.json(&["refs", "add", "backup.log"]));
    let shown = desk.json(&["refs", "show", &name]);
    assert_eq!((id(&shown), &shown["is_stale"]), (name.clone(), &json!(false)));
    let compressed = shown["compressed"].as_str().unwrap();
    assert!(compressed.contains(&name) && !compressed.contains("step 77 "), "{compressed}");
    assert_eq!(desk.dossier(&["refs", "expand", &name]).ok().out, log);
    let part = desk.json(&["refs", "expand", &name, "--offset", "77", "--limit", "1"]);
    let expected = json!({
        "id": name, "content": "step 77 of the backup is done\n", "total": 120, "was_stale": false,
    });
    assert_eq!(part, expected);
    let view = desk.dossier(&["refs", "expand", &format!("{name}:compressed")]).ok().out;
    assert_eq!(view.trim_end(), compressed.trim_end());
    desk.dossier(&["refs", "stale", &name]).ok();
    let stale = desk.dossier(&["refs", "show", &name]).ok().out;
    assert!(stale.contains("[stale; expand it to look again]"), "{stale}");
    let warned = desk.dossier(&["refs", "expand", &name]).ok().err;
    assert!(warned.contains("it was stale"), "{warned}");
    // What the same file holds later makes it stale again.
    desk.write("backup.log", log.replace("is done", "failed"));
    desk.dossier(&["refs", "add", "backup.log"]).ok();
    assert_eq!(desk.json(&["refs", "show", &name])["is_stale"], true);
    desk.dossier(&["refs", "forget", &name]).ok();
    desk.dossier(&["refs", "show", &name]).failed(1, &["is not known"]);
    let listed = |filter: &[&str]| {
        let refs = desk.json(&[&["refs", "list"], filter].concat());
        strings(&refs["refs"], "/id").len()
    };
    let found = |text: &str| listed(&["--filter", text]);
    assert_eq!((listed(&[]), found("Backup"), found("walrus")), (1, 1, 0));
    // One of a project stands in its dossiers when it is named.
    desk.write("notes/pump.md", "The pump is loud.\n");
    desk.dossier(&["index", "notes", "--project", "pumps"]).ok();
    let own = desk.json(&["refs", "add", "backup.log", "--kind", "pumping", "--project", "pumps"]);
    assert!(own["project_id"].is_string(), "{own}");
    let question = format!("What failed in {}?", id(&own));
    let dossier = desk.json(&["explain", "--project", "pumps", &question]).to_string();
    assert!(dossier.contains("the question names it"), "{dossier}");
    desk.dossier(&["refs", "add", "backup.log", "--project", "none"]).failed(1, &["none"]);
}

#[test]
fn a_message_is_expanded_by_its_id() {
    let desk = Desk::new();
    let talk = json!({ "title": "talk", "messages": [
        { "speaker": "user", "content": "Order ORD-4711 is paid.\nThat is all." },
    ]});
    desk.write("talk.json", talk.to_string());
    desk.dossier(&["import", "talk.json"]).ok();
    let found = desk.json(&["search", "order"]);
    let message = found["hits"][0]["source"]["id"].as_str().unwrap().to_owned();
    let part = desk.json(&["refs", "expand", &message, "--limit", "1"]);
    assert_eq!(
        (&part["content"], &part["total"]),
        (&json!("Order ORD-4711 is paid.\n"), &json!(2))
    );
    let refused = desk.dossier(&["refs", "expand", "msg_none"]);
    refused.failed(1, &["not a ref", "the id of a message"]);
}

#[test]
fn what_explaining_shows_in_short_can_be_expanded() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "."]).ok();
    let log: String = (0..1_500).map(|n| format!("INFO request {n} took {n} ms\n")).collect();
    let question = format!("What failed here?\n\n{log}\nAnswer in one sentence.");
    let shown = desk.json(&["explain", &question]);
    let warning = shown["budget"]["warnings"][0].as_str().unwrap();
    let name = warning.split_once("it is shown in short, see ").unwrap().1;
    assert!(shown["receipt"]["question"].as_str().unwrap().contains(name), "{shown:#}");
    let whole = desk.dossier(&["refs", "expand", name]).ok().out;
    assert!(whole.contains("INFO request 777 took 777 ms"), "{whole}");
}
