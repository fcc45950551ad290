//! Batches of chunks on their way to vectors: which chunks go together and in which order, how
//! they are cut into windows, and what comes out.

use dossier_core::chunk::{Chunk, Location, windows};
use dossier_core::guard::masked;
use dossier_core::hash::ContentHash;
use dossier_core::id::ChunkId;
use dossier_core::vector::Quantised;
use dossier_embed::{EmbedError, Embedder};
use dossier_store::PendingChunk;
use std::borrow::Cow;
use std::sync::Arc;

/// Chunks that are embedded and stored together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Batch {
    pub chunks: Vec<ChunkId>,
    pub tokens: u64,
}

/// Batches that keep the embedder busy, in an order that differs from process to process: so
/// several that work on one project seldom make the same vectors, and the time that the first of
/// them take tells how long all will.
pub(super) fn batches(pending: &[PendingChunk], embedder: &Embedder, seed: u64) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut texts = usize::MAX;
    for chunk in pending {
        if texts >= embedder.at_once() {
            batches.push(Batch::default());
            texts = 0;
        }
        texts += 1 + chunk.tokens as usize / embedder.max_tokens().max(1);
        if let Some(batch) = batches.last_mut() {
            batch.chunks.push(chunk.id);
            // A short text costs more than its tokens.
            batch.tokens += chunk.tokens + 8;
        }
    }
    shuffle(&mut batches, seed);
    batches
}

fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut state = seed | 1;
    for end in (1..list.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        list.swap(end, (state % (end as u64 + 1)) as usize);
    }
}

/// Chunks cut into the windows that are embedded.
#[derive(Debug)]
pub(super) struct Prepared {
    windows: Vec<(ContentHash, Vec<String>)>,
    pub tokens: u64,
}

/// What a batch has become.
#[derive(Debug)]
pub(super) struct Embedded {
    pub vectors: Vec<(ContentHash, Vec<Quantised>)>,
    pub tokens: u64,
}

impl Prepared {
    pub(super) fn new(embedder: &Embedder, chunks: &[Arc<Chunk>], tokens: u64) -> Self {
        // Two places are taken by the marks at the beginning and the end.
        let limit = embedder.max_tokens().saturating_sub(2);
        let cut = |chunk: &Arc<Chunk>| {
            let text = chunk.embedded();
            // What leaves this machine is what a model would see.
            let text = match &chunk.location {
                Location::Message { .. } if embedder.is_service() => {
                    Cow::Owned(masked(&text).into_owned())
                }
                _ => text,
            };
            let ranges = windows(&text, limit, |piece| embedder.count(piece));
            let pieces = ranges.into_iter().map(|range| text[range].to_owned()).collect();
            (chunk.hash(), pieces)
        };
        Self { windows: chunks.iter().map(cut).collect(), tokens }
    }

    /// The vectors by the hash of what was embedded: one for each window of a chunk.
    pub(super) fn embed(self, embedder: &Embedder) -> Result<Embedded, EmbedError> {
        let texts: Vec<&str> =
            self.windows.iter().flat_map(|(_, pieces)| pieces).map(String::as_str).collect();
        let mut vectors = embedder.embed(&texts)?.into_iter();
        let vectors = self
            .windows
            .iter()
            .map(|(hash, pieces)| {
                let own = vectors.by_ref().take(pieces.len());
                (hash.clone(), own.map(|vector| Quantised::of(&vector)).collect())
            })
            .collect();
        Ok(Embedded { vectors, tokens: self.tokens })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dossier_core::analyse::Profile;
    use dossier_core::chunk::{Draft, Origin};
    use dossier_core::message::Speaker;
    use dossier_core::time::Timestamp;

    fn pending(tokens: &[u64]) -> Vec<PendingChunk> {
        (1..)
            .zip(tokens)
            .map(|(id, tokens)| PendingChunk { id: ChunkId(id), tokens: *tokens })
            .collect()
    }

    #[test]
    fn a_batch_has_the_windows_that_keep_the_embedder_busy() {
        // Thirty-two short chunks, or four of eight windows.
        let embedder = Embedder::local();
        let sizes = |tokens: &[u64]| {
            let batches = batches(&pending(tokens), &embedder, 1);
            let mut sizes: Vec<usize> = batches.iter().map(|batch| batch.chunks.len()).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(sizes(&[10; 70]), [6, 32, 32]);
        assert_eq!(sizes(&[1800; 9]), [1, 4, 4]);
        assert_eq!(sizes(&[]), [] as [usize; 0]);
    }

    #[test]
    fn a_service_is_sent_no_secret_of_a_message() {
        let secret = concat!("sk-lf-", "6f9619ff-8b86-4011-b42d-00cf4fc964ff");
        let draft = Draft {
            origin: Origin::Message("msg_1".into()),
            index: 0,
            content: format!("The key is {secret}, keep it."),
            location: Location::Message {
                thread: "thr_1".into(),
                round: 1,
                position: 0,
                speaker: Speaker::parse("Ana"),
                section: None,
                created_at: Timestamp::from_millis(0),
            },
            tokens: 1,
            profile: Profile::default(),
        };
        let chunk = Arc::new(Chunk::new(ChunkId(1), draft));
        let sent = |embedder: &Embedder| {
            let prepared = Prepared::new(embedder, std::slice::from_ref(&chunk), 1);
            assert_eq!(prepared.windows[0].0, chunk.hash(), "it is the same chunk");
            prepared.windows[0].1.concat()
        };
        let address = "http://127.0.0.1:9/v1#model".parse().unwrap();
        let service = sent(&Embedder::endpoint(address, None));
        assert!(service.starts_with("Ana: The key is") && !service.contains(secret), "{service}");
        assert!(sent(&Embedder::local()).contains(secret));
    }

    #[test]
    fn every_chunk_is_in_one_batch_and_processes_differ_in_the_order() {
        let pending = pending(&[10; 1_000]);
        let order = |seed| {
            let batches = batches(&pending, &Embedder::local(), seed);
            batches.into_iter().flat_map(|batch| batch.chunks).collect::<Vec<_>>()
        };
        let (one, other) = (order(3), order(4));
        assert_ne!(one, other);
        for mut order in [one, other] {
            order.sort_unstable();
            assert_eq!(order, pending.iter().map(|chunk| chunk.id).collect::<Vec<_>>());
        }
    }
}
