//! `index --watch`: a real process, real files, and the lines it prints.

use crate::desk::{Desk, strings};
use crate::service::Service;
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Far longer than a pass takes on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process that watches, and the passes it tells of.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(desk: &Desk, args: &[&str]) -> Self {
        let mut command = desk.bare(&[&["index", "--watch", "--json"], args].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                sender.send(line).ok();
            }
        });
        Self { child, lines }
    }

    /// Passes until the sums of these numbers are reached.
    #[track_caller]
    fn until(&self, expected: &[(&str, u64)]) {
        let mut sums = vec![0; expected.len()];
        while sums.iter().zip(expected).any(|(sum, (_, wanted))| sum < wanted) {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("{expected:?} never came, only {sums:?}"));
            let pass: Value = serde_json::from_str(&line).unwrap();
            for (sum, (name, _)) in sums.iter_mut().zip(expected) {
                *sum += pass[*name].as_u64().unwrap();
            }
        }
        let wanted: Vec<u64> = expected.iter().map(|(_, wanted)| *wanted).collect();
        assert_eq!(sums, wanted, "{expected:?}");
    }

    /// Ends it as a person does.
    fn interrupt(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn found(desk: &Desk, query: &str) -> Vec<String> {
    let found = desk.json(&["search", query]);
    strings(&found["hits"], "/source/path").into_iter().map(str::to_owned).collect()
}

/// Saves as careful editors do: beside the file, and then in its place.
fn save(desk: &Desk, path: &str, content: &str) {
    let beside = format!("{path}.new");
    desk.write(&beside.replace("notes/", "notes/."), content);
    fs::rename(desk.path(&beside.replace("notes/", "notes/.")), desk.path(path)).unwrap();
}

#[test]
fn edits_are_followed_until_ctrl_c() {
    let desk = Desk::with_notes();
    desk.write("notes/.gitignore", "*.log\nbuild/\n");
    let watching = Watching::start(&desk, &["notes", "--embedder", "none"]);
    watching.until(&[("added", 2)]);

    save(&desk, "notes/garden.md", "The roses are planted in March.\n");
    watching.until(&[("changed", 1), ("added", 0), ("removed", 0)]);
    assert_eq!(found(&desk, "roses"), ["garden.md"]);
    assert_eq!(found(&desk, "tulips"), Vec::<String>::new());

    // What is ignored is not looked at; a new folder is.
    desk.write("notes/noise.log", "tulips\n");
    desk.write("notes/build/out.md", "tulips\n");
    desk.write("staging/deep/er/new.md", "The tulips are back.\n");
    fs::rename(desk.path("staging/deep"), desk.path("notes/deep")).unwrap();
    watching.until(&[("added", 1), ("removed", 0)]);
    save(&desk, "notes/deep/er/new.md", "The dahlias are back.\n");
    watching.until(&[("changed", 1), ("added", 0)]);
    assert_eq!(found(&desk, "dahlias"), ["deep/er/new.md"]);
    assert_eq!(found(&desk, "tulips"), Vec::<String>::new());

    fs::rename(desk.path("notes/deep/er"), desk.path("notes/deep/est")).unwrap();
    watching.until(&[("added", 1), ("removed", 1)]);
    assert_eq!(found(&desk, "dahlias"), ["deep/est/new.md"]);
    fs::remove_file(desk.path("notes/kitchen.md")).unwrap();
    watching.until(&[("removed", 1)]);
    assert_eq!(found(&desk, "oven"), Vec::<String>::new());

    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn a_folder_that_vanishes_and_comes_back_is_followed_again() {
    let desk = Desk::with_notes();
    let watching = Watching::start(&desk, &["notes", "src/count.rs", "--embedder", "none"]);
    watching.until(&[("added", 3)]);
    fs::rename(desk.path("notes"), desk.path("elsewhere")).unwrap();
    watching.until(&[("removed", 2)]);
    desk.write("src/count.rs", "pub fn count_words() {}\n");
    watching.until(&[("changed", 1)]);
    fs::rename(desk.path("elsewhere"), desk.path("notes")).unwrap();
    watching.until(&[("added", 2)]);
    save(&desk, "notes/garden.md", "The roses are planted in March.\n");
    watching.until(&[("changed", 1)]);
    assert_eq!(found(&desk, "roses"), ["garden.md"]);
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn many_edits_at_once_are_one_pass_and_vectors_follow() {
    let desk = Desk::with_notes();
    let service = Service::start(Vec::new());
    let embedder = format!("http://{}/v1#m", service.address);
    let watching = Watching::start(&desk, &["notes", "--embedder", &embedder]);
    watching.until(&[("added", 2), ("vectors", 2)]);
    for number in 0..200 {
        desk.write(&format!("staging/{number}.md"), format!("Note {number}.\n"));
    }
    fs::rename(desk.path("staging"), desk.path("notes/many")).unwrap();
    watching.until(&[("added", 200), ("vectors", 200)]);
    assert!(watching.lines.try_recv().is_err(), "there was more than one pass");
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn a_path_that_is_not_there_is_refused_as_ever() {
    let desk = Desk::new();
    desk.dossier(&["index", "nothing", "--watch"]).failed(1, &["nothing"]);
}
