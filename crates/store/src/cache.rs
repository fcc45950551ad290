//! Chunks already read, within a bound of bytes. Rows never change and ids are never used twice,
//! so an entry can only be wrong by being deleted: deleting evicts, and a read that began before
//! a deletion does not bring its chunk back.

use dossier_core::chunk::Chunk;
use dossier_core::id::{ChunkId, OwnerId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the cached chunks may weigh together, by estimate.
const CAPACITY: usize = 64 << 20;

#[derive(Debug, Default)]
pub(crate) struct ChunkCache {
    generations: Mutex<Generations>,
}

/// New and used entries gather in `young`; when it is half full it becomes `old`, and what was
/// still in `old` has not been used since and goes.
#[derive(Debug, Default)]
struct Generations {
    young: HashMap<ChunkId, Entry>,
    young_bytes: usize,
    old: HashMap<ChunkId, Entry>,
    evictions: u64,
}

#[derive(Debug, Clone)]
struct Entry {
    owner: OwnerId,
    chunk: Arc<Chunk>,
}

/// The moment a read began, to be shown when its result is cached.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment(u64);

impl ChunkCache {
    pub(crate) fn moment(&self) -> Moment {
        Moment(self.lock().evictions)
    }

    /// Those of the chunks that are here, each in its place.
    pub(crate) fn get(&self, owner: &OwnerId, ids: &[ChunkId]) -> Vec<Option<Arc<Chunk>>> {
        let mut generations = self.lock();
        ids.iter().map(|id| generations.get(owner, *id)).collect()
    }

    /// Keeps a chunk that was read since `moment`, unless something was deleted meanwhile.
    pub(crate) fn put(&self, moment: Moment, owner: &OwnerId, chunk: &Arc<Chunk>) {
        let mut generations = self.lock();
        if generations.evictions == moment.0 {
            let entry = Entry { owner: owner.clone(), chunk: Arc::clone(chunk) };
            generations.insert(chunk.id, entry);
        }
    }

    pub(crate) fn evict<'a>(&self, ids: impl IntoIterator<Item = &'a ChunkId>) {
        let mut ids = ids.into_iter().peekable();
        if ids.peek().is_none() {
            return;
        }
        let mut generations = self.lock();
        generations.evictions += 1;
        for id in ids {
            if let Some(entry) = generations.young.remove(id) {
                generations.young_bytes -= weight(&entry.chunk);
            }
            generations.old.remove(id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn get(&mut self, owner: &OwnerId, id: ChunkId) -> Option<Arc<Chunk>> {
        if let Some(entry) = self.young.get(&id) {
            return (entry.owner == *owner).then(|| Arc::clone(&entry.chunk));
        }
        let entry = self.old.get(&id).filter(|entry| entry.owner == *owner)?.clone();
        let chunk = Arc::clone(&entry.chunk);
        self.insert(id, entry);
        Some(chunk)
    }

    fn insert(&mut self, id: ChunkId, entry: Entry) {
        let bytes = weight(&entry.chunk);
        if self.young_bytes + bytes > CAPACITY / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        if bytes <= CAPACITY / 2 && self.young.insert(id, entry).is_none() {
            self.young_bytes += bytes;
        }
    }
}

/// A rough size in memory: the texts and what surrounds them.
fn weight(chunk: &Chunk) -> usize {
    const ROW: usize = 500;
    ROW + chunk.content.len() + chunk.profile.encoded().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dossier_core::analyse::Profile;
    use dossier_core::chunk::{Draft, Location, Origin};

    fn chunk(id: i64, content: String) -> Arc<Chunk> {
        let draft = Draft {
            origin: Origin::File("fil_1".into()),
            index: 0,
            content,
            location: Location::File {
                path: "a".into(),
                start_line: 1,
                end_line: 1,
                start_char: 0,
                end_char: 1,
                place: None,
            },
            tokens: 1,
            profile: Profile::default(),
        };
        Arc::new(Chunk::new(ChunkId(id), draft))
    }

    fn has(cache: &ChunkCache, owner: &OwnerId, id: i64) -> bool {
        cache.get(owner, &[ChunkId(id)])[0].is_some()
    }

    #[test]
    fn a_cached_chunk_is_given_to_its_owner_only() {
        let cache = ChunkCache::default();
        let (ann, bob) = (OwnerId::from("ann"), OwnerId::from("bob"));
        cache.put(cache.moment(), &ann, &chunk(1, "x".into()));
        assert!(has(&cache, &ann, 1));
        assert!(!has(&cache, &bob, 1));
    }

    #[test]
    fn a_read_that_began_before_a_deletion_brings_nothing_back() {
        let cache = ChunkCache::default();
        let owner = OwnerId::local();
        let moment = cache.moment();
        cache.evict(&[ChunkId(1)]);
        cache.put(moment, &owner, &chunk(1, "x".into()));
        assert!(!has(&cache, &owner, 1));
    }

    #[test]
    fn the_cache_keeps_its_bound_and_what_is_used() {
        let cache = ChunkCache::default();
        let owner = OwnerId::local();
        for id in 0..200 {
            cache.put(cache.moment(), &owner, &chunk(id, "x".repeat(1 << 20)));
            has(&cache, &owner, 0);
        }
        let generations = cache.lock();
        let kept = generations.young.len() + generations.old.len();
        drop(generations);
        assert!(kept <= 64, "{kept}");
        assert!(has(&cache, &owner, 0));
    }
}
