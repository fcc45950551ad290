//! The profile `off`: the request is passed on as it is, and so is what comes back.

use super::{chatting, chunks, complete, desk, frames, request, said};
use crate::database::Database;
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_testkit::{Provider as Script, Reply as Scripted};
use hyper::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

stories! {
    a_request_is_passed_on_with_the_models_own_name_and_our_key,
    a_stream_is_passed_on_to_the_byte,
    what_the_provider_refuses_is_passed_on,
    another_format_is_translated,
    a_spent_budget_stops_it,
    what_is_free_goes_on_when_a_budget_is_spent,
    what_nobody_told_is_counted_though_the_client_leaves,
}

const OFF: &[(&str, &str)] = &[("x-dossier-profile", "off")];

/// The sums of usage, when so many calls are counted: that happens after the answer.
async fn counted(desk: &crate::desk::Desk, calls: i64) -> Result<Value> {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        let sums = desk.get("/api/usage?by=component").await?.json()["sums"].clone();
        if sums[0]["calls"] == calls {
            return Ok(sums);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    anyhow::bail!("the calls were not counted")
}

async fn a_request_is_passed_on_with_the_models_own_name_and_our_key(
    database: Database,
) -> Result<()> {
    let answer = json!({
        "id": "x", "choices": [{"message": {"content": "Hi", "annotations": []}}],
        "usage": {"prompt_tokens": 8, "completion_tokens": 2, "total_tokens": 10},
    });
    let script = [Scripted::json(200, &answer).with_header("x-ratelimit-remaining-tokens", "9")];
    let (desk, script) = chatting(&database, script).await?;
    let mut asked = request(&["Hello"]);
    asked["n"] = json!(2);
    asked["a_field_of_the_future"] = json!({"model": "here/m", "x": [1.50, null]});
    let reply = complete(&desk, OFF, &asked).await?;
    assert_eq!((reply.status, reply.json()), (200, answer));
    assert_eq!(reply.headers["x-ratelimit-remaining-tokens"], "9");
    assert!(!reply.headers.contains_key("x-dossier-receipt"));
    let sent = &script.requests()[0];
    asked["model"] = json!("m");
    assert_eq!(sent.body, asked);
    assert_eq!(sent.line, "POST /v1/chat/completions");
    assert_eq!(sent.header("authorization"), Some("Bearer our-key"));
    let sums = counted(&desk, 1).await?;
    assert_eq!(sums[0]["key"], "forward");
    assert_eq!((&sums[0]["input_tokens"], &sums[0]["output_tokens"]), (&json!(8), &json!(2)));
    assert_eq!(desk.get("/api/projects").await?.json()["projects"], json!([]));
    desk.stopped().await
}

async fn a_stream_is_passed_on_to_the_byte(database: Database) -> Result<()> {
    let text = "data: {\"choices\":[],\"x\":\"\u{e6}\"}\n\n: odd\n\ndata: {\"usage\":{\"prompt_tokens\":3}}\n\ndata: [DONE]\n\n";
    let (desk, _script) = chatting(&database, [Scripted::events_in_pieces_of(5, text)]).await?;
    let mut asked = request(&["Hello"]);
    asked["stream"] = json!(true);
    let reply = complete(&desk, OFF, &asked).await?;
    assert_eq!(reply.headers["content-type"], "text/event-stream");
    assert_eq!(String::from_utf8(reply.body.to_vec())?, text);
    assert_eq!(counted(&desk, 1).await?[0]["input_tokens"], 3);
    desk.stopped().await
}

async fn what_the_provider_refuses_is_passed_on(database: Database) -> Result<()> {
    let error = json!({"error": {"message": "slow down", "type": "tokens", "code": "x"}});
    let script = [Scripted::json(429, &error).with_header("retry-after", "3")];
    let (desk, _script) = chatting(&database, script).await?;
    let reply = complete(&desk, OFF, &request(&["Hello"])).await?;
    assert_eq!((reply.status, reply.json()), (429, error));
    assert_eq!(reply.headers["retry-after"], "3");
    for (model, status) in [(json!("nobody/m"), 404), (json!(1), 422), (Value::Null, 422)] {
        let mut asked = request(&["Hello"]);
        asked["model"] = model;
        assert_eq!(complete(&desk, OFF, &asked).await?.status, status);
    }
    desk.stopped().await
}

async fn another_format_is_translated(database: Database) -> Result<()> {
    let events = [
        (
            "message_start",
            json!({"type": "message_start", "message": {
                "id": "m", "role": "assistant", "content": [], "usage": {"input_tokens": 4, "output_tokens": 1},
            }}),
        ),
        (
            "content_block_start",
            json!({
                "type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""},
            }),
        ),
        (
            "content_block_delta",
            json!({
                "type": "content_block_delta", "index": 0,
                "delta": {"type": "text_delta", "text": "Hi there"},
            }),
        ),
        ("content_block_stop", json!({"type": "content_block_stop", "index": 0})),
        (
            "message_delta",
            json!({
                "type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2},
            }),
        ),
        ("message_stop", json!({"type": "message_stop"})),
    ];
    let text: String =
        events.iter().map(|(name, data)| format!("event: {name}\ndata: {data}\n\n")).collect();
    let script = Script::start([Scripted::events(&text), Scripted::events(&text)])?;
    let desk = desk(&database, &script, Protocol::Anthropic).await?;
    let asked = request(&["Hello", "Hm?", "Hello!"]);
    assert_eq!(said(&complete(&desk, OFF, &asked).await?), "Hi there");
    let sent = script.requests()[0].body["messages"].clone();
    let words: Vec<&Value> = sent.as_array().unwrap().iter().map(|it| &it["content"]).collect();
    assert_eq!(words, ["Hello", "Hm?", "Hello!"]);
    let mut streamed = asked;
    streamed["stream"] = json!(true);
    let reply = complete(&desk, OFF, &streamed).await?;
    assert_eq!(chunks(&reply)[1]["choices"][0]["delta"]["content"], "Hi there");
    assert_eq!(frames(&reply).last().unwrap(), "[DONE]");
    assert_eq!(counted(&desk, 2).await?[0]["input_tokens"], 8);
    desk.stopped().await
}

async fn what_is_free_goes_on_when_a_budget_is_spent(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, []).await?;
    let project = desk.project("default").await?;
    let settings = json!({"settings": {"budget_usd_per_month": 0}});
    assert_eq!(desk.put(&format!("/api/projects/{project}"), settings).await?.status, 200);
    let mut asked = request(&["Hello"]);
    asked["model"] = json!("builtin/extractive");
    assert_eq!(complete(&desk, OFF, &asked).await?.status, 200);
    assert_eq!(script.requests().len(), 0);
    desk.stopped().await
}

async fn what_nobody_told_is_counted_though_the_client_leaves(database: Database) -> Result<()> {
    let chunk = json!({"choices": [{"index": 0, "delta": {"content": "At the"}}]});
    let frame = format!("data: {chunk}\n\n");
    let untold = Scripted::events(&format!("{frame}data: [DONE]\n\n"));
    let refused = Scripted::json(401, &json!({"error": {"message": "no such key"}}));
    let slow = Scripted::events(&frame).then_silence();
    let (desk, script) = chatting(&database, [refused, untold, slow]).await?;
    let mut asked = request(&["Where is it?"]);
    asked["stream"] = json!(true);
    assert_eq!(complete(&desk, OFF, &asked).await?.status, 401);
    assert_eq!(complete(&desk, OFF, &asked).await?.status, 200);
    let sums = counted(&desk, 1).await?;
    // An unknown model's tokens are estimated, and rather too many than too few.
    assert_eq!((&sums[0]["input_tokens"], &sums[0]["output_tokens"]), (&json!(5), &json!(3)));
    let headers = [("content-type", "application/json"), OFF[0]];
    let path = "/v1/chat/completions";
    drop(desk.response(Method::POST, path, &headers, asked.to_string()).await?);
    assert!(tokio::task::block_in_place(|| script.was_hung_up_on()));
    assert_eq!(counted(&desk, 2).await?[0]["input_tokens"], 10);
    desk.stopped().await
}

async fn a_spent_budget_stops_it(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, []).await?;
    let project = desk.project("default").await?;
    let settings = json!({"settings": {"budget_usd_per_month": 0}});
    assert_eq!(desk.put(&format!("/api/projects/{project}"), settings).await?.status, 200);
    for headers in [OFF, &[]] {
        let reply = complete(&desk, headers, &request(&["Hello"])).await?;
        assert_eq!(reply.status, 402, "{:?}", reply.body);
        assert_eq!(reply.json()["error"]["type"], "insufficient_quota");
    }
    assert_eq!(script.requests().len(), 0);
    desk.stopped().await
}
