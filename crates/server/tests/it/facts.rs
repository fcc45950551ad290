//! Facts over HTTP: remembered, listed, found, mended and forgotten.

use crate::database::Database;
use crate::desk::Desk;
use anyhow::Result;
use hyper::Method;
use serde_json::{Value, json};

async fn remembered(desk: &Desk, text: &str) -> Result<Value> {
    let made = desk.post("/api/facts", json!({ "text": text })).await?;
    assert_eq!(made.status, 201, "{:?}", made.body);
    let place = format!("/api/facts/{}", made.json()["id"].as_str().unwrap());
    assert_eq!(made.headers["location"], place);
    Ok(made.json())
}

fn texts(page: &Value) -> Vec<&str> {
    page["facts"].as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap()).collect()
}

async fn a_fact_is_remembered_superseded_changed_and_forgotten(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let redis = remembered(&desk, "We chose Redis for the queue.").await?;
    assert_eq!((&redis["kind"], &redis["state"]), (&json!("decision"), &json!("holds")));
    let kafka = remembered(&desk, "We chose Kafka for the queue.").await?;
    let place = |fact: &Value| format!("/api/facts/{}", fact["id"].as_str().unwrap());
    let closed = desk.get(&place(&redis)).await?.json();
    assert_eq!((&closed["state"], &closed["superseded_by"]), (&json!("closed"), &kafka["id"]));
    let changes =
        json!({ "tags": ["Infra"], "pinned": true, "valid_until": "2999-01-01T00:00:00Z" });
    let changed = desk.patch(&place(&kafka), changes).await?;
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    let changed = changed.json();
    assert_eq!((&changed["tags"], &changed["pinned"]), (&json!(["infra"]), &json!(true)));
    assert_eq!(changed["valid_until"], "2999-01-01T00:00:00Z");
    let open = desk.patch(&place(&kafka), json!({ "valid_until": null })).await?.json();
    assert_eq!((&open["valid_until"], &open["pinned"]), (&Value::Null, &json!(true)));
    let found = desk.post("/api/facts/search", json!({ "query": "which queue?" })).await?.json();
    assert_eq!(texts(&found), ["We chose Kafka for the queue."]);
    assert!(found["facts"][0]["similarity"].as_f64().unwrap() > 0.0);
    assert_eq!(desk.delete(&place(&kafka)).await?.status, 204);
    assert_eq!(desk.get(&place(&kafka)).await?.problem(), (404, "not_found".to_owned()));
    assert_eq!(desk.get(&place(&redis)).await?.json()["state"], "holds");
    desk.stopped().await
}

async fn facts_are_listed_page_by_page_and_by_what_has_become_of_them(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    for number in 0..5 {
        remembered(&desk, &format!("The walrus number {number} lives in the harbour.")).await?;
    }
    remembered(&desk, "We chose Redis for the queue.").await?;
    remembered(&desk, "We chose Kafka for the queue.").await?;
    let mut seen: Vec<String> = Vec::new();
    let mut path = "/api/facts?limit=2&state=holds".to_owned();
    loop {
        let page = desk.get(&path).await?.json();
        assert_eq!(page["total"], 6);
        seen.extend(texts(&page).iter().map(|text| (*text).to_owned()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        path = format!("/api/facts?limit=2&state=holds&cursor={next}");
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 6, "{seen:?}");
    let closed = desk.get("/api/facts?state=closed").await?.json();
    assert_eq!(texts(&closed), ["We chose Redis for the queue."]);
    let decisions = desk.get("/api/facts?kind=decision&state=holds").await?.json();
    assert_eq!(texts(&decisions), ["We chose Kafka for the queue."]);
    desk.stopped().await
}

async fn facts_are_searched_in_one_project_or_in_all_and_counted_by_states(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    for text in ["We chose Redis for the queue.", "We chose Kafka for the queue."] {
        remembered(&desk, text).await?;
    }
    let garden = desk.project("garden").await?;
    let tulips = json!({ "text": "We chose tulips for the garden queue.", "project_id": garden });
    desk.post("/api/facts", tulips).await?;
    let found = async |body: Value| -> Result<Vec<String>> {
        let found = desk.post("/api/facts/search", body).await?.json();
        let mut texts: Vec<String> = texts(&found).iter().map(ToString::to_string).collect();
        texts.sort();
        Ok(texts)
    };
    let (kafka, tulips) =
        ("We chose Kafka for the queue.", "We chose tulips for the garden queue.");
    assert_eq!(found(json!({ "query": "queue", "project_id": garden })).await?, [tulips]);
    assert_eq!(found(json!({ "query": "queue", "all_projects": true })).await?, [kafka, tulips]);
    let both = json!({ "query": "queue", "all_projects": true, "project_id": garden });
    assert_eq!(desk.post("/api/facts/search", both).await?.problem(), (422, "invalid".to_owned()));

    let listed = desk.get("/api/facts?text=QUEUE%20chose&state=closed").await?.json();
    assert_eq!(texts(&listed), ["We chose Redis for the queue."]);
    assert_eq!(listed["counts"], json!({ "holds": 2, "closed": 1, "doubtful": 0 }));
    let none = desk.get("/api/facts?text=queue%20walrus").await?.json();
    assert_eq!((texts(&none).len(), &none["counts"]["holds"]), (0, &json!(0)));
    desk.stopped().await
}

async fn a_kept_reply_does_not_tell_a_fact_that_was_forgotten(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let headers = [("content-type", "application/json"), ("idempotency-key", "k")];
    let body = json!({ "text": "We chose Redis for the queue." }).to_string();
    let made = desk.send(Method::POST, "/api/facts", &headers, body.clone()).await?;
    assert_eq!(made.status, 201, "{:?}", made.body);
    let again = desk.send(Method::POST, "/api/facts", &headers, body.clone()).await?;
    assert_eq!(again.body, made.body);
    let place = format!("/api/facts/{}", made.json()["id"].as_str().unwrap());
    assert_eq!(desk.delete(&place).await?.status, 204);
    let after = desk.send(Method::POST, "/api/facts", &headers, body).await?;
    assert_eq!(after.problem(), (409, "reply_forgotten".to_owned()));
    let kept = "SELECT COUNT(*) FROM kept_replies WHERE body IS NOT NULL";
    assert_eq!(database.number(kept).await?, 0);
    desk.stopped().await
}

async fn wrong_requests_are_refused_and_change_nothing(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let fact = remembered(&desk, "We chose Redis for the queue.").await?;
    let place = format!("/api/facts/{}", fact["id"].as_str().unwrap());
    for wrong in [
        json!({}),
        json!({ "text": "" }),
        json!({ "text": "a\nb\nc\nd" }),
        json!({ "text": "We chose Svelte for the page.", "kind": "rumour" }),
        json!({ "text": "We chose Svelte for the page.", "colour": "red" }),
        json!({ "text": "We chose Svelte for the page.", "pinned": 1 }),
    ] {
        let refused = desk.post("/api/facts", wrong.clone()).await?;
        assert_eq!(refused.status, 422, "{wrong}: {:?}", refused.body);
    }
    let nowhere = json!({ "text": "We chose Svelte for the page.", "project_id": "prj_none" });
    assert_eq!(desk.post("/api/facts", nowhere).await?.problem(), (404, "not_found".to_owned()));
    for wrong in [json!({ "text": "" }), json!({ "valid_until": "soon" })] {
        assert_eq!(desk.patch(&place, wrong).await?.status, 422);
    }
    assert_eq!(desk.get("/api/facts?cursor=rubbish").await?.status, 400);
    assert_eq!(desk.get(&place).await?.json(), fact);
    assert_eq!(desk.get("/api/facts").await?.json()["total"], 1);
    desk.stopped().await
}

stories![
    a_fact_is_remembered_superseded_changed_and_forgotten,
    facts_are_listed_page_by_page_and_by_what_has_become_of_them,
    facts_are_searched_in_one_project_or_in_all_and_counted_by_states,
    a_kept_reply_does_not_tell_a_fact_that_was_forgotten,
    wrong_requests_are_refused_and_change_nothing,
];
