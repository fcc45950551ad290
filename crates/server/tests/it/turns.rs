//! Turns over HTTP: as one answer, as a stream, and taken up again where a stream was cut.

use crate::database::Database;
use crate::desk::{Desk, options};
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_engine::{Embedder, Engine, Models, Provider, Secret, builtin_catalogue};
use dossier_testkit::{Provider as Script, Reply};
use hyper::Method;
use serde_json::{Value, json};

stories! {
    a_turn_is_answered_by_every_model_and_the_receipt_is_kept,
    a_stream_tells_what_happens_and_is_taken_up_where_it_was_cut,
    what_a_model_thought_and_a_kept_answer_are_told_later_too,
    a_turn_that_is_asked_wrongly_changes_nothing,
    what_it_took_is_added_up,
}

async fn desk(database: &Database, script: &Script) -> Result<Desk> {
    let provider = Provider::new("openai", Protocol::Chat, &script.url("/v1"), Secret::new("k"))?;
    let models = Models::new(builtin_catalogue().clone(), [provider])?;
    let engine = Engine::open(&database.url, Embedder::none()).await?.with_models(models);
    Ok(Desk::start(engine, options()).await?)
}

fn ask(message: &str) -> Value {
    json!({"message": message, "models": ["openai/gpt-4o"], "client_message_id": "m-1"})
}

/// The events of a stream: their ids, names and data.
pub fn events(body: &[u8]) -> Vec<(String, String, Value)> {
    let text = String::from_utf8(body.to_vec()).unwrap();
    let field = |event: &str, name: &str| -> String {
        let line = event.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
    };
    text.split("\n\n")
        .filter(|event| event.contains("data:"))
        .map(|event| {
            let data = serde_json::from_str(&field(event, "data:")).unwrap();
            (field(event, "id:"), field(event, "event:"), data)
        })
        .collect()
}

async fn streamed(
    desk: &Desk,
    body: &Value,
    last: Option<&str>,
) -> Result<Vec<(String, String, Value)>> {
    let mut headers = vec![("content-type", "application/json"), ("accept", "text/event-stream")];
    headers.extend(last.map(|last| ("last-event-id", last)));
    let reply = desk.send(Method::POST, "/api/turn", &headers, body.to_string()).await?;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    Ok(events(&reply.body))
}

async fn a_turn_is_answered_by_every_model_and_the_receipt_is_kept(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let project = desk.project("ferry").await?;
    let request = json!({
        "project_id": project, "message": "Where is the ferry?",
        "models": ["openai/gpt-4o", "builtin/extractive"],
    });
    let answer = desk.post("/api/turn", request).await?;
    assert_eq!(answer.status, 200);
    let answer = answer.json();
    let replies = answer["replies"].as_array().unwrap();
    assert_eq!(replies[0]["text"], "At the quay.");
    assert_eq!(replies[0]["usage"]["input"], 10);
    assert_eq!(replies[1]["model"], "builtin/extractive");
    let message = replies[0]["message_id"].as_str().unwrap();
    let receipt = desk.get(&format!("/api/messages/{message}/context")).await?.json();
    assert_eq!(receipt["id"], replies[0]["receipt_id"]);
    let sent = desk.get(&format!("/api/messages/{message}/context/rendered")).await?.json();
    let expected = script.requests()[0].body["messages"].clone();
    assert_eq!(sent["messages"], expected);
    let place = format!("/api/conversations/{}", answer["conversation_id"].as_str().unwrap());
    let said = desk.get(&place).await?.json();
    assert_eq!(said["messages"].as_array().map(Vec::len), Some(3));
    // Whoever reads the conversation later learns the same, but for what only the stream tells.
    let told = said["messages"][0]["turns"][0].clone();
    assert_eq!(told["turn_id"], answer["turn_id"]);
    for (told, replied) in told["replies"].as_array().unwrap().iter().zip(replies) {
        let mut replied = replied.clone();
        (replied["text"], replied["finish"]) = (Value::Null, Value::Null);
        assert_eq!(*told, replied);
    }
    let found = desk.get(&format!("/api/messages/{message}")).await?.json();
    assert_eq!(found["conversation_id"], answer["conversation_id"]);
    assert_eq!(found["content"], "At the quay.");
    let branch = desk.post(&format!("{place}/branch"), json!({"message_id": message})).await?;
    assert_eq!((branch.status, &branch.json()["rounds"]), (201, &json!(1)));
    desk.stopped().await
}

/// A reply of a model that shows what it thinks.
fn thoughtful() -> Reply {
    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]});
    let frames = [
        delta(json!({"role": "assistant", "reasoning_content": "Ferries moor. My key: "})),
        delta(json!({"reasoning_content": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"})),
        delta(json!({"content": "At the quay."})),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
    ];
    let frames: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    Reply::events(&format!("{frames}data: [DONE]\n\n"))
}

async fn what_a_model_thought_and_a_kept_answer_are_told_later_too(
    database: Database,
) -> Result<()> {
    let script = Script::start([thoughtful()])?;
    let desk = desk(&database, &script).await?;
    let keeps = json!({ "name": "ferry", "settings": { "enable_semantic_cache": true } });
    let project = desk.post("/api/projects", keeps).await?.json()["id"].clone();
    let request = json!({
        "project_id": project, "message": "Where is the ferry?", "models": ["openai/gpt-4o"],
    });
    let mut told = Vec::new();
    for _ in 0..2 {
        let answer = desk.post("/api/turn", request.clone()).await?.json();
        let place = format!("/api/conversations/{}", answer["conversation_id"].as_str().unwrap());
        let messages = desk.get(&place).await?.json()["messages"].clone();
        let cached = messages[0]["turns"][0]["replies"][0]["cached"].clone();
        assert_eq!(cached, answer["replies"][0]["cached"]);
        told.push((messages[1]["thoughts"].clone(), cached));
    }
    let [(thoughts, made), (none, kept)] = told.try_into().unwrap();
    let thoughts = thoughts.as_str().unwrap();
    assert!(thoughts.starts_with("Ferries moor. My key: ") && !thoughts.contains("abcdef"));
    assert_eq!((made, none), (Value::Null, Value::Null));
    assert_eq!((&kept["how"], kept["kept_at"].is_string()), (&json!("exact"), true));
    desk.stopped().await
}

async fn a_stream_tells_what_happens_and_is_taken_up_where_it_was_cut(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let told = streamed(&desk, &ask("Where?"), None).await?;
    let names: Vec<&str> = told.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["dossier", "delta", "reply", "done"]);
    assert!(told[..3].iter().all(|(_, _, data)| data["model"] == "openai/gpt-4o"));
    assert_eq!(told[2].2["text"], "At the quay.");
    assert_eq!(streamed(&desk, &ask("Where?"), Some(&told[1].0)).await?, told[2..]);
    assert_eq!(streamed(&desk, &ask("Where?"), None).await?, told);
    let turn = told[3].2["turn"].as_str().unwrap();
    let answer = desk.get(&format!("/api/turn/{turn}")).await?.json();
    assert_eq!(answer["replies"][0]["state"], "replied");
    // A smaller model may have been asked for a title meanwhile.
    let asked =
        script.requests().iter().filter(|request| request.body["model"] == "gpt-4o").count();
    assert_eq!(asked, 1);
    desk.stopped().await
}

async fn a_turn_that_is_asked_wrongly_changes_nothing(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk(&database, &script).await?;
    for (field, value, status) in [
        ("message", json!(" "), 422),
        ("models", json!([]), 422),
        ("models", json!(["gtp-4o"]), 422),
        ("models", json!("openai/gpt-4o"), 422),
        ("conversation_id", json!("thr_none"), 404),
        ("project_id", json!("prj_none"), 404),
        ("profile", json!("huge"), 422),
        ("token_budget", json!(0), 422),
        ("attachments", json!([{"name": "a"}]), 422),
        ("colour", json!("red"), 422),
    ] {
        let mut request = ask("Where?");
        request[field] = value;
        for path in ["/api/turn", "/api/turn/forecast"] {
            let reply = desk.post(path, request.clone()).await?;
            assert_eq!(reply.status, status, "{field}: {:?}", reply.body);
        }
    }
    let small = json!({"message": "Where?", "models": ["openai/gpt-4o"], "token_budget": 10});
    let forecast = desk.post("/api/turn/forecast", small).await?.json();
    assert!(forecast["models"][0]["problem"].as_str().unwrap().contains("the budget is 10"));
    for (method, path) in
        [(Method::GET, "/api/turn/trn_none"), (Method::POST, "/api/turn/trn_none/cancel")]
    {
        assert_eq!(desk.send(method, path, &[], "").await?.status, 404);
    }
    assert_eq!(desk.post("/api/turn/trn_none/retry", json!({})).await?.status, 404);
    let headers = [("content-type", "application/json"), ("last-event-id", "7")];
    let reply = desk.send(Method::POST, "/api/turn", &headers, ask("Where?").to_string()).await?;
    assert_eq!(reply.status, 400);
    assert_eq!(script.requests().len(), 0);
    desk.stopped().await
}

async fn what_it_took_is_added_up(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    desk.post("/api/turn", ask("Where?")).await?;
    let mut sums = desk.get("/api/usage?by=model").await?.json();
    // One question is its whole conversation: nothing is spared, and the header costs something.
    let net = sums["sums"][0]["net_saved_tokens"].take();
    assert!(net.as_i64() < Some(0), "{net}");
    assert_eq!(
        sums,
        json!({"sums": [{
            "key": "openai/gpt-4o", "calls": 1, "cache_hits": 0, "input_tokens": 10, "output_tokens": 5,
            "cached_input_tokens": 0, "reasoning_tokens": 0, "cost": 7.5e-5,
            "unpriced_calls": 0, "saved_tokens": 0, "net_saved_tokens": null, "warning": null,
        }]})
    );
    let waits = desk.get("/api/usage/waits?by=model").await?.json();
    let [waited] = waits["waits"].as_array().unwrap().as_slice() else { panic!("{waits}") };
    assert_eq!((&waited["key"], &waited["replies"]), (&json!("openai/gpt-4o"), &json!(1)));
    assert!(waited["median_ms"].as_i64() == waited["p95_ms"].as_i64(), "{waited}");
    let models = desk.get("/api/models/metadata").await?.json();
    let ready = |id: &str| -> Value {
        let models = models["models"].as_array().unwrap();
        models.iter().find(|model| model["id"] == id).unwrap()["ready"].clone()
    };
    assert_eq!(ready("openai/gpt-4o"), true);
    assert_eq!(ready("builtin/extractive"), true);
    assert_eq!(ready("anthropic/claude-sonnet-4-5"), false);
    for path in ["/api/usage?by=moon", "/api/usage/waits?by=moon"] {
        assert_eq!(desk.get(path).await?.status, 400);
    }
    desk.stopped().await
}
