//! Conversations from outside.

use crate::desk::{Desk, Run, exists, keys, strings};
use std::io::Write as _;
use std::process::Stdio;

const TALK: &str = r#"{"title": "Planning", "messages": [
    {"id": "m1", "speaker": "Ana", "content": "When do we plant the tulips?", "created_at": "2026-09-01T10:00:00Z"},
    {"id": "m2", "speaker": "assistant", "content": "In October, before the frost."},
    {"id": "m3", "speaker": "Ana", "content": "And who buys the bulbs?"},
    {"id": "m4", "speaker": "assistant", "content": "Ben does, on Friday."}]}"#;

#[test]
fn an_imported_conversation_is_searchable_at_once() {
    let desk = Desk::new();
    desk.write("talk.json", TALK);
    let imported = desk.json(&["import", "talk.json"]);
    assert_eq!(keys(&imported), ["project", "threads", "documents", "left_out"]);
    assert_eq!(imported["threads"][0]["outcome"], "new");
    assert_eq!(imported["threads"][0]["messages"].as_array().unwrap().len(), 4);
    let hits = desk.json(&["search", "bulbs"]);
    assert_eq!(hits["hits"][0]["source"]["speaker"], "Ana");
    let page = desk.dossier(&["search", "frost"]).ok().out;
    assert!(page.contains("agent, round 1"), "{page}");
}

#[test]
fn a_bad_file_is_named_and_costs_the_others_nothing() {
    let desk = Desk::new();
    desk.write("talk.json", TALK);
    desk.write("broken.json", "{\"messages\": [");
    desk.write("readme.md", "# Garden\n\nNobody talks here.\n");
    let files = ["broken.json", "talk.json", "readme.md", "lost.json"];
    let imported = desk.dossier(&[&["import", "--json"], &files[..]].concat()).failed(
        1,
        &["broken.json: line 1", "readme.md: not a conversation", "cannot open lost.json"],
    );
    assert_eq!(imported.err.matches("error: ").count(), 3, "{imported:#?}");
    assert_eq!(imported.json()["threads"][0]["outcome"], "new");
    assert_eq!(desk.json(&["search", "bulbs"])["hits"].as_array().unwrap().len(), 2);
    let none = Desk::new();
    none.dossier(&["import", "lost.json", "gone.json"]).failed(1, &["lost.json", "gone.json"]);
    assert!(!exists(&none.home().join(".local")), "nothing was begun");
}

#[test]
fn a_thread_is_named_by_its_id_or_its_title() {
    let desk = Desk::new();
    desk.write("talk.json", TALK);
    let imported = desk.json(&["import", "talk.json"]);
    let id = imported["threads"][0]["thread"].as_str().unwrap();
    for name in ["Planning", id] {
        let receipt =
            desk.json(&["explain", "who buys bulbs?", "--thread", name])["receipt"].clone();
        assert_eq!(receipt["thread"], id);
        assert!(strings(&receipt["items"], "/include_mode").contains(&"recent"), "{receipt:#}");
    }
    desk.dossier(&["explain", "who?", "--thread", "Cooking"])
        .failed(1, &["thread `Cooking` is not known", "known threads: Planning"]);
}

#[test]
fn the_second_dossier_of_a_thread_tells_how_far_it_begins_like_the_first() {
    let desk = Desk::new();
    desk.write("talk.json", TALK);
    desk.dossier(&["import", "talk.json"]).ok();
    let ask = |question| desk.dossier(&["explain", question, "--thread", "Planning"]).ok().out;
    assert!(!ask("who buys bulbs?").contains("Prefix:"));
    let second = ask("and when?");
    assert!(second.contains("bytes are as in the previous turn (rcp_"), "{second}");
}

#[test]
fn a_history_policy_may_be_chosen() {
    let desk = Desk::new();
    desk.write("talk.json", TALK);
    desk.dossier(&["import", "talk.json"]).ok();
    let recent = |policy| {
        let receipt = desk.json(&["explain", "who?", "--thread", "Planning", "--history", policy])
            ["receipt"]
            .clone();
        let modes = strings(&receipt["items"], "/include_mode").into_iter();
        modes.filter(|mode| *mode == "recent").count()
    };
    let counts = ["none", "fixed", "truncate", "compress", "recent"].map(recent);
    assert_eq!(counts, [0, 4, 4, 4, 4]);
    let long = ["explain", "who?", "--thread", "Planning", "--budget", "120", "--history"];
    desk.write("long.json", TALK.replace("before the frost", &"before the frost ".repeat(100)));
    desk.dossier(&["import", "long.json", "--project", "long"]).ok();
    let long = |policy| desk.dossier(&[&long[..], &[policy, "--project", "long"]].concat());
    long("fixed").failed(1, &["start a new thread", "another history policy"]);
    long("truncate").ok();
}

#[test]
fn a_conversation_may_come_by_standard_input() {
    let desk = Desk::new();
    let mut command = desk.bare(&["import", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.env("DOSSIER_EMBEDDER", "none").spawn().unwrap();
    child.stdin.take().unwrap().write_all(TALK.as_bytes()).unwrap();
    let imported = Run::of(child.wait_with_output().unwrap()).ok();
    assert!(imported.out.contains("4 messages  Planning"), "{imported:#?}");
}

#[test]
fn rubbish_is_refused_whole_with_the_expected_shape() {
    let desk = Desk::new();
    let half = format!("{TALK}\n{{\"messages\": 1}}");
    for (name, text) in [
        ("empty.json", "".as_bytes()),
        ("prose.json", b"hello"),
        ("number.json", b"[1]"),
        ("bare.json", b"{}"),
        ("half.jsonl", half.as_bytes()),
        ("cut.json", b"{\"messages\": [{\"speaker\": \"a\","),
        ("date.json", br#"{"messages":[{"speaker":"a","content":"b","created_at":"last May"}]}"#),
        ("binary.json", &[0xff, 0xfe, 0x00]),
    ] {
        desk.write(name, text);
        desk.dossier(&["import", name]).failed(1, &[name]);
    }
    desk.dossier(&["import", "nowhere.json"]).failed(1, &["cannot open nowhere.json"]);
    desk.write("folder/x", "");
    desk.dossier(&["import", "folder"]).failed(1, &["folder"]);
    // Nothing of all that has been kept.
    desk.dossier(&["search", "tulips"]).failed(1, &["there is no database"]);
}

#[test]
fn a_key_in_a_conversation_is_shown_to_nobody_and_kept_for_the_export() {
    let desk = Desk::new();
    let key = ["sk-ant-", "api03-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"].concat();
    desk.write("talk.json", TALK.replace("Ben does", &format!("Ben does with {key}")));
    desk.json(&["import", "talk.json"]);
    let hits = desk.json(&["search", "Ben Friday"]).to_string();
    assert!(
        hits.contains("Ben does with [masked-key], on Friday.") && !hits.contains(&key),
        "{hits}"
    );
    for thread in [&["--thread", "Planning"][..], &[]] {
        let explain = ["explain", "who buys the bulbs, Ben?"];
        let receipt = desk.json(&[&explain[..], thread].concat());
        let id = receipt["receipt"]["id"].as_str().unwrap();
        let sent = desk.dossier(&["explain", "--receipt", id, "--rendered"]).ok().out;
        assert!(sent.contains("Ben does with [masked-key], on Friday."), "{sent}");
        assert!(!sent.contains(&key) && !receipt.to_string().contains(&key), "{receipt:#}");
    }
    let page = desk.dossier(&["export", "--thread", "Planning"]).ok().out;
    assert!(page.contains(&format!("Ben does with {key}, on Friday.")), "{page}");
}
