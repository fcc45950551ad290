//! Several writers at once, in one process and in several.

use crate::database::Database;
use crate::sample::{matching, message, message_chunk, project, terms, thread, whole_file};
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_store::{Job, JobState};
use serde_json::json;
use std::collections::BTreeSet;

const WRITERS: usize = 4;
const ROUNDS: usize = 12;

async fn stores_that_write_at_once_lose_nothing(database: Database) -> Result<()> {
    let first = database.owner().await?;
    let project = project("a");
    first.create_project(&project).await?;
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (database, project) = (database.clone(), project.clone());
            tokio::spawn(async move {
                // A store of its own, as another process would have.
                let store = database.owner().await?;
                let thread = thread(&writer.to_string(), &project);
                store.create_thread(&thread).await?;
                for round in 0..ROUNDS {
                    let said = message(&thread.id, round as i64, "common words");
                    let chunk = message_chunk(&said, "");
                    store.append_messages(&thread.id, &[said], &[chunk]).await?;
                    // The same path for all: each replaces what another wrote.
                    let mut shared = whole_file(&project, "shared.txt", "common file");
                    shared.0.size = round as i64;
                    store.put_files(&[shared]).await?;
                    matching(&store, &project.id, &terms("common")).await?;
                }
                anyhow::Ok(())
            })
        })
        .collect();
    for writer in writers {
        writer.await??;
    }
    let expected = (WRITERS * ROUNDS + 1) as u64;
    let statistics = first.statistics(&project.id, &terms("common file")).await?;
    assert_eq!(statistics.documents, expected);
    assert_eq!(
        statistics.frequency,
        [("common".to_owned(), expected), ("file".to_owned(), 1)].into()
    );
    let found = matching(&first, &project.id, &terms("common")).await?;
    assert_eq!(found.len() as u64, expected);
    Ok(())
}

async fn no_two_workers_get_the_same_job(database: Database) -> Result<()> {
    let store = database.owner().await?;
    for number in 0..20 {
        let job = Job {
            id: format!("job_{number}").as_str().into(),
            kind: "embed".to_owned(),
            payload: json!({}),
            priority: 0,
            state: JobState::Queued,
            attempts: 0,
            max_attempts: 1,
            next_attempt_at: crate::sample::at(0),
            lease_until: None,
            error: None,
            created_at: crate::sample::at(0),
            tokens: 0,
            cost: None,
            completed_at: None,
        };
        store.enqueue(&job).await?;
    }
    let workers: Vec<_> = (0..WRITERS)
        .map(|_| {
            let database = database.clone();
            tokio::spawn(async move {
                let store = database.store().await?.owner(&OwnerId::local());
                let mut taken = Vec::new();
                while let Some(job) = store.lease(&["embed"], crate::sample::at(1), 1_000).await? {
                    taken.push(job.id);
                }
                anyhow::Ok(taken)
            })
        })
        .collect();
    let mut taken = Vec::new();
    for worker in workers {
        taken.extend(worker.await??);
    }
    assert_eq!(taken.len(), 20);
    assert_eq!(taken.iter().collect::<BTreeSet<_>>().len(), 20);
    Ok(())
}

stories![stores_that_write_at_once_lose_nothing, no_two_workers_get_the_same_job];
