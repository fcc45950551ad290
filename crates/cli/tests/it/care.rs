//! Backups, restoring, mending: the store in good days and bad.

use crate::desk::{Desk, Run, exists, run, strings};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

fn folder(desk: &Desk) -> PathBuf {
    desk.home().join(".local/share/dossier")
}

fn database(desk: &Desk) -> PathBuf {
    folder(desk).join("dossier.db")
}

pub fn backups(desk: &Desk) -> Vec<String> {
    let list = desk.json(&["maintain", "--backups"]);
    strings(&list["backups"], "/name").into_iter().map(str::to_owned).collect()
}

/// The verdicts of `doctor`, without those that are well.
fn complaints(desk: &Desk) -> Vec<(String, String)> {
    let report = desk.dossier(&["doctor", "--json"]).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let findings = report["findings"].as_array().unwrap().iter();
    let findings = findings.filter(|finding| finding["verdict"] != "ok");
    findings.map(|finding| (text(&finding["about"]), text(&finding["verdict"]))).collect()
}

#[test]
fn a_lost_database_comes_back_with_one_command() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    assert_eq!(backups(&desk).len(), 1, "the first writing command of the day makes one");
    desk.dossier(&["index", "notes", "src"]).ok();
    assert_eq!(backups(&desk).len(), 1);
    fs::write(database(&desk), "nothing a database would hold ".repeat(400)).unwrap();

    desk.dossier(&["search", "tulips"])
        .failed(1, &["the database is damaged", "dossier doctor", "dossier maintain --restore"]);
    let report = desk.dossier(&["doctor"]);
    assert_eq!(report.code, Some(1), "{report:#?}");
    assert!(report.out.contains("problem") && report.out.contains("--restore"), "{report:#?}");

    let restored = desk.dossier(&["maintain", "--restore"]).ok().out;
    assert!(restored.contains("what came after it is not in it"), "{restored}");
    assert!(restored.contains("the database before is kept in"), "{restored}");
    let hits = desk.json(&["search", "tulips"]);
    assert_eq!(strings(&hits["hits"], "/source/path"), ["garden.md"]);
    assert_eq!(complaints(&desk), []);
    assert_eq!(backups(&desk).len(), 2, "the old one is kept");
}

/// The newer version is this one with a format that it does not know.
#[test]
fn an_earlier_version_goes_back_to_what_it_can_read() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    desk.dossier(&["maintain", "--backup"]).ok();
    let [own, newer] = backups(&desk).try_into().unwrap();
    let copy = folder(&desk).join("backups").join(&newer).join("dossier.db");
    for file in [database(&desk), copy] {
        execute(&file, "UPDATE format SET version = version + 1");
    }
    desk.dossier(&["search", "tulips"])
        .failed(1, &["newer than", "update dossier", "`dossier maintain --restore`"]);
    desk.dossier(&["maintain", "--restore", &newer]).failed(1, &["a newer version of dossier"]);
    let restored = desk.dossier(&["maintain", "--restore"]).ok();
    let passed_over = format!("{newer} was passed over: a newer version of dossier wrote it");
    assert!(restored.err.contains(&passed_over), "{restored:#?}");
    assert!(restored.out.contains(&own), "{restored:#?}");
    let hits = desk.json(&["search", "tulips"]);
    assert_eq!(strings(&hits["hits"], "/source/path"), ["garden.md"]);
    // What the newer version wrote is kept for it.
    assert_eq!(backups(&desk).len(), 3);
}

#[test]
fn a_bad_newest_backup_is_named_and_passed_over() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    desk.dossier(&["maintain", "--backup"]).ok();
    let [good, bad] = backups(&desk).try_into().unwrap();
    let spoil = |file: &Path| fs::write(file, "nothing a database would hold ".repeat(400));
    spoil(&folder(&desk).join("backups").join(&bad).join("dossier.db")).unwrap();
    for lost in [false, true] {
        match lost {
            true => fs::remove_file(database(&desk)).unwrap(),
            false => spoil(&database(&desk)).unwrap(),
        }
        let before = fs::read(database(&desk)).ok();
        let report = desk.dossier(&["doctor", "--json"]);
        assert_eq!(report.code, Some(1), "{report:#?}");
        let report = report.json();
        let findings = report["findings"].as_array().unwrap().iter();
        let told: Vec<&str> = findings
            .filter(|finding| finding["about"] == "backup")
            .map(|finding| finding["what"].as_str().unwrap())
            .filter(|told| !told.contains("replaced"))
            .collect();
        assert_eq!(told.len(), 2, "{report:#}");
        assert!(told[0].contains(&bad) && told[0].contains("damaged"), "{told:#?}");
        assert!(told[1].contains(&good) && told[1].ends_with("whole"), "{told:#?}");
        assert_eq!(fs::read(database(&desk)).ok(), before, "looking changes nothing");
        let restored = desk.dossier(&["maintain", "--restore"]).ok();
        assert!(
            restored.err.contains(&bad) && restored.err.contains("passed over"),
            "{restored:#?}"
        );
        assert!(restored.out.contains(&good), "{restored:#?}");
        assert_eq!(
            strings(&desk.json(&["search", "tulips"])["hits"], "/source/path"),
            ["garden.md"]
        );
    }
}

#[test]
fn nothing_is_removed_after_a_backup_that_failed() {
    let desk = Desk::with_notes();
    desk.dossier(&["config", "set", "receipts.days", "0"]).ok();
    fs::write(folder(&desk).join("backups"), "in the way").unwrap();
    desk.dossier(&["index", "notes"]).ok();
    desk.dossier(&["explain", "tulips"]).ok();
    let done = desk.dossier(&["maintain", "--json"]).ok();
    assert!(done.err.contains("so nothing was removed either"), "{done:#?}");
    assert_eq!(done.json()["receipts_removed"], 0);
    desk.dossier(&["maintain", "--backup"]).failed(1, &["no backup was made"]);
    fs::remove_file(folder(&desk).join("backups")).unwrap();
    assert_eq!(desk.json(&["maintain"])["receipts_removed"], 1);
}

#[test]
fn a_backup_can_be_asked_for_and_named() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes/garden.md"]).ok();
    let made = desk.json(&["maintain", "--backup"]);
    let name = made["backup"]["name"].as_str().unwrap().to_owned();
    assert_eq!(made["backup"]["cause"], "asked");
    desk.dossier(&["index", "notes/kitchen.md"]).ok();
    let restored = desk.json(&["maintain", "--restore", &name]);
    assert_eq!(restored["made_at"], made["backup"]["made_at"]);
    assert_eq!(desk.json(&["search", "oven"])["hits"], json!([]));
    desk.dossier(&["maintain", "--restore", "yesterday"])
        .failed(1, &["yesterday", "dossier maintain --backups lists them"]);
    desk.dossier(&["maintain", "--restore", "--rebuild"]).failed(2, &["cannot be used with"]);
    desk.dossier(&["config", "set", "backups.days", "some"]).failed(1, &["from 0 to 36500"]);
}

#[test]
fn maintaining_does_what_waits() {
    let desk = Desk::with_notes();
    let local = |args: &[&str]| run(&mut desk.bare(args)).ok().json();
    local(&["index", "notes", "--no-vectors", "--json"]);
    local(&["explain", "tulips", "--json"]);
    desk.dossier(&["config", "set", "receipts.days", "0"]).ok();
    let done = local(&["maintain", "--json"]);
    assert_eq!(
        (&done["vectors"], &done["receipts_removed"], &done["backup"]),
        (&json!(2), &json!(1), &Value::Null)
    );
    let again = local(&["maintain", "--json"]);
    assert_eq!((&again["vectors"], &again["receipts_removed"]), (&json!(0), &json!(0)));
    assert_eq!(complaints(&desk), []);
}

#[test]
fn a_rebuilt_index_gives_the_same_results() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "src"]).ok();
    let before = desk.json(&["search", "the oven count tulips"]);
    let rebuilt = desk.dossier(&["maintain", "--rebuild"]).ok();
    assert_eq!(rebuilt.out, "project default: 3 chunks indexed anew, 0 new vectors\n");
    assert_eq!(desk.json(&["search", "the oven count tulips"]), before);
    desk.dossier(&["maintain", "--rebuild", "--project", "none"])
        .failed(1, &["known projects: default"]);
}

#[test]
fn a_spoilt_index_is_noticed_and_made_anew() {
    for spoil in [
        "DROP TABLE retrieval_index",
        "DELETE FROM retrieval_index",
        "DELETE FROM content_chunks WHERE id = 1",
        "DELETE FROM term_statistics",
        "UPDATE retrieval_index_data SET block = zeroblob(9)",
    ] {
        let desk = Desk::with_notes();
        desk.dossier(&["index", "notes", "src"]).ok();
        let before = desk.json(&["search", "the oven count tulips"]);
        execute(&database(&desk), spoil);
        assert!(complaints(&desk).iter().any(|(_, verdict)| verdict == "problem"), "{spoil}");
        desk.dossier(&["maintain", "--rebuild"]).ok();
        assert_eq!(complaints(&desk), [], "{spoil}");
        assert_eq!(desk.json(&["search", "the oven count tulips"]), before, "{spoil}");
    }
}

pub fn execute(database: &Path, sql: &'static str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        use sqlx::Connection as _;
        let url = format!("sqlite://{}", database.display());
        let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
}

#[test]
fn what_only_reads_makes_no_database() {
    let desk = Desk::with_notes();
    for args in
        [&["search", "tulips"][..], &["explain", "tulips"], &["explain", "--receipt", "rcp_1"]]
    {
        let args = [&["--database", "sqlite:wrong/place.db"], args].concat();
        desk.dossier(&args).failed(1, &["there is no database at", "dossier index PATH"]);
    }
    desk.dossier(&["--database", "sqlite:wrong/place.db", "config", "show"]).ok();
    assert_eq!(desk.dossier(&["--database", "sqlite:wrong/place.db", "doctor"]).code, Some(1));
    desk.dossier(&["--database", "sqlite:wrong/place.db", "maintain", "--backups"]).ok();
    assert!(!exists(&desk.path("wrong")));
}

#[test]
fn a_database_that_can_only_be_read_is_read() {
    let desk = Desk::with_notes();
    desk.write("data/keep", "");
    desk.dossier(&["--data", "data", "index", "notes"]).ok();
    let before = fs::read(desk.path("data/dossier.db")).unwrap();
    let read_only = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for file in fs::read_dir(desk.path("data")).unwrap() {
        let path = file.unwrap().path();
        read_only(&path, if path.is_dir() { 0o555 } else { 0o444 });
    }
    read_only(&desk.path("data"), 0o555);
    let mut folder = desk.path("data");
    while folder.pop() && folder.starts_with(std::env::temp_dir()) && folder != std::env::temp_dir()
    {
        read_only(&folder, 0o755);
    }
    let dossier = |args: &[&str]| as_nobody(&desk, &[&["--data", "data"], args].concat());
    let hits = dossier(&["search", "tulips", "--json"]).ok().json();
    assert_eq!(strings(&hits["hits"], "/source/path"), ["garden.md"]);
    let explained = dossier(&["explain", "tulips"]).ok();
    assert!(explained.err.contains("this receipt was not kept"), "{explained:#?}");
    assert!(explained.err.contains("make the file and its folder writable"), "{explained:#?}");
    let report = dossier(&["doctor"]);
    assert_eq!(report.code, Some(0), "{report:#?}");
    assert!(report.out.contains("can only be read"), "{report:#?}");
    for args in [&["index", "notes"][..], &["maintain"]] {
        dossier(args).failed(1, &["can only be read", "writable"]);
    }
    assert_eq!(fs::read(desk.path("data/dossier.db")).unwrap(), before);
    read_only(&desk.path("data"), 0o755);
}

/// Root may write everywhere, so the program runs as someone who is not.
fn as_nobody(desk: &Desk, args: &[&str]) -> Run {
    const NOBODY: u32 = 65_534;
    let program = desk.home().join("dossier");
    if !exists(&program) {
        fs::copy(env!("CARGO_BIN_EXE_dossier"), &program).unwrap();
    }
    let mut command = std::process::Command::new(program);
    command.env_clear().env("HOME", desk.home()).env("DOSSIER_EMBEDDER", "none");
    command.current_dir(desk.path("")).args(args).stdin(Stdio::null());
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        command.uid(NOBODY).gid(NOBODY);
    }
    run(&mut command)
}

#[test]
fn two_indexers_at_once_leave_each_file_once() {
    let desk = Desk::new();
    for number in 0..150 {
        desk.write(&format!("notes/{number}.md"), format!("# Note {number}\n\nA walrus sleeps.\n"));
    }
    let start = || {
        let mut command = desk.bare(&["index", "notes"]);
        command.env("DOSSIER_EMBEDDER", "none").stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    for indexer in [start(), start(), start()] {
        Run::of(indexer.wait_with_output().unwrap()).ok();
    }
    let hits = desk.json(&["search", "walrus", "--limit", "1000"]);
    let mut paths = strings(&hits["hits"], "/source/path");
    paths.sort_unstable();
    paths.dedup();
    assert_eq!((paths.len(), hits["hits"].as_array().unwrap().len()), (150, 150));
    assert_eq!(complaints(&desk), []);
}
