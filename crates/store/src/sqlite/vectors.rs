//! Nearest vectors from indexes in memory, one for each model and project, shared by all handles
//! of a store. Before each search an index catches up with the database: chunks and vectors added
//! since, by their numbers, and chunks removed since, by the log. So it sees what other processes
//! wrote, too.

use super::Local;
use super::index::{Seen, VectorIndex};
use crate::error::StoreError;
use crate::row::Columns;
use crate::vectors::Space;
use dossier_core::id::ChunkId;
use dossier_core::vector::Quantised;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe};
use std::collections::HashSet;
use std::sync::{Arc, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// Numbers of chunks that are read in one row.
const PACKED_TOGETHER: i64 = 4096;

/// How many removals the log keeps.
const LOG_LENGTH: i64 = 100_000;

/// An index of more chunks is scanned on a thread of its own, since others wait for this one.
const QUICK: usize = 5_000;

pub(crate) async fn nearest(
    pool: &AnyPool,
    local: &Local,
    space: &Space,
    query: &Quantised,
    limit: usize,
) -> Result<Vec<(ChunkId, f32)>, StoreError> {
    let index = current(pool, local, space).await?;
    if index.len() <= QUICK {
        return Ok(index.nearest(query, limit));
    }
    let query = query.clone();
    tokio::task::spawn_blocking(move || index.nearest(&query, limit))
        .await
        .map_err(|error| StoreError::Other(Box::new(error)))
}

pub(crate) async fn similarities(
    pool: &AnyPool,
    local: &Local,
    space: &Space,
    query: &Quantised,
    chunks: &[ChunkId],
) -> Result<Vec<Option<f32>>, StoreError> {
    Ok(current(pool, local, space).await?.similarities(query, chunks))
}

/// How many of the project's chunks have vectors.
pub(crate) async fn with_vectors(
    pool: &AnyPool,
    local: &Local,
    space: &Space,
) -> Result<u64, StoreError> {
    Ok(current(pool, local, space).await?.len() as u64)
}

/// The index as the database stands now.
async fn current(
    pool: &AnyPool,
    local: &Local,
    space: &Space,
) -> Result<OwnedMutexGuard<VectorIndex>, StoreError> {
    let index = {
        let mut indexes = local.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(indexes.entry(space.clone()).or_default())
    };
    let mut index = index.lock_owned().await;
    let (now, _) = newest(&mut *pool.acquire().await?, index.seen.removal).await?;
    if now == index.seen {
        return Ok(index);
    }
    // One snapshot for all that is read.
    let mut transaction = pool.begin().await?;
    let (now, removals) = newest(&mut transaction, index.seen.removal).await?;
    // Some removals are missing when a project was deleted, for its part of the log goes along,
    // or when the log was cut short.
    if removals != now.removal - index.seen.removal {
        *index = VectorIndex::default();
    }
    catch_up(&mut transaction, space, &mut index).await?;
    index.seen = now;
    transaction.commit().await?;
    Ok(index)
}

/// The newest rows, and how many removals the log holds since the one given.
async fn newest(connection: &mut AnyConnection, since: i64) -> Result<(Seen, i64), StoreError> {
    let row = sqlx::query(
        "SELECT
             COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'content_chunks'), 0) AS chunk,
             COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'vectors'), 0) AS vector,
             COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'vector_log'), 0) AS removal,
             (SELECT COUNT(*) FROM vector_log WHERE seq > $1) AS removals",
    )
    .bind(since)
    .fetch_one(connection)
    .await?;
    let seen = Seen {
        chunk: row.number("chunk")?,
        vector: row.number("vector")?,
        removal: row.number("removal")?,
    };
    Ok((seen, row.number("removals")?))
}

/// Cuts the log to its newest rows. An index that has not seen the rest is loaded anew.
pub(crate) async fn shorten_log(connection: &mut AnyConnection) -> Result<(), StoreError> {
    sqlx::query(
        "DELETE FROM vector_log
         WHERE seq <= (SELECT seq FROM sqlite_sequence WHERE name = 'vector_log') - $1",
    )
    .bind(LOG_LENGTH)
    .execute(connection)
    .await?;
    Ok(())
}

async fn catch_up(
    connection: &mut AnyConnection,
    space: &Space,
    index: &mut VectorIndex,
) -> Result<(), StoreError> {
    let removed = sqlx::query(
        "SELECT chunk_id FROM vector_log WHERE owner = $1 AND project_id = $2 AND seq > $3",
    )
    .bind(space.owner.as_str())
    .bind(space.project.as_str())
    .bind(index.seen.removal)
    .fetch_all(&mut *connection)
    .await?;
    let removed = removed
        .iter()
        .map(|row| row.number("chunk_id").map(ChunkId))
        .collect::<Result<HashSet<_>, StoreError>>()?;
    index.remove(&removed);
    // New chunks with whatever vectors they have; then new vectors of chunks known before.
    let new_chunks = "content_chunks c CROSS JOIN vectors v
         WHERE c.owner = $1 AND c.project_id = $2 AND c.id > $4 AND $5 = $5
             AND v.owner = c.owner AND v.content_hash = c.content_hash AND v.model = $3";
    let new_vectors = "vectors v CROSS JOIN content_chunks c
         WHERE v.id > $5 AND v.owner = $1 AND v.model = $3 AND c.owner = v.owner
             AND c.content_hash = v.content_hash AND c.project_id = $2 AND c.id <= $4";
    for source in [new_chunks, new_vectors] {
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT group_concat(c.id) AS ids, group_concat(hex(v.quantised), '') AS packed
             FROM {source} GROUP BY v.dimension, c.id / {PACKED_TOGETHER}"
        )))
        .bind(space.owner.as_str())
        .bind(space.project.as_str())
        .bind(space.model.as_str())
        .bind(index.seen.chunk)
        .bind(index.seen.vector)
        .fetch_all(&mut *connection)
        .await?;
        for row in &rows {
            for (chunk, vector) in unpacked(row.get_as("ids")?, row.get_as("packed")?) {
                index.add(chunk, vector);
            }
        }
    }
    Ok(())
}

/// The vectors of many rows as one: reading a row costs more than what stands in it.
fn unpacked<'a>(ids: &'a str, packed: &'a str) -> impl Iterator<Item = (ChunkId, Quantised)> + 'a {
    let ids: Vec<ChunkId> = ids.split(',').filter_map(|id| id.parse().ok().map(ChunkId)).collect();
    let bytes: Vec<u8> = packed
        .as_bytes()
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => digit(*high) << 4 | digit(*low),
            _ => 0,
        })
        .collect();
    let size = (bytes.len() / ids.len().max(1)).max(1);
    let vectors: Vec<_> = bytes.chunks_exact(size).map(Quantised::from_bytes).collect();
    ids.into_iter().zip(vectors).filter_map(|(id, vector)| Some((id, vector?)))
}

/// The value of a hexadecimal digit as SQLite writes it.
fn digit(character: u8) -> u8 {
    match character {
        b'0'..=b'9' => character - b'0',
        _ => character.wrapping_sub(b'A').wrapping_add(10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_unpacked_with_their_chunks() {
        let vectors = [Quantised::of(&[0.6, -0.8]), Quantised::of(&[1.0, 0.0])];
        let packed: String = vectors
            .iter()
            .flat_map(Quantised::to_bytes)
            .map(|byte| format!("{byte:02X}"))
            .collect();
        let [first, second] = vectors;
        assert_eq!(
            unpacked("7,9", &packed).collect::<Vec<_>>(),
            [(ChunkId(7), first), (ChunkId(9), second)]
        );
    }
}
