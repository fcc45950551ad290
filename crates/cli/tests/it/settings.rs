//! Where values come from, and that secrets stay secret.

use crate::desk::{Desk, exists, run};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

fn shown(command: &mut Command) -> Value {
    run(command.args(["config", "show", "--json"])).ok().json()
}

#[test]
fn the_stronger_source_wins() {
    let desk = Desk::new();
    let bare = || desk.bare::<&str>(&[]);
    let embedder = |settings: Value| {
        let setting = &settings["embedder"];
        (
            setting["value"].as_str().unwrap().to_owned(),
            setting["origin"].as_str().unwrap().to_owned(),
        )
    };
    let is = |value: &str, origin: &str| (value.to_owned(), origin.to_owned());

    assert_eq!(embedder(shown(&mut bare())), is("local", "default"));
    run(&mut desk.bare(&["config", "set", "embedder", "none"])).ok();
    assert_eq!(embedder(shown(&mut bare())), is("none", "database"));
    desk.write("dossier.toml", "embedder = \"local\"\n");
    assert_eq!(embedder(shown(&mut bare())), is("local", "file dossier.toml"));
    let mut command = bare();
    command.env("DOSSIER_EMBEDDER", "none");
    assert_eq!(embedder(shown(&mut command)), is("none", "environment DOSSIER_EMBEDDER"));
    let mut command = bare();
    command.env("DOSSIER_EMBEDDER", "none").args(["--embedder", "local"]);
    assert_eq!(embedder(shown(&mut command)), is("local", "flag --embedder"));
    let mut command = bare();
    assert_eq!(
        embedder(shown(command.env("DOSSIER_EMBEDDER", ""))),
        is("local", "file dossier.toml")
    );
}

#[test]
fn a_setting_decides_what_a_command_does() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    assert_eq!(desk.json(&["explain", "tulips"])["receipt"]["profile"], "lean");
    desk.dossier(&["config", "set", "profile", "project"]).ok();
    assert_eq!(desk.json(&["explain", "tulips"])["receipt"]["profile"], "project");
    desk.write("dossier.toml", "profile = \"lean\"\n");
    assert_eq!(desk.json(&["explain", "tulips"])["receipt"]["profile"], "lean");
    assert_eq!(
        desk.json(&["explain", "tulips", "--profile", "project"])["receipt"]["profile"],
        "project"
    );
}

#[test]
fn every_setting_of_the_database_can_be_said_by_the_file_and_the_environment() {
    let desk = Desk::with_notes();
    desk.write(
        "dossier.toml",
        "[user]\nrole = \"gardener\"\n[budget]\nusd_per_month = 20\n[backups]\ndays = 3\n\
         [models]\ntimeout_seconds = 30\n[consult]\nshadow = true\n[files]\nskip = [\"fixtures\", \"!vendor\"]\n",
    );
    run(&mut desk.bare(&["config", "set", "user.role", "cook"])).ok();
    let mut command = desk.bare::<&str>(&[]);
    let settings = shown(command.env("DOSSIER_BACKUPS_DAYS", "5"));
    let file = "file dossier.toml";
    for (key, value, origin) in [
        ("user.role", "gardener", file),
        ("budget.usd_per_month", "20", file),
        ("backups.days", "5", "environment DOSSIER_BACKUPS_DAYS"),
        ("models.timeout_seconds", "30", file),
        ("consult.shadow", "true", file),
        ("files.skip", "fixtures, !vendor", file),
    ] {
        assert_eq!(settings[key], json!({ "value": value, "origin": origin }), "{key}");
    }
    // And it holds.
    desk.dossier(&["index", "notes"]).ok();
    let explained = desk.dossier(&["explain", "tulips", "--rendered"]).ok();
    assert!(
        explained.out.contains("gardener") && !explained.out.contains("cook"),
        "{explained:#?}"
    );
    desk.write("dossier.toml", "[budget]\nusd_per_month = \"lots\"\n");
    run(&mut desk.bare(&["config", "show"]))
        .failed(1, &["dossier.toml, budget.usd_per_month", "no sum of dollars"]);
    let mut command = desk.bare(&["config", "show"]);
    desk.write("dossier.toml", "");
    run(command.env("DOSSIER_SUMMARIES_TOKENS_PER_DAY", "few"))
        .failed(1, &["DOSSIER_SUMMARIES_TOKENS_PER_DAY", "no number of tokens"]);
}

#[test]
fn data_lie_in_the_users_data_folder_for_the_user_alone() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let folder = desk.home().join(".local/share/dossier");
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(folder.join("dossier.db").metadata().unwrap().permissions().mode() & 0o077, 0);

    let mut command = desk.bare(&["index", "notes", "--no-vectors"]);
    run(command.env("XDG_DATA_HOME", desk.path("data"))).ok();
    assert!(exists(&desk.path("data/dossier/dossier.db")));

    let mut command = desk.bare(&["search", "x"]);
    run(command.env_remove("HOME")).failed(1, &["there is no home folder", "--data DIR"]);
}

#[test]
fn a_settings_file_is_found_in_the_working_directory_or_by_name() {
    let desk = Desk::new();
    desk.write("settings/mine.toml", "data = \"store\"\nprofile = \"project\"\n");
    let by_flag = shown(&mut desk.bare(&["--config", "settings/mine.toml"]));
    assert_eq!(
        by_flag["data"],
        json!({ "value": "settings/store", "origin": "file settings/mine.toml" })
    );
    let mut command = desk.bare::<&str>(&[]);
    let by_variable = shown(command.env("DOSSIER_CONFIG", "settings/mine.toml"));
    assert_eq!(by_variable["profile"]["value"], "project");

    run(&mut desk.bare(&["--config", "none.toml", "config", "show"]))
        .failed(1, &["cannot read the settings file none.toml"]);
    desk.write("dossier.toml", "profile = \"lean\"\n\ncolour = \"red\"\n");
    run(&mut desk.bare(&["config", "show"]))
        .failed(1, &["dossier.toml, line 3: unknown field `colour`", "`database`"]);
}

#[test]
fn a_wrong_value_is_refused_with_its_origin_and_the_right_ones() {
    let desk = Desk::new();
    let mut command = desk.bare(&["config", "show"]);
    run(command.env("DOSSIER_EMBEDDER", "huge")).failed(
        1,
        &["DOSSIER_EMBEDDER: there is no embedder `huge`; choose local, none, or a service"],
    );
    let mut command = desk.bare(&["config", "show"]);
    run(command.env("DOSSIER_PROFILE", "fat")).failed(1, &["DOSSIER_PROFILE", "lean or project"]);
}

#[test]
fn a_password_is_neither_shown_nor_repeated_in_errors() {
    let desk = Desk::with_notes();
    let url = "postgres://ana:hunter2@localhost:wrong/notes?password=hunter2";
    let masked = "postgres://ana:***@localhost:wrong/notes?password=***";
    let show = run(&mut desk.bare(&["--database", url, "config", "show"])).ok();
    assert!(show.out.contains(masked), "{show:#?}");
    assert!(show.err.starts_with("warning: what the database holds is not shown"), "{show:#?}");
    let search = run(&mut desk.bare(&["--database", url, "search", "x"]));
    let search = search.failed(1, &["cannot open the database", masked]);
    let misspelt = run(&mut desk.bare(&["--databse", url, "search", "x"]));
    desk.write("dossier.toml", format!("database = \"{url}\"\n"));
    let from_file = run(&mut desk.bare(&["search", "x"]));
    let told = format!("using the database {masked}, which dossier.toml names\n");
    assert!(from_file.err.starts_with(&told), "{from_file:#?}");
    desk.write("dossier.toml", format!("database = \"{url}\nembedder = 1"));
    let broken = run(&mut desk.bare(&["search", "x"])).failed(1, &["dossier.toml, line 1"]);
    for run in [show, search, misspelt, from_file, broken] {
        assert!(!run.out.contains("hunter2") && !run.err.contains("hunter2"), "{run:#?}");
    }
}

#[test]
fn a_database_that_is_neither_is_refused() {
    let desk = Desk::new();
    run(&mut desk.bare(&["--database", "mysql://db/notes", "search", "x"]))
        .failed(1, &["sqlite:<path> or postgres://"]);
    run(&mut desk.bare(&["--database", "sqlite:", "search", "x"])).failed(1, &["sqlite:<path>"]);
}
