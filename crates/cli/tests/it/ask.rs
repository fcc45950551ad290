//! Asking models: the built-in one that quotes, and those of a provider that follows a script.

use crate::desk::{Desk, run};
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The program with a provider that follows a script.
fn with(desk: &Desk, provider: &Provider, args: &[&str]) -> Command {
    let mut command = desk.bare(args);
    command
        .env("DOSSIER_EMBEDDER", "none")
        .env("OPENAI_API_KEY", "sk-hunter2hunter2hunter2")
        .env("OPENAI_BASE_URL", provider.url("/v1"));
    command
}

#[test]
fn without_a_provider_passages_are_quoted_with_their_sources() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let answer = desk.dossier(&["ask", "When are the tulips planted?"]).ok();
    assert!(answer.out.contains("> The tulips are planted in October."), "{answer:#?}");
    assert!(answer.out.contains("garden.md, line 3"), "{answer:#?}");
    assert!(answer.out.contains("no language model"), "{answer:#?}");
    assert!(answer.err.contains("no provider is set up"), "{answer:#?}");
}

#[test]
fn a_thread_goes_on_and_every_reply_keeps_its_receipt() {
    let desk = Desk::with_notes();
    let title = Reply::chat("Tulips and when to plant them");
    let provider =
        Provider::start([Reply::chat("In October."), title, Reply::chat("Yes.")]).unwrap();
    let ask = |args: &[&str]| -> Value {
        let args = [&["ask", "--json", "--model", "gpt-4o"], args].concat();
        let asked = run(&mut with(&desk, &provider, &args)).ok();
        assert!(!asked.out.contains("hunter2") && !asked.err.contains("hunter2"), "{asked:#?}");
        asked.json()
    };
    let first = ask(&["When are the tulips planted?"]);
    assert_eq!(first["replies"][0]["text"], "In October.");
    let thread = first["conversation_id"].as_str().unwrap();
    let second = ask(&["Sure?", "--thread", thread]);
    assert_eq!(second["conversation_id"], thread);
    let sent: Vec<String> = provider.requests()[2].body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .skip(1)
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(sent, ["When are the tulips planted?", "In October.", "Sure?"]);
    let receipt = second["replies"][0]["receipt"].as_str().unwrap();
    let shown = desk.dossier(&["explain", "--receipt", receipt, "--rendered"]).ok().out;
    assert!(shown.contains("In October.") && shown.contains("Sure?"), "{shown}");
    let threads = desk.dossier(&["list", "threads", "--json"]).ok().out;
    assert!(threads.contains("Tulips and when to plant them"), "{threads}");
}

#[test]
fn a_model_that_fails_is_named_and_the_others_answer() {
    let desk = Desk::with_notes();
    let refused = Reply::json(401, &json!({"error": {"message": "no such key"}}));
    // Each question is followed by the wish for a title.
    let provider = Provider::start(vec![refused; 4]).unwrap();
    let both = &["ask", "tulips", "--model", "gpt-4o", "--model", "builtin/extractive"];
    let answer = run(&mut with(&desk, &provider, both)).ok();
    assert!(answer.out.starts_with("builtin/extractive:\n"), "{answer:#?}");
    assert!(answer.err.contains("openai/gpt-4o does not accept the key"), "{answer:#?}");
    let alone = run(&mut with(&desk, &provider, &["ask", "tulips", "--model", "gpt-4o"]));
    assert_eq!(alone.code, Some(1), "{alone:#?}");
    assert!(alone.err.contains("openai/gpt-4o does not accept the key"), "{alone:#?}");
}

#[test]
fn a_model_that_stays_silent_is_given_up_after_the_time_that_is_set() {
    let desk = Desk::with_notes();
    let provider = Provider::start([Reply::silence()]).unwrap();
    let mut command = with(&desk, &provider, &["ask", "tulips", "--model", "gpt-4o"]);
    let given_up = run(command.env("DOSSIER_MODELS_TIMEOUT_SECONDS", "1"));
    assert_eq!(given_up.code, Some(1), "{given_up:#?}");
    for words in ["the whole answer may take 1 s", "longer with models.timeout_seconds"] {
        assert!(given_up.err.contains(words), "{given_up:#?}");
    }
    assert!(provider.was_hung_up_on());
}

#[test]
fn what_cannot_be_asked_is_told_and_changes_nothing() {
    let desk = Desk::with_notes();
    desk.dossier(&["ask", " "]).failed(1, &["the message is empty"]);
    desk.dossier(&["ask", "x", "--model", "gpt-4o"]).failed(1, &["set OPENAI_API_KEY"]);
    desk.dossier(&["ask", "x", "--model", "gtp"]).failed(1, &["no model is called `gtp`"]);
    desk.dossier(&["ask", "x", "--thread", "none"]).failed(1, &["thread `none` is not known"]);
    desk.dossier(&["ask"]).failed(2, &["QUESTION"]);
    let provider = Provider::start([]).unwrap();
    let unnamed = run(&mut with(&desk, &provider, &["ask", "x"]));
    unnamed.failed(1, &["name a model with --model"]);
    assert_eq!(desk.dossier(&["list", "threads", "--json"]).ok().json()["threads"], json!([]));
}

#[test]
fn a_talk_goes_on_line_by_line() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let mut command = desk.bare(&["chat"]);
    command.env("DOSSIER_EMBEDDER", "none").stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = "When are the tulips planted?\nSince when is the oven broken?\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(said.contains("planted in October") && said.contains("since Tuesday"), "{said}");
    let threads = desk.dossier(&["list", "threads", "--json"]).ok().json();
    assert_eq!(threads["threads"][0]["rounds"], 2, "{threads}");
}

#[test]
fn a_project_that_keeps_answers_gives_them_again_and_says_so() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "--project", "garden"]).ok();
    // Each question begins a thread, which a model gives a title where it was asked at all.
    let script = ["In October.", "Tulips", "In autumn.", "Tulips"];
    let provider = Provider::start(script.map(Reply::chat)).unwrap();
    let ask = |more: &[&str]| {
        let args = [
            &["ask", "When are the tulips planted?", "--project", "garden", "--model", "gpt-4o"],
            more,
        ];
        run(&mut with(&desk, &provider, &args.concat())).ok()
    };
    let set = ["config", "project", "garden", "enable_semantic_cache=true"];
    assert_eq!(desk.dossier(&set).ok().out, "enable_semantic_cache = true\n");
    let first = ask(&[]);
    assert_eq!(first.out, "In October.\n");
    assert!(!first.err.contains("cache"), "{first:#?}");
    let second = ask(&[]);
    assert_eq!(second.out, "In October.\n");
    let said = "answered from the cache (kept 0 min ago); ask again with --fresh";
    assert!(second.err.contains(said), "{second:#?}");
    assert_eq!(ask(&["--fresh"]).out, "In autumn.\n");
    let last = ask(&["--json"]).json();
    let reply = &last["replies"][0];
    assert_eq!((&reply["text"], &reply["cached"]["how"]), (&json!("In autumn."), &json!("exact")));
    let receipt = desk.dossier(&["explain", "--receipt", reply["receipt"].as_str().unwrap()]).ok();
    let from = reply["cached"]["from_message"].as_str().unwrap();
    let told = format!("Cache: no model was asked; the answer is that of message {from}");
    let page = receipt.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains(&told), "{page}");
}

#[test]
fn settings_of_a_project_are_shown_changed_and_checked() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    desk.dossier(&["config", "project", "garden"]).failed(1, &["garden"]);
    desk.dossier(&["index", "notes", "--project", "garden"]).ok();
    let config = |args: &[&str]| desk.dossier(&[&["config", "project", "garden"], args].concat());
    assert_eq!(config(&[]).ok().out, "");
    let set = config(&["semantic_cache_seconds=600", "system_prompt=Be brief."]).ok();
    assert_eq!(set.out, "semantic_cache_seconds = 600\nsystem_prompt = \"Be brief.\"\n");
    config(&["semantic_cache_seconds=soon"]).failed(1, &["semantic_cache_seconds is a whole"]);
    config(&["enable_cache=true"])
        .failed(1, &["no setting `enable_cache`", "enable_semantic_cache"]);
    config(&["enable_semantic_cache"]).failed(1, &["write KEY=VALUE"]);
    let unset = config(&["system_prompt=", "--json"]).ok();
    assert_eq!(unset.json(), json!({"semantic_cache_seconds": 600}));
}

#[test]
fn figures_tell_what_was_asked_kept_and_remembered() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let none = desk.dossier(&["stats"]).ok();
    assert!(none.err.contains("no model was asked yet"), "{none:#?}");
    desk.dossier(&["ask", "We decided to plant tulips in October. When is that?"]).ok();
    let stats = desk.dossier(&["stats", "--json"]).ok().json();
    assert_eq!(
        (&stats["usage"][0]["component"], &stats["usage"][0]["calls"]),
        (&json!("turn"), &json!(1))
    );
    assert_eq!(stats["facts"], json!({"closed": 0, "doubtful": 0, "holds": 1}));
    assert_eq!(stats["refs"]["count"], 0);
    assert_eq!(
        (&stats["refs_by_kind"], &stats["answer_hit_rate"], &stats["long_sessions"]),
        (&json!({}), &json!(0.0), &json!([]))
    );
    let quota = json!({"tokens": 0, "tokens_quota": 50_000, "cost": 0.0, "cost_quota": 5.0});
    assert_eq!(stats["summaries_today"], quota);
    // One question is its whole conversation: nothing is spared, and the header costs something.
    assert_eq!(stats["usage"][0]["saved_tokens"], 0);
    assert!(stats["usage"][0]["net_saved_tokens"].as_i64() < Some(0), "{stats:#}");
    let page = desk.dossier(&["stats"]).ok().out;
    assert_eq!(stats["contexts"]["fit"], json!({"whole": 1}));
    assert!(stats["contexts"]["assemble_ms"]["p90"].as_f64() > Some(0.0), "{stats:#}");
    // The model that only quotes uses what it is shown, and has no tools.
    let selections = &stats["selections"];
    let [profile] = selections["by_profile"].as_array().unwrap().as_slice() else {
        panic!("{selections}")
    };
    assert_eq!((&profile["key"], &profile["replies"]), (&json!("lean"), &json!(1)));
    assert!(profile["used"].as_u64() > Some(0) && profile["could_fetch"] == 0, "{profile}");
    assert_eq!(selections["by_day"].as_array().map(Vec::len), Some(1));
    let chosen = "chosen    lean: 1 reply used ";
    for said in
        ["turn", "1 holds", "refs      none\n", "contexts  1 whole; half were assembled", chosen]
    {
        assert!(page.contains(said), "{said}: {page}");
    }
    let other = desk.dossier(&["stats", "--from", "2999-01-01", "--json"]).ok().json();
    assert_eq!(other["usage"], json!([]));
    desk.dossier(&["stats", "--project", "nowhere"]).failed(1, &["nowhere"]);
}

#[test]
fn a_budget_that_is_nearly_spent_is_told_with_the_reply() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "--project", "garden"]).ok();
    let provider = Provider::answering(|_| Reply::chat("In October.")).unwrap();
    let ask = || {
        let args = ["ask", "When?", "--project", "garden", "--model", "gpt-4o", "--json"];
        run(&mut with(&desk, &provider, &args)).ok().json()["replies"][0]["warnings"].clone()
    };
    assert_eq!(ask(), json!([]));
    // One answer takes 0.000075 dollars.
    desk.dossier(&["config", "project", "garden", "budget_usd_per_month=0.00009"]).ok();
    let warnings = ask();
    let told = warnings[0].as_str().unwrap();
    assert!(told.contains(" % of the project's budget of the month"), "{warnings}");
}
