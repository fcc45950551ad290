//! Vectors of chunks, keyed by owner, model and the hash of the words. Equal words share their
//! vectors, and vectors go with the owner's last chunk of those words.

mod index;
mod load;
mod segments;

pub(crate) use load::Indexes;

use crate::chunks::{COLUMNS, read};
use crate::error::StoreError;
use crate::insert::Insert;
use crate::row::{text_list, to_json};
use crate::sql;
use crate::store::{DatabaseKind, OwnerStore};
use crate::write::Write;
use dossier_core::chunk::Chunk;
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, OwnerId, ProjectId};
use dossier_core::vector::Quantised;
use index::{Place, VectorIndex};
use load::{TOGETHER, list, numbers, packed_columns, unpacked};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// How many removals the log keeps. An index that has missed more is loaded anew.
pub(crate) const LOG_LENGTH: i64 = 100_000;

/// Whether a row's bytes are no whole number of vectors.
pub(crate) const MISSHAPEN: &str =
    "(LENGTH(quantised) = 0 OR LENGTH(quantised) % (dimension + 4) <> 0)";

/// In a large project so many vectors are read for each one that is wanted: those that are most
/// like the query by their signs. Of the 50 nearest that leaves out one in a hundred.
const READ_FOR_ONE: usize = 3;

/// How much of a project has its vectors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    pub chunks: u64,
    pub with_vectors: u64,
}

/// What a search by meaning has found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Alike {
    /// For each chunk its similarity to each topic; nothing when it has no vectors.
    pub chunks: Vec<(ChunkId, Vec<f32>)>,
    /// How many of the project's chunks have vectors.
    pub with_vectors: u64,
}

/// A chunk that waits for its vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingChunk {
    pub id: ChunkId,
    pub tokens: u64,
}

/// Which vectors a search compares with: those of one model in one project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Space {
    pub(crate) owner: OwnerId,
    pub(crate) project: ProjectId,
    pub(crate) model: String,
}

/// Whether a row of `content_chunks` has vectors of the model `$3`. The offset, of nothing, keeps
/// PostgreSQL from making a join of it, for which it would need to know the sizes of both tables.
const HAS_VECTORS: &str = "EXISTS (
    SELECT 1 FROM vectors WHERE vectors.owner = $1
        AND vectors.content_hash = content_chunks.content_hash AND vectors.model = $3
    LIMIT 1 OFFSET 0)";

/// Up to which chunk all have vectors, as far as this process has seen. It holds for good: chunks
/// keep their vectors as long as they exist, and newer chunks have higher numbers.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    covered: Mutex<BTreeMap<Space, i64>>,
}

impl Progress {
    fn covered(&self, space: &Space) -> i64 {
        let covered = self.covered.lock().unwrap_or_else(PoisonError::into_inner);
        covered.get(space).copied().unwrap_or(0)
    }

    /// Looks through all chunks again, when vectors were removed from under them.
    pub(crate) fn forget(&self) {
        self.covered.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn advance(&self, space: Space, chunk: i64) {
        let mut covered = self.covered.lock().unwrap_or_else(PoisonError::into_inner);
        let known = covered.entry(space).or_default();
        *known = chunk.max(*known);
    }
}

impl OwnerStore {
    /// Stores vectors of words that some chunk has. What is stored already stays as it is, and
    /// words that no chunk has any more are passed over.
    pub async fn put_vectors(
        &self,
        model: &str,
        vectors: &[(ContentHash, Vec<Quantised>)],
    ) -> Result<(), StoreError> {
        if vectors.iter().any(|(_, vectors)| vectors.is_empty()) {
            return Err(StoreError::invalid("vectors", "a chunk needs at least one"));
        }
        let equal = |(left, right): (&Quantised, &Quantised)| left.dimension() == right.dimension();
        if !vectors.iter().all(|(_, vectors)| vectors.iter().zip(&vectors[1..]).all(equal)) {
            return Err(StoreError::invalid("vectors", "those of a chunk have one dimension"));
        }
        let mut write = self.write().await?;
        let wanted = used(&mut write, vectors.iter().map(|(hash, _)| hash.as_str())).await?;
        let rows: Vec<&(ContentHash, Vec<Quantised>)> =
            vectors.iter().filter(|(hash, _)| wanted.contains(hash.as_str())).collect();
        Insert {
            into: "INSERT INTO vectors (owner, model, content_hash, dimension, quantised)",
            row: "(?, ?, ?, ?, ?)",
            then: "ON CONFLICT DO NOTHING",
        }
        .run(write.connection(), &rows, |query, (hash, vectors)| {
            query
                .bind(self.owner.as_str())
                .bind(model)
                .bind(hash.as_str())
                .bind(vectors.first().map_or(0, Quantised::dimension) as i64)
                .bind(vectors.iter().flat_map(Quantised::to_bytes).collect::<Vec<u8>>())
        })
        .await?;
        write.vectors_added = true;
        write.commit().await
    }

    /// Chunks whose words have no vectors yet, one for each wording, the longest waiting first.
    pub async fn pending_vectors(
        &self,
        project: &ProjectId,
        model: &str,
    ) -> Result<Vec<PendingChunk>, StoreError> {
        let space = self.space(project, model);
        let (ids, tokens) = (list(self.kind(), "id", "ids"), list(self.kind(), "tokens", "counts"));
        // Many in a row: a million rows of two numbers take more memory than all they say.
        let rows = sql::composed(format!(
            "SELECT {ids}, {tokens} FROM (
                 SELECT MIN(id) AS id, MAX(tokens) AS tokens FROM content_chunks
                 WHERE owner = $1 AND project_id = $2 AND id > $4 AND NOT {HAS_VECTORS}
                 GROUP BY content_hash) AS pending
             GROUP BY id / {TOGETHER}"
        ))
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(model)
        .bind(self.inner.progress.covered(&space))
        .slowly()
        .fetch_all(&mut *self.connection_apart().await?)
        .await?;
        let mut pending = Vec::new();
        for row in &rows {
            let (ids, tokens) = (numbers(row.get_as("ids")?), numbers(row.get_as("counts")?));
            let chunk = |(id, tokens): (i64, i64)| PendingChunk {
                id: ChunkId(id),
                tokens: tokens.unsigned_abs(),
            };
            pending.extend(ids.into_iter().zip(tokens).map(chunk));
        }
        pending.sort_by_key(|chunk| chunk.id);
        if let Some(first) = pending.first() {
            self.inner.progress.advance(space, first.id.0 - 1);
        }
        Ok(pending)
    }

    /// Those of the chunks that are there and whose words have no vectors yet.
    pub async fn still_pending(
        &self,
        model: &str,
        chunks: &[ChunkId],
    ) -> Result<Vec<Arc<Chunk>>, StoreError> {
        let connection = &mut *self.connection().await?;
        let own = self.kind().own_among("id", "owner", "$2");
        let rows = sql::composed(format!(
            "SELECT {COLUMNS} FROM content_chunks WHERE {own} AND NOT {HAS_VECTORS} ORDER BY id"
        ))
        .bind(self.owner.as_str())
        .bind(to_json(&chunks)?)
        .bind(model)
        .fetch_all(connection)
        .await?;
        rows.iter().map(|row| read(row).map(Arc::new)).collect()
    }

    /// How many of the project's chunks have vectors of this model.
    pub async fn coverage(&self, project: &ProjectId, model: &str) -> Result<Coverage, StoreError> {
        let space = self.space(project, model);
        let with_vectors = self.inner.indexes.current(&self.inner, &space).await?.chunks() as u64;
        let chunks = self.statistics(project, &[]).await?.documents;
        Ok(Coverage { chunks, with_vectors })
    }

    /// Reads what a search by meaning needs in which these chunks are asked for, so that it need
    /// not wait.
    pub async fn load_vectors(
        &self,
        project: &ProjectId,
        model: &str,
        chunks: &[ChunkId],
    ) -> Result<(), StoreError> {
        let space = self.space(project, model);
        let mut index = self.inner.indexes.current(&self.inner, &space).await?;
        if index.is_small() || chunks.is_empty() {
            return Ok(());
        }
        let dimensions: Vec<usize> = index.planes().map(|(dimension, _)| dimension).collect();
        for dimension in dimensions {
            let places = index.places(dimension, chunks);
            self.read_vectors(&mut index, dimension, &places).await?;
        }
        Ok(())
    }

    /// How like each topic the chunks are: those asked for, and for each topic the nearest, so many
    /// and all that tie with the last. A chunk is as like as its best vector. Chunks stand by id.
    pub async fn alike(
        &self,
        project: &ProjectId,
        model: &str,
        topics: &[Quantised],
        also: &[ChunkId],
        nearest: usize,
    ) -> Result<Alike, StoreError> {
        let space = self.space(project, model);
        let mut index = self.inner.indexes.current(&self.inner, &space).await?;
        let with_vectors = index.chunks() as u64;
        let read: Vec<Vec<(ChunkId, f32)>> = if index.is_small() {
            let all = |topic: &Quantised| index.similarities(topic);
            topics.iter().map(all).collect()
        } else {
            let dimension = topics.first().map_or(0, Quantised::dimension);
            let mut places = index.places(dimension, also);
            for topic in topics {
                places.extend(index.worth_reading(topic, nearest.saturating_mul(READ_FOR_ONE)));
            }
            self.read_vectors(&mut index, dimension, &places).await?;
            topics.iter().map(|topic| index.similarities_at(topic, &places)).collect()
        };
        drop(index);
        let mut wanted: BTreeSet<ChunkId> = also.iter().copied().collect();
        for similarities in &read {
            wanted.extend(cut(similarities.clone(), nearest).into_iter().map(|(chunk, _)| chunk));
        }
        let of = |chunk: &ChunkId| {
            let similarities = read.iter().filter_map(|read| {
                let place = read.binary_search_by_key(chunk, |(chunk, _)| *chunk).ok()?;
                Some(read[place].1)
            });
            (*chunk, similarities.collect())
        };
        Ok(Alike { chunks: wanted.iter().map(of).collect(), with_vectors })
    }

    /// Brings the vectors of these places into a large index.
    async fn read_vectors(
        &self,
        index: &mut VectorIndex,
        dimension: usize,
        places: &[Place],
    ) -> Result<(), StoreError> {
        let unread = index.unread(places);
        if unread.is_empty() {
            return Ok(());
        }
        let read = sql::composed(format!(
            "SELECT {} FROM vectors v WHERE v.dimension = $3 AND {}",
            packed_columns(self.kind()),
            self.kind().own_among("v.id", "v.owner", "$2")
        ))
        .bind(self.owner.as_str())
        .bind(to_json(&unread)?)
        .bind(dimension as i64)
        .fetch_one(&mut *self.connection().await?)
        .await?;
        index.keep(unpacked(&read, dimension)?);
        Ok(())
    }

    fn space(&self, project: &ProjectId, model: &str) -> Space {
        Space { owner: self.owner.clone(), project: project.clone(), model: model.to_owned() }
    }
}

/// Which of the hashes some chunk of the owner has.
async fn used<'a>(
    write: &mut Write,
    hashes: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<String>, StoreError> {
    let list = write.kind().text_among("content_hash", "$2");
    let owner = write.owner.clone();
    let rows = sql::composed(format!(
        "SELECT DISTINCT content_hash FROM content_chunks
         WHERE owner = $1 AND {list}"
    ))
    .bind(owner.as_str())
    .bind(text_list(hashes)?)
    .fetch_all(write.connection())
    .await?;
    rows.iter().map(|row| row.text("content_hash")).collect()
}

/// Removes the vectors of words that lost their last chunk.
pub(crate) async fn collect(write: &mut Write) -> Result<(), StoreError> {
    if write.loose_vectors.is_empty() {
        return Ok(());
    }
    let list = write.kind().text_among("content_hash", "$2");
    let owner = write.owner.clone();
    let loose = text_list(write.loose_vectors.iter().map(ContentHash::as_str))?;
    sql::composed(format!(
        "DELETE FROM vectors WHERE owner = $1 AND {list} AND NOT EXISTS (
             SELECT 1 FROM content_chunks WHERE content_chunks.owner = $1
                 AND content_chunks.content_hash = vectors.content_hash)"
    ))
    .bind(owner.as_str())
    .bind(loose)
    .slowly()
    .execute(write.connection())
    .await?;
    Ok(())
}

/// Numbers what was removed and tells how far the owner's changes have come, for indexes in memory
/// to catch up with. To be called while the vectors of what was removed are still there.
pub(crate) async fn note_changes(write: &mut Write) -> Result<(), StoreError> {
    if write.changes.is_empty() && write.removed.is_empty() && !write.vectors_added {
        return Ok(());
    }
    let owner = write.owner.clone();
    let removed: Vec<(String, ChunkId, String)> = write
        .removed
        .iter()
        .flat_map(|(project, chunks)| {
            chunks.iter().map(|(chunk, hash)| (project.to_string(), *chunk, hash.to_string()))
        })
        .collect();
    let [chunk, vector] = match write.kind() {
        DatabaseKind::Sqlite => [
            "(SELECT seq FROM sqlite_sequence WHERE name = 'content_chunks')",
            "(SELECT seq FROM sqlite_sequence WHERE name = 'vectors')",
        ],
        DatabaseKind::Postgres => [
            "pg_sequence_last_value(pg_get_serial_sequence('content_chunks', 'id'))",
            "pg_sequence_last_value(pg_get_serial_sequence('vectors', 'id'))",
        ],
    };
    let row = sql::composed(format!(
        "UPDATE owners SET revision = revision + 1, removals = removals + $2,
             newest_chunk = COALESCE({chunk}, 0), newest_vector = COALESCE({vector}, 0)
         WHERE id = $1 RETURNING removals"
    ))
    .bind(owner.as_str())
    .bind(removed.len() as i64)
    .fetch_one(write.connection())
    .await?;
    // Indexes that have missed so many are loaded anew, whatever the log says.
    if removed.is_empty() || removed.len() as i64 >= LOG_LENGTH {
        return Ok(());
    }
    let last = row.number("removals")?;
    let (number, entries) = match write.kind() {
        DatabaseKind::Sqlite => ("key + 1", "json_each($3)"),
        DatabaseKind::Postgres => (
            "number",
            "json_array_elements(CAST($3 AS json)) WITH ORDINALITY AS entry (value, number)",
        ),
    };
    sql::composed(format!(
        "INSERT INTO vector_log (owner, number, project_id, chunk_id)
         SELECT $1, $2 + {number}, value ->> 0, CAST(value ->> 1 AS BIGINT) FROM {entries}
         WHERE EXISTS (SELECT 1 FROM vectors
             WHERE vectors.owner = $1 AND vectors.content_hash = value ->> 2)"
    ))
    .bind(owner.as_str())
    .bind(last - removed.len() as i64)
    .bind(to_json(&removed)?)
    .execute(write.connection())
    .await?;
    sql::query("DELETE FROM vector_log WHERE owner = $1 AND number <= $2")
        .bind(owner.as_str())
        .bind(last - LOG_LENGTH)
        .execute(write.connection())
        .await?;
    Ok(())
}

/// The best `limit` chunks, best first, and all that tie with the last of them.
fn cut(mut found: Vec<(ChunkId, f32)>, limit: usize) -> Vec<(ChunkId, f32)> {
    let Some(last) = limit.checked_sub(1) else { return Vec::new() };
    if last < found.len() {
        let (_, (_, least), _) =
            found.select_nth_unstable_by(last, |left, right| right.1.total_cmp(&left.1));
        let least = *least;
        found.retain(|(_, similarity)| *similarity >= least);
    }
    found.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_keeps_all_that_tie_with_the_last() {
        let found =
            vec![(ChunkId(3), 0.5), (ChunkId(1), 0.5), (ChunkId(2), 0.9), (ChunkId(4), 0.1)];
        let expected = vec![(ChunkId(2), 0.9), (ChunkId(1), 0.5), (ChunkId(3), 0.5)];
        assert_eq!(cut(found.clone(), 2), expected);
        assert_eq!(cut(found, 3), expected);
    }
}
