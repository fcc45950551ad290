//! What programs and terminals get: documents, exit codes, colours, help.

use crate::desk::{Desk, Run, exists, keys, run};
use std::process::Stdio;

#[test]
fn every_json_document_has_the_promised_keys() {
    let desk = Desk::with_notes();
    let indexed = desk.json(&["index", "notes"]);
    assert_eq!(
        keys(&indexed),
        [
            "project",
            "added",
            "changed",
            "unchanged",
            "removed",
            "chunks",
            "vectors",
            "elapsed_ms",
            "busy_ms",
            "problem",
            "fileset",
            "skipped"
        ]
    );
    let found = desk.json(&["search", "tulips"]);
    assert_eq!(keys(&found), ["project", "query", "hits"]);
    let hit = &found["hits"][0];
    for key in ["source", "text", "tokens", "score", "scores", "matched"] {
        assert!(hit.get(key).is_some(), "{key}: {hit}");
    }
    let document = desk.json(&["explain", "tulips"]);
    let promised = ["header", "working_set", "budget", "lazy_tools", "cache_key", "receipt"];
    assert_eq!(keys(&document), promised);
    let receipt = &document["receipt"];
    for key in [
        "id", "now", "project", "question", "intent", "profile", "budget", "coverage", "items",
        "beyond", "blocks", "sent",
    ] {
        assert!(receipt.get(key).is_some(), "{key}: {receipt}");
    }
    for item in receipt["items"].as_array().unwrap() {
        for key in ["kind", "source", "include_mode", "tokens", "form", "reason"] {
            assert!(item.get(key).is_some(), "{key}: {item}");
        }
        for key in ["type", "id"] {
            assert!(item["source"].get(key).is_some(), "{key}: {item}");
        }
    }
    for key in ["used", "limit", "warnings"] {
        assert!(receipt["budget"].get(key).is_some(), "{key}: {receipt}");
    }
}

#[test]
fn wrong_use_has_exit_code_two() {
    let desk = Desk::with_notes();
    for args in [
        &[][..],
        &["indx"],
        &["index"],
        &["index", ""],
        &["search"],
        &["search", "x", "--limit", "0"],
        &["explain"],
        &["explain", "x", "--receipt", "rcp_1"],
        &["explain", "x", "--budget", "0"],
        &["explain", "x", "--budget", "-5"],
        &["explain", "x", "--profile", "fat"],
        &["explain", "x", "--history", "forget"],
        &["--embedder", "huge", "search", "x"],
        &["--quiet", "--verbose", "search", "x"],
        &["config", "set", "colour", "red"],
        &["eval", "context"],
        &["eval", "cache"],
    ] {
        let used = desk.dossier(args);
        assert_eq!(used.code, Some(2), "{args:?}: {used:#?}");
        assert!(used.out.is_empty() && used.err.contains("--help"), "{args:?}: {used:#?}");
    }
    assert!(!exists(&desk.home().join(".local")), "wrong use must not make a database");
}

#[test]
fn help_of_every_command_has_an_example() {
    let desk = Desk::new();
    for command in [
        &[][..],
        &["index"],
        &["search"],
        &["explain"],
        &["import"],
        &["eval"],
        &["eval", "context"],
        &["eval", "cache"],
        &["config"],
        &["config", "show"],
        &["config", "set"],
        &["config", "unset"],
        &["maintain"],
        &["doctor"],
        &["completions"],
    ] {
        let help = desk.dossier(&[command, &["--help"]].concat()).ok().out;
        assert!(help.contains("Example"), "{command:?}: {help}");
        assert!(help.contains("dossier "), "{command:?}: {help}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "src"]).ok();
    for args in [&["search", "oven"][..], &["search", "oven", "--json"], &["explain", "oven"]] {
        let mut command = desk.bare(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = Run::of(child.wait_with_output().unwrap());
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn colours_come_when_asked_for_and_never_into_a_pipe_by_themselves() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let colored = |run: &Run| run.out.contains("\u{1b}[");
    assert!(!colored(&desk.dossier(&["explain", "tulips"]).ok()));
    assert!(colored(&desk.dossier(&["--color", "always", "explain", "tulips"]).ok()));
    assert!(!colored(&desk.dossier(&["--color", "never", "explain", "tulips"]).ok()));
    let mut command = desk.bare(&["--color", "always", "search", "tulips", "--json"]);
    assert!(!colored(&run(command.env("DOSSIER_EMBEDDER", "none")).ok()));
}

#[test]
fn quiet_prints_results_and_errors_only() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let nothing = desk.dossier(&["--quiet", "search", "xylophone"]).ok();
    assert_eq!((nothing.out.as_str(), nothing.err.as_str()), ("", ""));
    desk.dossier(&["--quiet", "search", ""]).failed(1, &["the query is empty"]);
}

#[test]
fn global_flags_may_stand_before_or_after_the_command() {
    let desk = Desk::with_notes();
    desk.dossier(&["--data", "elsewhere", "index", "notes"]).ok();
    desk.dossier(&["search", "tulips", "--data", "elsewhere"]).ok();
    assert!(exists(&desk.path("elsewhere/dossier.db")));
}
