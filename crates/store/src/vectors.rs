//! Vectors of chunks, keyed by owner, model and the hash of the words. Equal words share their
//! vectors, and vectors go with the owner's last chunk of those words.

use crate::chunks::read;
use crate::error::StoreError;
use crate::insert::Insert;
use crate::row::{Columns, text_list};
use crate::store::{Backend, DatabaseKind, OwnerStore};
use crate::write::Write;
use crate::{postgres, sqlite};
use dossier_core::chunk::Chunk;
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, OwnerId, ProjectId};
use dossier_core::vector::Quantised;
use sqlx::AssertSqlSafe;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// How much of a project has its vectors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    pub chunks: u64,
    pub with_vectors: u64,
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
        let mut write = self.write().await?;
        let wanted = used(&mut write, vectors.iter().map(|(hash, _)| hash.as_str())).await?;
        let rows: Vec<(&str, i64, &Quantised)> = vectors
            .iter()
            .filter(|(hash, _)| wanted.contains(hash.as_str()))
            .flat_map(|(hash, vectors)| {
                (0..).zip(vectors).map(|(ordinal, vector)| (hash.as_str(), ordinal, vector))
            })
            .collect();
        let (into, row) = match write.kind() {
            DatabaseKind::Sqlite => (
                "INSERT INTO vectors (owner, model, content_hash, ordinal, dimension, quantised)",
                "(?, ?, ?, ?, ?, ?)",
            ),
            DatabaseKind::Postgres => (
                "INSERT INTO vectors
                     (owner, model, content_hash, ordinal, dimension, quantised, embedding)",
                "(?, ?, ?, ?, ?, ?, CAST(? AS vector))",
            ),
        };
        let kind = write.kind();
        Insert { into, row, then: "ON CONFLICT DO NOTHING" }
            .run(write.connection(), &rows, |query, (hash, ordinal, vector)| {
                let query = query
                    .bind(self.owner.as_str())
                    .bind(model)
                    .bind(*hash)
                    .bind(*ordinal)
                    .bind(vector.dimension() as i64)
                    .bind(vector.to_bytes());
                match kind {
                    DatabaseKind::Sqlite => query,
                    DatabaseKind::Postgres => query.bind(postgres::literal(vector)),
                }
            })
            .await?;
        write.commit().await
    }

    /// Chunks whose words have no vectors yet, one for each wording, the longest waiting first.
    pub async fn pending_vectors(
        &self,
        project: &ProjectId,
        model: &str,
        limit: usize,
    ) -> Result<Vec<Arc<Chunk>>, StoreError> {
        let space = self.space(project, model);
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT * FROM content_chunks
             WHERE owner = $1 AND project_id = $2 AND id > $4 AND NOT {HAS_VECTORS}
             ORDER BY id LIMIT $5"
        )))
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(model)
        .bind(self.inner.progress.covered(&space))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let mut wordings = BTreeSet::new();
        let mut pending = Vec::with_capacity(rows.len());
        for row in &rows {
            if wordings.insert(row.text::<String>("content_hash")?) {
                pending.push(Arc::new(read(row)?));
            }
        }
        if let Some(first) = pending.first() {
            self.inner.progress.advance(space, first.id.0 - 1);
        }
        Ok(pending)
    }

    /// How many of the project's chunks have vectors of this model.
    pub async fn coverage(&self, project: &ProjectId, model: &str) -> Result<Coverage, StoreError> {
        let space = self.space(project, model);
        let with_vectors = match &self.inner.backend {
            Backend::Sqlite(local) => sqlite::with_vectors(&self.inner.pool, local, &space).await?,
            Backend::Postgres => {
                postgres::with_vectors(&mut *self.connection().await?, &space).await?
            }
        };
        let chunks = self.statistics(project, &[]).await?.documents;
        Ok(Coverage { chunks, with_vectors })
    }

    /// The project's chunks most like the query, best first; a chunk is as like as its best
    /// vector. Chunks that tie with the last are all included, so the cut falls the same in every
    /// store; equal ones stand by id and are to be ordered by their place.
    pub async fn nearest(
        &self,
        project: &ProjectId,
        model: &str,
        query: &Quantised,
        limit: usize,
    ) -> Result<Vec<(ChunkId, f32)>, StoreError> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let space = self.space(project, model);
        match &self.inner.backend {
            Backend::Sqlite(local) => {
                sqlite::nearest(&self.inner.pool, local, &space, query, limit).await
            }
            Backend::Postgres => postgres::nearest(&self.inner.pool, &space, query, limit).await,
        }
    }

    /// How like the query each of the chunks is; `None` for one without vectors.
    pub async fn similarities(
        &self,
        project: &ProjectId,
        model: &str,
        query: &Quantised,
        chunks: &[ChunkId],
    ) -> Result<Vec<Option<f32>>, StoreError> {
        let space = self.space(project, model);
        match &self.inner.backend {
            Backend::Sqlite(local) => {
                sqlite::similarities(&self.inner.pool, local, &space, query, chunks).await
            }
            Backend::Postgres => {
                let connection = &mut *self.connection().await?;
                postgres::similarities(connection, &space, query, chunks).await
            }
        }
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
    let rows = sqlx::query(AssertSqlSafe(format!(
        "SELECT DISTINCT content_hash FROM content_chunks
         WHERE owner = $1 AND {list}"
    )))
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
    sqlx::query(AssertSqlSafe(format!(
        "DELETE FROM vectors WHERE owner = $1 AND {list} AND NOT EXISTS (
             SELECT 1 FROM content_chunks WHERE content_chunks.owner = $1
                 AND content_chunks.content_hash = vectors.content_hash)"
    )))
    .bind(owner.as_str())
    .bind(loose)
    .execute(write.connection())
    .await?;
    match write.kind() {
        DatabaseKind::Sqlite => sqlite::shorten_log(write.connection()).await,
        DatabaseKind::Postgres => Ok(()),
    }
}

/// Keeps the higher of a chunk's similarities.
pub(crate) fn raise(best: &mut HashMap<ChunkId, f32>, chunk: ChunkId, similarity: f32) {
    let entry = best.entry(chunk).or_insert(similarity);
    *entry = entry.max(similarity);
}

/// The best `limit` chunks, best first, and all that tie with the last of them.
pub(crate) fn cut(mut found: Vec<(ChunkId, f32)>, limit: usize) -> Vec<(ChunkId, f32)> {
    found.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    if let Some((_, last)) = limit.checked_sub(1).and_then(|last| found.get(last).copied()) {
        let end = found.partition_point(|(_, similarity)| *similarity >= last);
        found.truncate(end);
    }
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
