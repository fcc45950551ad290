//! Nearest vectors by pgvector. Its operator chooses the candidates; the similarity that counts
//! is computed from the stored bytes, as it is for SQLite.

use crate::error::StoreError;
use crate::row::{Columns, to_json};
use crate::vectors::{Space, cut, raise};
use dossier_core::id::ChunkId;
use dossier_core::vector::Quantised;
use sqlx::{AnyConnection, AnyPool};
use std::collections::HashMap;

/// How much further than asked to look: pgvector rounds in another order than we do, so near the
/// cut its order and ours may differ, and chunks that tie with the last are wanted too.
const MARGIN: usize = 50;

/// A vector as pgvector reads it.
pub(crate) fn literal(vector: &Quantised) -> String {
    let values: Vec<String> = vector.to_floats().iter().map(f32::to_string).collect();
    format!("[{}]", values.join(","))
}

pub(crate) async fn nearest(
    pool: &AnyPool,
    space: &Space,
    query: &Quantised,
    limit: usize,
) -> Result<Vec<(ChunkId, f32)>, StoreError> {
    let mut transaction = pool.begin().await?;
    let mut wanted = limit.saturating_add(MARGIN);
    loop {
        let ids = candidates(&mut transaction, space, query, wanted).await?;
        let exhausted = ids.len() < wanted;
        let similarities = similarities(&mut transaction, space, query, &ids).await?;
        let found: Vec<(ChunkId, f32)> = ids
            .into_iter()
            .zip(similarities)
            .filter_map(|(id, similarity)| Some((id, similarity?)))
            .collect();
        let found_count = found.len();
        let best = cut(found, limit);
        // When even the margin ties with the last, more may.
        if exhausted || best.len() + MARGIN / 2 <= found_count {
            return Ok(best);
        }
        wanted = wanted.saturating_mul(4);
    }
}

/// How many of the project's chunks have vectors.
pub(crate) async fn with_vectors(
    connection: &mut AnyConnection,
    space: &Space,
) -> Result<u64, StoreError> {
    let row = sqlx::query(
        "SELECT COUNT(*) AS chunks FROM content_chunks
         WHERE owner = $1 AND project_id = $2 AND EXISTS (
             SELECT 1 FROM vectors WHERE vectors.owner = $1
                 AND vectors.content_hash = content_chunks.content_hash
                 AND vectors.model = $3)",
    )
    .bind(space.owner.as_str())
    .bind(space.project.as_str())
    .bind(space.model.as_str())
    .fetch_one(connection)
    .await?;
    Ok(row.number("chunks")?.unsigned_abs())
}

/// The offset, of nothing, makes PostgreSQL compute distances before it sorts: otherwise it
/// carries every vector through the sort.
async fn candidates(
    connection: &mut AnyConnection,
    space: &Space,
    query: &Quantised,
    limit: usize,
) -> Result<Vec<ChunkId>, StoreError> {
    let rows = sqlx::query(
        "SELECT id FROM (
             SELECT content_chunks.id AS id, embedding <#> CAST($5 AS vector) AS distance
             FROM content_chunks JOIN vectors
                 ON vectors.owner = content_chunks.owner
                 AND vectors.content_hash = content_chunks.content_hash
             WHERE content_chunks.owner = $1 AND project_id = $2 AND model = $3
                 AND dimension = $4
             OFFSET 0) AS pairs
         GROUP BY id ORDER BY MIN(distance), id LIMIT $6",
    )
    .bind(space.owner.as_str())
    .bind(space.project.as_str())
    .bind(space.model.as_str())
    .bind(query.dimension() as i64)
    .bind(literal(query))
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| row.number("id").map(ChunkId)).collect()
}

pub(crate) async fn similarities(
    connection: &mut AnyConnection,
    space: &Space,
    query: &Quantised,
    chunks: &[ChunkId],
) -> Result<Vec<Option<f32>>, StoreError> {
    let list = crate::DatabaseKind::Postgres.number_among("content_chunks.id", "$4");
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
        "SELECT content_chunks.id AS id, quantised
         FROM content_chunks JOIN vectors
             ON vectors.owner = content_chunks.owner
             AND vectors.content_hash = content_chunks.content_hash
         WHERE content_chunks.owner = $1 AND project_id = $2 AND model = $3
             AND {list}"
    )))
    .bind(space.owner.as_str())
    .bind(space.project.as_str())
    .bind(space.model.as_str())
    .bind(to_json(&chunks)?)
    .fetch_all(connection)
    .await?;
    let mut best = HashMap::new();
    for row in &rows {
        let bytes: &[u8] = row.get_as("quantised")?;
        if let Some(vector) = Quantised::from_bytes(bytes)
            && vector.dimension() == query.dimension()
        {
            raise(&mut best, ChunkId(row.number("id")?), vector.similarity(query));
        }
    }
    Ok(chunks.iter().map(|chunk| best.get(chunk).copied()).collect())
}
