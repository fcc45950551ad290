//! Requests that come again under the same key are done once.

use crate::database::Database;
use crate::desk::{Desk, Reply, options};
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_engine::{Embedder, Engine, Models, Provider, builtin_catalogue};
use dossier_testkit::{Provider as Script, Reply as Scripted};
use hyper::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

async fn post(desk: &Desk, key: &str, path: &str, body: &Value) -> Result<Reply> {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    desk.send(Method::POST, path, &headers, body.to_string()).await
}

async fn a_repeat_gets_the_first_reply_also_after_a_restart(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let garden = json!({ "name": "garden" });
    let first = post(&desk, "k1", "/api/projects", &garden).await?;
    assert_eq!(first.status, 201);
    let again = post(&desk, "k1", "/api/projects", &garden).await?;
    assert_eq!((again.status, again.json()), (201, first.json()));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(again.headers["location"], first.headers["location"]);
    let other = post(&desk, "k1", "/api/projects", &json!({ "name": "other" })).await?;
    assert_eq!(other.problem(), (422, "key_reused".to_owned()));
    // What failed may be tried again under its key.
    let failed = post(&desk, "k2", "/api/projects", &garden).await?;
    assert_eq!(failed.problem(), (409, "conflict".to_owned()));
    let mended = post(&desk, "k2", "/api/projects", &json!({ "name": "other" })).await?;
    assert_eq!(mended.status, 201);
    desk.stopped().await?;

    let desk = Desk::open(&database).await?;
    let again = post(&desk, "k1", "/api/projects", &garden).await?;
    assert_eq!((again.status, again.json()), (201, first.json()));
    let list = desk.get("/api/projects").await?.json();
    assert_eq!(list["projects"].as_array().unwrap().len(), 2);
    desk.stopped().await
}

async fn keys_of_different_owners_have_nothing_to_do_with_each_other(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let token = desk.token("ann", "a").await?;
    let garden = json!({ "name": "garden" });
    let own = post(&desk, "k", "/api/projects", &garden).await?.json();
    let headers =
        [("content-type", "application/json"), ("idempotency-key", "k"), ("authorization", &token)];
    let hers = desk.send(Method::POST, "/api/projects", &headers, garden.to_string()).await?;
    assert_eq!(hers.status, 201);
    assert_ne!(hers.json()["id"], own["id"]);
    desk.stopped().await
}

/// A provider that says when it is asked, and answers when it is told to.
async fn patient() -> Result<(String, oneshot::Receiver<()>, oneshot::Sender<()>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/v1", listener.local_addr()?);
    let (asked, is_asked) = oneshot::channel();
    let (answer, is_told) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let (mut line, _) = listener.accept().await?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(line.read_u8().await?);
        }
        // What is not read would be cut off when the line is closed.
        let head = String::from_utf8_lossy(&head).to_lowercase();
        let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
        let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
        line.read_exact(&mut body).await?;
        let _ = asked.send(());
        let _ = is_told.await;
        let piece = |delta: Value, finish: Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
            format!("data: {}\n\n", json!({"id": "1", "choices": [choice]}))
        };
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        let text = piece(json!({"content": "Soon."}), Value::Null);
        let end = piece(json!({}), json!("stop"));
        line.write_all(format!("{head}{text}{end}data: [DONE]\n\n").as_bytes()).await?;
        line.shutdown().await
    });
    Ok((url, is_asked, answer))
}

/// A server whose provider answers when it is told to.
async fn waiting(
    database: &Database,
) -> Result<(Desk, oneshot::Receiver<()>, oneshot::Sender<()>)> {
    let (url, asked, answer) = patient().await?;
    let provider = Provider::new("home", Protocol::Chat, &url, None)?;
    let models = Models::new(builtin_catalogue().clone(), [provider])?;
    let engine = Engine::open(&database.url, Embedder::none()).await?.with_models(models);
    Ok((Desk::start(engine, options()).await?, asked, answer))
}

fn turn() -> Value {
    json!({ "message": "When?", "models": ["home/m"] })
}

/// Begins the turn under the key `k`.
async fn begun(desk: &Desk, accept: &str) -> Result<TcpStream> {
    let body = turn().to_string();
    desk.line(format!(
        "POST /api/turn HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\naccept: {accept}\r\n\
         idempotency-key: k\r\ncontent-length: {}\r\n\r\n{body}",
        desk.address,
        body.len()
    ))
    .await
}

/// The reply under the key `k`, once there is one.
async fn later(desk: &Desk) -> Result<Reply> {
    loop {
        let again = post(desk, "k", "/api/turn", &turn()).await?;
        if again.status != 409 {
            assert_eq!(
                (again.status, &again.headers["idempotency-replayed"]),
                (200, &"true".parse()?)
            );
            return Ok(again);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn a_client_that_leaves_finds_the_reply_when_it_comes_again(
    database: Database,
) -> Result<()> {
    let (desk, asked, answer) = waiting(&database).await?;
    let line = begun(&desk, "application/json").await?;
    asked.await?;
    drop(line);
    let early = post(&desk, "k", "/api/turn", &turn()).await?;
    assert_eq!(early.problem(), (409, "request_under_way".to_owned()));
    answer.send(()).unwrap();
    let reply = later(&desk).await?.json();
    assert_eq!(reply["replies"][0]["text"], "Soon.");
    let thread = reply["conversation_id"].as_str().unwrap();
    let said = desk.get(&format!("/api/conversations/{thread}")).await?.json();
    assert_eq!(said["messages"].as_array().unwrap().len(), 2, "asked once: {said}");
    desk.stopped().await
}

async fn a_stream_is_told_as_it_comes_and_kept_whole(database: Database) -> Result<()> {
    let (desk, _asked, answer) = waiting(&database).await?;
    let mut line = begun(&desk, "text/event-stream").await?;
    let mut heard = Vec::new();
    while !String::from_utf8_lossy(&heard).contains("event: dossier") {
        heard.push(line.read_u8().await?);
    }
    drop(line);
    answer.send(()).unwrap();
    let again = later(&desk).await?;
    assert_eq!(again.headers["content-type"], "text/event-stream");
    let text = String::from_utf8(again.body.to_vec())?;
    assert!(text.contains("event: dossier") && text.contains("Soon."), "{text}");
    assert!(again.headers["x-dossier-turn"].to_str()?.starts_with("trn_"), "{again:?}");
    assert!(text.trim_end().lines().any(|line| line == "event: done"), "{text}");
    desk.stopped().await
}

async fn a_reply_that_is_too_large_comes_whole_and_is_not_kept(database: Database) -> Result<()> {
    let mut options = options();
    options.limits.kept_bytes = 300;
    let desk = Desk::with(&database, options).await?;
    let long = json!({ "name": "long", "description": "x".repeat(400) });
    let first = post(&desk, "k1", "/api/projects", &long).await?;
    assert_eq!((first.status, &first.json()["description"]), (201, &long["description"]));
    let again = post(&desk, "k1", "/api/projects", &long).await?;
    assert_eq!(again.problem(), (409, "reply_forgotten".to_owned()));
    let short = json!({ "name": "short" });
    let first = post(&desk, "k2", "/api/projects", &short).await?.json();
    assert_eq!(post(&desk, "k2", "/api/projects", &short).await?.json(), first);
    desk.stopped().await
}

async fn a_stream_that_broke_off_may_be_asked_for_again(database: Database) -> Result<()> {
    let half = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"So\"}}]}\n\n";
    let script = Script::start([Scripted::events(half), Scripted::chat("Soon.")])?;
    let provider = Provider::new("home", Protocol::Chat, &script.url("/v1"), None)?;
    let models = Models::new(builtin_catalogue().clone(), [provider])?;
    let engine = Engine::open(&database.url, Embedder::none()).await?.with_models(models);
    let desk = Desk::start(engine, options()).await?;
    let asked = json!({
        "model": "home/m", "stream": true, "messages": [{"role": "user", "content": "When?"}],
    });
    let heard = async || -> Result<String> {
        let reply = post(&desk, "k", "/v1/chat/completions", &asked).await?;
        Ok(String::from_utf8(reply.body.to_vec())?)
    };
    let first = heard().await?;
    assert!(first.contains("\"So\"") && first.contains("error"), "{first}");
    // It is released when the stream has ended.
    let again = loop {
        let again = heard().await?;
        if !again.contains("request_under_way") {
            break again;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert!(again.contains("Soon.") && !again.contains("error"), "{again}");
    assert_eq!(heard().await?, again, "kept");
    assert_eq!(script.requests().len(), 2);
    desk.stopped().await
}

stories![
    a_reply_that_is_too_large_comes_whole_and_is_not_kept,
    a_stream_that_broke_off_may_be_asked_for_again,
    a_client_that_leaves_finds_the_reply_when_it_comes_again,
    a_stream_is_told_as_it_comes_and_kept_whole,
    a_repeat_gets_the_first_reply_also_after_a_restart,
    keys_of_different_owners_have_nothing_to_do_with_each_other,
];
