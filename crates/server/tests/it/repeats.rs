//! Requests that come again under the same key are done once.

use crate::database::Database;
use crate::desk::{Desk, Reply};
use anyhow::Result;
use hyper::Method;
use serde_json::{Value, json};

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

stories![
    a_repeat_gets_the_first_reply_also_after_a_restart,
    keys_of_different_owners_have_nothing_to_do_with_each_other,
];
