//! A service as the embedder: who is asked, with which key, and what happens when it fails.

use crate::desk::{Desk, Run, run, strings};
use crate::postgres::{Postgres, number};
use crate::service::{Reply, Service};
use serde_json::Value;
use std::process::{Command, Stdio};

const KEY: &str = "sk-hunter2";

fn url(service: &Service) -> String {
    format!("http://{}/v1#m", service.address)
}

/// The program with this embedder and a key.
fn with(desk: &Desk, embedder: &str, args: &[&str]) -> Command {
    let mut command = desk.bare(args);
    command.env("DOSSIER_EMBEDDER", embedder).env("DOSSIER_EMBEDDER_KEY", KEY);
    command
}

fn json(desk: &Desk, embedder: &str, args: &[&str]) -> Value {
    run(&mut with(desk, embedder, &[args, &["--json"]].concat())).ok().json()
}

fn keeps_the_secret(run: Run) -> Run {
    assert!(!run.out.contains("hunter2") && !run.err.contains("hunter2"), "{run:#?}");
    run
}

#[test]
fn a_service_makes_the_vectors_of_files_and_questions() {
    let desk = Desk::with_notes();
    let service = Service::start(Vec::new());
    let indexed = json(&desk, &url(&service), &["index", "notes"]);
    assert_eq!((&indexed["vectors"], &indexed["problem"]), (&2.into(), &Value::Null));
    let receipt = json(&desk, &url(&service), &["explain", "the garden"])["receipt"].clone();
    let name = format!("m@{}/v1:3", service.address);
    assert_eq!(receipt["coverage"]["embedder"], name);
    assert_eq!(receipt["coverage"]["with_vectors"], 2);
    let requests = service.requests();
    assert!(requests.iter().any(|request| request.body["input"][0] == "the garden"));
    for request in requests {
        assert_eq!(request.authorization.as_deref(), Some("Bearer sk-hunter2"));
    }
}

#[test]
fn vectors_of_two_services_do_not_mix_and_are_kept_for_going_back() {
    let desk = Desk::with_notes();
    let (first, second) = (Service::start(Vec::new()), Service::start(Vec::new()));
    let made =
        |service: &Service| json(&desk, &url(service), &["index", "notes"])["vectors"].clone();
    assert_eq!((made(&first), made(&second), made(&first)), (2.into(), 2.into(), 0.into()));
}

/// Three processes index the same folder into one database, in which every content stands twice.
fn check_processes_at_once(url_of: impl FnOnce(&Desk) -> String) {
    let desk = Desk::new();
    for number in 0..40 {
        let text = format!("# Note\n\nWalrus {} sleeps.\n", number / 2);
        desk.write(&format!("notes/{number}.md"), text);
    }
    let database = url_of(&desk);
    let args = |args: &[&'static str]| -> Vec<String> {
        let place = ["--database", &database].map(str::to_owned);
        place.into_iter().chain(args.iter().map(|arg| (*arg).to_owned())).collect()
    };
    let service = Service::start(Vec::new());
    let command = |words: &[&'static str]| {
        let words = args(words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = with(&desk, &url(&service), &words);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let indexers = [(); 3].map(|()| command(&["index", "notes"]).spawn().unwrap());
    for indexer in indexers {
        Run::of(indexer.wait_with_output().unwrap()).ok();
    }
    let explained = run(&mut command(&["explain", "walrus", "--json"])).ok().json();
    let coverage = &explained["receipt"]["coverage"];
    assert_eq!((&coverage["chunks"], &coverage["with_vectors"]), (&40.into(), &40.into()));
    assert_eq!(number(&database, "SELECT COUNT(*) FROM vectors"), 20);
    let again = run(&mut command(&["index", "notes", "--json"])).ok().json();
    assert_eq!(again["vectors"], 0);
}

#[test]
fn processes_at_once_make_one_vector_of_each_content() {
    check_processes_at_once(|desk| format!("sqlite:{}", desk.path("data/one.db").display()));
}

#[test]
fn processes_at_once_make_one_vector_of_each_content_on_postgres() {
    let postgres = Postgres::new("vectors");
    check_processes_at_once(|_| postgres.url.clone());
}

#[test]
fn a_service_that_fails_costs_a_warning_and_nothing_else() {
    let desk = Desk::with_notes();
    let refusal = || Reply::Says(401, "", "{\"error\": \"bad key sk-hunter2\"}".to_owned());
    let service = Service::start(vec![refusal(), refusal(), refusal()]);
    let indexed = keeps_the_secret(run(&mut with(&desk, &url(&service), &["index", "notes"])).ok());
    let says = "vectors are missing, and words alone find the rest: the embedding service at";
    assert!(indexed.err.contains(says), "{indexed:#?}");
    let found = run(&mut with(&desk, &url(&service), &["search", "tulips", "--json"])).ok();
    let found = keeps_the_secret(found);
    assert_eq!(strings(&found.json()["hits"], "/source/path"), ["garden.md"]);
    assert!(found.err.contains("found by words alone: the embedding service at"), "{found:#?}");
    assert!(found.err.contains("refused with status 401 (bad key ***)"), "{found:#?}");
    let explained = run(&mut with(&desk, &url(&service), &["explain", "tulips", "--json"])).ok();
    let warnings = &keeps_the_secret(explained).json()["budget"]["warnings"];
    assert!(warnings.to_string().contains("found by words alone"), "{warnings}");

    let again = json(&desk, &url(&service), &["index", "notes"]);
    assert_eq!(again["vectors"], 2, "the service has come back");
}

#[test]
fn a_service_that_fails_midway_keeps_what_is_done() {
    let desk = Desk::new();
    for number in 0..12 {
        desk.write(&format!("notes/{number}.md"), format!("Note {number}.\n"));
    }
    // A question for the length of its vectors, a batch of four texts one by one, and the end.
    let mut script = vec![Reply::Vectors; 5];
    script.extend(vec![Reply::Says(403, "", String::new()); 4]);
    let service = Service::start(script);
    let address = format!("http://{}/v1?batch=1#m", service.address);
    let first = json(&desk, &address, &["index", "notes"]);
    assert_eq!((&first["added"], &first["vectors"]), (&12.into(), &4.into()));
    assert!(first["problem"].as_str().unwrap().contains("refused with status 403"), "{first}");
    while service.requests().len() < 9 {
        // Requests that were given up with the failed one leave the rest of the script unread.
        json(&desk, &address, &["search", "note"]);
    }
    let second = json(&desk, &address, &["index", "notes"]);
    assert_eq!((&second["unchanged"], &second["vectors"]), (&12.into(), &8.into()));
    assert_eq!(second["problem"], Value::Null);
}

#[test]
fn a_service_is_set_like_any_other_value_and_its_key_is_masked() {
    let desk = Desk::new();
    let address = "https://embeddings.example/v1?dimensions=256#text-embedding-3-small";
    let shown = |command: &mut Command| {
        let shown = keeps_the_secret(run(command.args(["config", "show", "--json"])).ok()).json();
        ["embedder", "embedder.key"].map(|key| {
            let part = |name: &str| shown[key][name].as_str().unwrap().to_owned();
            (part("value"), part("origin"))
        })
    };
    let is = |value: &str, origin: &str| (value.to_owned(), origin.to_owned());

    run(&mut desk.bare(&["config", "set", "embedder", address])).ok();
    let mut command = desk.bare::<&str>(&[]);
    let expected = [is(address, "database"), is("", "default")];
    assert_eq!(shown(&mut command), expected);
    let mut command = desk.bare::<&str>(&[]);
    let expected = [is(address, "database"), is("***", "environment DOSSIER_EMBEDDER_KEY")];
    assert_eq!(shown(command.env("DOSSIER_EMBEDDER_KEY", KEY)), expected);

    let named = "https://embeddings.example/v1?key_env=MY_KEY#m";
    let mut command = desk.bare(&["--embedder", named]);
    let expected = [is(named, "flag --embedder"), is("***", "environment MY_KEY")];
    assert_eq!(shown(command.env("MY_KEY", KEY)), expected);
    run(&mut desk.bare(&["--embedder", named, "search", "x"]))
        .failed(1, &["key_env names MY_KEY, which is not set"]);
}

#[test]
fn a_settings_file_that_lies_in_a_folder_gets_no_key_sent_to_its_service() {
    let desk = Desk::with_notes();
    let service = Service::start(Vec::new());
    desk.write("dossier.toml", format!("embedder = \"{}\"\n", url(&service)));
    let key = |command: &mut Command| run(command.env("DOSSIER_EMBEDDER_KEY", KEY)).ok();
    let found = key(&mut desk.bare(&["index", "notes"]));
    let told = format!("using the embedder {}, which dossier.toml names, without", url(&service));
    assert!(found.err.starts_with(&told), "{found:#?}");
    assert!(service.requests().iter().all(|request| request.authorization.is_none()));

    let named = key(&mut desk.bare(&["--config", "./dossier.toml", "search", "tulips"]));
    assert_eq!(named.err, "");
    assert!(service.requests().last().unwrap().authorization.is_some());
}

#[test]
fn a_url_that_makes_no_sense_is_refused_without_being_repeated() {
    let desk = Desk::new();
    let url = "https://ana:hunter2@embeddings.example/v1#m";
    let flag = keeps_the_secret(run(&mut desk.bare(&["--embedder", url, "search", "x"])));
    flag.failed(2, &["--embedder", "DOSSIER_EMBEDDER_KEY", "--help"]);
    let variable = keeps_the_secret(run(&mut with(&desk, url, &["index", "."])));
    variable.failed(1, &["DOSSIER_EMBEDDER: the embedder's URL cannot be used"]);
    let held = keeps_the_secret(run(&mut desk.bare(&["config", "set", "embedder", url])));
    held.failed(1, &["would be shown"]);
    desk.write("dossier.toml", format!("embedder = \"{url}\"\n"));
    let file = keeps_the_secret(run(&mut desk.bare(&["search", "x"])));
    file.failed(1, &["dossier.toml, line 1: the embedder's URL cannot be used"]);
}
