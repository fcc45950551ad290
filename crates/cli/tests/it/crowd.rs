//! Very many people at once: everybody hears the answer to their own question, all of it, and the
//! server needs no more memory for the third crowd than for the first.

use crate::desk::Desk;
use crate::served::{Served, send};
use dossier_testkit::{Provider, Reply, Request};
use serde_json::{Value, json};
use std::io::Read as _;
use std::thread;

const PEOPLE: usize = 200;

/// Repeats the question, a word at a time.
fn echo(request: &Request) -> Reply {
    let said = request.body["messages"]
        .as_array()
        .and_then(|messages| messages.last()?["content"].as_str())
        .unwrap_or_default();
    let question = said.rsplit_once("Question: ").map_or(said, |(_, question)| question);
    let frame = |delta: Value, finish: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        format!("data: {}\n\n", json!({ "choices": [choice] }))
    };
    let mut frames: String = question
        .split_inclusive(' ')
        .map(|word| frame(json!({ "content": word }), Value::Null))
        .collect();
    frames.push_str(&frame(json!({}), json!("stop")));
    Reply::events(&format!("{frames}data: [DONE]\n\n"))
}

/// The data of the events of a kind.
fn events(stream: &str, kind: &str) -> Vec<Value> {
    stream
        .split("\n\n")
        .filter(|event| event.lines().any(|line| line == format!("event: {kind}")))
        .filter_map(|event| event.lines().find_map(|line| line.strip_prefix("data: ")))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

/// One person's turn; returns what was heard of it.
fn ask(address: &str, question: &str) -> String {
    let turn = json!({ "message": question, "models": ["gpt-4o"] }).to_string();
    let accept = "Accept: text/event-stream\r\n";
    let mut stream = send(address, "POST", "/api/turn", accept, &turn).unwrap();
    let mut heard = String::new();
    stream.read_to_string(&mut heard).unwrap();
    heard
}

fn check(question: &str, heard: &str) {
    let spoken: String =
        events(heard, "delta").iter().map(|delta| delta["text"].as_str().unwrap()).collect();
    assert_eq!(spoken, question, "{heard}");
    let replies = events(heard, "reply");
    let texts: Vec<&Value> = replies.iter().map(|reply| &reply["text"]).collect();
    assert_eq!(texts, [question], "{heard}");
    assert_eq!(events(heard, "done").len(), 1, "{heard}");
}

#[test]
fn two_hundred_people_are_answered_at_once() {
    let desk = Desk::new();
    let provider = Provider::answering(echo).unwrap();
    let served = Served::with_provider(&desk, &provider, "none");
    let mut peaks = Vec::new();
    for crowd in 0..4 {
        thread::scope(|scope| {
            for person in 0..PEOPLE {
                let address = &served.address;
                scope.spawn(move || {
                    let question = format!("Where is boat {person} of crowd {crowd} tonight?");
                    check(&question, &ask(address, &question));
                });
            }
        });
        peaks.push(served.peak());
    }
    // The first crowd also pays for what is made once.
    assert!(peaks[3] < peaks[1] * 3 / 2, "{peaks:?} kB");
    assert_eq!(served.end().0, Some(0));
    let threads = desk.json(&["list", "threads"]);
    let threads = threads["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 4 * PEOPLE);
    desk.dossier(&["doctor"]).ok();
}
