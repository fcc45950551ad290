//! Threads and their messages.

use crate::database::Database;
use crate::sample::{at, matching, message, message_chunk, project, terms, thread, whole_file};
use crate::turns::{row, turn};
use anyhow::Result;
use dossier_core::id::{MessageId, ThreadId};
use dossier_core::message::Message;
use dossier_core::tokens::Tokenizer;
use dossier_store::{Learned, MadeOf, OwnerStore, StoreError, Thread, ThreadImport};
use sqlx::Row;
use std::slice;

/// A project with one thread of three messages, each chunk led by the words before it.
async fn told(database: &Database) -> Result<(OwnerStore, Thread, Vec<Message>)> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let thread = thread("t", &project);
    store.create_thread(&thread).await?;
    let contents = ["apples please", "bananas instead", "cherries then"];
    let messages: Vec<Message> =
        (0..).zip(contents).map(|(index, text)| message(&thread.id, index, text)).collect();
    let chunks: Vec<_> = messages
        .iter()
        .zip(["", contents[0], contents[1]])
        .map(|(message, lead)| message_chunk(message, lead))
        .collect();
    store.append_messages(&thread.id, &messages, &chunks).await?;
    Ok((store, thread, messages))
}

async fn messages_are_read_in_the_order_of_their_positions(database: Database) -> Result<()> {
    let (store, thread, messages) = told(&database).await?;
    assert_eq!(store.messages(&thread.id).await?, messages);
    assert_eq!(store.recent_messages(&thread.id, 2).await?, messages[1..]);
    assert_eq!(store.message(&messages[1].id).await?.as_ref(), Some(&messages[1]));
    assert_eq!(store.next_position(&thread.id).await?, 3);
    assert_eq!(store.next_position(&ThreadId::from("thr_none")).await?, 0);
    Ok(())
}

async fn a_thread_knows_its_rounds_and_when_it_was_last_used(database: Database) -> Result<()> {
    let (store, thread, _) = told(&database).await?;
    let expected = Thread { round_count: 2, updated_at: at(12), ..thread };
    assert_eq!(store.thread(&expected.id).await?, Some(expected));
    Ok(())
}

async fn the_most_recent_thread_comes_first(database: Database) -> Result<()> {
    let (store, thread, _) = told(&database).await?;
    let older = Thread { id: "thr_older".into(), ..thread.clone() };
    store.create_thread(&older).await?;
    let ids =
        |threads: Vec<Thread>| threads.into_iter().map(|thread| thread.id).collect::<Vec<_>>();
    assert_eq!(ids(store.threads(&thread.project).await?), [thread.id.clone(), older.id.clone()]);
    store.set_title(&older.id, "Fruit", at(99)).await?;
    let titled = Thread { title: Some("Fruit".to_owned()), updated_at: at(99), ..older };
    assert_eq!(store.thread(&titled.id).await?, Some(titled.clone()));
    assert_eq!(ids(store.threads(&thread.project).await?), [titled.id, thread.id]);
    Ok(())
}

/// Whoever has counted before adds up what is new, and notices what another process has deleted.
async fn a_threads_tokens_follow_what_is_said_and_deleted(database: Database) -> Result<()> {
    let (store, thread, messages) = told(&database).await?;
    let elsewhere = database.owner().await?;
    assert_eq!(store.thread_tokens(&thread.id).await?, 3);
    let more = message(&thread.id, 3, "dates at last");
    let chunk = message_chunk(&more, "");
    elsewhere.append_messages(&thread.id, slice::from_ref(&more), &[chunk]).await?;
    assert_eq!(store.thread_tokens(&thread.id).await?, 4);
    assert_eq!(store.thread_tokens(&thread.id).await?, 4);
    elsewhere.delete_message(&messages[0].id, &[], at(20)).await?;
    assert_eq!(store.thread_tokens(&thread.id).await?, 3);
    assert_eq!(store.thread_tokens(&ThreadId::from("thr_none")).await?, 0);
    Ok(())
}

/// What was said just now is counted by its text until it has a chunk, and each of its own.
async fn a_threads_tokens_hold_what_is_not_found_yet(database: Database) -> Result<()> {
    let (store, thread, _) = told(&database).await?;
    let new = row(&thread, 3, "elderberries and figs, of which there are many");
    let later = message(&thread.id, 4, "grapes");
    let own = u64::from(Tokenizer::O200k.count(&new.message.content));
    store.append_messages(&thread.id, slice::from_ref(&new.message), &[]).await?;
    assert_eq!(store.thread_tokens(&thread.id).await?, 3 + own);
    let chunk = message_chunk(&later, "");
    store.append_messages(&thread.id, slice::from_ref(&later), &[chunk]).await?;
    for _ in 0..2 {
        assert_eq!(store.thread_tokens(&thread.id).await?, 3 + own + 1);
    }
    let (said, chunks) = ([new.message.id.clone()], [message_chunk(&new.message, "")]);
    let learned = Learned { chunks: &chunks, said: &said, ..Learned::default() };
    store.turn_learned(&turn(&thread, &new), learned, at(20)).await?;
    for _ in 0..2 {
        assert_eq!(store.thread_tokens(&thread.id).await?, 3 + 1 + 1);
    }
    Ok(())
}

async fn a_first_title_takes_no_other_ones_place(database: Database) -> Result<()> {
    let (store, thread, _) = told(&database).await?;
    let before = store.thread(&thread.id).await?.unwrap();
    assert!(store.give_title(&thread.id, "Apples").await?);
    assert!(!store.give_title(&thread.id, "Pears").await?);
    // Nobody has used it, so it stays where it stands in the list.
    let titled = Thread { title: Some("Apples".to_owned()), ..before };
    assert_eq!(store.thread(&thread.id).await?, Some(titled));
    Ok(())
}

async fn a_position_is_taken_once(database: Database) -> Result<()> {
    let (store, thread, messages) = told(&database).await?;
    let rival = Message { id: "msg_rival".into(), ..message(&thread.id, 2, "rival") };
    let error = store.append_messages(&thread.id, &[rival], &[]).await.unwrap_err();
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    for nowhere in [-1, i64::MAX] {
        let lost = message(&thread.id, 9, "lost");
        let lost = Message { id: "msg_lost".into(), position: nowhere, ..lost };
        let error = store.append_messages(&thread.id, &[lost], &[]).await.unwrap_err();
        assert!(matches!(error, StoreError::Invalid { .. }), "{error}");
    }
    assert_eq!(store.messages(&thread.id).await?, messages);
    Ok(())
}

async fn a_deleted_message_leaves_a_mark_and_none_of_its_words(database: Database) -> Result<()> {
    let (store, thread, messages) = told(&database).await?;
    // The third message's chunk quoted the second's words; its new one quotes the first's.
    let reindexed = message_chunk(&messages[2], &messages[0].content);
    assert!(store.delete_message(&messages[1].id, slice::from_ref(&reindexed), at(60)).await?);
    assert!(!store.delete_message(&messages[1].id, &[], at(61)).await?);

    assert_eq!(store.messages(&thread.id).await?, [messages[0].clone(), messages[2].clone()]);
    assert_eq!(store.message(&messages[1].id).await?, None);
    assert_eq!(store.next_position(&thread.id).await?, 3);
    assert_eq!(matching(&store, &thread.project, &terms("bananas")).await?, []);
    let led = matching(&store, &thread.project, &terms("cherries")).await?;
    let led = store.chunks(&led).await?;
    assert_eq!(led.iter().map(|chunk| &chunk.draft).collect::<Vec<_>>(), [&reindexed]);
    let kept = "SELECT CAST(COUNT(*) AS BIGINT) FROM conversation_messages
                WHERE content LIKE '%bananas%' OR deleted_at = 61";
    assert_eq!(database.number(kept).await?, 0);
    let statistics = store.statistics(&thread.project, &terms("apples bananas")).await?;
    let words = message_chunk(&messages[0], "").profile.length() + reindexed.profile.length();
    assert_eq!((statistics.documents, statistics.total_length), (2, u64::from(words)));
    assert_eq!(statistics.frequency, [("apples".to_owned(), 2)].into());
    Ok(())
}

async fn rounds_are_seen_as_json_in_the_order_of_positions(database: Database) -> Result<()> {
    let (store, _, messages) = told(&database).await?;
    store.delete_message(&messages[2].id, &[], at(60)).await?;
    let rows = sqlx::query("SELECT round_number, messages FROM conversation_rounds ORDER BY 1")
        .fetch_all(&mut database.raw().await?)
        .await?;
    assert_eq!(rows.len(), 1);
    let round: serde_json::Value = serde_json::from_str(rows[0].try_get("messages")?)?;
    let expected = serde_json::json!([
        { "id": messages[0].id, "position": 0, "role": "user", "name": null,
          "content": "apples please", "created_at": 10 },
        { "id": messages[1].id, "position": 1, "role": "agent", "name": "o3",
          "content": "bananas instead", "created_at": 11 },
    ]);
    assert_eq!(round, expected);
    Ok(())
}

async fn a_thread_of_a_missing_project_is_refused(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let thread = thread("t", &project("none"));
    let error = store.create_thread(&thread).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
    let said = [message(&thread.id, 0, "hello")];
    let error = store.append_messages(&thread.id, &said, &[]).await.unwrap_err();
    assert_eq!(error.to_string(), "thread thr_t does not exist");
    Ok(())
}

async fn the_state_of_a_thread_can_be_written(database: Database) -> Result<()> {
    let (store, thread, _) = told(&database).await?;
    let state = serde_json::json!({ "epoch": 3 });
    assert!(store.set_context_state(&thread.id, Some("fruit"), &state, MadeOf::default()).await?);
    let read = store.thread(&thread.id).await?.unwrap();
    assert_eq!((read.summary.as_deref(), read.context_state), (Some("fruit"), state));
    Ok(())
}

async fn what_was_deleted_meanwhile_comes_into_no_summary(database: Database) -> Result<()> {
    let (store, thread, messages) = told(&database).await?;
    let ids: Vec<MessageId> = messages.iter().map(|message| message.id.clone()).collect();
    let set = async |messages: &[MessageId], before: Option<&str>, summary: &str| {
        let made_of = MadeOf { messages, summary: before };
        store.set_context_state(&thread.id, Some(summary), &serde_json::json!({}), made_of).await
    };
    assert!(set(&ids, None, "apples").await?);
    store.delete_message(&messages[0].id, &[], messages[0].created_at).await?;
    assert!(!set(&ids, None, "apples").await?);
    // Nor what an earlier summary says of it.
    assert!(!set(&ids[1..], Some("apples"), "apples and pears").await?);
    assert_eq!(store.thread(&thread.id).await?.unwrap().summary, None);
    // What nobody deleted may be told.
    assert!(set(&ids[1..], None, "pears").await?);
    assert!(set(&ids[1..], Some("pears"), "pears and plums").await?);
    Ok(())
}

async fn an_imported_thread_comes_whole_or_not_at_all(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let thread = Thread { external_id: Some("elsewhere:1".to_owned()), ..thread("t", &project) };
    let messages = [message(&thread.id, 0, "apples please"), message(&thread.id, 1, "here")];
    let chunks = messages.each_ref().map(|message| message_chunk(message, ""));
    let files = [whole_file(&project, "a.txt", "apples and pears")];
    let import =
        ThreadImport { thread: &thread, messages: &messages, chunks: &chunks, files: &files };
    let twice = [messages[0].clone(), messages[0].clone()];
    let error =
        store.create_imported(ThreadImport { messages: &twice, chunks: &[], ..import }).await;
    assert!(matches!(error, Err(StoreError::Conflict { .. })), "{error:?}");
    assert_eq!(store.thread(&thread.id).await?, None);

    store.create_imported(import).await?;
    let stored = store.thread_from(&project.id, "elsewhere:1").await?.unwrap();
    assert_eq!(stored, Thread { round_count: 1, updated_at: at(11), ..thread.clone() });
    assert_eq!(store.messages(&thread.id).await?, messages);
    assert_eq!(matching(&store, &project.id, &terms("apples")).await?.len(), 2);
    assert_eq!(store.thread_from(&project.id, "elsewhere:2").await?, None);

    let again = Thread { id: "thr_again".into(), ..thread.clone() };
    let error = store.create_imported(ThreadImport {
        thread: &again,
        messages: &[],
        chunks: &[],
        files: &[],
    });
    assert!(matches!(error.await, Err(StoreError::Conflict { .. })));
    let more = [message(&thread.id, 2, "cherries then")];
    let longer = ThreadImport { messages: &more, chunks: &[], files: &[], ..import };
    store.extend_imported(longer).await?;
    assert_eq!(store.next_position(&thread.id).await?, 3);
    Ok(())
}

async fn messages_are_restored_as_they_were_kept(database: Database) -> Result<()> {
    let (store, thread, messages) = told(&database).await?;
    store.delete_message(&messages[1].id, &[], at(60)).await?;
    let rows = store.message_rows(&thread.id, 0, 10).await?;
    assert_eq!(
        rows.iter().map(|row| row.deleted_at).collect::<Vec<_>>(),
        [None, Some(at(60)), None]
    );
    assert_eq!(store.message_rows(&thread.id, 1, 1).await?, rows[1..2]);
    let mut other = rows.clone();
    other[0].metadata = serde_json::json!({ "mood": 0.1 });
    let copy = Thread { id: "thr_copy".into(), ..thread };
    store.create_thread(&copy).await?;
    for (index, row) in other.iter_mut().enumerate() {
        row.message.id = format!("msg_copy_{index}").as_str().into();
        row.message.thread = copy.id.clone();
    }
    store.restore_messages(&copy.id, &other, &[]).await?;
    assert_eq!(store.message_rows(&copy.id, 0, 10).await?, other);
    Ok(())
}

stories![
    an_imported_thread_comes_whole_or_not_at_all,
    messages_are_restored_as_they_were_kept,
    messages_are_read_in_the_order_of_their_positions,
    a_thread_knows_its_rounds_and_when_it_was_last_used,
    the_most_recent_thread_comes_first,
    a_first_title_takes_no_other_ones_place,
    a_threads_tokens_follow_what_is_said_and_deleted,
    a_threads_tokens_hold_what_is_not_found_yet,
    a_position_is_taken_once,
    a_deleted_message_leaves_a_mark_and_none_of_its_words,
    rounds_are_seen_as_json_in_the_order_of_positions,
    a_thread_of_a_missing_project_is_refused,
    the_state_of_a_thread_can_be_written,
    what_was_deleted_meanwhile_comes_into_no_summary,
];
