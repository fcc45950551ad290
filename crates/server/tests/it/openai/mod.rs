//! The OpenAI-compatible door against a provider that follows a script: what it is sent, what the
//! client gets, and which thread it becomes.

mod answers;
mod chat;
mod clients;
mod forward;
mod images;
mod others;
mod responses;
mod threads;

use crate::database::Database;
use crate::desk::{Desk, Reply, options};
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_engine::{Embedder, Engine, Models, Patience, Provider, Secret, builtin_catalogue};
use dossier_testkit::{Provider as Script, Reply as Scripted};
use hyper::Method;
use serde_json::{Value, json};

/// A server whose one provider, `here`, follows the script. No title is asked of it.
async fn desk(database: &Database, script: &Script, protocol: Protocol) -> Result<Desk> {
    desk_with(database, script, protocol, Embedder::none()).await
}

async fn desk_with(
    database: &Database,
    script: &Script,
    protocol: Protocol,
    embedder: Embedder,
) -> Result<Desk> {
    let provider = Provider::new("here", protocol, &script.url("/v1"), Secret::new("our-key"))?;
    let patience = Patience { attempts: 1, ..Patience::default() };
    let models = Models::new(builtin_catalogue().clone(), [provider])?.with_patience(patience);
    let engine = Engine::open(&database.url, embedder).await?.with_models(models);
    Ok(Desk::start(engine, options()).await?)
}

/// A server and the script of its provider, which speaks chat completions.
async fn chatting(
    database: &Database,
    script: impl IntoIterator<Item = Scripted>,
) -> Result<(Desk, Script)> {
    let script = Script::start(script)?;
    let desk = desk(database, &script, Protocol::Chat).await?;
    Ok((desk, script))
}

async fn post(desk: &Desk, path: &str, headers: &[(&str, &str)], body: &Value) -> Result<Reply> {
    let mut all = vec![("content-type", "application/json"), ("authorization", "Bearer sk-any")];
    all.extend_from_slice(headers);
    desk.send(Method::POST, path, &all, body.to_string()).await
}

async fn complete(desk: &Desk, headers: &[(&str, &str)], body: &Value) -> Result<Reply> {
    post(desk, "/v1/chat/completions", headers, body).await
}

/// The messages of a conversation, the user's and the assistant's in turns.
fn talk(said: &[&str]) -> Value {
    let roles = ["user", "assistant"].into_iter().cycle();
    roles.zip(said).map(|(role, content)| json!({"role": role, "content": content})).collect()
}

fn request(said: &[&str]) -> Value {
    json!({"model": "here/m", "messages": talk(said)})
}

/// What the assistant said.
#[track_caller]
fn said(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    reply.json()["choices"][0]["message"]["content"].as_str().unwrap().to_owned()
}

/// The data of a stream's frames.
fn frames(reply: &Reply) -> Vec<String> {
    let text = String::from_utf8(reply.body.to_vec()).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("data: "));
    lines.map(str::to_owned).collect()
}

/// The frames as JSON, without the vendor's mark of the end.
fn chunks(reply: &Reply) -> Vec<Value> {
    let frames = frames(reply);
    let chunks = frames.iter().filter(|frame| *frame != "[DONE]");
    chunks.map(|frame| serde_json::from_str(frame).unwrap()).collect()
}

/// A stream of chat completions in which a tool is called.
fn calling(id: &str, arguments: &str) -> Scripted {
    let call = json!({
        "index": 0, "id": id, "type": "function",
        "function": {"name": "weather", "arguments": arguments},
    });
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        json!({"id": "c", "object": "chat.completion.chunk", "choices": [choice]})
    };
    let frames = [
        chunk(json!({"role": "assistant", "tool_calls": [call]}), Value::Null),
        chunk(json!({}), json!("tool_calls")),
        json!({"id": "c", "choices": [], "usage": {
            "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
        }}),
    ];
    let frames: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    Scripted::events(&format!("{frames}data: [DONE]\n\n"))
}

fn weather() -> Value {
    json!([{"type": "function", "function": {
        "name": "weather", "description": "Tells the weather.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    }}])
}
