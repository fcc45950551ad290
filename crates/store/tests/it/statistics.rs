//! Statistics equal a recount, whatever was written and deleted.

use crate::database::Database;
use crate::sample::{at, file_id, message, message_chunk, project, thread, whole_file};
use anyhow::Result;
use dossier_core::analyse::Profile;
use dossier_core::rank::{Statistics, Strength};
use dossier_store::{OwnerStore, Project};
use sqlx::Row;
use std::collections::BTreeMap;

/// Counts the rows themselves.
async fn recount(database: &Database, project: &Project) -> Result<Statistics> {
    let rows = sqlx::query("SELECT profile, words FROM content_chunks WHERE project_id = $1")
        .bind(project.id.as_str())
        .fetch_all(&mut database.raw().await?)
        .await?;
    let mut statistics = Statistics::default();
    for row in rows {
        let profile = Profile::decode(row.try_get("profile")?);
        statistics.documents += 1;
        statistics.total_length += u64::from(profile.length());
        for (term, counts) in profile.terms() {
            if Strength::of(&profile, counts) == Strength::Strong {
                *statistics.strong.entry(term.to_owned()).or_default() += 1;
            }
            *statistics.frequency.entry(term.to_owned()).or_default() += 1;
        }
    }
    Ok(statistics)
}

/// Reads every count that is stored, and compares it with the recount.
async fn check(database: &Database, store: &OwnerStore, project: &Project) -> Result<()> {
    let rows = sqlx::query("SELECT term FROM term_statistics WHERE project_id = $1")
        .bind(project.id.as_str())
        .fetch_all(&mut database.raw().await?)
        .await?;
    let terms = rows.iter().map(|row| row.try_get(0)).collect::<Result<Vec<String>, _>>()?;
    let stored = store.statistics(&project.id, &terms).await?;
    assert_eq!(stored, recount(database, project).await?);
    assert_eq!(stored.frequency.len(), terms.len());
    Ok(())
}

async fn statistics_are_exact_after_every_write(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (ours, theirs) = (project("ours"), project("theirs"));
    for project in [&ours, &theirs] {
        store.create_project(project).await?;
    }
    let mut other = whole_file(&theirs, "x.txt", "red green");
    other.0.id = "fil_x".into();
    for chunk in &mut other.2 {
        chunk.origin = dossier_core::chunk::Origin::File("fil_x".into());
    }
    store
        .put_files(&[
            whole_file(&ours, "a.txt", "red red green\nblue"),
            whole_file(&ours, "b.txt", "red blue"),
            other,
        ])
        .await?;
    check(&database, &store, &ours).await?;
    check(&database, &store, &theirs).await?;

    let (file, content, chunks) = whole_file(&ours, "a.txt", "green\nyellow");
    store.put_file(&file, &content, &chunks).await?;
    check(&database, &store, &ours).await?;

    let thread = thread("t", &ours);
    store.create_thread(&thread).await?;
    let messages = ["red wine", "green tea"].map(|text| text.to_owned());
    let messages: Vec<_> =
        (0..).zip(&messages).map(|(index, text)| message(&thread.id, index, text)).collect();
    let chunks = [message_chunk(&messages[0], ""), message_chunk(&messages[1], "red wine")];
    store.append_messages(&thread.id, &messages, &chunks).await?;
    check(&database, &store, &ours).await?;

    store.delete_message(&messages[0].id, &[message_chunk(&messages[1], "")], at(9)).await?;
    check(&database, &store, &ours).await?;
    store.delete_thread(&thread.id).await?;
    check(&database, &store, &ours).await?;
    store.delete_files(&ours.id, &[file_id("b.txt")]).await?;
    check(&database, &store, &ours).await?;
    check(&database, &store, &theirs).await?;

    let terms = ["green", "yellow", "red"].map(str::to_owned);
    let once = BTreeMap::from([("green".to_owned(), 1), ("yellow".to_owned(), 1)]);
    let expected =
        Statistics { documents: 2, total_length: 2, frequency: once.clone(), strong: once };
    assert_eq!(store.statistics(&ours.id, &terms).await?, expected);
    Ok(())
}

async fn a_missing_project_has_no_statistics(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let none = store.statistics(&project("none").id, &["a".to_owned()]).await?;
    assert_eq!(none, Statistics::default());
    Ok(())
}

stories![statistics_are_exact_after_every_write, a_missing_project_has_no_statistics];
