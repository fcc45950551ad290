//! Conversations: brought in, read page by page, named, written out and deleted.

use crate::database::Database;
use crate::desk::Desk;
use anyhow::Result;
use serde_json::{Value, json};

fn talk() -> Value {
    json!({
        "title": "Planning",
        "messages": [
            { "id": "m1", "speaker": "Ines", "content": "The ferry is full; password=hunter2hunter2", "created_at": "2026-03-16T09:00:00Z", "section": "Monday" },
            { "speaker": "assistant", "content": "Then we add a second crossing." },
        ],
    })
}

async fn a_conversation_is_searchable_when_it_is_in_and_known_again(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("ferry").await?;
    let import = format!("/api/projects/{project}/conversations/import");
    let made = desk.post(&import, talk()).await?;
    let expected = json!({
        "conversation_id": "<thr 1>", "outcome": "new",
        "message_ids": ["<msg 2>", "<msg 3>"], "added": 2,
    });
    assert_eq!(made.told(), (201, expected));
    let id = made.json()["conversation_id"].as_str().unwrap().to_owned();
    assert_eq!(made.headers["location"], format!("/api/conversations/{id}"));
    let search = format!("/api/projects/{project}/search");
    let hits = desk.post(&search, json!({ "query": "second crossing" })).await?.json();
    assert_eq!(hits["hits"][0]["source"]["id"], made.json()["message_ids"][1]);
    let excluding = json!({ "query": "second crossing", "exclude_conversation_id": id });
    assert_eq!(desk.post(&search, excluding).await?.json()["hits"], json!([]));

    let again = desk.post(&import, talk()).await?;
    let mut same = made.json();
    same["outcome"] = json!("here");
    same["added"] = json!(0);
    assert_eq!((again.status, again.json()), (200, same));
    desk.stopped().await
}

async fn a_conversation_is_read_named_written_out_and_deleted(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("ferry").await?;
    let import = format!("/api/projects/{project}/conversations/import");
    let made = desk.post(&import, talk()).await?.json();
    let place = format!("/api/conversations/{}", made["conversation_id"].as_str().unwrap());
    let whole = json!({
        "id": "<thr 1>", "project_id": "<prj 2>", "title": "Planning", "rounds": 1,
        "is_consultation": false,
        "created_at": "<time>", "updated_at": "<time>",
        "messages": [
            {
                "id": "<msg 3>", "role": "user", "speaker": "Ines", "round": 1,
                "section": "Monday", "content": "The ferry is full; password=[masked]",
                "created_at": "<time>",
            },
            {
                "id": "<msg 4>", "role": "agent", "speaker": "agent", "round": 1,
                "section": null, "content": "Then we add a second crossing.",
                "created_at": "<time>",
            },
        ],
        "next_cursor": null,
    });
    assert_eq!(desk.get(&place).await?.told(), (200, whole.clone()));
    let first = desk.get(&format!("{place}?limit=1")).await?.json();
    assert_eq!(first["messages"].as_array().unwrap().len(), 1);
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = desk.get(&format!("{place}?limit=1&cursor={cursor}")).await?.json();
    assert_eq!(second["messages"][0]["id"], made["message_ids"][1]);
    assert_eq!(second["next_cursor"], Value::Null);

    let named = desk.put(&format!("{place}/title"), json!({ "title": " Crossings " })).await?;
    let head = json!({
        "id": "<thr 1>", "project_id": "<prj 2>", "title": "Crossings", "rounds": 1,
        "created_at": "<time>", "updated_at": "<time>",
    });
    assert_eq!(named.told(), (200, head.clone()));
    let list = json!({ "conversations": [head], "next_cursor": null });
    let listed = desk.get(&format!("/api/projects/{project}/conversations")).await?;
    assert_eq!(listed.told(), (200, list));

    let markdown = desk.post(&format!("{place}/export"), json!({ "format": "markdown" })).await?;
    assert_eq!(markdown.headers["content-type"], "text/markdown; charset=utf-8");
    let text = String::from_utf8(markdown.body.to_vec())?;
    assert!(text.contains("# Crossings") && text.contains("hunter2hunter2"), "{text}");
    let written = desk.post(&format!("{place}/export"), json!({ "format": "json" })).await?;
    assert_eq!(written.headers["content-type"], "application/json");
    assert_eq!(written.json()["messages"][1]["content"], "Then we add a second crossing.");

    assert_eq!(desk.delete(&place).await?.json()["kind"], "conversation");
    for gone in [desk.get(&place).await?, desk.delete(&place).await?] {
        assert_eq!(gone.problem(), (404, "not_found".to_owned()));
    }
    desk.stopped().await
}

async fn what_is_no_conversation_is_refused(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("ferry").await?;
    let import = format!("/api/projects/{project}/conversations/import");
    for wrong in [
        json!({ "messages": [] }),
        json!({ "messages": [{ "speaker": "a" }] }),
        json!({ "messages": [{ "speaker": "a", "content": "b", "created_at": "last May" }] }),
        json!({ "messages": [{ "speaker": "a", "content": "b", "colour": "red" }] }),
        json!({ "title": 7, "messages": [{ "speaker": "a", "content": "b" }] }),
        json!({}),
    ] {
        let refused = desk.post(&import, wrong.clone()).await?;
        assert_eq!(refused.problem(), (422, "invalid".to_owned()), "{wrong}");
    }
    let nowhere = "/api/projects/prj_none/conversations/import";
    assert_eq!(desk.post(nowhere, talk()).await?.problem(), (404, "not_found".to_owned()));
    let list = desk.get(&format!("/api/projects/{project}/conversations")).await?.json();
    assert_eq!(list["conversations"], json!([]));
    desk.stopped().await
}

stories![
    a_conversation_is_searchable_when_it_is_in_and_known_again,
    a_conversation_is_read_named_written_out_and_deleted,
    what_is_no_conversation_is_refused,
];
