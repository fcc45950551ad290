//! Exports of other programs come in, and everything goes out and comes back.

use crate::desk::{Desk, exists, strings};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An export of ChatGPT in which so many messages were said.
fn chatgpt(said: usize) -> Value {
    let mut mapping = json!({"root": {"id": "root", "message": null, "parent": null}});
    for number in 0..said {
        let parent = match number {
            0 => "root".to_owned(),
            number => format!("n{}", number - 1),
        };
        let role = if number % 2 == 0 { "user" } else { "assistant" };
        mapping[format!("n{number}")] = json!({
            "id": format!("n{number}"), "parent": parent, "children": [],
            "message": {
                "id": format!("n{number}"), "create_time": 1741164321.5,
                "author": {"role": role}, "metadata": {"model_slug": "gpt-4o"},
                "content": {"content_type": "text", "parts": [format!("tulip number {number}")]},
            },
        });
    }
    let current = format!("n{}", said - 1);
    json!([{"title": "Tulips", "conversation_id": "c1", "create_time": 1741164321.5,
            "mapping": mapping, "current_node": current}])
}

fn zip(desk: &Desk, name: &str, members: &[(&str, String)]) {
    let mut writer = ZipWriter::new(File::create(desk.path(name)).unwrap());
    for (name, text) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn a_zip_of_chatgpt_comes_in_once_and_grows() {
    let desk = Desk::new();
    let parts = [
        ("chat.html", "<html>".to_owned()),
        ("conversations-000.json", chatgpt(2).to_string()),
        ("conversations-001.json", chatgpt(2).to_string().replace("c1", "c2")),
    ];
    zip(&desk, "export.zip", &parts);
    let first = desk.dossier(&["import", "export.zip"]).ok().out;
    assert!(
        first.contains("new threads          2") && first.contains("2 messages  Tulips"),
        "{first}"
    );
    let hits = desk.json(&["search", "tulip"]);
    let mut speakers = strings(&hits["hits"], "/source/speaker");
    speakers.sort_unstable();
    assert_eq!(speakers, ["gpt-4o", "gpt-4o", "user", "user"]);

    let again = desk.dossier(&["import", "export.zip"]).ok().out;
    assert!(again.contains("already here         2"), "{again}");
    zip(&desk, "newer.zip", &[("conversations.json", chatgpt(5).to_string())]);
    let longer = desk.json(&["import", "newer.zip"]);
    assert_eq!(longer["threads"][0]["outcome"], "extended");
    assert_eq!(longer["threads"][0]["added"], 3);
    let shorter = desk.json(&["import", "export.zip"]);
    assert_eq!(strings(&shorter["threads"], "/outcome"), ["here", "here"]);
}

/// A store with a file, a thread and a receipt.
fn filled() -> Desk {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "--project", "garden"]).ok();
    desk.write("chats.json", chatgpt(3).to_string());
    desk.dossier(&["import", "chats.json", "--project", "garden"]).ok();
    desk.dossier(&["explain", "tulips", "--project", "garden", "--thread", "Tulips"]).ok();
    desk.dossier(&["config", "set", "user.role", "gardener"]).ok();
    desk
}

#[test]
fn everything_goes_out_and_comes_back() {
    let desk = filled();
    let written = desk.dossier(&["export", "--all", "--output", "backup.jsonl"]).ok();
    assert_eq!(written.out, "");
    let told = "1 config, 2 files, 3 messages, 1 project, 1 receipt, 1 thread";
    assert_eq!(written.err, format!("backup.jsonl: {told}\n"));
    let mode = fs::metadata(desk.path("backup.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let backup = fs::read_to_string(desk.path("backup.jsonl")).unwrap();

    let fresh = Desk::new();
    fresh.write("backup.jsonl", &backup);
    let brought = fresh.dossier(&["import", "backup.jsonl"]).ok().out;
    assert!(brought.contains("messages             3"), "{brought}");
    for query in ["tulips", "oven"] {
        let search = ["search", query, "--project", "garden"];
        assert_eq!(fresh.json(&search), desk.json(&search));
    }
    let again = fresh.dossier(&["export", "--all"]).ok().out;
    assert_eq!(
        again.lines().skip(1).collect::<Vec<_>>()[..7],
        backup.lines().skip(1).collect::<Vec<_>>()[..7]
    );
    assert_eq!(again.lines().count(), backup.lines().count());
    let twice = fresh.json(&["import", "backup.jsonl"]);
    assert_eq!(twice["added"], json!({}));
    assert_eq!(twice["here"]["messages"], 3);
    fresh
        .dossier(&["import", "backup.jsonl", "--project", "x"])
        .failed(1, &["backup.jsonl is an archive", "leave --project out"]);
}

#[test]
fn a_thread_is_read_as_markdown_and_comes_back() {
    let desk = filled();
    let page = desk.dossier(&["export", "--thread", "Tulips", "--project", "garden"]).ok().out;
    assert!(page.starts_with("# Tulips\n"), "{page}");
    assert!(page.contains("\n## agent:gpt-4o, 2025-03-05 08:45\n"), "{page}");
    desk.write("page.md", &page);
    let here = desk.json(&["import", "page.md", "--project", "garden"]);
    assert_eq!(here["threads"][0]["outcome"], "here");
    let copy = desk.json(&["import", "page.md", "--project", "copy"]);
    assert_eq!(copy["threads"][0]["outcome"], "new");
    let lines = desk.dossier(&["export", "--project", "garden", "--format", "json"]).ok().out;
    let talk: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!(strings(&talk["messages"], "/speaker"), ["user", "agent:gpt-4o", "user"]);
    desk.write("talk.json", &lines);
    assert_eq!(
        desk.json(&["import", "talk.json", "--project", "copy"])["threads"][0]["outcome"],
        "here"
    );
}

#[test]
fn several_files_come_together_without_the_bad_ones() {
    let desk = filled();
    desk.dossier(&["export", "--all", "--output", "backup.jsonl"]).ok();
    let fresh = Desk::new();
    fresh.write("backup.jsonl", fs::read(desk.path("backup.jsonl")).unwrap());
    fresh.write("chats.json", chatgpt(3).to_string());
    fresh.write("broken.json", "[{\"messages\": 1}]");
    fresh
        .dossier(&["import", "chats.json", "backup.jsonl", "broken.json"])
        .failed(1, &["broken.json: conversation 1: its messages are no list"]);
    let both = fresh.json(&["import", "chats.json", "backup.jsonl"]);
    assert_eq!(strings(&both[0]["threads"], "/outcome"), ["here"]);
    assert_eq!((&both[0]["project"], &both[1]["here"]["threads"]), (&json!("default"), &json!(1)));
}

#[test]
fn what_is_not_whole_is_refused() {
    let desk = filled();
    let backup = desk.dossier(&["export", "--all"]).ok().out;
    let fresh = Desk::new();
    fresh.write("cut.jsonl", &backup[..backup.len() / 2]);
    fresh
        .dossier(&["import", "cut.jsonl"])
        .failed(1, &["cut.jsonl: the archive is incomplete", "it holds"]);
    fresh.write("newer.jsonl", backup.replacen("\"version\":", "\"version\":9", 1));
    fresh.dossier(&["import", "newer.jsonl"]).failed(1, &["version 9", "update dossier"]);
    fresh.write("deep.json", "[".repeat(5_000_000));
    fresh
        .dossier(&["import", "deep.json"])
        .failed(1, &["deep.json: line 1, column 129: recursion limit"]);
    zip(&fresh, "other.zip", &[("readme.txt", "hello".to_owned())]);
    fresh
        .dossier(&["import", "other.zip"])
        .failed(1, &["other.zip: the ZIP holds no conversations.json"]);
    fresh.write("half.zip", b"PK\x03\x04 and no more");
    fresh.dossier(&["import", "half.zip"]).failed(1, &["half.zip: the ZIP cannot be read"]);
    fresh.dossier(&["search", "tulip"]).failed(1, &["there is no database"]);
}

#[test]
fn keys_that_are_not_known_are_told() {
    let desk = Desk::new();
    desk.write("talk.json", r#"{"messages": [{"speaker": "a", "content": "b", "mood": 1}]}"#);
    let told = desk.dossier(&["import", "talk.json"]).ok().err;
    assert_eq!(
        told,
        "warning: talk.json: conversation 1, message 1: `mood` is not known and was left out\n"
    );
}

#[test]
fn an_export_that_cannot_be_done_leaves_the_file_as_it_was() {
    let desk = filled();
    desk.dossier(&["export"]).failed(2, &["--all", "--project <P>", "--thread <T>"]);
    desk.dossier(&["export", "--all", "--format", "json"]).failed(2, &["cannot be used with"]);
    desk.dossier(&["export", "--all", "--project", "garden"]).failed(2, &["cannot be used with"]);
    desk.write("kept.md", "kept");
    desk.dossier(&["export", "--thread", "Roses", "--project", "garden", "--output", "kept.md"])
        .failed(1, &["thread `Roses` is not known", "known threads: Tulips"]);
    assert_eq!(fs::read_to_string(desk.path("kept.md")).unwrap(), "kept");
    desk.dossier(&["export", "--all", "--output", "nowhere/x"])
        .failed(1, &["cannot write to nowhere"]);
    desk.dossier(&["export", "--all", "--output", "notes"]).failed(1, &["notes is a folder"]);
    let left = fs::read_dir(desk.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().starts_with(".tmp")));
    assert!(!exists(&desk.path("nowhere")));
}
