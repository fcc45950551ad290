//! What happens while the server runs, when it stops, and after it has started again.

use crate::database::Database;
use crate::desk::{Desk, options, rest};
use crate::turns::engine;
use anyhow::{Context as _, Result};
use dossier_core::catalogue::Protocol;
use dossier_engine::{Embedder, Engine, Models, Provider, Secret, builtin_catalogue};
use dossier_server::{Options, RequestLimits};
use dossier_testkit::{Provider as Script, Reply as Scripted};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::{Method, Response};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// The next event of a stream: its name and its data. None at the end.
async fn next(stream: &mut Incoming, text: &mut String) -> Result<Option<(String, Value)>> {
    loop {
        if let Some((event, rest)) = text.split_once("\n\n") {
            let line = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
            let heard = (line("event: ").zip(line("data: "))).context("no event")?;
            let heard = (heard.0.to_owned(), serde_json::from_str(heard.1)?);
            *text = rest.to_owned();
            return Ok(Some(heard));
        }
        let Some(frame) = stream.frame().await else { return Ok(None) };
        if let Ok(bytes) = frame?.into_data() {
            text.push_str(std::str::from_utf8(&bytes)?);
        }
    }
}

async fn changes_are_told_to_their_owner_alone_until_the_end(database: Database) -> Result<()> {
    let mut desk = Desk::open(&database).await?;
    let token = desk.token("ann", "a").await?;
    let headers = [("authorization", &*token)];
    let mut hers = desk.response(Method::GET, "/api/events", &headers, "").await?;
    assert_eq!(hers.headers()["content-type"], "text/event-stream");
    let mut own = desk.response(Method::GET, "/api/events", &[], "").await?.into_body();
    let project = desk.project("garden").await?;
    let file = desk.file(&project, "a.md", "a").await?;
    desk.patch(&format!("/api/projects/{project}/files/{file}/metadata"), json!({})).await?;
    desk.delete(&format!("/api/projects/{project}/files/{file}")).await?;
    let talk = json!({ "messages": [{ "speaker": "user", "content": "a" }] });
    let import = format!("/api/projects/{project}/conversations/import");
    let talk = desk.post(&import, talk).await?.json()["conversation_id"].clone();
    let ids = json!({ "content": "a", "project_id": project });
    let stored = desk.post("/api/refs", ids).await?.json()["id"].clone();
    let place = format!("/api/refs/{}", stored.as_str().unwrap());
    desk.post(&format!("{place}/expand"), json!({})).await?;
    desk.delete(&place).await?;
    desk.put("/api/settings", json!({ "values": { "user.role": "cook" } })).await?;

    let mut text = String::new();
    let of_file = |action: &str| json!({ "subject": "file", "action": action, "id": file, "project_id": project });
    let of_ref = |action: &str| json!({ "subject": "ref", "action": action, "id": stored, "project_id": project });
    for change in [
        json!({ "subject": "project", "action": "created", "id": project, "project_id": project }),
        of_file("created"),
        of_file("changed"),
        of_file("deleted"),
        json!({ "subject": "conversation", "action": "created", "id": talk, "project_id": project }),
        of_ref("created"),
        of_ref("changed"),
        of_ref("deleted"),
        json!({ "subject": "settings", "action": "changed" }),
    ] {
        let heard = next(&mut own, &mut text).await?;
        assert_eq!(heard, Some(("change".to_owned(), change)));
    }
    // Nothing of it was hers: the stream ends with the server, and held nothing.
    desk.tell_to_stop();
    assert_eq!(next(&mut own, &mut text).await?, None);
    assert_eq!(next(hers.body_mut(), &mut String::new()).await?, None);
    desk.stopped().await
}

async fn a_conversation_is_told_of_before_its_question_is_answered(
    database: Database,
) -> Result<()> {
    let (answer, asked) = std::sync::mpsc::channel();
    let script = Script::answering(move |_| {
        // Later ones need not wait.
        let _ = asked.recv();
        Scripted::chat("One.")
    })?;
    let provider =
        Provider::new("here", Protocol::Chat, &script.url("/v1"), Secret::new("our-key"))?;
    let models = Models::new(builtin_catalogue().clone(), [provider])?;
    let engine = Engine::open(&database.url, Embedder::none()).await?.with_models(models);
    let desk = Desk::start(engine, options()).await?;
    let project = desk.project("garden").await?;
    let of_turn = json!({ "message": "How?", "models": ["here/m"], "project_id": project });
    let said = json!([{ "role": "user", "content": "Why?" }]);
    let of_chat = json!({ "model": "here/m", "messages": said });
    for (path, body) in [("/api/turn", of_turn), ("/v1/chat/completions", of_chat)] {
        let mut own = desk.response(Method::GET, "/api/events", &[], "").await?.into_body();
        let mut text = String::new();
        // What follows the first conversation may be told meanwhile.
        let mut told = async |action: &str| loop {
            let (_, change) = next(&mut own, &mut text).await?.context("no more events")?;
            if change["subject"] == "conversation" && change["action"] == action {
                return anyhow::Ok(change["id"].clone());
            }
        };
        let headers = [("content-type", "application/json"), ("x-dossier-project", &*project)];
        let asking = desk.send(Method::POST, path, &headers, body.to_string());
        let created = async {
            let id = told("created").await?;
            answer.send(())?;
            Ok(id)
        };
        let (reply, created) = tokio::try_join!(asking, created)?;
        assert_eq!(reply.status, 200, "{path}: {:?}", reply.body);
        let id = reply.headers.get("x-dossier-thread").map(|id| json!(id.to_str().unwrap()));
        let id = id.unwrap_or_else(|| reply.json()["conversation_id"].clone());
        assert_eq!(created, id, "{path}");
        while told("changed").await? != id {}
    }
    drop(answer);
    desk.stopped().await
}

async fn a_request_at_work_is_finished_when_the_server_stops(database: Database) -> Result<()> {
    let mut desk = Desk::open(&database).await?;
    let body = "{\"name\":\"garden\"}";
    let head = format!(
        "POST /api/projects HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        desk.address,
        body.len()
    );
    let mut line = desk.line(head + &body[..5]).await?;
    let in_flight = |text: &str| text.contains("dossier_http_requests_in_flight 2\n");
    let breath = || tokio::time::sleep(Duration::from_millis(5));
    while !in_flight(std::str::from_utf8(&desk.get("/metrics").await?.body)?) {
        breath().await;
    }
    desk.tell_to_stop();
    while TcpStream::connect(desk.address).await.is_ok() {
        breath().await;
    }
    line.write_all(&body.as_bytes()[5..]).await?;
    let reply = rest(line).await?;
    assert!(reply.starts_with("HTTP/1.1 201 "), "{reply}");
    desk.stopped().await?;

    let desk = Desk::open(&database).await?;
    let list = desk.get("/api/projects").await?.json();
    assert_eq!(list["projects"][0]["name"], "garden");
    desk.stopped().await
}

/// A turn on its way, and what of its stream is not read yet.
struct Told {
    turn: Response<Incoming>,
    text: String,
}

impl Told {
    /// A question, up to where its model has been given a dossier.
    async fn begin(desk: &Desk) -> Result<Self> {
        let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
        let body = json!({ "message": "Where?", "models": ["openai/gpt-4o"] }).to_string();
        let turn = desk.response(Method::POST, "/api/turn", &headers, body).await?;
        let mut told = Self { turn, text: String::new() };
        let (name, _) = told.next().await?.context("no event")?;
        assert_eq!(name, "dossier");
        Ok(told)
    }

    async fn next(&mut self) -> Result<Option<(String, Value)>> {
        next(self.turn.body_mut(), &mut self.text).await
    }

    /// The names of all events to the end, and what the last but one says.
    async fn rest(mut self) -> Result<(Vec<String>, Value)> {
        let (mut names, mut said) = (Vec::new(), Vec::new());
        while let Some((name, data)) = self.next().await? {
            names.push(name);
            said.push(data);
        }
        said.pop();
        Ok((names, said.pop().context("too few events")?))
    }
}

async fn a_server_that_is_told_to_stop_lets_a_turn_finish(database: Database) -> Result<()> {
    let (gate, closed) = std::sync::mpsc::channel::<()>();
    let script = Script::answering(move |_| {
        // Until nobody holds the gate any more.
        let _ = closed.recv();
        Scripted::chat("At the quay.")
    })?;
    let mut desk = Desk::start(engine(&database, &script).await?, options()).await?;
    let turn = Told::begin(&desk).await?;
    desk.tell_to_stop();
    while TcpStream::connect(desk.address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(gate);
    let (names, reply) = turn.rest().await?;
    assert_eq!(names, ["delta", "reply", "done"]);
    assert_eq!(reply["text"], "At the quay.");
    desk.stopped().await?;
    let replied = "SELECT COUNT(*) FROM turn_replies WHERE state = 'replied'";
    assert_eq!(database.number(replied).await?, 1);
    Ok(())
}

async fn a_server_that_is_told_to_stop_parks_a_turn_whose_provider_is_slow(
    database: Database,
) -> Result<()> {
    let script = Script::answering(|_| Scripted::silence())?;
    let limits = RequestLimits { farewell: Duration::from_millis(100), ..RequestLimits::default() };
    let options = Options { limits, ..options() };
    let mut desk = Desk::start(engine(&database, &script).await?, options).await?;
    let turn = Told::begin(&desk).await?;
    let id = turn.turn.headers()["x-dossier-turn"].to_str()?.to_owned();
    desk.tell_to_stop();
    let (names, error) = turn.rest().await?;
    assert_eq!(names, ["error", "done"]);
    assert_eq!((&error["state"], &error["code"]), (&json!("interrupted"), &json!("interrupted")));
    desk.stopped().await?;
    // It can be asked for again.
    let script = Script::answering(|_| Scripted::chat("At the quay."))?;
    let desk = Desk::start(engine(&database, &script).await?, crate::desk::options()).await?;
    let again = desk.post(&format!("/api/turn/{id}/retry"), json!({})).await?.json();
    assert_eq!(again["replies"][0]["text"], "At the quay.");
    desk.stopped().await
}

async fn a_restart_keeps_everything(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("garden").await?;
    desk.file(&project, "a.md", "tulips").await?;
    let talk = json!({ "messages": [{ "speaker": "user", "content": "tulips too" }] });
    desk.post(&format!("/api/projects/{project}/conversations/import"), talk).await?;
    let wanted = json!({ "project_id": project, "user_turn": "tulips?" });
    let made = desk.post("/api/context/assemble", wanted).await?.json();
    let paths = [
        "/api/projects".to_owned(),
        format!("/api/projects/{project}/files"),
        format!("/api/projects/{project}/conversations"),
        format!("/api/receipts/{}", made["receipt"]["id"].as_str().unwrap()),
        "/api/settings".to_owned(),
    ];
    let mut before = Vec::new();
    for path in &paths {
        before.push(desk.get(path).await?.json());
    }
    desk.stopped().await?;
    let desk = Desk::open(&database).await?;
    for (path, before) in paths.iter().zip(before) {
        assert_eq!(desk.get(path).await?.json(), before, "{path}");
    }
    desk.stopped().await
}

async fn vectors_follow_what_was_uploaded_without_anyone_asking(database: Database) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::local()).await?;
    let desk = Desk::start(engine, options()).await?;
    let project = desk.project("garden").await?;
    desk.file(&project, "a.md", "tulips in October").await?;
    let wanted = json!({ "project_id": project, "user_turn": "Which flowers?" });
    let covered = async {
        loop {
            let made = desk.post("/api/context/assemble", wanted.clone()).await?.json();
            let coverage = &made["receipt"]["coverage"];
            if coverage["with_vectors"] == 1 {
                return anyhow::Ok(coverage.clone());
            }
        }
    };
    let coverage = tokio::time::timeout(Duration::from_secs(120), covered).await??;
    assert_eq!(coverage["chunks"], 1);
    desk.stopped().await
}

stories![
    vectors_follow_what_was_uploaded_without_anyone_asking,
    changes_are_told_to_their_owner_alone_until_the_end,
    a_conversation_is_told_of_before_its_question_is_answered,
    a_request_at_work_is_finished_when_the_server_stops,
    a_restart_keeps_everything,
    a_server_that_is_told_to_stop_lets_a_turn_finish,
    a_server_that_is_told_to_stop_parks_a_turn_whose_provider_is_slow,
];
