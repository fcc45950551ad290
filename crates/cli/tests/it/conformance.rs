//! The protocol's own conformance suite against the door as `serve` mounts it, in both eras. What
//! the suite looks for beyond our tools lies in the example `conformance`.

use crate::mcp::{desk, installed, newer_node};
use crate::served::Served;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// How often a scenario is run again, alone, before it counts as failed: the suite gives some
/// answers half a second, and this machine may have other things to do.
const AGAIN: usize = 3;

/// What the suite also runs and does not score, in one revision or both: all of it but the
/// optional tasks, which the door does not have.
const UNSCORED: [&str; 5] = [
    "http-custom-header-server-validation",
    "http-header-validation",
    "json-schema-2020-12",
    "server-session-lifecycle",
    "server-sse-polling",
];

/// What needs no fixtures, so that the program itself can be asked.
const BARE: [&str; 13] = [
    "caching",
    "completion-complete",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "ping",
    "prompts-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "tools-list",
];

/// The fixtures' server. It ends with its standard input.
struct Fixtures {
    process: Child,
    url: String,
}

impl Fixtures {
    fn start() -> Self {
        let programs = Path::new(env!("CARGO_BIN_EXE_dossier")).parent().unwrap();
        let program = programs.join("examples/conformance");
        let build = "cargo build --package dossier-cli --example conformance";
        assert!(program.is_file(), "the conformance suite's server is missing: {build}");
        let mut process =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
        Self { process, url: url.trim().to_owned() }
    }

    /// Whether it ended as it should.
    fn end(mut self) -> bool {
        drop(self.process.stdin.take());
        self.process.wait().unwrap().success()
    }
}

impl Drop for Fixtures {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn suite() -> PathBuf {
    installed().join("node_modules/@modelcontextprotocol/conformance")
}

/// The scenarios that a revision requires of a server, as the suite itself lists them.
fn required(revision: &str) -> Vec<String> {
    let list = suite().join(format!("requirements/{revision}.yaml"));
    let list = fs::read_to_string(list).unwrap();
    let server = list.lines().skip_while(|line| *line != "server:").skip(1);
    server.map_while(|line| line.strip_prefix("  - ")).map(str::to_owned).collect()
}

/// Runs scenarios, and returns what went wrong in each.
fn run(url: &str, which: &[&str]) -> BTreeMap<String, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let mut suite_run = newer_node();
    suite_run.arg(suite().join("dist/index.js")).args(["server", "--url", url]).args(which);
    let output = suite_run.arg("--output-dir").arg(folder.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let mut outcomes = BTreeMap::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let checks = fs::read(entry.path().join("checks.json"));
        let checks = checks.unwrap_or_else(|error| panic!("{:?}: {error}: {told}", entry.path()));
        let checks: Vec<Value> = serde_json::from_slice(&checks).unwrap();
        outcomes.insert(scenario(entry.file_name().to_str().unwrap()), wrong(&checks));
    }
    assert!(!outcomes.is_empty(), "{told}");
    outcomes
}

/// The scenario whose folder has this name: `server-<scenario>-<time>`.
fn scenario(folder: &str) -> String {
    let time = "-2026-07-28T00-00-00-000Z".len();
    let name = folder.strip_prefix("server-").unwrap();
    name[..name.len() - time].to_owned()
}

fn wrong(checks: &[Value]) -> Vec<String> {
    let with = |status: &'static str| checks.iter().filter(move |check| check["status"] == status);
    if with("SUCCESS").count() == 0 {
        return vec!["nothing was checked".to_owned()];
    }
    with("FAILURE").map(|check| format!("{}: {}", check["id"], check["errorMessage"])).collect()
}

/// What went wrong in those scenarios that count, each time they were run.
fn failed(
    url: &str,
    revision: &str,
    counts: impl Fn(&str) -> bool,
) -> BTreeMap<String, Vec<String>> {
    let mut outcomes = run(url, &["--requirements", revision]);
    for name in required(revision) {
        assert!(outcomes.contains_key(&name), "{name} was not run");
    }
    outcomes.retain(|name, wrong| counts(name) && !wrong.is_empty());
    for _ in 0..AGAIN {
        for (name, wrong) in &mut outcomes {
            let alone = ["--scenario", name, "--spec-version", revision];
            *wrong = run(url, &alone).remove(name).unwrap();
        }
        outcomes.retain(|_, wrong| !wrong.is_empty());
    }
    outcomes
}

#[track_caller]
fn check(revision: &str, scenarios: usize) {
    let required = required(revision);
    assert_eq!(required.len(), scenarios);
    let fixtures = Fixtures::start();
    let failed = failed(&fixtures.url, revision, |name| {
        UNSCORED.contains(&name) || required.iter().any(|own| own == name)
    });
    assert_eq!(failed, BTreeMap::new());
    assert!(fixtures.end());
}

#[test]
fn the_door_conforms_to_the_revision_with_sessions() {
    check("2025-11-25", 30);
}

#[test]
fn the_door_conforms_to_the_revision_without_sessions() {
    check("2026-07-28", 37);
}

#[test]
fn the_program_itself_conforms_where_the_suite_needs_no_fixtures() {
    let desk = desk();
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    let url = format!("http://{}/mcp", served.address);
    for revision in ["2025-11-25", "2026-07-28"] {
        let failed = failed(&url, revision, |name| BARE.contains(&name));
        assert_eq!(failed, BTreeMap::new(), "{revision}");
    }
}
