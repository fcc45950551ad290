//! Content stored once by its hash.

use crate::database::Database;
use crate::sample::{at, project, whole_file};
use anyhow::Result;
use dossier_core::hash::ContentHash;
use dossier_core::id::{OwnerId, ProjectId};
use dossier_store::{DatabaseKind, LARGE_CONTENT, ReceiptRow};

async fn bytes_come_back_as_they_were(database: Database) -> Result<()> {
    let store = database.owner().await?;
    for bytes in [Vec::new(), b"a\0\xff".to_vec(), vec![7; LARGE_CONTENT]] {
        let hash = store.put_blob(&bytes).await?;
        assert_eq!(hash, ContentHash::of(&bytes));
        assert_eq!(store.put_blob(&bytes).await?, hash);
        assert_eq!(store.blob(&hash).await?, Some(bytes));
    }
    assert_eq!(store.blob(&ContentHash::of("none")).await?, None);
    assert_eq!(database.row_counts().await?["blobs"], 3);
    Ok(())
}

async fn large_content_lies_beside_sqlite_and_in_postgres(database: Database) -> Result<()> {
    let store = database.store().await?;
    let owner = store.owner(&OwnerId::local());
    owner.put_blob(&vec![1; LARGE_CONTENT - 1]).await?;
    owner.put_blob(&vec![1; LARGE_CONTENT]).await?;
    let expected = match store.kind() {
        DatabaseKind::Sqlite => 1,
        DatabaseKind::Postgres => 0,
    };
    assert_eq!(database.large_blobs()?, expected);
    Ok(())
}

async fn a_blob_goes_with_its_last_user(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let before = database.row_counts().await?;
    for content in ["small".to_owned(), "large ".repeat(LARGE_CONTENT / 6 + 1)] {
        let one = whole_file(&project, "one.txt", &content);
        let two = whole_file(&project, "two.txt", &content);
        let hash = one.0.content.clone();
        store.put_files(&[one.clone(), two.clone()]).await?;
        store.delete_files(&project.id, &[one.0.id]).await?;
        assert_eq!(store.file_content(&two.0.id).await?, Some(content));
        store.delete_files(&project.id, &[two.0.id]).await?;
        assert_eq!(store.blob(&hash).await?, None);
        assert_eq!(database.row_counts().await?, before);
    }
    Ok(())
}

async fn a_block_of_a_receipt_outlives_the_file_it_came_from(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let (file, content, chunks) = whole_file(&project, "a.txt", "words");
    store.put_file(&file, &content, &chunks).await?;
    let receipt = ReceiptRow {
        id: "rcp_1".into(),
        thread: None,
        project: Some(project.id.clone()),
        message: None,
        body: "{}".to_owned(),
        blocks: vec![file.content.clone()],
        created_at: at(1),
    };
    store.put_receipt(&receipt, &[(file.content.clone(), content)]).await?;
    store.delete_files(&project.id, &[file.id]).await?;
    assert_eq!(store.blob(&file.content).await?, Some(b"words".to_vec()));
    store.delete_project(&project.id).await?;
    assert_eq!(store.blob(&file.content).await?, None);
    Ok(())
}

fn showing(
    id: &str,
    project: &ProjectId,
    texts: &[&str],
) -> (ReceiptRow, Vec<(ContentHash, String)>) {
    let blocks: Vec<ContentHash> = texts.iter().map(ContentHash::of).collect();
    let contents =
        blocks.iter().cloned().zip(texts.iter().map(|text| (*text).to_owned())).collect();
    let row = ReceiptRow {
        id: id.into(),
        thread: None,
        project: Some(project.clone()),
        message: None,
        body: "{}".to_owned(),
        blocks,
        created_at: at(1),
    };
    (row, contents)
}

async fn a_block_stays_while_a_receipt_of_any_project_shows_it(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (one, other) = (project("a"), project("b"));
    for project in [&one, &other] {
        store.create_project(project).await?;
    }
    // More receipts than are looked at together, of which one still shows what the other has lost.
    for number in 0..600 {
        let (row, contents) = showing(&format!("rcp_{number:03}"), &other.id, &["header"]);
        store.put_receipt(&row, &contents).await?;
    }
    let (last, contents) = showing("rcp_zzz", &other.id, &["header", "both", "both"]);
    store.put_receipt(&last, &contents).await?;
    let (row, contents) = showing("rcp_one", &one.id, &["header", "both", "own"]);
    store.put_receipt(&row, &contents).await?;
    // What is there need not be brought again.
    let (again, _) = showing("rcp_two", &other.id, &["own", "both"]);
    store.put_receipt(&again, &[]).await?;
    assert_eq!(store.receipt(&again.id).await?.as_ref(), Some(&again));

    store.delete_project(&one.id).await?;
    assert_eq!(store.receipt(&last.id).await?, Some(last.clone()));
    for text in ["header", "both", "own"] {
        let blob = store.blob(&ContentHash::of(text)).await?;
        assert_eq!(blob, Some(text.as_bytes().to_vec()));
    }
    assert!(database.store().await?.verify().await?.is_sound());
    store.delete_project(&other.id).await?;
    for text in ["header", "both", "own"] {
        assert_eq!(store.blob(&ContentHash::of(text)).await?, None, "{text}");
    }
    Ok(())
}

async fn a_block_that_is_named_and_not_there_is_told(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let (row, contents) = showing("rcp_1", &project.id, &["one", "two", "one"]);
    store.put_receipt(&row, &contents).await?;
    database.execute("DELETE FROM blobs").await?;
    let facts = database.store().await?.verify().await?;
    assert_eq!((facts.blobs.missing, facts.is_sound()), (2, false));
    Ok(())
}

stories![
    a_block_stays_while_a_receipt_of_any_project_shows_it,
    a_block_that_is_named_and_not_there_is_told,
    bytes_come_back_as_they_were,
    large_content_lies_beside_sqlite_and_in_postgres,
    a_blob_goes_with_its_last_user,
    a_block_of_a_receipt_outlives_the_file_it_came_from,
];
