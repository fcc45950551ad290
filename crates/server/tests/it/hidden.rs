//! Deleting hides for a while, and what was deleted is not quoted by anybody.

use crate::database::Database;
use crate::desk::Desk;
use anyhow::Result;
use dossier_core::time::Timestamp;
use hyper::Method;
use serde_json::{Value, json};

stories![
    what_is_deleted_can_be_brought_back_until_it_is_deleted_for_good,
    a_hidden_file_makes_way_for_a_new_one,
    a_kept_reply_does_not_quote_what_was_deleted_since,
];

async fn found(desk: &Desk, project: &str, query: &str) -> Result<usize> {
    let path = format!("/api/projects/{project}/search");
    let hits = desk.post(&path, json!({ "query": query })).await?.json()["hits"].clone();
    Ok(hits.as_array().unwrap().len())
}

async fn talk(desk: &Desk, project: &str) -> Result<String> {
    let talk =
        json!({"title": "Plans", "messages": [{"speaker": "user", "content": "secret roses"}]});
    let import = format!("/api/projects/{project}/conversations/import");
    let imported = desk.post(&import, talk).await?.json();
    Ok(imported["conversation_id"].as_str().unwrap().to_owned())
}

async fn what_is_deleted_can_be_brought_back_until_it_is_deleted_for_good(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("garden").await?;
    let file = desk.file(&project, "a.md", "tulips in October").await?;
    let thread = talk(&desk, &project).await?;
    let other = desk.project("other").await?;
    let elsewhere = format!("/api/projects/{other}/files/{file}");
    assert_eq!(desk.delete(&elsewhere).await?.problem(), (404, "not_found".to_owned()));
    for (place, id, kind, name, words) in [
        (format!("/api/projects/{project}/files/{file}"), &file, "file", "a.md", "tulips"),
        (format!("/api/conversations/{thread}"), &thread, "conversation", "Plans", "roses"),
    ] {
        let hidden = desk.delete(&place).await?.json();
        let at = |key: &str| Timestamp::parse(hidden[key].as_str().unwrap()).unwrap().as_millis();
        assert_eq!(at("restorable_until") - at("deleted_at"), 7 * 24 * 3_600_000);
        assert_eq!((&hidden["kind"], &hidden["name"]), (&json!(kind), &json!(name)));
        assert_eq!(found(&desk, &project, words).await?, 0);
        let list = json!({"hidden": [hidden], "next_cursor": null});
        assert_eq!(desk.get("/api/hidden").await?.json(), list);
        let restore = format!("/api/hidden/{id}/restore");
        assert_eq!(desk.post(&restore, json!({})).await?.json(), list["hidden"][0]);
        assert_eq!(found(&desk, &project, words).await?, 1);
        assert_eq!(desk.get(&place).await?.status, 200);
        let again = desk.post(&restore, json!({})).await?;
        assert_eq!(again.problem(), (404, "not_found".to_owned()));

        assert_eq!(desk.delete(&place).await?.status, 200);
        assert_eq!(desk.delete(&format!("{place}?now=true")).await?.status, 204);
        let gone = desk.post(&restore, json!({})).await?;
        assert_eq!(gone.problem(), (404, "not_found".to_owned()));
        let gone = desk.delete(&format!("{place}?now=true")).await?;
        assert_eq!(gone.problem(), (404, "not_found".to_owned()));
    }
    let place = format!("/api/projects/{project}");
    assert_eq!(desk.delete(&place).await?.status, 200);
    let taken = desk.project("garden").await?;
    let restore = format!("/api/hidden/{project}/restore");
    assert_eq!(desk.post(&restore, json!({})).await?.problem(), (409, "conflict".to_owned()));
    assert_eq!(desk.delete(&format!("/api/projects/{taken}?now=true")).await?.status, 204);
    assert_eq!(desk.post(&restore, json!({})).await?.status, 200);
    assert_eq!(desk.get(&place).await?.json()["name"], "garden");
    let wrong = desk.delete(&format!("{place}?now=perhaps")).await?;
    assert_eq!(wrong.problem(), (400, "invalid_query".to_owned()));
    desk.stopped().await
}

async fn a_hidden_file_makes_way_for_a_new_one(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("garden").await?;
    let file = desk.file(&project, "a.md", "tulips").await?;
    desk.delete(&format!("/api/projects/{project}/files/{file}")).await?;
    desk.file(&project, "a.md", "roses").await?;
    assert_eq!(found(&desk, &project, "roses").await?, 1);
    assert_eq!(found(&desk, &project, "tulips").await?, 0);
    let list = desk.get(&format!("/api/projects/{project}/files")).await?.json();
    assert_eq!(list["files"].as_array().unwrap().len(), 1);
    desk.stopped().await
}

async fn a_kept_reply_does_not_quote_what_was_deleted_since(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("garden").await?;
    let thread = talk(&desk, &project).await?;
    let export = format!("/api/conversations/{thread}/export");
    let headers = [("content-type", "application/json"), ("idempotency-key", "k")];
    let body = json!({"format": "markdown"}).to_string();
    let first = desk.send(Method::POST, &export, &headers, body.clone()).await?;
    assert!(String::from_utf8_lossy(&first.body).contains("secret roses"));
    let again = desk.send(Method::POST, &export, &headers, body.clone()).await?;
    assert_eq!(again.body, first.body);
    assert_eq!(desk.delete(&format!("/api/conversations/{thread}")).await?.status, 200);
    let after = desk.send(Method::POST, &export, &headers, body).await?;
    assert_eq!(after.problem(), (409, "reply_forgotten".to_owned()));
    let kept = "SELECT COUNT(*) FROM kept_replies WHERE body IS NOT NULL";
    assert_eq!(database.number(kept).await?, 0);
    let list: Value = desk.get("/api/hidden").await?.json();
    assert_eq!(list["hidden"].as_array().unwrap().len(), 1);
    desk.stopped().await
}
