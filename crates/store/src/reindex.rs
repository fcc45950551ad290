//! Filling the index anew from the chunks, for all owners: what a change of its format and a
//! damaged index ask for.

use crate::error::StoreError;
use crate::search;
use crate::sql::{self, Connection};
use crate::statistics::{self, Changes};
use dossier_core::analyse::Profile;
use dossier_core::id::{OwnerId, ProjectId};
use std::collections::BTreeMap;

/// Chunks that are read at a time.
pub(crate) const PAGE: usize = 2_000;

/// What the index and the statistics are made from.
pub(crate) struct IndexedChunk {
    pub(crate) id: i64,
    pub(crate) owner: OwnerId,
    pub(crate) project: ProjectId,
    pub(crate) words: i64,
    pub(crate) profile: Profile,
}

/// The next chunks of all owners after this one, by their numbers; fewer than a page at the end.
pub(crate) async fn chunk_page(
    connection: &mut Connection,
    after: i64,
) -> Result<Vec<IndexedChunk>, StoreError> {
    let rows = sql::query(
        "SELECT id, owner, project_id, words, profile FROM content_chunks
         WHERE id > $1 ORDER BY id LIMIT $2",
    )
    .bind(after)
    .bind(PAGE as i64)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(IndexedChunk {
                id: row.number("id")?,
                owner: row.text("owner")?,
                project: row.text("project_id")?,
                words: row.number("words")?,
                profile: Profile::decode(row.text("profile")?),
            })
        })
        .collect()
}

/// Chunks of one project.
#[derive(Default)]
struct Chunks {
    profiles: Vec<(i64, Profile)>,
    changes: Changes,
}

/// Adds every chunk to an empty index and counts the terms anew. Returns the number of chunks.
pub(crate) async fn reindex(connection: &mut Connection) -> Result<u64, StoreError> {
    sql::script(
        "DELETE FROM term_statistics; DELETE FROM project_statistics;
         INSERT INTO project_statistics (owner, project_id, documents, words)
             SELECT owner, id, 0, 0 FROM projects;",
    )
    .execute(&mut *connection)
    .await?;
    let mut count = 0;
    let mut last = i64::MIN;
    loop {
        let page = chunk_page(connection, last).await?;
        let mut projects: BTreeMap<(OwnerId, ProjectId), Chunks> = BTreeMap::new();
        let read = page.len();
        for IndexedChunk { id, owner, project, words, profile } in page {
            last = id;
            let chunks = projects.entry((owner, project)).or_default();
            chunks.changes.add(words, &profile);
            chunks.profiles.push((id, profile));
        }
        for ((owner, project), chunks) in projects {
            let profiles: Vec<(i64, &Profile)> =
                chunks.profiles.iter().map(|(id, profile)| (*id, profile)).collect();
            search::index(&mut *connection, &owner, &project, &profiles).await?;
            statistics::apply(&mut *connection, &owner, &project, chunks.changes).await?;
        }
        count += read as u64;
        if read < PAGE {
            return Ok(count);
        }
    }
}
