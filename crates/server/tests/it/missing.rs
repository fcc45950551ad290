//! What is not there is told together with where to look for what is.

use crate::database::Database;
use crate::desk::Desk;
use anyhow::Result;
use hyper::Method;
use serde_json::{Value, json};

stories! {
    whatever_is_not_there_its_problem_names_an_address_to_look_at,
    the_default_project_is_there_when_it_is_first_asked_about,
}

async fn whatever_is_not_there_its_problem_names_an_address_to_look_at(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = format!("/api/projects/{}", desk.project("ferry").await?);
    let said = json!({ "messages": [{ "speaker": "user", "content": "Where?" }] });
    let talk = desk.post(&format!("{project}/conversations/import"), said).await?.json();
    let talk = format!("/api/conversations/{}", talk["conversation_id"].as_str().unwrap());
    let message = desk.get(&talk).await?.json()["messages"][0]["id"].clone();
    let message = format!("/api/messages/{}", message.as_str().unwrap());
    let turn = |field: &str| json!({ "message": "Where?", field: "none" });
    let assemble = |field: &str| json!({ "user_turn": "Where?", field: "none" });
    let (get, post) = (|path: &str| (Method::GET, path.to_owned(), Value::Null), Method::POST);
    let sent = |path: &str, body: Value| (post.clone(), path.to_owned(), body);
    for (method, path, body) in [
        get("/api/projects/none"),
        (Method::PUT, "/api/projects/none".to_owned(), json!({ "name": "x" })),
        (Method::DELETE, "/api/projects/none".to_owned(), Value::Null),
        get("/api/projects/none/files"),
        get("/api/projects/none/conversations"),
        sent("/api/projects/none/search", json!({ "query": "x" })),
        sent("/api/projects/none/files", json!({ "path": "a.md", "content": "a" })),
        get(&format!("{project}/files/none")),
        (Method::DELETE, format!("{project}/files/none"), Value::Null),
        get("/api/conversations/none"),
        (Method::PUT, "/api/conversations/none/title".to_owned(), json!({ "title": "x" })),
        (Method::DELETE, "/api/conversations/none".to_owned(), Value::Null),
        sent("/api/conversations/none/branch", json!({ "message_id": "none" })),
        sent(&format!("{talk}/branch"), json!({ "message_id": "none" })),
        get("/api/messages/none"),
        get("/api/messages/none/context"),
        get(&format!("{message}/context")),
        get("/api/receipts/none"),
        get("/api/receipts/none/rendered"),
        sent("/api/hidden/none/restore", Value::Null),
        get("/api/turn/none"),
        sent("/api/turn/none/cancel", Value::Null),
        sent("/api/turn/none/retry", json!({})),
        sent("/api/turn", turn("conversation_id")),
        sent("/api/turn", turn("project_id")),
        sent("/api/turn/forecast", turn("conversation_id")),
        sent("/api/turn/forecast", turn("project_id")),
        sent("/api/context/assemble", assemble("conversation_id")),
        sent("/api/context/assemble", assemble("project_id")),
        get("/api/consult/jobs/none"),
        get("/api/consult/sessions/none"),
        sent("/api/consult/sessions/none/reset", Value::Null),
        get("/api/facts/none"),
        (Method::DELETE, "/api/facts/none".to_owned(), Value::Null),
        sent("/api/facts", json!({ "text": "We chose Redis.", "project_id": "none" })),
        get("/api/refs/ref:log:000000000000"),
        sent("/api/refs/ref:log:000000000000/expand", json!({})),
        get("/api/personas/none"),
        get("/api/personas/none/messages"),
        sent("/api/personas/none/chat", json!({ "message": "Hello?" })),
        get("/api/presets/none"),
        get("/v1/models/none"),
        sent(
            "/v1/chat/completions",
            json!({
                "model": "none", "messages": [{ "role": "user", "content": "Where?" }],
            }),
        ),
        get("/nowhere/at/all"),
    ] {
        let headers = [("content-type", "application/json")];
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let reply = desk.send(method.clone(), &path, &headers, text).await?;
        let problem = reply.json();
        assert_eq!(reply.status, 404, "{method} {path}: {problem}");
        let detail = problem["detail"].as_str().unwrap();
        let names_an_address = ["GET /", "POST /", "/openapi.json"];
        assert!(
            names_an_address.iter().any(|address| detail.contains(address)),
            "{method} {path}: {detail}"
        );
        assert!(!detail.contains("dossier "), "{method} {path}: {detail}");
    }
    desk.stopped().await
}

async fn the_default_project_is_there_when_it_is_first_asked_about(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    for (path, body) in [
        ("/api/facts/search", json!({ "query": "Where?" })),
        ("/api/context/assemble", json!({ "user_turn": "Where?" })),
    ] {
        let reply = desk.post(path, body).await?;
        assert_eq!(reply.status, 200, "{path}: {}", reply.json());
    }
    let projects = desk.get("/api/projects").await?.json()["projects"].clone();
    let names: Vec<&Value> =
        projects.as_array().unwrap().iter().map(|project| &project["name"]).collect();
    assert_eq!(names, ["default"]);
    let place = format!("/api/projects/{}/conversations", projects[0]["id"].as_str().unwrap());
    assert_eq!(desk.get(&place).await?.json()["conversations"], json!([]));
    desk.stopped().await
}
