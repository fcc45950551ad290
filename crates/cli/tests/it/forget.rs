//! Listing, hiding, bringing back, deleting for good, and how much may be kept.

use crate::desk::{Desk, run, strings};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// A desk with two notes and two threads in the project `p`.
fn filled() -> Desk {
    let desk = Desk::with_notes();
    let talk = |title: &str, said: &str| {
        json!({"title": title, "messages": [{"speaker": "user", "content": said},
                                             {"speaker": "assistant", "content": "Noted."}]})
    };
    let talks = json!([talk("Planning", "The walrus arrives on Friday"), talk("Other", "Milk")]);
    desk.write("talks.json", talks.to_string());
    desk.dossier(&["index", "notes", "--project", "p"]).ok();
    desk.dossier(&["import", "talks.json", "--project", "p"]).ok();
    desk
}

fn names(desk: &Desk, args: &[&str], list: &str, name: &str) -> Vec<String> {
    let document = desk.json(args);
    strings(&document[list], name).into_iter().map(str::to_owned).collect()
}

fn threads(desk: &Desk) -> Vec<String> {
    let mut titles = names(desk, &["list", "threads", "--project", "p"], "threads", "/title");
    titles.sort();
    titles
}

fn hidden(desk: &Desk) -> Vec<String> {
    names(desk, &["list", "--hidden"], "hidden", "/name")
}

fn hits(desk: &Desk, query: &str) -> usize {
    desk.json(&["search", query, "--project", "p"])["hits"].as_array().unwrap().len()
}

#[test]
fn what_there_is_can_be_listed() {
    let desk = filled();
    let projects = desk.json(&["list"]);
    let project = &projects["projects"][0];
    assert_eq!(
        (&project["name"], &project["files"], &project["threads"]),
        (&json!("p"), &json!(2), &json!(2))
    );
    let all = desk.json(&["list", "--project", "p"]);
    assert_eq!(strings(&all["files"], "/path"), ["garden.md", "kitchen.md"]);
    assert_eq!(all["files"][0]["tags"], json!([]));
    assert_eq!((&all["threads"][0]["rounds"], threads(&desk).len()), (&json!(1), 2));
    let page = desk.dossier(&["list", "--project", "p"]).ok().out;
    assert!(page.contains("Threads (2)") && page.contains("1 round "), "{page}");
    assert!(page.contains("Files (2)") && page.contains("garden.md"), "{page}");
    desk.dossier(&["list", "threads"]).failed(1, &["known projects: p"]);
    desk.dossier(&["list", "cups"]).failed(2, &["projects, threads, files"]);
    let empty = Desk::new();
    empty.dossier(&["list"]).failed(1, &["there is no database"]);
    empty.dossier(&["forget", "project", "p"]).failed(1, &["there is no database"]);
}

#[test]
fn what_is_hidden_is_gone_and_comes_back() {
    let desk = filled();
    let before = desk.json(&["search", "walrus tulips", "--project", "p"]);
    let run = desk.dossier(&["forget", "thread", "Planning", "--project", "p"]).ok();
    assert!(run.out.starts_with("hidden: Planning\nit goes for good after "), "{run:#?}");
    let run = desk.dossier(&["forget", "file", "notes/garden.md", "--project", "p"]).ok();
    assert!(run.err.contains("is still on the disk"), "{run:#?}");
    assert_eq!((threads(&desk), hits(&desk, "walrus tulips")), (vec!["Other".to_owned()], 0));
    assert_eq!(hidden(&desk), ["garden.md", "Planning"]);
    let archive = desk.dossier(&["export", "--all"]).ok().out;
    assert!(!archive.contains("walrus") && !archive.contains("tulips"), "{archive}");
    desk.dossier(&["export", "--thread", "Planning", "--project", "p"]).failed(1, &["Other"]);
    assert_eq!(desk.dossier(&["doctor"]).code, Some(0));
    desk.dossier(&["forget", "thread", "Nothing", "--project", "p", "--undo"])
        .failed(1, &["hidden ones: Planning"]);

    desk.dossier(&["forget", "thread", "Planning", "--project", "p", "--undo"]).ok();
    let back = desk.json(&["forget", "file", "garden.md", "--project", "p", "--undo"]);
    assert_eq!(strings(&back["back"], "/name"), ["garden.md"]);
    assert_eq!(desk.json(&["search", "walrus tulips", "--project", "p"]), before);
    assert_eq!(hidden(&desk), [""; 0]);
    assert_eq!(desk.dossier(&["doctor"]).code, Some(0));
}

#[test]
fn a_folder_is_forgotten_as_a_whole() {
    let desk = filled();
    desk.write("notes/drafts/one.md", "first draft\n");
    desk.write("notes/drafts/two.md", "second draft\n");
    desk.dossier(&["index", "notes", "--project", "p"]).ok();
    let gone = desk.json(&["forget", "file", "drafts", "--project", "p"]);
    assert_eq!(strings(&gone["hidden"], "/name"), ["drafts/one.md", "drafts/two.md"]);
    assert_eq!(hits(&desk, "draft"), 0);
    desk.dossier(&["forget", "file", "notes/drafts", "--project", "p", "--undo"]).ok();
    assert_eq!(hits(&desk, "draft"), 2);
}

#[test]
fn a_project_can_be_begun_anew_and_the_old_one_be_had_back() {
    let desk = filled();
    desk.dossier(&["forget", "project", "p"]).ok();
    desk.dossier(&["search", "tulips", "--project", "p"]).failed(1, &["project `p` is not known"]);
    desk.dossier(&["index", "src", "--project", "p"]).ok();
    assert_eq!((threads(&desk).len(), hits(&desk, "tulips"), hits(&desk, "tokens")), (0, 0, 1));
    desk.dossier(&["forget", "project", "p", "--undo"])
        .failed(1, &["there is another project `p`", "dossier forget project"]);
    desk.dossier(&["forget", "project", "p", "--now"]).ok();
    desk.dossier(&["forget", "project", "p", "--undo"]).ok();
    assert_eq!((threads(&desk).len(), hits(&desk, "tulips"), hits(&desk, "tokens")), (2, 1, 0));
    assert_eq!(desk.dossier(&["doctor"]).code, Some(0));
}

/// The files below a folder that hold these words, without backups.
fn holding(folder: &Path, words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() && !entry.ends_with("backups") {
            found.extend(holding(&entry, words));
        } else if entry.is_file() {
            let bytes = fs::read(&entry).unwrap();
            if bytes.windows(words.len()).any(|window| window == words.as_bytes()) {
                found.push(entry.display().to_string());
            }
        }
    }
    found
}

#[test]
fn deleted_at_once_is_deleted_from_the_very_file() {
    let desk = filled();
    let data = desk.home().join(".local/share/dossier");
    let receipt = desk.json(&["explain", "who arrives on Friday?", "--project", "p"]);
    let receipt = receipt["receipt"]["id"].as_str().unwrap().to_owned();
    let rendered = desk.dossier(&["explain", "--receipt", &receipt, "--rendered"]).ok().out;
    assert!(rendered.contains("walrus"), "{rendered}");
    assert_ne!(holding(&data, "walrus"), [""; 0]);
    let run = desk.dossier(&["forget", "thread", "Planning", "--project", "p", "--now"]).ok();
    assert_eq!(run.out, "deleted for good: Planning\n");
    assert!(run.err.contains("backups that were made before"), "{run:#?}");
    assert_eq!(holding(&data, "walrus"), [""; 0]);
    desk.dossier(&["explain", "--receipt", &receipt, "--rendered"])
        .failed(1, &["its source was forgotten"]);
    desk.dossier(&["explain", "--receipt", &receipt]).ok();
    desk.dossier(&["forget", "thread", "Planning", "--project", "p", "--undo"]).failed(1, &[]);
    // What is hidden can still be deleted at once.
    desk.dossier(&["forget", "thread", "Other", "--project", "p"]).ok();
    desk.dossier(&["forget", "thread", "Other", "--project", "p", "--now"]).ok();
    assert_eq!((hidden(&desk).len(), threads(&desk).len()), (0, 0));
    desk.dossier(&["forget", "thread", "Other", "--now", "--undo"]).failed(2, &["--undo"]);
    assert_eq!(desk.dossier(&["doctor"]).code, Some(0));
}

#[test]
fn after_its_grace_it_goes_with_the_next_care_whatever_was_killed_before() {
    let desk = filled();
    desk.dossier(&["config", "set", "backups.days", "0"]).ok();
    let forget = ["forget", "thread", "Planning", "--project", "p"];
    run(desk.bare(&forget).env("DOSSIER_EMBEDDER", "none").env("DOSSIER_FORGET_GRACE_DAYS", "0"))
        .ok();
    assert_eq!((hidden(&desk), threads(&desk)), (vec![], vec!["Other".to_owned()]));
    desk.dossier(&[&forget[..], &["--undo"]].concat()).failed(1, &["none is hidden"]);
    let waiting = desk.dossier(&["maintain"]).ok();
    assert!(waiting.err.contains("goes after a backup"), "{waiting:#?}");
    for wait in 0..6 {
        let mut command = desk.bare(&["maintain", "--backup"]);
        command.env("DOSSIER_EMBEDDER", "none").stdout(Stdio::null()).stderr(Stdio::null());
        let mut killed = command.spawn().unwrap();
        // More of the work is done each time before the end comes.
        for _ in 0..wait {
            desk.dossier(&["config", "show"]).ok();
        }
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert_eq!(threads(&desk), ["Other"]);
    }
    desk.dossier(&["maintain", "--backup"]).ok();
    let done = desk.json(&["maintain", "--backup"]);
    assert_eq!((&done["purged"], &done["purge_waits"]), (&json!(0), &json!(false)));
    let data = desk.home().join(".local/share/dossier");
    assert_eq!(holding(&data, "walrus"), [""; 0]);
    assert_eq!(desk.dossier(&["doctor"]).code, Some(0));
}

#[test]
fn too_much_is_refused_with_the_setting_and_a_way_out() {
    let desk = filled();
    desk.dossier(&["config", "set", "limits.threads", "2"]).ok();
    desk.write(
        "more.json",
        json!([{"title": "More", "messages": []}, {"title": "Most",
        "messages": [{"speaker": "user", "content": "hello"}]}])
        .to_string(),
    );
    let projects = |desk: &Desk| names(desk, &["list"], "projects", "/name");
    desk.dossier(&["import", "more.json", "--project", "q"]).failed(
        1,
        &["more than 2 threads", "dossier forget thread T --now", "config set limits.threads N"],
    );
    assert_eq!((threads(&desk).len(), projects(&desk)), (2, vec!["p".to_owned()]));
    desk.dossier(&["import", "talks.json", "--project", "p"]).ok();
    desk.dossier(&["forget", "thread", "Other", "--project", "p", "--now"]).ok();
    desk.dossier(&["config", "set", "limits.threads", "3"]).ok();
    desk.dossier(&["import", "more.json", "--project", "q"]).ok();

    desk.write("dossier.toml", "[limits]\nbytes = 100\n");
    desk.write("more/long.md", "long ".repeat(100));
    let report = desk.json(&["index", "more", "--project", "p"]);
    assert_eq!(report["added"], json!(0));
    let reason = report["skipped"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("limits.bytes"), "{reason}");
    let shown = desk.json(&["config", "show"]);
    assert_eq!(shown["limits.bytes"], json!({"value": "100", "origin": "file dossier.toml"}));
    assert_eq!(shown["limits.threads"]["origin"], Value::from("database"));
    desk.write("dossier.toml", "[limits]\nbytes = 0\n");
    desk.dossier(&["list"]).failed(1, &["limits.bytes", "no maximum"]);
}
