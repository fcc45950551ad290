//! Consulting over HTTP: files below the server's roots and nowhere else.

use crate::database::Database;
use crate::desk::{Desk, options};
use anyhow::Result;
use dossier_engine::{Embedder, Engine, Roots};
use dossier_server::Options;
use hyper::Method;
use serde_json::{Value, json};

stories! {
    an_assistant_is_consulted_about_files_below_a_root,
    nothing_is_read_outside_the_roots,
    a_call_is_started_and_looked_after,
}

async fn desk(database: &Database, folder: &tempfile::TempDir) -> Result<Desk> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let roots = Roots::new(&[folder.path().to_owned()])?;
    Ok(Desk::start(engine, Options { roots, ..options() }).await?)
}

fn folder() -> Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("consult").tempdir()?;
    std::fs::write(folder.path().join("ferry.md"), "The ferry leaves from quay 7.\n")?;
    std::fs::write(folder.path().join(".env"), "TOKEN=1\n")?;
    Ok(folder)
}

fn asking(path: &str) -> Value {
    json!({"assistant": "builtin", "session_id": "trip", "instructions": "Which quay does the ferry leave from?",
           "context": [path]})
}

async fn an_assistant_is_consulted_about_files_below_a_root(database: Database) -> Result<()> {
    let folder = folder()?;
    let desk = desk(&database, &folder).await?;
    let assistants = desk.get("/api/consult/assistants").await?.json();
    assert_eq!(assistants["assistants"][0]["name"], "builtin");
    let first = desk.post("/api/consult", asking("ferry.md")).await?;
    assert_eq!(first.status, 200, "{first:?}");
    let first = first.json();
    assert_eq!(first["state"], "replied");
    assert!(first["reply"]["text"].as_str().unwrap().contains("quay 7"), "{first}");
    assert_eq!((&first["files"]["sent"], &first["files"]["unchanged"]), (&json!(1), &json!(0)));
    let second = desk.post("/api/consult", asking("ferry.md")).await?.json();
    assert_eq!((&second["files"]["sent"], &second["files"]["unchanged"]), (&json!(0), &json!(1)));
    assert_eq!(second["conversation_id"], first["conversation_id"]);
    let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
    let body = asking("ferry.md").to_string();
    let stream = desk.send(Method::POST, "/api/consult", &headers, body).await?;
    let told = String::from_utf8(stream.body.to_vec())?;
    for event in ["event: dossier", "event: delta", "event: reply", "event: done"] {
        assert!(told.contains(event), "{told}");
    }
    let mut other = asking("ferry.md");
    other["session_id"] = json!("return");
    let other = desk.post("/api/consult", other).await?.json();
    let (used, limit) = (&other["files"]["tokens_used"], &other["files"]["tokens_limit"]);
    assert!(0 < used.as_u64().unwrap() && used.as_u64() < limit.as_u64(), "{other}");
    let page = desk.get("/api/consult/sessions?limit=1").await?.json();
    assert_eq!(page["sessions"][0]["session_id"], "return");
    let cursor = page["next_cursor"].as_str().unwrap();
    let page = desk.get(&format!("/api/consult/sessions?limit=1&cursor={cursor}")).await?.json();
    assert_eq!(page["sessions"][0]["session_id"], "trip");
    assert_eq!(
        (page["sessions"].as_array().unwrap().len(), &page["next_cursor"]),
        (1, &Value::Null)
    );
    let sessions = desk.get("/api/consult/sessions?query=trip").await?.json();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(sessions["sessions"][0]["rounds"], 3);
    let id = sessions["sessions"][0]["id"].as_str().unwrap();
    let said = desk.get(&format!("/api/conversations/{id}")).await?.json();
    assert_eq!((said.get("persona_id"), &said["is_consultation"]), (None, &json!(true)));
    let described = desk.get(&format!("/api/consult/sessions/{id}")).await?.json();
    assert_eq!((&described["inline"], &described["session_id"]), (&json!(1), &json!("trip")));
    let file = &described["inline_files"][0];
    assert_eq!((&file["path"], &file["round"]), (&json!("ferry.md"), &json!(1)), "{file}");
    assert_eq!(file["tokens"], first["files"]["tokens_sent"]);
    let reset = desk.post(&format!("/api/consult/sessions/{id}/reset"), json!({})).await?;
    assert_eq!(reset.status, 200);
    let anew = desk.post("/api/consult", asking("ferry.md")).await?.json();
    assert_eq!(anew["files"]["sent"], 1);
    assert_eq!(desk.get("/api/consult/sessions/none").await?.status, 404);
    Ok(())
}

async fn nothing_is_read_outside_the_roots(database: Database) -> Result<()> {
    let folder = folder()?;
    let without = Desk::open(&database).await?;
    let path = folder.path().join("ferry.md");
    let path = path.to_str().unwrap();
    let refused = without.post("/api/consult", asking(path)).await?;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (422, Some("path_refused")));
    let desk = desk(&database, &folder).await?;
    for path in ["/etc/passwd", "../../etc/passwd", ".env", ""] {
        for list in ["context", "attachments", "priority_context"] {
            let mut request = asking("ferry.md");
            request[list] = json!([path]);
            let refused = desk.post("/api/consult", request).await?;
            let code = refused.json()["code"].as_str().map(str::to_owned);
            assert_eq!((refused.status, code.as_deref()), (422, Some("path_refused")), "{path}");
        }
    }
    let missing = desk.post("/api/consult", asking("missing.md")).await?;
    assert_eq!(missing.status, 404);
    assert_eq!(desk.get("/api/consult/sessions").await?.json()["sessions"], json!([]));
    Ok(())
}

async fn a_call_is_started_and_looked_after(database: Database) -> Result<()> {
    let folder = folder()?;
    let desk = desk(&database, &folder).await?;
    let mut request = asking("ferry.md");
    request["start"] = json!(true);
    let started = desk.post("/api/consult", request).await?;
    assert_eq!(started.status, 202);
    let started = started.json();
    let id = started["turn_id"].as_str().unwrap();
    assert_eq!(started["state"], "working");
    // Following the turn ends with it.
    desk.get(&format!("/api/turn/{id}")).await?;
    let job = desk.get(&format!("/api/consult/jobs/{id}")).await?.json();
    assert_eq!((&job["state"], &job["files"]["sent"]), (&json!("replied"), &json!(1)));
    let cancelled = desk.post(&format!("/api/consult/jobs/{id}/cancel"), json!({})).await?;
    assert_eq!(cancelled.status, 200);
    assert_eq!(desk.get("/api/consult/jobs/trn_none").await?.status, 404);
    Ok(())
}
