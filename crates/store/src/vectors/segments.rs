//! Segments: the signs of a large project's vectors, packed by whoever embedded them, so that a
//! process that begins has not to read every vector. They are derived, and may be missing or
//! behind: what they do not hold is read from the vectors themselves.

use super::index::{Packed, Place, SMALL, Seen, VectorIndex};
use super::{LOG_LENGTH, Space};
use crate::error::StoreError;
use crate::sql::{self, Connection};
use crate::store::OwnerStore;
use dossier_core::id::{ChunkId, ProjectId};

/// Vectors in one segment at the most.
const SEGMENT: usize = 65_536;

/// Vectors outside segments that are worth a new one.
const WORTH_PACKING: usize = 8_192;

/// When so small a share of the packed vectors is still there, all are packed anew.
const WORN: f64 = 0.7;

/// Takes in what the segments hold, if they are of any use.
pub(super) async fn load(
    connection: &mut Connection,
    space: &Space,
    now: Seen,
    index: &mut VectorIndex,
) -> Result<(), StoreError> {
    let rows = sql::query(
        "SELECT number, dimension, newest_chunk, newest_vector, removals, places, signs
         FROM vector_segments WHERE owner = $1 AND project_id = $2 AND model = $3
         ORDER BY number",
    )
    .bind(space.owner.as_str())
    .bind(space.project.as_str())
    .bind(space.model.as_str())
    .fetch_all(&mut *connection)
    .await?;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(()) };
    let since = first.number("removals")?;
    // The log no longer tells all that went since the first segment was packed.
    if now.removals - since >= LOG_LENGTH {
        return Ok(());
    }
    let mut packed = Packed { segments: rows.len() as i64, removals: since, ..Packed::default() };
    for row in &rows {
        let dimension = usize::try_from(row.number("dimension")?)
            .map_err(|error| StoreError::unreadable("dimension", error))?;
        let places = places(row.get_as("places")?);
        *packed.vectors.entry(dimension).or_default() += places.len();
        packed.written += places.len();
        index.add_signs(dimension, places, row.get_as("signs")?);
    }
    index.seen = Seen {
        revision: 0,
        chunk: last.number("newest_chunk")?,
        vector: last.number("newest_vector")?,
        removals: since,
    };
    index.packed = packed;
    Ok(())
}

impl OwnerStore {
    /// Packs what is not yet packed of a large project's vectors. To be called after embedding;
    /// nothing depends on it but the time that the next process needs to begin.
    pub async fn pack_vectors(&self, project: &ProjectId, model: &str) -> Result<(), StoreError> {
        let space = self.space(project, model);
        let mut index = self.inner.indexes.current(&self.inner, &space).await?;
        if index.len() <= SMALL {
            return Ok(());
        }
        let packed: usize = index.packed.vectors.values().sum();
        // Too few of the packed vectors are left, or the log will soon not tell which.
        let worn = (packed as f64) < WORN * index.packed.written as f64
            || index.seen.removals - index.packed.removals > LOG_LENGTH / 2;
        if !worn && index.len() < packed + WORTH_PACKING {
            return Ok(());
        }
        let mut write = self.write().await?;
        let connection = write.connection();
        if count(connection, &space).await? != index.packed.segments {
            // Another process has packed meanwhile: its segments are loaded next time.
            *index = VectorIndex::default();
            return Ok(());
        }
        if worn || index.packed.segments == 0 {
            clear(connection, &space).await?;
            let removals = index.seen.removals;
            index.packed = Packed { removals, ..Packed::default() };
        }
        for (dimension, plane) in index.planes() {
            let from = index.packed.vectors.get(&dimension).copied().unwrap_or(0);
            let places = plane.places.get(from..).unwrap_or_default();
            let signs = plane.signs.to_bytes(from);
            let each = signs.len() / places.len().max(1);
            let parts = places.chunks(SEGMENT).zip(signs.chunks(SEGMENT * each.max(1)));
            for (places, signs) in parts {
                insert(connection, &space, index.seen, dimension, places, signs).await?;
            }
        }
        index.packed.segments = count(connection, &space).await?;
        write.commit().await?;
        let vectors = index.planes().map(|(dimension, plane)| (dimension, plane.places.len()));
        index.packed.vectors = vectors.collect();
        index.packed.written += index.len() - packed.min(index.packed.written);
        Ok(())
    }
}

async fn count(connection: &mut Connection, space: &Space) -> Result<i64, StoreError> {
    let row = sql::query(
        "SELECT COUNT(*) AS segments FROM vector_segments
         WHERE owner = $1 AND project_id = $2 AND model = $3",
    )
    .bind(space.owner.as_str())
    .bind(space.project.as_str())
    .bind(space.model.as_str())
    .fetch_one(connection)
    .await?;
    row.number("segments")
}

async fn clear(connection: &mut Connection, space: &Space) -> Result<(), StoreError> {
    sql::query("DELETE FROM vector_segments WHERE owner = $1 AND project_id = $2 AND model = $3")
        .bind(space.owner.as_str())
        .bind(space.project.as_str())
        .bind(space.model.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

/// Adds a segment after those that are there.
async fn insert(
    connection: &mut Connection,
    space: &Space,
    seen: Seen,
    dimension: usize,
    places: &[Place],
    signs: &[u8],
) -> Result<(), StoreError> {
    sql::query(
        "INSERT INTO vector_segments (owner, project_id, model, number, dimension, newest_chunk,
             newest_vector, removals, places, signs)
         SELECT $1, $2, $3, COUNT(*), $4, $5, $6, $7, $8, $9 FROM vector_segments
         WHERE owner = $1 AND project_id = $2 AND model = $3",
    )
    .bind(space.owner.as_str())
    .bind(space.project.as_str())
    .bind(space.model.as_str())
    .bind(dimension as i64)
    .bind(seen.chunk)
    .bind(seen.vector)
    .bind(seen.removals)
    .bind(bytes(places))
    .bind(signs.to_vec())
    .execute(connection)
    .await?;
    Ok(())
}

fn bytes(places: &[Place]) -> Vec<u8> {
    let both = |place: &Place| [place.chunk.0.to_le_bytes(), place.row.to_le_bytes()].concat();
    places.iter().flat_map(both).collect()
}

fn places(bytes: &[u8]) -> Vec<Place> {
    let (pairs, _) = bytes.as_chunks::<16>();
    let number = |bytes: &[u8]| bytes.first_chunk().copied().map_or(0, i64::from_le_bytes);
    let place =
        |pair: &[u8; 16]| Place { chunk: ChunkId(number(&pair[..8])), row: number(&pair[8..]) };
    pairs.iter().map(place).collect()
}
