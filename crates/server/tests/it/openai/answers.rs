//! The answer cache behind the OpenAI-compatible door: a hit asks no model and says so.

use super::{chatting, complete, frames, post, request, said};
use crate::database::Database;
use crate::desk::{Desk, Reply};
use crate::turns::events;
use anyhow::Result;
use dossier_testkit::Reply as Scripted;
use hyper::Method;
use serde_json::{Value, json};

stories! {
    a_kept_answer_is_given_and_the_header_says_so,
    a_request_that_is_passed_on_or_brings_tools_is_never_answered_from_the_cache,
    a_response_is_answered_from_the_cache_as_well,
    a_turn_gets_a_kept_answer_unless_it_refuses_it,
    an_answer_that_stands_in_for_a_model_is_said_to_be_stale,
}

const QUESTION: &str = "When does the ferry to Aran sail?";

async fn keep(desk: &Desk, project: &str) -> Result<()> {
    let settings = json!({"settings": {"enable_semantic_cache": true}});
    let changed = desk.put(&format!("/api/projects/{project}"), settings).await?;
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    Ok(())
}

fn cache(reply: &Reply) -> Option<&str> {
    Some(reply.headers.get("x-dossier-cache")?.to_str().unwrap())
}

async fn a_kept_answer_is_given_and_the_header_says_so(database: Database) -> Result<()> {
    let answers = ["off", "one", "two", "three"].map(Scripted::chat);
    let (desk, script) = chatting(&database, answers).await?;
    let ask = async |headers: &[(&str, &str)], body: &Value| -> Result<(String, Option<String>)> {
        let reply = complete(&desk, headers, body).await?;
        Ok((said(&reply), cache(&reply).map(str::to_owned)))
    };
    let answered = |text: &str, cache: &str| (text.to_owned(), Some(cache.to_owned()));
    let plain = request(&[QUESTION]);
    let project = desk.project("default").await?;
    assert_eq!(ask(&[], &plain).await?, ("off".to_owned(), None));
    keep(&desk, &project).await?;
    assert_eq!(ask(&[], &plain).await?, answered("one", "miss"));
    assert_eq!(ask(&[], &plain).await?, answered("one", "hit"));
    let refresh = [("x-dossier-cache", "refresh")];
    assert_eq!(ask(&refresh, &plain).await?, answered("two", "miss"));
    let mut forced = plain.clone();
    forced["metadata"] = json!({"dossier_force_refresh": "true"});
    assert_eq!(ask(&[], &forced).await?, answered("three", "miss"));
    let whole = complete(&desk, &[], &plain).await?;
    assert_eq!((said(&whole).as_str(), cache(&whole)), ("three", Some("hit")));
    assert_eq!(whole.json()["usage"]["total_tokens"], 0);
    assert_eq!(whole.json()["choices"][0]["finish_reason"], "stop");
    let mut stream = plain.clone();
    stream["stream"] = json!(true);
    let streamed = complete(&desk, &[], &stream).await?;
    assert_eq!(cache(&streamed), Some("hit"));
    let frames = frames(&streamed);
    assert!(frames.iter().any(|frame| frame.contains("\"content\":\"three\"")), "{frames:?}");
    assert_eq!(frames.last().map(String::as_str), Some("[DONE]"));
    let wrong = complete(&desk, &[("x-dossier-cache", "on")], &plain).await?;
    assert_eq!(
        (wrong.status, wrong.json()["error"]["param"].as_str()),
        (422, Some("X-Dossier-Cache"))
    );
    assert_eq!(script.requests().len(), 4);
    let metrics = desk.get("/metrics").await?;
    let metrics = String::from_utf8(metrics.body.to_vec())?;
    for line in [
        "dossier_answer_cache_hits_total{how=\"exact\"} 3",
        "dossier_answer_cache_misses_total{reason=\"none\"} 1",
        "dossier_answer_cache_misses_total{reason=\"refreshed\"} 2",
        "dossier_answer_cache_saved_tokens_total 45",
    ] {
        assert!(metrics.lines().any(|told| told == line), "{line}\n{metrics}");
    }
    let usage = desk.get("/api/usage?by=component").await?.json();
    let hits = &usage["sums"][0];
    assert_eq!((&hits["key"], &hits["cache_hits"]), (&json!("answer_cache"), &json!(3)));
    assert_eq!((&hits["calls"], &hits["saved_tokens"]), (&json!(0), &json!(45)));
    let told =
        json!({"hits": {"exact": 3}, "refused": {"none": 1, "refreshed": 2}, "hit_rate": 0.5});
    assert_eq!(usage["figures"]["answer_cache"], told);
    desk.stopped().await
}

async fn a_request_that_is_passed_on_or_brings_tools_is_never_answered_from_the_cache(
    database: Database,
) -> Result<()> {
    let passed = json!({"choices": [{"message": {"role": "assistant", "content": "passed"}}]});
    let (desk, script) = chatting(
        &database,
        [Scripted::chat("one"), Scripted::json(200, &passed), Scripted::chat("two")],
    )
    .await?;
    keep(&desk, &desk.project("default").await?).await?;
    let plain = request(&[QUESTION]);
    assert_eq!(said(&complete(&desk, &[], &plain).await?), "one");
    let off = complete(&desk, &[("x-dossier-profile", "off")], &plain).await?;
    assert_eq!((said(&off).as_str(), cache(&off)), ("passed", None));
    let mut tools = plain.clone();
    tools["tools"] = json!([{"type": "function", "function": {"name": "clock"}}]);
    let brought = complete(&desk, &[], &tools).await?;
    assert_eq!((said(&brought).as_str(), cache(&brought)), ("two", None));
    assert_eq!(script.requests().len(), 3);
    desk.stopped().await
}

async fn a_response_is_answered_from_the_cache_as_well(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, ["one", "two"].map(Scripted::chat)).await?;
    keep(&desk, &desk.project("default").await?).await?;
    let body = json!({"model": "here/m", "input": QUESTION});
    let text = |reply: &Reply| reply.json()["output"][0]["content"][0]["text"].clone();
    for (headers, expected, outcome) in [
        (&[][..], "one", "miss"),
        (&[], "one", "hit"),
        (&[("x-dossier-cache", "refresh")], "two", "miss"),
        (&[], "two", "hit"),
    ] {
        let reply = post(&desk, "/v1/responses", headers, &body).await?;
        assert_eq!((text(&reply), cache(&reply)), (json!(expected), Some(outcome)));
    }
    assert_eq!(script.requests().len(), 2);
    desk.stopped().await
}

/// The names and data of what a turn tells.
async fn streamed(desk: &Desk, body: &Value) -> Result<Vec<(String, Value)>> {
    let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
    let reply = desk.send(Method::POST, "/api/turn", &headers, body.to_string()).await?;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    Ok(events(&reply.body).into_iter().map(|(_, name, data)| (name, data)).collect())
}

async fn a_turn_gets_a_kept_answer_unless_it_refuses_it(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, ["one", "two"].map(Scripted::chat)).await?;
    let settings = json!({"name": "ferry", "settings": {"enable_semantic_cache": true}});
    let project = desk.post("/api/projects", settings).await?.json()["id"].clone();
    let request = json!({
        "project_id": project, "message": "When does the ferry to Aran sail?",
        "models": ["here/m"],
    });
    let first = desk.post("/api/turn", request.clone()).await?.json()["replies"][0].clone();
    assert_eq!((&first["text"], &first["cached"]), (&json!("one"), &Value::Null));
    let mut second = desk.post("/api/turn", request.clone()).await?.json()["replies"][0].clone();
    assert!(second["cached"]["kept_at"].take().is_string());
    let cached = json!({
        "from_message": first["message_id"], "kept_at": null, "how": "exact", "similarity": null,
        "stale": false,
    });
    assert_eq!((&second["text"], &second["cached"]), (&json!("one"), &cached));
    assert_eq!(second["usage"]["input"], 0);
    let told = streamed(&desk, &request).await?;
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["dossier", "delta", "reply", "done"]);
    for (_, data) in [&told[0], &told[2]] {
        assert_eq!(data["cached"]["from_message"], first["message_id"]);
    }
    let mut refused = request.clone();
    refused["force_refresh"] = json!(true);
    let told = streamed(&desk, &refused).await?;
    assert_eq!(told[0].1["cache_miss"], "refreshed");
    let last = desk.post("/api/turn", request).await?.json()["replies"][0].clone();
    assert_eq!((&last["text"], &last["cached"]["how"]), (&json!("two"), &json!("exact")));
    assert_eq!(script.requests().len(), 2);
    desk.stopped().await
}

async fn an_answer_that_stands_in_for_a_model_is_said_to_be_stale(
    database: Database,
) -> Result<()> {
    let asleep = Scripted::json(503, &json!({"error": {"message": "asleep"}}));
    let (desk, script) = chatting(&database, [Scripted::chat("one"), asleep]).await?;
    keep(&desk, &desk.project("default").await?).await?;
    let plain = request(&[QUESTION]);
    assert_eq!(said(&complete(&desk, &[], &plain).await?), "one");
    let over = "UPDATE semantic_cache SET created_at = created_at - 3600000,
        ttl_expires_at = ttl_expires_at - 3600000";
    database.execute(over).await?;
    let stale = complete(&desk, &[], &plain).await?;
    assert_eq!((said(&stale).as_str(), cache(&stale)), ("one", Some("stale")));
    assert!(script.requests().len() > 1, "the model was not asked");
    desk.stopped().await
}
