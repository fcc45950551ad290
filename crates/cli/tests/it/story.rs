//! Index, search, explain, and again.

use crate::desk::{Desk, Run, keys, run, strings};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The numbers of an indexing run: added, changed, unchanged, removed.
fn counts(report: &Value) -> [u64; 4] {
    ["added", "changed", "unchanged", "removed"].map(|key| report[key].as_u64().unwrap())
}

#[test]
fn what_is_indexed_can_be_found_and_explained() {
    let desk = Desk::with_notes();
    let indexed = desk.dossier(&["index", "notes", "src"]).ok();
    assert!(indexed.out.contains("added             3"), "{}", indexed.out);

    let found = desk.dossier(&["search", "when are tulips planted?"]).ok();
    let first = found.out.lines().next().unwrap();
    assert!(first.starts_with("1  garden.md:1-3"), "{}", found.out);
    assert!(found.out.contains("words: planted, tulips"), "{}", found.out);

    let page = desk.dossier(&["explain", "when are tulips planted?"]).ok().out;
    for part in [
        "when are tulips planted?",
        "of 3,000 tokens (o200k) · profile lean · context lookup · project default",
        "receipt rcp_",
        "█ header",
        "In the dossier (",
        "garden.md:1-3",
        "rank 1: words",
        "Left out (",
    ] {
        assert!(page.contains(part), "{part} is missing in\n{page}");
    }
    assert!(!page.contains('\u{1b}'), "{page}");
}

#[test]
fn vectors_find_what_words_do_not() {
    let desk = Desk::with_notes();
    let local = |args: &[&str]| run(&mut desk.bare(args)).ok();
    let report = local(&["index", "notes", "--json"]).json();
    assert_eq!((report["chunks"].as_u64(), report["vectors"].as_u64()), (Some(2), Some(2)));

    let hits = local(&["search", "flowers", "--json"]).json();
    assert_eq!(strings(&hits["hits"], "/source/path")[0], "garden.md");
    let receipt = local(&["explain", "flowers", "--json"]).json()["receipt"].clone();
    let coverage = &receipt["coverage"];
    assert_eq!(
        (coverage["chunks"].as_u64(), coverage["with_vectors"].as_u64()),
        (Some(2), Some(2))
    );

    // Words alone find nothing, and say so.
    let none = desk.dossier(&["search", "flowers"]).ok();
    assert_eq!(none.out, "");
    assert_eq!(none.err, "nothing found in project default; try other words\n");
}

#[test]
fn vectors_that_were_left_out_come_with_the_next_run() {
    let desk = Desk::with_notes();
    let local = |args: &[&str]| run(&mut desk.bare(args)).ok().json();
    assert_eq!(local(&["index", "notes", "--no-vectors", "--json"])["vectors"], 0);
    let report = local(&["index", "notes", "--json"]);
    assert_eq!(counts(&report), [0, 0, 2, 0]);
    assert_eq!(report["vectors"], 2);
}

#[test]
fn a_second_run_reads_only_what_has_changed() {
    let desk = Desk::with_notes();
    assert_eq!(counts(&desk.json(&["index", "notes", "src"])), [3, 0, 0, 0]);
    let again = desk.json(&["index", "notes", "src"]);
    assert_eq!(counts(&again), [0, 0, 3, 0]);
    assert_eq!(again["chunks"], 0);

    desk.write("notes/garden.md", "The roses are planted in March.\n");
    assert_eq!(counts(&desk.json(&["index", "notes", "src"])), [0, 1, 2, 0]);
    assert_eq!(desk.json(&["search", "tulips"])["hits"], serde_json::json!([]));
    assert_eq!(strings(&desk.json(&["search", "roses"])["hits"], "/source/path"), ["garden.md"]);
}

#[test]
fn a_removed_file_is_found_no_more() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    fs::remove_file(desk.path("notes/kitchen.md")).unwrap();
    assert_eq!(counts(&desk.json(&["index", "notes"])), [0, 0, 1, 1]);
    assert_eq!(desk.json(&["search", "oven"])["hits"], serde_json::json!([]));
}

#[test]
fn a_file_that_is_always_in_context_is_in_every_dossier() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes/kitchen.md", "--always"]).ok();
    let receipt = desk.json(&["explain", "something else entirely"])["receipt"].clone();
    let items = receipt["items"].as_array().unwrap();
    let pinned = items.iter().find(|item| item["source"]["path"] == "kitchen.md").unwrap();
    assert_eq!((&pinned["include_mode"], &pinned["form"]), (&"always".into(), &"full".into()));
}

#[test]
fn projects_do_not_see_each_others_files() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes/garden.md", "--project", "garden"]).ok();
    desk.dossier(&["index", "notes/kitchen.md", "--project", "kitchen"]).ok();
    let hits = desk.json(&["search", "the", "--project", "kitchen"]);
    assert!(!strings(&hits["hits"], "/source/path").contains(&"garden.md"));
    desk.dossier(&["search", "oven"])
        .failed(1, &["project `default` is not known", "known projects: garden, kitchen"]);
    desk.dossier(&["explain", "oven", "--project", "cellar"])
        .failed(1, &["project `cellar` is not known", "known projects: garden, kitchen"]);
}

#[test]
fn a_receipt_is_shown_again_as_it_was_even_after_its_files_have_changed() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let receipt = desk.json(&["explain", "when are tulips planted?"])["receipt"].clone();
    let id = receipt["id"].as_str().unwrap();
    let rendered = desk.dossier(&["explain", "--receipt", id, "--rendered"]).ok().out;
    assert!(rendered.starts_with("── system ──\n"), "{rendered}");
    assert!(rendered.contains("The tulips are planted in October."), "{rendered}");

    desk.write("notes/garden.md", "Nothing grows here.\n");
    desk.dossier(&["index", "notes"]).ok();
    assert_eq!(desk.json(&["explain", "--receipt", id])["receipt"], receipt);
    assert_eq!(desk.dossier(&["explain", "--receipt", id, "--rendered"]).ok().out, rendered);
    let messages = desk.json(&["explain", "--receipt", id, "--rendered"]);
    assert_eq!(keys(&messages), ["receipt", "messages"]);
    assert_eq!(messages["messages"][0]["role"], "system");

    desk.dossier(&["explain", "--receipt", "rcp_none"])
        .failed(1, &["receipt `rcp_none` is not known", "dossier explain prints the id of each"]);
}

#[test]
fn a_budget_is_kept_and_one_that_is_too_small_says_what_it_needs() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "src"]).ok();
    let receipt = desk.json(&["explain", "tulips", "--budget", "120"])["receipt"].clone();
    let budget = &receipt["budget"];
    assert_eq!(budget["limit"], 120);
    assert!(budget["used"].as_u64().unwrap() <= 120, "{budget}");
    desk.dossier(&["explain", "tulips", "--budget", "20"])
        .failed(1, &["tokens", "raise the budget"]);
}

#[test]
fn ctrl_c_keeps_what_is_done_and_says_how_to_go_on() {
    let desk = Desk::new();
    for number in 0..1_000 {
        let line = |at| format!("note {number}: item {at} of the list is worth {}\n", at * number);
        desk.write(&format!("notes/{number}.md"), (0..50).map(line).collect::<String>());
    }
    let mut command = desk.bare(&["index", "notes"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The first vectors are there long before the last.
    let explain = || run(&mut desk.bare(&["explain", "item", "--json"]));
    let has_vectors =
        |page: Run| page.code == Some(0) && page.json()["receipt"]["coverage"]["with_vectors"] != 0;
    while !has_vectors(explain()) {
        thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let stopped = Run::of(child.wait_with_output().unwrap());
    assert_eq!(stopped.code, Some(130), "{stopped:#?}");
    assert!(stopped.err.contains("to go on, run the same command again"), "{stopped:#?}");
    assert!(stopped.out.contains("added         1,000"), "{stopped:#?}");
    assert_eq!(counts(&desk.json(&["index", "notes"])), [0, 0, 1_000, 0]);
}
