//! Content stored once by its hash.

use crate::database::Database;
use crate::sample::{at, project, whole_file};
use anyhow::Result;
use dossier_core::hash::ContentHash;
use dossier_core::id::OwnerId;
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

stories![
    bytes_come_back_as_they_were,
    large_content_lies_beside_sqlite_and_in_postgres,
    a_blob_goes_with_its_last_user,
    a_block_of_a_receipt_outlives_the_file_it_came_from,
];
