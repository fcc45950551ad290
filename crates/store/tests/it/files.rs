//! Files of a project.

use crate::database::Database;
use crate::sample::{at, file, file_chunks, file_id, matching, project, terms, whole_file};
use anyhow::Result;
use dossier_core::chunk::{Draft, Place};
use dossier_store::{FileMetadata, FileRecord, FileStat, OwnerStore, Project, StoreError};

async fn a_file_is_read_back_with_its_content(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let files = ["z.txt", "a b/Ä.txt", "Z.txt"].map(|path| whole_file(&project, path, "one\ntwo"));
    store.put_files(&files).await?;
    let [z, umlaut, upper] = files.map(|(file, ..)| file);
    assert_eq!(store.files(&project.id).await?, vec![upper, umlaut.clone(), z.clone()]);
    assert_eq!(store.file(&z.id).await?, Some(z.clone()));
    assert_eq!(store.file_at(&project.id, "a b/Ä.txt").await?, Some(umlaut));
    assert_eq!(store.file_content(&z.id).await?.as_deref(), Some("one\ntwo"));
    Ok(())
}

async fn a_file_put_again_replaces_its_content_and_chunks(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    put(&store, &project, "a.txt", "alpha\nbeta").await?;
    let before = database.row_counts().await?;
    put(&store, &project, "a.txt", "beta\ngamma").await?;
    assert_eq!(found(&store, &project, "alpha beta gamma").await?, ["beta", "gamma"]);
    assert_eq!(store.file_content(&file_id("a.txt")).await?.as_deref(), Some("beta\ngamma"));
    assert_eq!(database.row_counts().await?, before);
    Ok(())
}

async fn a_path_taken_by_a_new_id_is_that_of_the_new_file(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    put(&store, &project, "a.txt", "alpha").await?;
    let newer = FileRecord { id: "fil_newer".into(), ..file(&project, "a.txt", "beta") };
    store.put_file(&newer, "beta", &file_chunks(&newer, "beta")).await?;
    assert_eq!(store.files(&project.id).await?, vec![newer]);
    assert_eq!(found(&store, &project, "alpha beta").await?, ["beta"]);
    Ok(())
}

async fn touching_a_file_changes_size_and_time_only(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let file = put(&store, &project, "a.txt", "alpha").await?;
    store.touch_files(&[FileStat { id: file.id.clone(), size: 9, modified_ns: None }]).await?;
    let expected = FileRecord { size: 9, modified_ns: None, ..file };
    assert_eq!(store.files(&project.id).await?, vec![expected]);
    assert_eq!(found(&store, &project, "alpha").await?, ["alpha"]);
    Ok(())
}

async fn metadata_of_a_file_can_be_set(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let file = put(&store, &project, "a.txt", "alpha").await?;
    let metadata = FileMetadata {
        always_in_context: true,
        retrieval_eligible: false,
        tool_accessible: false,
        tags: vec!["x".to_owned()],
        summary: Some("short".to_owned()),
        places: vec![Place { line: 3, label: "page 2".to_owned() }],
    };
    store.set_file_metadata(&file.id, &metadata, at(50)).await?;
    let expected = FileRecord { metadata, updated_at: at(50), ..file };
    assert_eq!(store.files(&project.id).await?, vec![expected]);
    Ok(())
}

async fn deleting_files_counts_those_that_were_there(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let before = database.row_counts().await?;
    put(&store, &project, "a.txt", "alpha").await?;
    put(&store, &project, "b.txt", "alpha").await?;
    let ids = [file_id("a.txt"), file_id("b.txt"), file_id("c.txt")];
    assert_eq!(store.delete_files(&project.id, &ids).await?, 2);
    assert_eq!(store.files(&project.id).await?, vec![]);
    assert_eq!(database.row_counts().await?, before);
    Ok(())
}

async fn a_content_that_is_not_what_its_hash_says_is_refused(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let file = file(&project, "a.txt", "alpha");
    let error = store.put_file(&file, "beta", &[]).await.unwrap_err();
    assert_eq!(error.to_string(), "content: is not what its hash says");
    assert_eq!(store.files(&project.id).await?, vec![]);
    Ok(())
}

async fn a_batch_is_written_whole_or_not_at_all(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let before = database.row_counts().await?;
    let twice = [whole_file(&project, "a.txt", "alpha"), whole_file(&project, "a.txt", "beta")];
    let error = store.put_files(&twice).await.unwrap_err();
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    assert_eq!(database.row_counts().await?, before);
    Ok(())
}

async fn a_file_of_a_missing_project_is_refused(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let file = file(&project("none"), "a.txt", "alpha");
    let error = store.put_file(&file, "alpha", &[]).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
    Ok(())
}

async fn put(
    store: &OwnerStore,
    project: &Project,
    path: &str,
    content: &str,
) -> Result<FileRecord> {
    let (file, content, chunks): (FileRecord, String, Vec<Draft>) =
        whole_file(project, path, content);
    store.put_file(&file, &content, &chunks).await?;
    Ok(file)
}

/// The contents of the chunks that hold one of the words.
async fn found(store: &OwnerStore, project: &Project, words: &str) -> Result<Vec<String>> {
    let ids = matching(store, &project.id, &terms(words)).await?;
    let chunks = store.chunks(&ids).await?;
    Ok(chunks.iter().map(|chunk| chunk.content.clone()).collect())
}

stories![
    a_file_is_read_back_with_its_content,
    a_file_put_again_replaces_its_content_and_chunks,
    a_path_taken_by_a_new_id_is_that_of_the_new_file,
    touching_a_file_changes_size_and_time_only,
    metadata_of_a_file_can_be_set,
    deleting_files_counts_those_that_were_there,
    a_content_that_is_not_what_its_hash_says_is_refused,
    a_batch_is_written_whole_or_not_at_all,
    a_file_of_a_missing_project_is_refused,
];
