//! The vectors of one model in one project, in memory, and how they are compared. Pure: what it
//! holds is brought by `vectors`.

use crate::vectors::{cut, raise};
use dossier_core::id::ChunkId;
use dossier_core::vector::Quantised;
use std::collections::{HashMap, HashSet};

#[derive(Debug, Default)]
pub(crate) struct VectorIndex {
    vectors: Vec<(ChunkId, Quantised)>,
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
        self.vectors.push((chunk, vector));
    }

    pub(super) fn remove(&mut self, chunks: &HashSet<ChunkId>) {
        if !chunks.is_empty() {
            self.vectors.retain(|(chunk, _)| !chunks.contains(chunk));
        }
    }

    /// The best chunks, and all that tie with the last of them.
    pub(super) fn nearest(&self, query: &Quantised, limit: usize) -> Vec<(ChunkId, f32)> {
        let mut best: HashMap<ChunkId, f32> = HashMap::with_capacity(self.vectors.len());
        for (chunk, vector) in self.of_dimension(query) {
            raise(&mut best, *chunk, vector.similarity(query));
        }
        cut(best.into_iter().collect(), limit)
    }

    pub(super) fn similarities(&self, query: &Quantised, chunks: &[ChunkId]) -> Vec<Option<f32>> {
        let asked: HashSet<ChunkId> = chunks.iter().copied().collect();
        let mut best = HashMap::with_capacity(asked.len());
        for (chunk, vector) in self.of_dimension(query) {
            if asked.contains(chunk) {
                raise(&mut best, *chunk, vector.similarity(query));
            }
        }
        chunks.iter().map(|chunk| best.get(chunk).copied()).collect()
    }

    fn of_dimension(&self, query: &Quantised) -> impl Iterator<Item = &(ChunkId, Quantised)> {
        let dimension = query.dimension();
        self.vectors.iter().filter(move |(_, vector)| vector.dimension() == dimension)
    }
}
