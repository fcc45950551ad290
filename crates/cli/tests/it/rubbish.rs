//! Whatever is thrown at the program, it answers with a clear word.

use crate::desk::{Desk, strings};
use std::os::unix::fs::symlink;
use std::process::Command;

#[test]
fn an_empty_question_is_refused() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    desk.dossier(&["explain", ""]).failed(1, &["the question is empty"]);
    desk.dossier(&["explain", " \n\t "]).failed(1, &["the question is empty"]);
    desk.dossier(&["search", "  "]).failed(1, &["the query is empty"]);
}

#[test]
fn operators_and_quotes_are_words_like_any_other() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "src"]).ok();
    for query in [
        "AND",
        "tulips OR",
        "NOT tulips NEAR(oven, 2)",
        "\"",
        "\"tulips",
        "tulips\"\"",
        "*",
        "tul*",
        "^tulips",
        "notes:tulips",
        "(",
        ")((",
        "'; DROP TABLE files; --",
        "%",
        "_",
        "\\",
        "{}",
        "?",
        "\u{202e}",
        "日本語",
        "🦀",
        "a:b:c",
        "-oven",
        "+",
        "--",
        "tulips & oven | !count",
    ] {
        desk.dossier(&["search", "--", query]).ok();
        desk.dossier(&["explain", "--", query]).ok();
    }
    let hits = desk.json(&["search", "tulips AND oven"]);
    assert_eq!(hits["hits"].as_array().unwrap().len(), 2);
    let hits = desk.json(&["search", "\"oven is broken\" tulips"]);
    assert_eq!(strings(&hits["hits"], "/source/path"), ["kitchen.md"]);
}

#[test]
fn a_folder_full_of_oddities_is_indexed_without_them() {
    let desk = Desk::with_notes();
    desk.write("odd/binary.dat", [0, 159, 146, 150, 0, 1, 2, 3]);
    desk.write("odd/logo.png", [0x89, b'P', b'N', b'G']);
    desk.write("odd/latin1.txt", b"caf\xe9 ".repeat(400));
    desk.write("odd/empty.txt", "");
    desk.write("odd/nul.txt", "before\0after");
    desk.write("odd/.env", "SECRET=1");
    desk.write("odd/line.txt", "tulip ".repeat(10 * 1024 * 1024 / 6));
    desk.write("odd/plain.txt", "The cellar is dry.\n");
    symlink(desk.path("odd"), desk.path("odd/folder")).unwrap();
    symlink("loop", desk.path("odd/loop")).unwrap();
    symlink(desk.path("odd/nothing"), desk.path("odd/dangling")).unwrap();
    symlink("/etc/hostname", desk.path("odd/outside.txt")).unwrap();
    let pipe = desk.path("odd/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());

    let report = desk.json(&["index", "odd"]);
    let skipped = report["skipped"].as_array().unwrap();
    let reason = |path: &str| {
        let file = skipped.iter().find(|file| file["path"] == path);
        file.map(|file| file["reason"].as_str().unwrap().to_owned())
    };
    for (path, expected) in [
        ("binary.dat", "binary"),
        ("nul.txt", "binary"),
        ("latin1.txt", "not text in UTF-8 or UTF-16"),
        ("logo.png", "binary"),
        ("pipe", "not a regular file"),
        ("loop", "a link that leads back to itself"),
        ("dangling", "a link to nothing"),
        ("outside.txt", "a link that leaves the folder"),
    ] {
        assert_eq!(reason(path).as_deref(), Some(expected), "{report:#}");
    }
    assert_eq!(report["added"], 3, "{report:#}");
    assert_eq!(strings(&desk.json(&["search", "cellar"])["hits"], "/source/path"), ["plain.txt"]);
    assert!(!desk.dossier(&["explain", "tulip cellar"]).ok().out.is_empty());
}

#[test]
fn a_file_that_cannot_be_indexed_is_named_with_the_reason() {
    let desk = Desk::with_notes();
    for number in 1..=7 {
        desk.write(&format!("odd/{number}.png"), [0, 1]);
    }
    let few = desk.dossier(&["index", "odd"]).ok().out;
    assert!(few.contains("binary: 7") && few.contains("5.png"), "{few}");
    assert!(few.contains("and 2 more; --verbose shows all") && !few.contains("6.png"), "{few}");
    let all = desk.dossier(&["--verbose", "index", "odd"]).ok().out;
    assert!(all.contains("7.png") && !all.contains("more;"), "{all}");
}

#[test]
fn a_missing_path_is_named() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "nowhere"]).failed(1, &["nowhere does not exist"]);
}

#[test]
fn a_question_of_many_pages_is_shown_in_short_or_refused_with_a_way_out() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    // A single argument may have 128 KiB, so the limit itself cannot be reached from a shell.
    let long = "why are tulips ".repeat(8_000);
    let explained = desk.dossier(&["explain", &long]).ok().out;
    assert!(explained.contains("it is shown in short, see ref:prose:"), "{explained}");
    let too_little = ["explain", &long, "--budget", "60"];
    desk.dossier(&too_little).failed(1, &["tokens", "raise the budget"]);
    desk.dossier(&["search", &long]).ok();
}

#[test]
fn project_names_that_cannot_be_shown_are_refused() {
    let desk = Desk::with_notes();
    for name in ["", "  ", "a\nb", "a\u{1b}[31m", &"x".repeat(201)] {
        desk.dossier(&["index", "notes", "--project", name]).failed(1, &["a project's name has"]);
    }
    desk.dossier(&["index", "notes", "--project", "Grüße 日本"]).ok();
}

#[test]
fn a_damaged_database_is_reported_and_not_touched() {
    let desk = Desk::with_notes();
    desk.write(
        "broken.db",
        "this is not a database, however much one wishes it were one ".repeat(9),
    );
    let before = std::fs::read(desk.path("broken.db")).unwrap();
    desk.dossier(&["--database", "sqlite:broken.db", "search", "x"])
        .failed(1, &["cannot open the database sqlite:broken.db"]);
    assert_eq!(std::fs::read(desk.path("broken.db")).unwrap(), before);
}
