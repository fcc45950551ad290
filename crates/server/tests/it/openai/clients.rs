//! OpenAI's own clients against the real server: what they make of its answers is what an
//! application gets.

use super::{calling, desk_with};
use crate::database::Database;
use anyhow::{Context as _, Result, ensure};
use dossier_core::catalogue::Protocol;
use dossier_engine::Embedder;
use dossier_testkit::{Provider as Script, Reply as Scripted};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

stories! {
    the_python_client_gets_what_applications_expect,
    the_javascript_client_gets_what_applications_expect,
}

/// What the provider says to the requests of a client, in their order.
fn replies() -> Vec<Scripted> {
    let chunk = json!({"choices": [{"index": 0, "delta": {"content": "At the"}}]});
    let broken = || Scripted::events(&format!("data: {chunk}\n\n")).cut_off();
    let busy = || {
        Scripted::json(429, &json!({"error": {"message": "slow"}})).with_header("retry-after", "0")
    };
    let plain = json!({
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{
            "index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": "Passed on."},
        }],
    });
    vec![
        Scripted::chat("At the quay."),
        Scripted::chat("At noon."),
        calling("call_1", "{\"city\": \"Bergen\"}"),
        Scripted::chat("It rains."),
        calling("call_2", "{\"city\": \"Oslo\"}"),
        Scripted::chat("Ann."),
        Scripted::chat("Bob."),
        Scripted::chat("Cid."),
        calling("call_3", "{}"),
        Scripted::chat("Dry."),
        Scripted::json(200, &plain),
        busy(),
        busy(),
        Scripted::chat("Not any more."),
        broken(),
        broken(),
    ]
}

fn expected() -> Value {
    let events = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ];
    json!({
        "chat": ["At the quay.", "stop", 15],
        "chat_stream": ["At noon.", "stop", 15],
        "tool_call": ["tool_calls", "weather", "{\"city\": \"Bergen\"}"],
        "tool_answer": "It rains.",
        "tool_stream": ["tool_calls", "weather", "{\"city\": \"Oslo\"}"],
        "response": ["Ann.", "completed", 15],
        "response_next": "Bob.",
        "response_events": events,
        "response_stream": "Cid.",
        "response_call": ["function_call", "weather", "{}"],
        "response_answer": "Dry.",
        "models": ["builtin/extractive", "minilm-l6-v2"],
        "model": "here/m",
        "embeddings": [2, 384],
        "embedding_formats_agree": true,
        "off": ["Passed on.", false],
        "unknown_model": ["NotFoundError", 404, "model_not_found", "model"],
        "refused": ["UnprocessableEntityError", 422, "invalid", "n"],
        "rate_limited": ["RateLimitError", 429, "rate_limit_exceeded", null],
        "retried": "Not any more.",
        "broken": ["APIError", "broken"],
        "broken_response": ["APIError", "broken"],
    })
}

/// Where the clients were installed.
fn installed() -> Result<PathBuf> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.test/clients");
    ensure!(home.join("installed").is_file(), "OpenAI's clients are missing: scripts/clients");
    Ok(home.canonicalize()?)
}

async fn check(database: &Database, client: impl FnOnce(&Path, &str) -> Command) -> Result<()> {
    let script = Script::start(replies())?;
    let desk = desk_with(database, &script, Protocol::Chat, Embedder::local()).await?;
    let url = format!("http://{}/v1", desk.address);
    let mut client = client(&installed()?, &url);
    let output = tokio::task::spawn_blocking(move || client.output()).await??;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{errors}\nasked: {:#?}", script.requests());
    let told: Value = serde_json::from_slice(&output.stdout).context(errors)?;
    assert_eq!(told, expected());
    assert_eq!(script.requests().len(), 16);
    desk.stopped().await
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

async fn the_python_client_gets_what_applications_expect(database: Database) -> Result<()> {
    check(&database, |home, url| {
        let mut python = Command::new(home.join("python/bin/python"));
        python.arg(program("client.py")).arg(url);
        python
    })
    .await
}

async fn the_javascript_client_gets_what_applications_expect(database: Database) -> Result<()> {
    check(&database, |home, url| {
        let mut node = Command::new("node");
        node.arg(program("client.mjs")).arg(url).arg(home);
        node
    })
    .await
}
