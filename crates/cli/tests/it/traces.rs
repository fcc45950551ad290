//! Traces: what a collector is told of a turn, and what it is not.

use crate::desk::Desk;
use crate::served::Served;
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[test]
fn a_collector_is_told_how_long_each_part_of_a_turn_took_and_nothing_that_was_said() {
    let collector = Provider::answering(|_| Reply::json(200, &json!({}))).unwrap();
    let desk = Desk::new();
    let mut command = desk.bare::<&str>(&[]);
    let served = Served::start(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url("")));
    let turn = json!({"message": "Where is the walrus?", "models": ["builtin/extractive"]});
    let (status, _) = served.ask("POST", "/api/turn", "", &turn.to_string());
    assert_eq!(status, 200);
    // What is left is sent before it ends.
    let (code, log) = served.end();
    assert_eq!(code, Some(0), "{log}");

    let told: Vec<Value> = collector.requests().into_iter().map(|request| request.body).collect();
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let spans: Vec<Value> = told
        .iter()
        .flat_map(|body| list(body, "resourceSpans"))
        .flat_map(|resource| list(&resource, "scopeSpans"))
        .flat_map(|scope| list(&scope, "spans"))
        .collect();
    let names: BTreeMap<&str, &str> = spans
        .iter()
        .filter_map(|span| Some((span["spanId"].as_str()?, span["name"].as_str()?)))
        .collect();
    let parent = |span: &Value| {
        let parent = span["parentSpanId"].as_str().and_then(|id| names.get(id));
        format!("{} in {}", span["name"].as_str().unwrap(), parent.unwrap_or(&"nothing"))
    };
    let mut tree: Vec<String> = spans.iter().map(parent).collect();
    tree.sort();
    assert_eq!(
        tree,
        [
            "POST /api/turn in nothing",
            "assemble in turn",
            "gather in turn",
            "model in turn",
            "store reply in turn",
            "turn in POST /api/turn",
        ]
    );
    assert!(collector.requests().iter().all(|request| request.line == "POST /v1/traces"));
    assert!(!json!(told).to_string().contains("walrus"));
}

#[test]
fn a_collector_that_does_not_answer_costs_no_request() {
    let desk = Desk::new();
    let mut command = desk.bare::<&str>(&[]);
    let served = Served::start(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9"));
    assert_eq!(served.ask("GET", "/healthz", "", "").0, 200);
    assert_eq!(served.end().0, Some(0));
}
