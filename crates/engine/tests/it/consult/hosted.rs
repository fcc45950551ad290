//! The provider's own store: made for one call, deleted when it ends, also after a crash.

use super::{Table, calls, figures, text};
use crate::database::{Database, on_sqlite};
use crate::desk::noon;
use anyhow::{Result, ensure};
use dossier_testkit::{Provider as Script, Reply, Request};
use serde_json::json;
use std::sync::mpsc;
use std::time::{Duration, Instant};

stories! {
    a_store_at_the_provider_lives_for_one_call,
    what_was_left_at_the_provider_is_deleted_by_the_next_call,
    what_lies_at_the_provider_stays_free_of_charge,
    an_answer_does_not_wait_until_its_store_is_deleted,
    a_store_that_fails_is_not_filled_again_in_the_same_call,
    a_call_that_is_given_up_leaves_nothing_at_the_provider,
    every_query_is_answered_and_what_is_uploaded_ends_by_itself,
}

/// On one database: its clock is turned forward, which takes a runtime of one thread.
#[tokio::test]
async fn a_store_that_never_answers_is_done_without_and_told() -> Result<()> {
    on_sqlite(waited_for).await
}

/// A provider with stores, which it may not be able to delete.
fn provider(deletes: bool) -> Result<Script> {
    let mut answers = answers();
    Ok(Script::answering(move |request| match request.line.starts_with("DELETE ") && !deletes {
        true => Reply::json(500, &json!({})),
        false => answers(request),
    })?)
}

/// What it says; the model searches once and then answers.
fn answers() -> impl FnMut(&Request) -> Reply {
    let (mut files, mut looks) = (0, 0);
    move |request| match request.line.as_str() {
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
        line if line.starts_with("DELETE ") => Reply::json(200, &json!({"deleted": true})),
        _ => match request.body["messages"].as_array().and_then(|said| said.last()) {
            Some(last) if last["role"] == "tool" => Reply::chat("It is delta-secret."),
            _ => calls(&[("search_files", json!({"queries": ["delta", "the word"]}))]),
        },
    }
}

async fn asked(table: &Table) -> Result<()> {
    table.desk.workspace.set_config("consult.hosted_store", &json!("true"), noon()).await?;
    table.desk.write("docs/delta.md", text("delta", 9_000));
    let (answer, files) = table.ask(&table.request("small", "Which word?", &["docs"])).await?;
    assert_eq!((answer.as_str(), figures(&files)), ("It is delta-secret.", (0, 0, 1)));
    Ok(())
}

/// Waits until so many things are noted that lie at a provider.
async fn until_noted(database: &Database, number: i64) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(20);
    while database.number("SELECT COUNT(*) FROM hosted_things").await? != number {
        ensure!(Instant::now() < deadline, "not {number} things lie at the provider");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(())
}

/// The messages that the model was last asked with.
fn last_asked(table: &Table) -> Vec<(String, String)> {
    let last = lines(table).iter().rposition(|line| line.contains("/chat/"));
    table.sent_in(last.unwrap())
}

/// How many requests began like this.
fn count(table: &Table, start: &str) -> usize {
    lines(table).iter().filter(|line| line.starts_with(start)).count()
}

fn lines(table: &Table) -> Vec<String> {
    table.script.requests().into_iter().map(|request| request.line).collect()
}

async fn a_store_at_the_provider_lives_for_one_call(database: Database) -> Result<()> {
    let table = Table::set(&database, provider(true)?).await?;
    asked(&table).await?;
    until_noted(&database, 0).await?;
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
    Ok(())
}

async fn what_was_left_at_the_provider_is_deleted_by_the_next_call(
    database: Database,
) -> Result<()> {
    let table = Table::set(&database, provider(false)?).await?;
    asked(&table).await?;
    while count(&table, "DELETE") < 2 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
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
    assert_eq!(count(&table, "POST /v1/files"), 0);
    let sent = last_asked(&table);
    let (_, found) = sent.last().unwrap();
    let reason = "[searched here, for the store at openai would hold more than the gigabyte that \
                  is free of charge]\n1. delta.md:1-";
    assert!(found.starts_with(reason), "{found}");
    Ok(())
}

async fn an_answer_does_not_wait_until_its_store_is_deleted(database: Database) -> Result<()> {
    let (release, released) = mpsc::channel::<()>();
    let mut answers = answers();
    let script = Script::answering(move |request| {
        if request.line.starts_with("DELETE ") {
            let _ = released.recv();
        }
        answers(request)
    })?;
    let table = Table::set(&database, script).await?;
    asked(&table).await?;
    assert_eq!(database.number("SELECT COUNT(*) FROM hosted_things").await?, 2);
    drop(release);
    until_noted(&database, 0).await
}

async fn a_store_that_fails_is_not_filled_again_in_the_same_call(database: Database) -> Result<()> {
    let mut answers = answers();
    let mut searches = 0;
    let script = Script::answering(move |request| match request.line.as_str() {
        "POST /v1/vector_stores" => Reply::json(500, &json!({})),
        "POST /v1/chat/completions" if searches < 2 => {
            searches += 1;
            calls(&[("search_files", json!({"queries": ["delta"]}))])
        }
        _ => answers(request),
    })?;
    let table = Table::set(&database, script).await?;
    for name in ["echo", "foxtrot"] {
        table.desk.write(&format!("docs/{name}.md"), text(name, 9_000));
    }
    table.desk.workspace.set_config("consult.hosted_store", &json!("true"), noon()).await?;
    table.desk.write("docs/delta.md", text("delta", 9_000));
    let (answer, files) = table.ask(&table.request("small", "Which word?", &["docs"])).await?;
    assert_eq!((answer.as_str(), figures(&files)), ("It is delta-secret.", (0, 0, 3)));
    assert_eq!((count(&table, "POST /v1/files"), count(&table, "POST /v1/vector_stores")), (3, 1));
    let told: Vec<String> = last_asked(&table)
        .into_iter()
        .filter(|(role, _)| role == "tool")
        .map(|(_, text)| text)
        .collect();
    assert_eq!(told.len(), 2);
    for text in told {
        assert!(text.starts_with("[searched here, for "), "{text}");
        assert!(text.contains("delta.md:1-"), "{text}");
    }
    until_noted(&database, 0).await?;
    assert_eq!(count(&table, "DELETE /v1/files/file-"), 3);
    Ok(())
}

async fn a_call_that_is_given_up_leaves_nothing_at_the_provider(database: Database) -> Result<()> {
    let mut answers = answers();
    let (mut uploads, silent) = (0, 2);
    let script = Script::answering(move |request| {
        uploads += u32::from(request.line == "POST /v1/files");
        match uploads == silent && request.line == "POST /v1/files" {
            true => Reply::silence(),
            false => answers(request),
        }
    })?;
    let table = Table::set(&database, script).await?;
    let workspace = &table.desk.workspace;
    workspace.set_config("consult.hosted_store", &json!("true"), noon()).await?;
    for name in ["delta", "echo"] {
        table.desk.write(&format!("docs/{name}.md"), text(name, 9_000));
    }
    let started = workspace.start_consult(&table.request("small", "Which?", &["docs"])).await?;
    while count(&table, "POST /v1/files") < 2 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(database.number("SELECT COUNT(*) FROM hosted_things").await?, 1);
    assert!(workspace.cancel_turn(&started.turn.id).await?);
    workspace.turns_idle().await;
    until_noted(&database, 0).await?;
    assert_eq!(count(&table, "DELETE /v1/files/file-1"), 1);
    Ok(())
}

async fn every_query_is_answered_and_what_is_uploaded_ends_by_itself(
    database: Database,
) -> Result<()> {
    let mut answers = answers();
    let script = Script::answering(move |request| match request.line.as_str() {
        "POST /v1/vector_stores/vs_1/search" => {
            let query = request.body["query"].as_str().unwrap_or_default();
            let found = |place: u32| {
                let content = json!([{"type": "text", "text": format!("{query} {place}")}]);
                json!({"file_id": "file-1", "content": content})
            };
            Reply::json(200, &json!({"data": [found(1), found(2)]}))
        }
        "POST /v1/chat/completions" if request.body["messages"].as_array().unwrap().len() == 2 => {
            calls(&[("search_files", json!({"queries": ["delta", "echo"], "limit": 1}))])
        }
        _ => answers(request),
    })?;
    let table = Table::set(&database, script).await?;
    asked(&table).await?;
    let sent = last_asked(&table);
    assert_eq!(sent.last().unwrap().1, "1. delta.md\ndelta 1\n\n2. delta.md\necho 1\n");
    let requests = table.script.requests();
    let upload = requests.iter().find(|request| request.line == "POST /v1/files").unwrap();
    let body = upload.body.as_str().unwrap();
    for (name, value) in [("anchor", "created_at"), ("seconds", "7200")] {
        let field = format!("name=\"expires_after[{name}]\"\r\n\r\n{value}\r\n--");
        assert!(body.contains(&field), "{body}");
    }
    Ok(())
}

async fn waited_for(database: Database) -> Result<()> {
    const SEARCH: &str = "POST /v1/vector_stores/vs_1/search";
    let mut answers = answers();
    let script = Script::answering(move |request| match request.line.as_str() {
        SEARCH => Reply::silence(),
        _ => answers(request),
    })?;
    let table = Table::set(&database, script).await?;
    let turn_forward = async {
        while count(&table, SEARCH) == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(31)).await;
        tokio::time::resume();
        Ok(())
    };
    tokio::try_join!(asked(&table), turn_forward)?;
    let sent = last_asked(&table);
    let (_, found) = sent.last().unwrap();
    assert!(found.starts_with("[searched here, for "), "{found}");
    assert!(found.contains("delta.md:1-"), "{found}");
    Ok(())
}
