//! The most that an owner may keep is kept, whoever writes.

use crate::database::Database;
use crate::sample::{at, file_id, message, message_chunk, project, thread, whole_file};
use anyhow::Result;
use dossier_core::maxima::{Exceeded, Maxima, Maximum};
use dossier_store::{Holding, LARGE_CONTENT, OwnerStore, StoreError, Thread, ThreadImport};
use std::slice;

async fn begun(database: &Database, maxima: Maxima) -> Result<OwnerStore> {
    let store = database.owner().await?.within(maxima);
    store.create_project(&project("a")).await?;
    Ok(store)
}

#[track_caller]
fn assert_exceeded<T: std::fmt::Debug>(result: Result<T, StoreError>, maximum: Maximum, most: u64) {
    let StoreError::Exceeded(exceeded) = result.unwrap_err() else { panic!("another error") };
    assert_eq!(exceeded, Exceeded { maximum, allowed: most });
}

fn threads(count: usize) -> Vec<Thread> {
    (0..count).map(|number| thread(&number.to_string(), &project("a"))).collect()
}

async fn a_thread_too_many_is_refused_until_one_is_gone_for_good(database: Database) -> Result<()> {
    let maxima = Maxima { threads: 2, ..Maxima::default() };
    let store = begun(&database, maxima).await?;
    let threads = threads(3);
    store.create_thread(&threads[0]).await?;
    store.create_thread(&threads[1]).await?;
    let before = database.row_counts().await?;
    let said = message(&threads[2].id, 0, "hello");
    let chunk = message_chunk(&said, "");
    let import = ThreadImport {
        thread: &threads[2],
        messages: slice::from_ref(&said),
        chunks: slice::from_ref(&chunk),
        files: &[whole_file(&project("a"), "attached.txt", "attached")],
    };
    assert_exceeded(store.create_imported(import).await, Maximum::Threads, 2);
    assert_exceeded(store.allow(1, 0, 0).await, Maximum::Threads, 2);
    assert_eq!(database.row_counts().await?, before);
    let first = Holding::Thread(threads[0].id.clone());
    store.hide(&first, at(1), at(2)).await?;
    assert_exceeded(store.create_imported(import).await, Maximum::Threads, 2);
    store.forget(&first).await?;
    store.allow(1, 1, 5).await?;
    store.create_imported(import).await?;
    // Another owner has threads of its own.
    let bob = database.store().await?.owner(&"bob".into()).within(maxima);
    bob.create_project(&project("a")).await?;
    bob.create_thread(&threads[0]).await?;
    Ok(())
}

async fn a_message_too_many_is_refused_with_all_that_come_with_it(
    database: Database,
) -> Result<()> {
    let store = begun(&database, Maxima { messages: 3, ..Maxima::default() }).await?;
    let threads = threads(2);
    let said: Vec<_> = (0..4).map(|place| message(&threads[0].id, place, "hello")).collect();
    for thread in &threads {
        store.create_thread(thread).await?;
    }
    store.append_messages(&threads[0].id, &said[..2], &[]).await?;
    let refused = store.append_messages(&threads[0].id, &said[2..], &[]).await;
    assert_exceeded(refused, Maximum::Messages, 3);
    assert_eq!(store.messages(&threads[0].id).await?, said[..2]);
    store.append_messages(&threads[0].id, &said[2..3], &[]).await?;
    let elsewhere: Vec<_> = (0..3).map(|place| message(&threads[1].id, place, "hello")).collect();
    store.append_messages(&threads[1].id, &elsewhere, &[]).await?;
    assert_exceeded(store.allow(0, 4, 0).await, Maximum::Messages, 3);
    Ok(())
}

async fn bytes_too_many_are_refused_and_deleted_ones_free(database: Database) -> Result<()> {
    let store = begun(&database, Maxima { bytes: 20, ..Maxima::default() }).await?;
    let put = async |path: &str, content: &str| {
        store.put_files(&[whole_file(&project("a"), path, content)]).await
    };
    put("a", "ten bytes.").await?;
    put("b", "ten bytes.").await?;
    // The same content is kept once.
    store.allow(0, 0, 10).await?;
    put("a", "ten others").await?;
    assert_exceeded(store.allow(0, 0, 1).await, Maximum::Bytes, 20);
    let before = database.row_counts().await?;
    assert_exceeded(put("c", "x").await, Maximum::Bytes, 20);
    assert_exceeded(put("a", "eleven more").await, Maximum::Bytes, 20);
    assert_eq!(database.row_counts().await?, before);
    assert_eq!(store.file_content(&file_id("a")).await?.as_deref(), Some("ten others"));
    // What takes the place of as much is not more.
    put("a", "ten and 10").await?;
    store.delete_files(&project("a").id, &[file_id("b")]).await?;
    let thread = &threads(1)[0];
    store.create_thread(thread).await?;
    let said = message(&thread.id, 0, "größer 8");
    store.append_messages(&thread.id, &[said], &[]).await?;
    assert_exceeded(store.allow(0, 0, 1).await, Maximum::Bytes, 20);
    Ok(())
}

async fn a_refused_large_content_leaves_no_file(database: Database) -> Result<()> {
    let bytes = LARGE_CONTENT as u64;
    let store = begun(&database, Maxima { bytes, ..Maxima::default() }).await?;
    store.put_files(&[whole_file(&project("a"), "a", "x")]).await?;
    let large = whole_file(&project("a"), "b", &"y".repeat(LARGE_CONTENT));
    assert_exceeded(store.put_files(&[large]).await, Maximum::Bytes, bytes);
    assert_eq!(database.large_blobs()?, 0);
    let store = database.store().await?;
    assert!(store.verify().await?.is_sound(), "{:#?}", store.verify().await?);
    Ok(())
}

async fn writers_side_by_side_do_not_exceed_together(database: Database) -> Result<()> {
    let maxima = Maxima { threads: 5, ..Maxima::default() };
    begun(&database, maxima).await?;
    let writing: Vec<_> = threads(12)
        .into_iter()
        .map(|thread| {
            let database = database.clone();
            tokio::spawn(async move {
                let store = database.owner().await.unwrap().within(maxima);
                store.create_thread(&thread).await.is_ok()
            })
        })
        .collect();
    let mut made = 0;
    for written in writing {
        made += usize::from(written.await?);
    }
    let store = database.owner().await?;
    assert_eq!((made, store.threads(&project("a").id).await?.len()), (5, 5));
    Ok(())
}

stories![
    a_thread_too_many_is_refused_until_one_is_gone_for_good,
    a_message_too_many_is_refused_with_all_that_come_with_it,
    bytes_too_many_are_refused_and_deleted_ones_free,
    a_refused_large_content_leaves_no_file,
    writers_side_by_side_do_not_exceed_together,
];
