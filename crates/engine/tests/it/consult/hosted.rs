//! The provider's own store: made for one call, deleted when it ends, also after a crash.

use super::{Table, calls, figures, text};
use crate::database::Database;
use crate::desk::noon;
use anyhow::Result;
use dossier_testkit::{Provider as Script, Reply, Request};
use serde_json::json;

stories! {
    a_store_at_the_provider_lives_for_one_call,
    what_was_left_at_the_provider_is_deleted_by_the_next_call,
    what_lies_at_the_provider_stays_free_of_charge,
}

/// A provider with stores; the model searches once and then answers.
fn provider(deletes: bool) -> Result<Script> {
    let (mut files, mut looks) = (0, 0);
    Ok(Script::answering(move |request: &Request| match request.line.as_str() {
        "POST /v1/files" => {
            files += 1;
            Reply::json(200, &json!({"id": format!("file-{files}")}))
        }
        "POST /v1/vector_stores" => Reply::json(200, &json!({"id": "vs_1"})),
        "POST /v1/vector_stores/vs_1/file_batches" => Reply::json(200, &json!({"id": "vsfb_1"})),
        "GET /v1/vector_stores/vs_1" => {
            looks += 1;
            let busy = u32::from(looks == 1);
            let counts = json!({"in_progress": busy, "completed": 1 - busy});
            Reply::json(200, &json!({"file_counts": counts}))
        }
        "POST /v1/vector_stores/vs_1/search" => {
            let content = json!([{"type": "text", "text": "The word is delta-secret."}]);
            Reply::json(200, &json!({"data": [{"file_id": "file-1", "content": content}]}))
        }
        line if line.starts_with("DELETE ") && !deletes => Reply::json(500, &json!({})),
        line if line.starts_with("DELETE ") => Reply::json(200, &json!({"deleted": true})),
        _ => match request.body["messages"].as_array().and_then(|said| said.last()) {
            Some(last) if last["role"] == "tool" => Reply::chat("It is delta-secret."),
            _ => calls(&[("search_files", json!({"queries": ["delta", "the word"]}))]),
        },
    })?)
}

async fn asked(table: &Table) -> Result<()> {
    table.desk.workspace.set_config("consult.hosted_store", &json!("true"), noon()).await?;
    table.desk.write("docs/delta.md", text("delta", 9_000));
    let (answer, files) = table.ask(&table.request("small", "Which word?", &["docs"])).await?;
    assert_eq!((answer.as_str(), figures(&files)), ("It is delta-secret.", (0, 0, 1)));
    // The store is deleted before the call is over, though not before its reply is there.
    table.desk.workspace.turns_idle().await;
    Ok(())
}

fn lines(table: &Table) -> Vec<String> {
    table.script.requests().into_iter().map(|request| request.line).collect()
}

async fn a_store_at_the_provider_lives_for_one_call(database: Database) -> Result<()> {
    let table = Table::set(&database, provider(true)?).await?;
    asked(&table).await?;
    assert_eq!(
        lines(&table),
        [
            "POST /v1/chat/completions",
            "POST /v1/files",
            "POST /v1/vector_stores",
            "POST /v1/vector_stores/vs_1/file_batches",
            "GET /v1/vector_stores/vs_1",
            "GET /v1/vector_stores/vs_1",
            "POST /v1/vector_stores/vs_1/search",
            "POST /v1/vector_stores/vs_1/search",
            "POST /v1/chat/completions",
            "DELETE /v1/vector_stores/vs_1",
            "DELETE /v1/files/file-1",
        ]
    );
    let sent = table.sent_in(8);
    let (_, found) = sent.last().unwrap();
    assert_eq!(found, "1. delta.md\nThe word is delta-secret.\n");
    assert_eq!(database.number("SELECT COUNT(*) FROM hosted_things").await?, 0);
    Ok(())
}

async fn what_was_left_at_the_provider_is_deleted_by_the_next_call(
    database: Database,
) -> Result<()> {
    let table = Table::set(&database, provider(false)?).await?;
    asked(&table).await?;
    assert_eq!(database.number("SELECT COUNT(*) FROM hosted_things").await?, 2);
    let table = Table::set(&database, provider(true)?).await?;
    table.ask(&table.request("builtin", "Anything.", &[])).await?;
    assert_eq!(lines(&table), ["DELETE /v1/vector_stores/vs_1", "DELETE /v1/files/file-1"]);
    assert_eq!(database.number("SELECT COUNT(*) FROM hosted_things").await?, 0);
    Ok(())
}

async fn what_lies_at_the_provider_stays_free_of_charge(database: Database) -> Result<()> {
    // Nearly a gigabyte that could not be deleted.
    let table = Table::set(&database, provider(false)?).await?;
    let left = "INSERT INTO hosted_things
                    (owner, provider, kind, id, turn_id, bytes, created_at)
                VALUES ('local', 'openai', 'file', 'file-0', 'trn_0', 999990000, 1)";
    database.execute(left).await?;
    asked(&table).await?;
    let uploads = lines(&table).iter().filter(|line| line.starts_with("POST /v1/files")).count();
    assert_eq!(uploads, 0);
    let last = table.script.requests().len() - 1;
    let last = (0..=last).rfind(|place| table.script.requests()[*place].line.contains("/chat/"));
    let sent = table.sent_in(last.unwrap());
    let (_, found) = sent.last().unwrap();
    let reason = "[searched here, for the store at openai would hold more than the gigabyte that \
                  is free of charge]\n1. delta.md:1-";
    assert!(found.starts_with(reason), "{found}");
    Ok(())
}
