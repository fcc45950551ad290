//! The built-in model: all-MiniLM-L6-v2 with 8-bit weights, carried in the binary.
//!
//! Invariant: nothing is loaded before it is needed, everything at most once, and a text's vector
//! is the same to the bit whatever texts stand beside it, however many cores there are, and
//! whatever they can do.

use std::fmt;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::network;
use crate::wordpiece::WordPiece;

pub(crate) const MODEL: &str = "minilm-l6-v2";
pub(crate) const DIMENSION: usize = 384;
/// The model takes 512, but was trained on shorter texts.
pub(crate) const MAX_TOKENS: usize = 256;
/// Enough that the cores are seldom done at different times, and few enough that little is lost
/// when someone stops.
pub(crate) const AT_ONCE: usize = 32;

/// The built-in model. Its weights are part of the program and read from the disk, by the system,
/// when they are first used; the vocabulary is arranged before.
#[derive(Default)]
pub struct Local {
    word_piece: OnceLock<WordPiece>,
    read: AtomicBool,
}

impl Local {
    pub(crate) fn is_loaded(&self) -> bool {
        self.read.load(Ordering::Relaxed)
    }

    /// Embeds nothing, for which each weight is read.
    pub(crate) fn load(&self) {
        self.vector("");
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.word_piece().count(text)
    }

    pub(crate) fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        match texts {
            [] => Vec::new(),
            [text] => vec![self.vector(text)],
            texts => self.share_out(texts),
        }
    }

    /// One text a core, and the next one to whoever is done.
    fn share_out(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(text) = texts.get(place) else {
                    return done;
                };
                done.push((place, self.vector(text)));
            }
        };
        let others = thread::available_parallelism().map_or(1, NonZero::get).min(texts.len()) - 1;
        let mut done = thread::scope(|scope| {
            // A thread that cannot be had leaves its share to this one.
            let threads: Vec<_> = (0..others)
                .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let mut done = work();
            for thread in threads {
                done.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            done
        });
        done.sort_unstable_by_key(|(place, _)| *place);
        done.into_iter().map(|(_, vector)| vector).collect()
    }

    /// On this thread alone: the steps of a question are too short to be worth sharing.
    fn vector(&self, text: &str) -> Vec<f32> {
        let ids = self.word_piece().ids(text, MAX_TOKENS);
        let vector = network::vector(&ids);
        self.read.store(true, Ordering::Relaxed);
        vector
    }

    fn word_piece(&self) -> &WordPiece {
        self.word_piece.get_or_init(WordPiece::load)
    }
}

/// Without the vocabulary and the weights.
impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").field("model", &MODEL).field("loaded", &self.is_loaded()).finish()
    }
}
