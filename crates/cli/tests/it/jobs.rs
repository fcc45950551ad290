//! Workers of jobs as real processes: one that is killed in the middle, two at once, and the server's.

use crate::desk::{Desk, run};
use crate::interrupted::wait_until;
use crate::served::Served;
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use std::process::{Command, Stdio};

const SUMMARY: &str = "The nightly backup is done but for a step that failed.";

fn log(word: &str) -> String {
    let line = |number: u32| format!("step {number} of the nightly backup {word} is done\n");
    (0..90).map(line).collect::<String>() + "a step failed\n"
}

/// The program with a provider that follows a script.
fn with(desk: &Desk, provider: &Provider, args: &[&str]) -> Command {
    let mut command = desk.bare(args);
    command
        .env("DOSSIER_EMBEDDER", "none")
        .env("OPENAI_API_KEY", "sk-hunter2hunter2hunter2")
        .env("OPENAI_BASE_URL", provider.url("/v1"));
    command
}

/// Stores contents that are to be summarised.
fn store(desk: &Desk, provider: &Provider, words: &[&str]) {
    for word in words {
        let name = format!("{word}.log");
        desk.write(&name, log(word));
        run(&mut with(desk, provider, &["refs", "add", &name])).ok();
    }
}

fn begin(desk: &Desk, provider: &Provider) -> std::process::Child {
    let mut command = with(desk, provider, &["maintain"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Who wrote which summary, and what has become of the jobs and calls.
fn told(desk: &Desk) -> (Vec<(String, String)>, Value, i64) {
    let refs = desk.json(&["refs", "list"]);
    let text = |shown: &Value, key: &str| shown[key].as_str().unwrap().to_owned();
    let refs = refs["refs"].as_array().unwrap();
    let refs = refs.iter().map(|shown| (text(shown, "summary_by"), text(shown, "summary")));
    let stats = desk.json(&["stats"]);
    let usage = stats["usage"].as_array().unwrap();
    let own = usage.iter().find(|sum| sum["component"] == "ref_summary");
    let calls = own.map_or(0, |sum| sum["calls"].as_i64().unwrap());
    (refs.collect(), stats["jobs"].clone(), calls)
}

fn summarised(count: usize) -> Vec<(String, String)> {
    vec![("openai/gpt-5-nano".to_owned(), SUMMARY.to_owned()); count]
}

#[test]
fn a_job_whose_worker_is_killed_is_done_once_more_and_leaves_one_summary() {
    let desk = Desk::new();
    let provider = Provider::start([Reply::silence(), Reply::chat(SUMMARY)]).unwrap();
    store(&desk, &provider, &["a"]);
    let mut worker = begin(&desk, &provider);
    wait_until("the model to be asked", || provider.requests().len() == 1);
    worker.kill().unwrap();
    worker.wait().unwrap();
    let (refs, jobs, calls) = told(&desk);
    assert_eq!((refs[0].0.as_str(), jobs, calls), ("extractive", json!({"running": 1}), 0));
    run(&mut with(&desk, &provider, &["maintain"])).ok();
    assert_eq!(told(&desk), (summarised(1), json!({"done": 1}), 1));
    // Nothing is left to do.
    run(&mut with(&desk, &provider, &["maintain"])).ok();
    assert_eq!(provider.requests().len(), 2);
    desk.dossier(&["doctor"]).ok();
}

#[test]
fn a_summary_is_told_with_what_it_cost_and_how_often_it_served() {
    let desk = Desk::new();
    let provider = Provider::answering(|_| Reply::chat(SUMMARY)).unwrap();
    store(&desk, &provider, &["a"]);
    run(&mut with(&desk, &provider, &["maintain"])).ok();
    let shown = desk.json(&["refs", "list"]);
    let name = shown["refs"][0]["id"].as_str().unwrap();
    desk.dossier(&["refs", "show", name]).ok();
    desk.dossier(&["refs", "expand", &format!("{name}:summary")]).ok();
    // The whole is no use of the summary.
    desk.dossier(&["refs", "expand", name]).ok();
    let summaries = desk.json(&["stats"])["summaries"].clone();
    let [own] = summaries["each"].as_array().unwrap().as_slice() else { panic!("{summaries}") };
    let number = |key: &str| own[key].as_u64().unwrap();
    assert_eq!((&own["model"], number("uses")), (&json!("openai/gpt-5-nano"), 2));
    let (spent, spared) = (number("tokens"), number("spared_tokens_per_use"));
    assert!(spent > 0 && spared > 0 && own["cost"].as_f64() > Some(0.0), "{own}");
    assert_eq!(number("break_even_uses"), spent.div_ceil(spared));
    assert_eq!((&summaries["uses"], &summaries["net_tokens"]), (&json!(2), &own["net_tokens"]));
    let page = desk.dossier(&["stats"]).ok().out;
    assert!(page.contains("summaries 1 by models took"), "{page}");
    assert!(page.contains("served 2 times"), "{page}");
}

#[test]
fn two_workers_never_take_the_same_job() {
    let desk = Desk::new();
    let provider = Provider::answering(|_| Reply::chat(SUMMARY)).unwrap();
    store(&desk, &provider, &["a", "b", "c", "d", "e", "f"]);
    let workers = [begin(&desk, &provider), begin(&desk, &provider)];
    for worker in workers {
        let ended = worker.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    }
    assert_eq!(told(&desk), (summarised(6), json!({"done": 6}), 6));
    assert_eq!(provider.requests().len(), 6);
}

#[test]
fn the_server_works_off_what_another_process_left() {
    let desk = Desk::new();
    let provider = Provider::answering(|_| Reply::chat(SUMMARY)).unwrap();
    store(&desk, &provider, &["a"]);
    let server = Served::with_provider(&desk, &provider, "none");
    let listed = || server.ask("GET", "/api/refs", "", "").1["refs"].clone();
    wait_until("a summary", || listed()[0]["summary_by"] == "openai/gpt-5-nano");
    let content = log("b");
    let (status, shown) =
        server.ask("POST", "/api/refs", "", &json!({ "content": content }).to_string());
    assert_eq!((status, &shown["summary_by"]), (201, &json!("extractive")), "{shown}");
    let all = |refs: &Value| {
        let refs = refs.as_array().unwrap();
        refs.len() == 2 && refs.iter().all(|shown| shown["summary"] == SUMMARY)
    };
    wait_until("the other summary", || all(&listed()));
    assert_eq!(provider.requests().len(), 2);
}
