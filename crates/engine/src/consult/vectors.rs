//! Vectors of passages that no index holds, kept by the hash of their text: a file that is searched
//! again in the next call is not embedded again. Nothing can be found by them without the text.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::chunk::Chunk;
use dossier_core::hash::ContentHash;
use dossier_core::id::OwnerId;
use dossier_core::vector::Quantised;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most texts whose vectors are kept; some eight megabytes.
const MOST: usize = 20_000;

type Key = (OwnerId, String, ContentHash);
type Vectors = Arc<Vec<Quantised>>;

/// Vectors by owner, model and hash.
#[derive(Debug, Default)]
pub(crate) struct VectorCache(Mutex<HashMap<Key, Vectors>>);

impl VectorCache {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Vectors>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workspace {
    /// The vectors of a query's topics and of each passage; none where there is no embedder or it
    /// fails, for words find everything as well.
    pub(super) async fn view_vectors(
        &self,
        topics: Vec<String>,
        chunks: &[Arc<Chunk>],
    ) -> Result<Option<(Vec<Quantised>, Vec<Vectors>)>, EngineError> {
        if self.embedder.is_none() || chunks.is_empty() {
            return Ok(None);
        }
        let Ok((model, topics)) = self.embed_texts(topics).await? else { return Ok(None) };
        let key = |chunk: &Chunk| (self.owner().clone(), model.clone(), chunk.hash());
        let missing: Vec<Arc<Chunk>> = {
            let known = self.passages.lock();
            let unknown = |chunk: &&Arc<Chunk>| !known.contains_key(&key(chunk));
            chunks.iter().filter(unknown).cloned().collect()
        };
        let Ok(made) = self.chunk_vectors(missing).await? else { return Ok(None) };
        let mut known = self.passages.lock();
        if known.len() + made.len() > MOST {
            known.clear();
        }
        for (hash, vectors) in made {
            known.insert((self.owner().clone(), model.clone(), hash), Arc::new(vectors));
        }
        let of = |chunk: &Arc<Chunk>| known.get(&key(chunk)).cloned().unwrap_or_default();
        Ok(Some((topics, chunks.iter().map(of).collect())))
    }
}
