//! The vectors of one model in one project, in memory. Pure: what it holds is brought by `load`.
//!
//! A small index holds the vectors themselves and compares with all of them. A large one holds
//! their signs alone, an eighth of a byte a dimension, and tells which vectors are worth reading.

use dossier_core::id::ChunkId;
use dossier_core::vector::{Quantised, Rows, Signs};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// An index of more vectors holds signs only.
pub(super) const SMALL: usize = 20_000;

/// So many changes are soon read.
const FEW: i64 = 256;

#[derive(Debug, Default)]
pub(crate) struct VectorIndex {
    /// One for each dimension: models have one, but nothing forbids several.
    planes: BTreeMap<usize, Plane>,
    /// Vectors of a large index that were read lately, by their rows. A row never changes, and one
    /// that is gone has no place any more.
    recent: HashMap<i64, Vec<Quantised>>,
    /// What of the database it has taken in.
    pub(super) seen: Seen,
    pub(super) packed: Packed,
}

/// Up to where the owner's changes were read.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) revision: i64,
    pub(super) chunk: i64,
    pub(super) vector: i64,
    pub(super) removals: i64,
}

impl Seen {
    /// Whether all that has come since is soon read, and nothing has gone.
    pub(super) fn is_shortly_before(self, now: Self) -> bool {
        let come = (now.chunk - self.chunk) + (now.vector - self.vector);
        self != Self::default() && self.removals == now.removals && come <= FEW
    }
}

/// What of the index stands in segments: in each plane the first so many vectors.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Packed {
    /// Number of segments.
    pub(super) segments: i64,
    /// Vectors of each dimension that are still there.
    pub(super) vectors: BTreeMap<usize, usize>,
    /// Vectors in the segments, whether still there or not.
    pub(super) written: usize,
    /// Up to where the log was read when the first of them was packed.
    pub(super) removals: i64,
}

/// Where a vector belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) chunk: ChunkId,
    /// The row that holds the vector.
    pub(super) row: i64,
}

/// The vectors of one dimension.
#[derive(Debug)]
pub(super) struct Plane {
    pub(super) places: Vec<Place>,
    pub(super) signs: Signs,
    /// The vectors themselves, as long as the index is small.
    exact: Option<Rows>,
    /// Places in the order of their chunks.
    by_chunk: Vec<u32>,
    /// Number of chunks.
    chunks: usize,
}

impl Plane {
    fn of_dimension(dimension: usize) -> Self {
        Self {
            places: Vec::new(),
            signs: Signs::of_dimension(dimension),
            exact: Some(Rows::default()),
            by_chunk: Vec::new(),
            chunks: 0,
        }
    }

    fn sort(&mut self) {
        if self.by_chunk.len() != self.places.len() {
            self.by_chunk = (0..self.places.len() as u32).collect();
            self.by_chunk.sort_by_key(|place| self.places[*place as usize].chunk);
            self.chunks = self.by_chunks().count();
        }
    }

    /// The places of each chunk's vectors, chunk by chunk.
    fn by_chunks(&self) -> impl Iterator<Item = &[u32]> {
        let key = |place: &u32| self.places[*place as usize].chunk;
        self.by_chunk.chunk_by(move |left, right| key(left) == key(right))
    }

    /// The places of a chunk's vectors.
    fn of_chunk(&self, chunk: ChunkId) -> impl Iterator<Item = usize> {
        let key = |place: &u32| self.places[*place as usize].chunk;
        let from = self.by_chunk.partition_point(|place| key(place) < chunk);
        let own = self.by_chunk[from..].iter().take_while(move |place| key(place) == chunk);
        own.map(|place| *place as usize)
    }
}

impl VectorIndex {
    /// Adds a chunk with the vectors of a row, all of one dimension.
    pub(super) fn add(&mut self, place: Place, dimension: usize, vectors: Vec<Quantised>) {
        let plane = self.plane(dimension);
        for vector in vectors {
            plane.places.push(place);
            plane.signs.push(&vector);
            if let Some(exact) = &mut plane.exact {
                exact.push(&vector);
            }
        }
        self.shed();
    }

    /// Adds vectors of which only the signs are at hand.
    pub(super) fn add_signs(&mut self, dimension: usize, places: Vec<Place>, signs: &[u8]) {
        let plane = self.plane(dimension);
        plane.exact = None;
        plane.places.extend(places);
        plane.signs.extend_from_bytes(signs);
        let whole = plane.places.len().min(plane.signs.len());
        plane.places.truncate(whole);
        plane.signs.retain(|place| place < whole);
    }

    fn plane(&mut self, dimension: usize) -> &mut Plane {
        self.planes.entry(dimension).or_insert_with(|| Plane::of_dimension(dimension))
    }

    pub(super) fn remove(&mut self, removed: &HashSet<ChunkId>) {
        if removed.is_empty() {
            return;
        }
        for (dimension, plane) in &mut self.planes {
            let gone: Vec<bool> =
                plane.places.iter().map(|place| removed.contains(&place.chunk)).collect();
            if let Some(packed) = self.packed.vectors.get_mut(dimension) {
                *packed -= gone.iter().take(*packed).filter(|gone| **gone).count();
            }
            plane.signs.retain(|place| !gone[place]);
            if let Some(exact) = &mut plane.exact {
                exact.retain(|place| !gone[place]);
            }
            plane.places.retain(|place| !removed.contains(&place.chunk));
            plane.by_chunk.clear();
            plane.chunks = 0;
        }
    }

    /// Prepares for searching what was added.
    pub(super) fn settle(&mut self) {
        self.planes.values_mut().for_each(Plane::sort);
    }

    /// Vectors in full take memory that a large index does not spend on them.
    fn shed(&mut self) {
        if self.len() > SMALL {
            self.planes.values_mut().for_each(|plane| plane.exact = None);
        }
    }

    /// Number of vectors.
    pub(super) fn len(&self) -> usize {
        self.planes.values().map(|plane| plane.places.len()).sum()
    }

    pub(super) fn planes(&self) -> impl Iterator<Item = (usize, &Plane)> {
        self.planes.iter().map(|(dimension, plane)| (*dimension, plane))
    }

    /// Number of chunks that have vectors.
    pub(super) fn chunks(&self) -> usize {
        self.planes.values().map(|plane| plane.chunks).sum()
    }

    /// Whether it holds signs only and is small enough for the vectors themselves.
    pub(super) fn has_shrunk(&self) -> bool {
        self.len() <= SMALL && !self.is_small()
    }

    /// Whether the vectors themselves are at hand.
    pub(super) fn is_small(&self) -> bool {
        self.planes.values().all(|plane| plane.exact.is_some())
    }

    /// How like the query each chunk is, by chunk; nothing of those whose vectors are not at hand.
    pub(super) fn similarities(&self, query: &Quantised) -> Vec<(ChunkId, f32)> {
        let plane = self.planes.get(&query.dimension());
        let Some((plane, exact)) = plane.and_then(|plane| Some((plane, plane.exact.as_ref()?)))
        else {
            return Vec::new();
        };
        let alike = exact.similarities_to(query);
        let best = |places: &[u32]| {
            let alike = places.iter().filter_map(|place| *alike.get(*place as usize)?);
            Some((plane.places[*places.first()? as usize].chunk, alike.reduce(f32::max)?))
        };
        plane.by_chunks().filter_map(best).collect()
    }

    /// Those of the rows that are not at hand.
    pub(super) fn unread(&mut self, places: &[Place]) -> BTreeSet<i64> {
        if self.recent.len() > SMALL {
            self.recent.clear();
        }
        let rows = places.iter().map(|place| place.row);
        rows.filter(|row| !self.recent.contains_key(row)).collect()
    }

    /// Keeps what was read at hand for a while.
    pub(super) fn keep(&mut self, read: Vec<(i64, Vec<Quantised>)>) {
        self.recent.extend(read);
    }

    /// How like the query the chunks of these places are, by chunk.
    pub(super) fn similarities_at(
        &self,
        query: &Quantised,
        places: &[Place],
    ) -> Vec<(ChunkId, f32)> {
        let best = |place: &Place| {
            let vectors = self.recent.get(&place.row)?.iter();
            Some((place.chunk, vectors.map(|vector| vector.similarity(query)).reduce(f32::max)?))
        };
        let alike: BTreeMap<ChunkId, f32> = places.iter().filter_map(best).collect();
        alike.into_iter().collect()
    }

    /// The vectors that are most like the query by their signs: at least so many.
    pub(super) fn worth_reading(&self, query: &Quantised, wanted: usize) -> Vec<Place> {
        let Some(plane) = self.planes.get(&query.dimension()) else { return Vec::new() };
        plane.signs.nearest(query, wanted).into_iter().map(|place| plane.places[place]).collect()
    }

    /// Where the vectors of these chunks are to be read.
    pub(super) fn places(&self, dimension: usize, chunks: &[ChunkId]) -> Vec<Place> {
        let Some(plane) = self.planes.get(&dimension) else { return Vec::new() };
        let first = |chunk: &ChunkId| Some(plane.places[plane.of_chunk(*chunk).next()?]);
        chunks.iter().filter_map(first).collect()
    }
}
