//! Refs: stored once, shown in short, given back in part or whole, and forgotten.

use crate::database::Database;
use crate::desk::Desk;
use anyhow::Result;
use serde_json::{Value, json};

fn rows(count: usize) -> Value {
    let rows: Vec<Value> = (0..count)
        .map(|n| json!({ "id": format!("job-{n}"), "note": "it went as it should have gone", "took": n }))
        .collect();
    json!({ "rows": rows, "page": 1 })
}

async fn a_content_is_stored_expanded_and_forgotten(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let made = desk.post("/api/refs", json!({ "content": rows(60), "kind": "jobs" })).await?;
    assert_eq!(made.status, 201);
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let place = format!("/api/refs/{id}");
    assert_eq!(made.headers["location"], place);
    let compressed = made.json()["compressed"].as_str().unwrap().to_owned();
    assert!(compressed.starts_with(&format!("[in part; expand_ref {id} ")), "{compressed}");
    assert!(compressed.contains("[… 50 more: rows[10:60]]"), "{compressed}");

    let shown = desk.get(&place).await?;
    assert_eq!((shown.status, &shown.json()["compressed"]), (200, &json!(compressed)));
    let expand = format!("{place}/expand");
    let part = json!({ "fields": ["rows[].id"], "slice": { "offset": 41, "limit": 1 } });
    let expanded = desk.post(&expand, part).await?;
    let expected = json!({ "id": id, "content": r#"{"rows":[{"id":"job-41"}]}"#, "total": 60, "was_stale": false });
    assert_eq!(expanded.told(), (200, expected));
    let whole = desk.post(&expand, json!({})).await?;
    let content: Value = serde_json::from_str(whole.json()["content"].as_str().unwrap())?;
    assert_eq!(content, rows(60));

    let gone = desk.delete(&place).await?;
    assert_eq!((gone.status, &*gone.body), (204, &b""[..]));
    assert_eq!(desk.get(&place).await?.problem(), (404, "not_found".to_owned()));
    assert_eq!(desk.delete(&place).await?.problem(), (404, "not_found".to_owned()));
    desk.stopped().await
}

async fn a_ref_is_marked_stale_and_a_message_is_expanded(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let made = desk.post("/api/refs", json!({ "content": rows(60) })).await?.json();
    let place = format!("/api/refs/{}", made["id"].as_str().unwrap());
    let marked = desk.post(&format!("{place}/stale"), json!({})).await?;
    assert_eq!((marked.status, &marked.json()["is_stale"]), (200, &json!(true)));
    let summary = desk.post(&format!("{place}:summary/expand"), json!({})).await?.json();
    let words = summary["content"].as_str().unwrap();
    assert!(words.starts_with("[stale; expand it to look again] "), "{words}");
    let expanded = desk.post(&format!("{place}/expand"), json!({})).await?.json();
    assert_eq!(expanded["was_stale"], json!(true));
    assert_eq!(desk.get(&place).await?.json()["is_stale"], json!(false));
    let project = desk.project("ferry").await?;
    let talk = json!({ "title": "t", "messages": [{ "speaker": "user", "content": "a\nb\n" }] });
    let import = format!("/api/projects/{project}/conversations/import");
    let ids = desk.post(&import, talk).await?.json()["message_ids"].clone();
    let id = ids[0].as_str().unwrap();
    let slice = json!({ "slice": { "offset": 1, "limit": 1 } });
    let line = desk.post(&format!("/api/refs/{id}/expand"), slice).await?;
    let expected = json!({ "id": "<msg 1>", "content": "b\n", "total": 2, "was_stale": false });
    assert_eq!(line.told(), (200, expected));
    desk.stopped().await
}

async fn refs_are_listed_page_by_page_and_numbers_keep_their_digits(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    for n in 0..5 {
        let made = desk
            .post("/api/refs", json!({ "content": format!("number {n}"), "kind": "note" }))
            .await?;
        assert_eq!(made.status, 201);
    }
    // The same content again is the same ref.
    desk.post("/api/refs", json!({ "content": "number 4", "kind": "note" })).await?;
    let mut seen = Vec::new();
    let mut path = "/api/refs?limit=2&kind=note".to_owned();
    loop {
        let page = desk.get(&path).await?.json();
        seen.extend(page["refs"].as_array().unwrap().iter().map(|row| row["id"].to_string()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        path = format!("/api/refs?limit=2&kind=note&cursor={next}");
    }
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((count, seen.len()), (5, 5));
    desk.stopped().await
}

async fn refs_are_found_by_a_text_and_added_up(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let made = desk.post("/api/refs", json!({ "content": rows(60), "kind": "jobs" })).await?.json();
    desk.post("/api/refs", json!({ "content": "moored", "kind": "note" })).await?;
    let found = desk.get("/api/refs?text=JOBS").await?.json();
    assert_eq!(
        (found["refs"].as_array().map(Vec::len), &found["refs"][0]["id"]),
        (Some(1), &made["id"])
    );
    assert_eq!(desk.get("/api/refs?text=%25").await?.json()["refs"], json!([]));

    let today = made["created_at"].as_str().unwrap().get(..10).unwrap();
    let sums =
        desk.get(&format!("/api/refs/sums?by=kind&from={today}")).await?.json()["sums"].clone();
    let (tokens, compressed) = (&made["tokens"], &made["compressed_tokens"]);
    let jobs =
        json!({ "key": "jobs", "refs": 1, "tokens": tokens, "compressed_tokens": compressed });
    assert_eq!((&sums[0], &sums[1]["key"]), (&jobs, &json!("note")));
    assert_eq!(desk.get("/api/refs/sums?from=2999-01-01").await?.json()["sums"], json!([]));
    let wrong = desk.get("/api/refs/sums?from=yesterday").await?;
    assert_eq!(wrong.problem(), (400, "invalid_query".to_owned()));
    desk.stopped().await
}

async fn rubbish_is_refused_and_changes_nothing(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    for body in [
        json!({}),
        json!({ "content": "" }),
        json!({ "content": "x", "kind": "No Kind" }),
        json!({ "content": "x", "ttl_days": 0 }),
        json!({ "content": "x", "more": 1 }),
    ] {
        assert_eq!(desk.post("/api/refs", body).await?.problem(), (422, "invalid".to_owned()));
    }
    let nowhere = json!({ "content": "x", "project_id": "prj_none" });
    assert_eq!(desk.post("/api/refs", nowhere).await?.problem(), (404, "not_found".to_owned()));
    for id in ["nonsense", "ref:log:12", "ref:log:zzzzzzzzzzzz"] {
        assert_eq!(
            desk.get(&format!("/api/refs/{id}")).await?.problem(),
            (422, "invalid".to_owned())
        );
    }
    let unknown = desk.get("/api/refs/ref:log:9f2c4e1a0b3d").await?;
    assert_eq!(unknown.problem(), (404, "not_found".to_owned()));
    let made = desk.post("/api/refs", json!({ "content": rows(3) })).await?;
    let expand = format!("/api/refs/{}/expand", made.json()["id"].as_str().unwrap());
    let wrong = desk.post(&expand, json!({ "fields": ["a["] })).await?;
    assert_eq!(wrong.problem(), (422, "invalid".to_owned()));
    desk.stopped().await
}

async fn compression_is_counted_by_kind(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    desk.post("/api/refs", json!({ "content": rows(60) })).await?;
    let metrics = desk.get("/metrics").await?;
    let text = String::from_utf8(metrics.body.to_vec())?;
    let line = "dossier_compressions_total{kind=\"json\",outcome=\"compressed\"} 1";
    assert!(text.lines().any(|own| own == line), "{text}");
    let usage = desk.get("/api/usage").await?.json();
    let [sum] = usage["figures"]["compression"].as_array().unwrap().as_slice() else {
        panic!("{usage}")
    };
    assert_eq!(
        (&sum["kind"], &sum["outcome"], &sum["count"]),
        (&json!("json"), &json!("compressed"), &json!(1))
    );
    assert!(sum["tokens_after"].as_u64() < sum["tokens_before"].as_u64(), "{sum}");
    desk.stopped().await
}

stories![
    a_content_is_stored_expanded_and_forgotten,
    a_ref_is_marked_stale_and_a_message_is_expanded,
    refs_are_listed_page_by_page_and_numbers_keep_their_digits,
    refs_are_found_by_a_text_and_added_up,
    rubbish_is_refused_and_changes_nothing,
    compression_is_counted_by_kind,
];
