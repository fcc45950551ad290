//! Indexes in memory, one for each model and project, shared by all handles of a store, over both
//! databases. Before each search an index catches up with the database: chunks and vectors added
//! since, by their numbers, and chunks removed since, by the log. So it sees what other processes
//! wrote, too.
//!
//! An owner's rows are numbered in the order in which they are committed, since an owner has one
//! writer at a time. How far the numbers have come stands in the owner's row, which every writing
//! transaction brings up to date; rows with higher numbers are not read, so that an index is never
//! ahead of what it says it has seen.

use super::index::{Place, Seen, VectorIndex};
use super::{LOG_LENGTH, Space, segments};
use crate::error::StoreError;
use crate::row::Row;
use crate::sql::{self, Connection};
use crate::store::{DatabaseKind, Inner};
use dossier_core::id::ChunkId;
use dossier_core::vector::Quantised;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// Numbers of chunks that are read in one row: reading a row costs more than what stands in it.
pub(super) const TOGETHER: i64 = 4096;

/// Rows that are read at once, so that the vectors of a large project are never all in memory.
const PAGE: i64 = 4 * TOGETHER;

/// The most indexes that a process keeps; the one that was used longest ago goes first.
const MOST_LOADED: usize = 32;

/// The indexes a process has loaded.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    loaded: Mutex<Loaded>,
}

#[derive(Debug, Default)]
struct Loaded {
    /// Each with the moment of its last use.
    indexes: BTreeMap<Space, (u64, Arc<tokio::sync::Mutex<VectorIndex>>)>,
    moment: u64,
}

impl Loaded {
    fn index(&mut self, space: &Space) -> Arc<tokio::sync::Mutex<VectorIndex>> {
        self.moment += 1;
        let (used, index) = self.indexes.entry(space.clone()).or_default();
        *used = self.moment;
        let index = Arc::clone(index);
        if self.indexes.len() > MOST_LOADED {
            let oldest = self.indexes.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(oldest) = oldest.map(|(space, _)| space.clone()) {
                self.indexes.remove(&oldest);
            }
        }
        index
    }
}

impl Indexes {
    /// The index as the database stands now.
    pub(super) async fn current(
        &self,
        inner: &Inner,
        space: &Space,
    ) -> Result<OwnedMutexGuard<VectorIndex>, StoreError> {
        let index = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).index(space);
        let mut index = index.lock_owned().await;
        let now = newest(&mut *inner.pool.acquire().await?, space).await?;
        if now == index.seen {
            return Ok(index);
        }
        // One snapshot for all that is read: else the log may be cut, or segments be packed, between
        // asking how far to read and reading.
        let snapshot = match index.seen.is_shortly_before(now) {
            true => inner.pool.acquire().await?,
            false => inner.pool.apart().await?,
        };
        let mut snapshot = snapshot.begin(inner.kind().snapshot()).await?;
        let connection = &mut *snapshot;
        let now = newest(connection, space).await?;
        // What is interrupted on the way leaves an empty index behind, which is loaded anew.
        let mut behind = std::mem::take(&mut *index);
        if now.removals - behind.seen.removals >= LOG_LENGTH || behind.seen == Seen::default() {
            behind = VectorIndex::default();
            segments::load(connection, space, now, &mut behind).await?;
        }
        catch_up(connection, space, now, &mut behind).await?;
        if behind.has_shrunk() {
            // What is found must not depend on what was there before.
            behind = VectorIndex::default();
            catch_up(connection, space, now, &mut behind).await?;
        }
        behind.settle();
        behind.seen = now;
        *index = behind;
        Ok(index)
    }
}

/// How far the owner's changes have come.
pub(super) async fn newest(connection: &mut Connection, space: &Space) -> Result<Seen, StoreError> {
    let row = sql::query(
        "SELECT revision, newest_chunk, newest_vector, removals FROM owners WHERE id = $1",
    )
    .bind(space.owner.as_str())
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(Seen::default()) };
    Ok(Seen {
        revision: row.number("revision")?,
        chunk: row.number("newest_chunk")?,
        vector: row.number("newest_vector")?,
        removals: row.number("removals")?,
    })
}

async fn catch_up(
    connection: &mut Connection,
    space: &Space,
    now: Seen,
    index: &mut VectorIndex,
) -> Result<(), StoreError> {
    let removed = removed(connection, space, index.seen.removals, now.removals).await?;
    index.remove(&removed);
    let seen = index.seen;
    let mut from = seen.chunk;
    while from < now.chunk {
        let to = end_of_page(connection, space, from, now.chunk).await?;
        add(connection, space, (Source::NewChunks, now.vector), (from, to), index).await?;
        from = to;
    }
    // Of an index that knew no chunks, all vectors came with them.
    let mut from = if seen.chunk == 0 { now.vector } else { seen.vector };
    while from < now.vector {
        let to = now.vector.min(from + PAGE);
        add(connection, space, (Source::NewVectors, seen.chunk), (from, to), index).await?;
        from = to;
    }
    Ok(())
}

/// Where an index is read from.
#[derive(Clone, Copy)]
enum Source {
    /// New chunks with whatever vectors they have, up to the newest one `$6`.
    NewChunks,
    /// New vectors of chunks known before, up to `$6`.
    NewVectors,
}

impl Source {
    /// For each row of one table those of the other are looked up by their hash. PostgreSQL, which
    /// may not have counted the rows yet, is kept from any other way by the offset of nothing.
    fn sql(self, kind: DatabaseKind) -> &'static str {
        match (self, kind) {
            (Self::NewChunks, DatabaseKind::Sqlite) => {
                "content_chunks c CROSS JOIN vectors v
                 WHERE c.owner = $1 AND c.project_id = $2 AND c.id > $4 AND c.id <= $5
                     AND v.owner = c.owner AND v.content_hash = c.content_hash AND v.model = $3
                     AND v.id <= $6"
            }
            (Self::NewChunks, DatabaseKind::Postgres) => {
                "content_chunks c CROSS JOIN LATERAL (
                     SELECT * FROM vectors WHERE owner = c.owner
                         AND content_hash = c.content_hash AND model = $3 OFFSET 0) v
                 WHERE c.owner = $1 AND c.project_id = $2 AND c.id > $4 AND c.id <= $5
                     AND v.id <= $6"
            }
            (Self::NewVectors, DatabaseKind::Sqlite) => {
                "vectors v CROSS JOIN content_chunks c
                 WHERE v.id > $4 AND v.id <= $5 AND v.owner = $1 AND v.model = $3
                     AND c.owner = v.owner AND c.content_hash = v.content_hash
                     AND c.project_id = $2 AND c.id <= $6"
            }
            (Self::NewVectors, DatabaseKind::Postgres) => {
                "vectors v CROSS JOIN LATERAL (
                     SELECT id, project_id FROM content_chunks WHERE owner = v.owner
                         AND content_hash = v.content_hash OFFSET 0) c
                 WHERE v.id > $4 AND v.id <= $5 AND v.owner = $1 AND v.model = $3
                     AND c.project_id = $2 AND c.id <= $6"
            }
        }
    }
}

/// Up to which chunk a page of the project's chunks reaches. Those of others do not count, however
/// many there are between.
async fn end_of_page(
    connection: &mut Connection,
    space: &Space,
    from: i64,
    to: i64,
) -> Result<i64, StoreError> {
    let row = sql::query(
        "SELECT id FROM content_chunks WHERE owner = $1 AND project_id = $2 AND id > $3 AND id <= $4
         ORDER BY id LIMIT 1 OFFSET $5",
    )
    .bind(space.owner.as_str())
    .bind(space.project.as_str())
    .bind(from)
    .bind(to)
    .bind(PAGE)
    .fetch_optional(connection)
    .await?;
    row.map_or(Ok(to), |row| row.number("id"))
}

/// Adds what the source has between two numbers.
async fn add(
    connection: &mut Connection,
    space: &Space,
    (source, newest): (Source, i64),
    (from, to): (i64, i64),
    index: &mut VectorIndex,
) -> Result<(), StoreError> {
    let kind = connection.kind();
    let sql = format!(
        "SELECT v.dimension AS dimension, {}, {}
         FROM {} GROUP BY v.dimension, c.id / {TOGETHER}",
        packed_columns(kind),
        list(kind, "c.id", "chunks"),
        source.sql(kind)
    );
    let rows = sql::composed(sql)
        .bind(space.owner.as_str())
        .bind(space.project.as_str())
        .bind(space.model.as_str())
        .bind(from)
        .bind(to)
        .bind(newest)
        .fetch_all(connection)
        .await?;
    for row in &rows {
        let dimension = usize::try_from(row.number("dimension")?)
            .map_err(|error| StoreError::unreadable("dimension", error))?;
        let chunks = numbers(row.get_as("chunks")?);
        for (chunk, (row, vectors)) in chunks.into_iter().zip(unpacked(row, dimension)?) {
            index.add(Place { chunk: ChunkId(chunk), row }, dimension, vectors);
        }
    }
    Ok(())
}

/// Chunks of the project that went between two numbers of the log.
pub(super) async fn removed(
    connection: &mut Connection,
    space: &Space,
    since: i64,
    now: i64,
) -> Result<HashSet<ChunkId>, StoreError> {
    if since >= now {
        return Ok(HashSet::new());
    }
    let rows = sql::query(
        "SELECT chunk_id FROM vector_log
         WHERE owner = $1 AND number > $2 AND number <= $3 AND project_id = $4",
    )
    .bind(space.owner.as_str())
    .bind(since)
    .bind(now)
    .bind(space.project.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| row.number("chunk_id").map(ChunkId)).collect()
}

/// The columns that hold the rows of `vectors v` as one row.
pub(super) fn packed_columns(kind: DatabaseKind) -> String {
    let packed = match kind {
        DatabaseKind::Sqlite => "CAST(group_concat(v.quantised, '') AS BLOB)",
        DatabaseKind::Postgres => "string_agg(v.quantised, CAST('' AS BYTEA))",
    };
    let rows = list(kind, "v.id", "rows");
    let sizes = list(kind, "length(v.quantised)", "sizes");
    format!("{rows}, {sizes}, {packed} AS packed")
}

/// A column that lists the numbers of many rows.
pub(super) fn list(kind: DatabaseKind, number: &str, name: &str) -> String {
    match kind {
        DatabaseKind::Sqlite => format!("group_concat({number}) AS {name}"),
        DatabaseKind::Postgres => format!("string_agg(CAST({number} AS TEXT), ',') AS {name}"),
    }
}

/// The rows that `packed_columns` has packed, each with its number and its vectors.
pub(super) fn unpacked(
    row: &Row,
    dimension: usize,
) -> Result<Vec<(i64, Vec<Quantised>)>, StoreError> {
    let Ok(rows) = row.get_as::<&str>("rows") else { return Ok(Vec::new()) };
    let sizes = numbers(row.get_as("sizes")?);
    let mut packed: &[u8] = row.get_as("packed")?;
    let mut vectors = Vec::with_capacity(sizes.len());
    for (number, size) in numbers(rows).into_iter().zip(sizes) {
        let size = usize::try_from(size).unwrap_or(0).min(packed.len());
        let (own, rest) = packed.split_at(size);
        packed = rest;
        let own = own.chunks_exact(dimension + Quantised::HEAD);
        vectors.push((number, own.filter_map(Quantised::from_bytes).collect()));
    }
    Ok(vectors)
}

pub(super) fn numbers(list: &str) -> Vec<i64> {
    list.split(',').filter_map(|number| number.parse().ok()).collect()
}
