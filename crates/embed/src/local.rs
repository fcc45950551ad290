//! The built-in model: all-MiniLM-L6-v2 with 8-bit weights, carried in the binary.
//!
//! Invariant: nothing is loaded before it is needed, everything at most once, and a text's vector
//! is the same to the bit whatever texts stand beside it and however many cores there are.

use std::error::Error;
use std::fmt;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::EmbedError;
use crate::network::{Cores, Network};
use crate::wordpiece::WordPiece;

pub(crate) const MODEL: &str = "minilm-l6-v2";
pub(crate) const DIMENSION: usize = 384;
/// The model takes 512, but was trained on shorter texts.
pub(crate) const MAX_TOKENS: usize = 256;
/// Enough that the cores are seldom done at different times, and few enough that little is lost
/// when someone stops.
pub(crate) const AT_ONCE: usize = 32;

/// The built-in model. Counting loads only the vocabulary.
#[derive(Default)]
pub struct Local {
    word_piece: OnceLock<WordPiece>,
    /// A failure is kept too: the same bytes will not load the second time.
    network: OnceLock<Result<Network, Arc<dyn Error + Send + Sync>>>,
}

impl Local {
    pub(crate) fn is_loaded(&self) -> bool {
        self.network.get().is_some()
    }

    pub(crate) fn load(&self) {
        self.word_piece();
        // A failure is kept for those who embed.
        let _ = self.network();
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.word_piece().count(text)
    }

    pub(crate) fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        match texts {
            [] => Ok(Vec::new()),
            [text] => Ok(vec![self.vector(text, &Cores::All)?]),
            texts => self.share_out(texts),
        }
    }

    /// One text a core, and the next one to whoever is done.
    fn share_out(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<(usize, Vec<f32>)>, EmbedError> {
            let cores = Cores::one();
            let mut done = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(text) = texts.get(place) else {
                    return Ok(done);
                };
                done.push((place, self.vector(text, &cores)?));
            }
        };
        let others = thread::available_parallelism().map_or(1, NonZero::get).min(texts.len()) - 1;
        let shares = thread::scope(|scope| {
            // A thread that cannot be had leaves its share to this one.
            let threads: Vec<_> = (0..others)
                .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let mut shares = vec![work()];
            for thread in threads {
                shares.push(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            shares
        });
        let mut done = shares.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        done.sort_unstable_by_key(|(place, _)| *place);
        Ok(done.into_iter().map(|(_, vector)| vector).collect())
    }

    fn vector(&self, text: &str, cores: &Cores) -> Result<Vec<f32>, EmbedError> {
        let ids = self.word_piece().ids(text, MAX_TOKENS);
        self.network()?.vector(&ids, cores).map_err(|error| EmbedError::Unavailable(error.into()))
    }

    fn word_piece(&self) -> &WordPiece {
        self.word_piece.get_or_init(WordPiece::load)
    }

    fn network(&self) -> Result<&Network, EmbedError> {
        self.network
            .get_or_init(|| Network::load().map_err(Arc::from))
            .as_ref()
            .map_err(|error| EmbedError::Unavailable(Arc::clone(error)))
    }
}

/// Without the vocabulary and the weights.
impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local")
            .field("model", &MODEL)
            .field("loaded", &self.network.get().is_some())
            .finish()
    }
}
