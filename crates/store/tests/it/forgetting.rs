//! Deleting leaves nothing behind.

use crate::database::Database;
use crate::isolation::fill;
use crate::sample::{MODEL, at, file_id, message, nearest, project, thread, vector};
use anyhow::Result;
use serde_json::json;

async fn deleting_a_project_leaves_the_store_as_before_it(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.set_config("key", &json!(1), at(1)).await?;
    let mut before = database.row_counts().await?;
    fill(&store).await?;
    assert_ne!(database.row_counts().await?, before);
    // Loads the index in memory, so that it too has something to forget.
    let project = project("p");
    assert_eq!(nearest(&store, &project.id, MODEL, &vector("secret"), 9).await?.len(), 2);
    assert!(store.delete_project(&project.id).await?);
    for outside in [
        "sessions",
        "model_metadata",
        "jobs",
        "access_tokens",
        "kept_replies",
        "token_factors",
        "personality_presets",
        "preset_figures",
        "preset_feedback",
        "hosted_things",
    ] {
        before.insert(outside.to_owned(), 1);
    }
    // The numbers of the chunks that went are kept for the indexes of other processes.
    before.insert("vector_log".to_owned(), 2);
    assert_eq!(database.row_counts().await?, before);
    assert_eq!(nearest(&store, &project.id, MODEL, &vector("secret"), 9).await?, []);
    Ok(())
}

async fn deleting_part_by_part_leaves_an_empty_project(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let project = project("p");
    let thread = thread("t", &project);
    store.delete_message(&message(&thread.id, 0, "").id, &[], at(9)).await?;
    assert!(store.delete_thread(&thread.id).await?);
    assert_eq!(store.delete_files(&project.id, &[file_id("a.txt")]).await?, 1);
    let counts = database.row_counts().await?;
    let kept: Vec<&str> = counts
        .iter()
        .filter(|(table, count)| **count > 0 && *table != "vector_log")
        .map(|(table, _)| table.as_str())
        .collect();
    let expected = [
        "access_tokens",
        "blobs",
        "cas_refs",
        "config",
        "fact_changes",
        "format",
        "hosted_things",
        "jobs",
        "kept_replies",
        "model_metadata",
        "owners",
        "personality_presets",
        "preset_feedback",
        "preset_figures",
        "project_statistics",
        "projects",
        "sessions",
        "token_factors",
    ];
    assert_eq!(kept, expected);
    Ok(())
}

async fn what_was_acknowledged_is_there_for_the_next_to_open(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    // Neither closed nor dropped: nothing may hang on a tidy end.
    let next = database.owner().await?;
    assert_eq!(next.projects().await?, [project("p")]);
    assert_eq!(next.file_content(&file_id("a.txt")).await?.as_deref(), Some("secret plan"));
    let found = nearest(&next, &project("p").id, MODEL, &vector("secret"), 9).await?;
    assert_eq!(found.len(), 2);
    Ok(())
}

stories![
    deleting_a_project_leaves_the_store_as_before_it,
    deleting_part_by_part_leaves_an_empty_project,
    what_was_acknowledged_is_there_for_the_next_to_open,
];
