//! The vectors of one model in one project, in memory, and how they are compared. Pure: what it
//! holds is brought by `vectors`.

use crate::vectors::cut;
use dossier_core::id::ChunkId;
use dossier_core::vector::Quantised;
use std::collections::{HashMap, HashSet};

#[derive(Debug, Default)]
pub(crate) struct VectorIndex {
    chunks: Vec<(ChunkId, Vec<Quantised>)>,
    /// Where each chunk stands in the list.
    places: HashMap<ChunkId, usize>,
    /// Newest rows that were taken in.
    pub(super) seen: Seen,
}

/// Up to where each of the tables was read.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) chunk: i64,
    pub(super) vector: i64,
    pub(super) removal: i64,
}

impl VectorIndex {
    pub(super) fn add(&mut self, chunk: ChunkId, vector: Quantised) {
        let place = *self.places.entry(chunk).or_insert_with(|| {
            self.chunks.push((chunk, Vec::new()));
            self.chunks.len() - 1
        });
        self.chunks[place].1.push(vector);
    }

    pub(super) fn remove(&mut self, removed: &HashSet<ChunkId>) {
        if removed.is_empty() {
            return;
        }
        self.chunks.retain(|(chunk, _)| !removed.contains(chunk));
        self.places =
            self.chunks.iter().enumerate().map(|(place, (chunk, _))| (*chunk, place)).collect();
    }

    /// Number of chunks that have vectors.
    pub(super) fn len(&self) -> usize {
        self.chunks.len()
    }

    /// The best chunks, and all that tie with the last of them.
    pub(super) fn nearest(&self, query: &Quantised, limit: usize) -> Vec<(ChunkId, f32)> {
        let like = |(chunk, vectors): &(ChunkId, Vec<Quantised>)| {
            Some((*chunk, similarity(vectors, query)?))
        };
        cut(self.chunks.iter().filter_map(like).collect(), limit)
    }

    pub(super) fn similarities(&self, query: &Quantised, chunks: &[ChunkId]) -> Vec<Option<f32>> {
        let like = |chunk: &ChunkId| {
            let (_, vectors) = &self.chunks[*self.places.get(chunk)?];
            similarity(vectors, query)
        };
        chunks.iter().map(like).collect()
    }
}

/// A chunk is as like a query as the best of its vectors of the same dimension.
fn similarity(vectors: &[Quantised], query: &Quantised) -> Option<f32> {
    vectors
        .iter()
        .filter(|vector| vector.dimension() == query.dimension())
        .map(|vector| vector.similarity(query))
        .reduce(f32::max)
}
