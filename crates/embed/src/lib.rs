//! Text to vectors, and nothing else: by the built-in MiniLM, or not at all.
//!
//! Vectors have length one, so a dot product is a cosine. Embedding blocks and uses every core:
//! call it off the async threads.
//!
//! Invariant: a text has one vector. It does not depend on the texts embedded beside it, on their
//! order, or on the number of cores, so an index built again gives the same order. This holds on
//! one kind of processor: those without 8-bit dot products saturate some sums, and their vectors
//! differ a little (a mean cosine of 0.99).

mod local;
mod network;
#[doc(hidden)]
pub mod wordpiece;
mod words;

use std::error::Error;
use std::sync::Arc;

pub use crate::local::Local;

/// What turns texts into vectors.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a process has one, behind a reference")]
pub enum Embedder {
    Local(Local),
    None,
}

impl Embedder {
    /// The built-in model. Costs nothing until it is first used.
    pub fn local() -> Embedder {
        Embedder::Local(Local::default())
    }

    /// Search by keywords only.
    pub fn none() -> Embedder {
        Embedder::None
    }

    /// The name to store with each vector: vectors of different models do not compare.
    pub fn model(&self) -> Option<&'static str> {
        match self {
            Embedder::Local(_) => Some(local::MODEL),
            Embedder::None => None,
        }
    }

    /// The length of each vector; none has 0.
    pub fn dimension(&self) -> usize {
        match self {
            Embedder::Local(_) => local::DIMENSION,
            Embedder::None => 0,
        }
    }

    /// The word pieces that fit one vector, with the two that frame every text: a text of at most
    /// `max_tokens() - 2` pieces is embedded whole. None has the same limit, which no text
    /// reaches, since it counts nothing.
    pub fn max_tokens(&self) -> usize {
        local::MAX_TOKENS
    }

    /// The word pieces of a text, without the two that frame it; 0 for none.
    pub fn count(&self, text: &str) -> usize {
        match self {
            Embedder::Local(local) => local.count(text),
            Embedder::None => 0,
        }
    }

    /// One vector a text, in the order of the texts. Of a longer text the first `max_tokens` are
    /// read.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        match self {
            Embedder::Local(local) => local.embed(texts),
            Embedder::None => Err(EmbedError::Disabled),
        }
    }
}

/// Why there are no vectors. Either way keywords still find things.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("search by meaning is switched off; choose the embedder `local` to switch it on")]
    Disabled,
    #[error("the embedding model failed; choose the embedder `none` to go on with keywords only")]
    Unavailable(#[source] Arc<dyn Error + Send + Sync>),
}
