//! Filling the index anew from the chunks, for all owners: what a change of its format and a
//! damaged index ask for.

use crate::error::StoreError;
use crate::row::Columns;
use crate::search;
use crate::statistics::{self, Changes};
use dossier_core::analyse::Profile;
use dossier_core::id::{OwnerId, ProjectId};
use sqlx::AnyConnection;
use std::collections::BTreeMap;

/// Chunks that are read at a time.
const BATCH: i64 = 2_000;

/// Chunks of one project.
#[derive(Default)]
struct Chunks {
    profiles: Vec<(i64, Profile)>,
    changes: Changes,
}

/// Adds every chunk to an empty index and counts the terms anew. Returns the number of chunks.
pub(crate) async fn reindex(connection: &mut AnyConnection) -> Result<u64, StoreError> {
    sqlx::raw_sql(
        "DELETE FROM term_statistics; DELETE FROM project_statistics;
         INSERT INTO project_statistics (owner, project_id, documents, words)
             SELECT owner, id, 0, 0 FROM projects;",
    )
    .execute(&mut *connection)
    .await?;
    let mut count = 0;
    let mut last = i64::MIN;
    loop {
        let rows = sqlx::query(
            "SELECT id, owner, project_id, words, profile FROM content_chunks
             WHERE id > $1 ORDER BY id LIMIT $2",
        )
        .bind(last)
        .bind(BATCH)
        .fetch_all(&mut *connection)
        .await?;
        let mut projects: BTreeMap<(OwnerId, ProjectId), Chunks> = BTreeMap::new();
        for row in &rows {
            last = row.number("id")?;
            let chunks = projects.entry((row.text("owner")?, row.text("project_id")?)).or_default();
            let profile = Profile::decode(row.text("profile")?);
            chunks.changes.add(row.number("words")?, &profile);
            chunks.profiles.push((last, profile));
        }
        for ((owner, project), chunks) in projects {
            let profiles: Vec<(i64, &Profile)> =
                chunks.profiles.iter().map(|(id, profile)| (*id, profile)).collect();
            search::index(&mut *connection, &owner, &project, &profiles).await?;
            statistics::apply(&mut *connection, &owner, &project, chunks.changes).await?;
        }
        count += rows.len() as u64;
        if (rows.len() as i64) < BATCH {
            return Ok(count);
        }
    }
}
