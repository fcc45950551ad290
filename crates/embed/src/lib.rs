//! Text to vectors, and nothing else: by the built-in MiniLM, by a service, or not at all.
//!
//! Vectors have length one, so a dot product is a cosine. Embedding blocks, and the built-in model
//! shares several texts among all cores: call it off the async threads.
//!
//! Invariant: a text has one vector. It does not depend on the texts embedded beside it, on their
//! order, or on the number of cores or their kind, so an index built again, on whatever machine,
//! gives the same order. What a service does is its own.

mod endpoint;
mod error;
mod local;
mod network;
#[doc(hidden)]
pub mod wordpiece;
mod words;

use crate::endpoint::Patience;
pub use crate::endpoint::{Address, BadAddress, Endpoint, Key};
pub use crate::error::{EmbedError, Trouble};
pub use crate::local::Local;

/// What turns texts into vectors.
#[derive(Debug)]
pub enum Embedder {
    Local(Local),
    Endpoint(Endpoint),
    None,
}

impl Embedder {
    /// The built-in model. Costs nothing until it is first used.
    pub fn local() -> Embedder {
        Embedder::Local(Local::default())
    }

    /// A service, which is not asked before it is first used.
    pub fn endpoint(address: Address, key: Option<Key>) -> Embedder {
        Embedder::Endpoint(Endpoint::new(address, key))
    }

    /// Whether the first text would have to wait for the built-in model.
    pub fn is_unloaded(&self) -> bool {
        matches!(self, Embedder::Local(local) if !local.is_loaded())
    }

    /// Loads the built-in model, which blocks.
    pub fn load(&self) {
        if let Embedder::Local(local) = self {
            local.load();
        }
    }

    /// Search by keywords only.
    pub fn none() -> Embedder {
        Embedder::None
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Embedder::None)
    }

    /// Whether texts leave this process.
    pub fn is_service(&self) -> bool {
        matches!(self, Embedder::Endpoint(_))
    }

    /// The name to store with each vector: vectors of different models do not compare. The name
    /// of a service's vectors has their length in it, so a service that has not answered yet is
    /// asked for one, which blocks.
    pub fn model(&self) -> Result<Option<&str>, EmbedError> {
        match self {
            Embedder::Local(_) => Ok(Some(local::MODEL)),
            Embedder::Endpoint(endpoint) => endpoint.space(Patience::Work).map(Some),
            Embedder::None => Ok(None),
        }
    }

    /// The length of each vector; 0 for none, and for a service that has not answered yet.
    pub fn dimension(&self) -> usize {
        match self {
            Embedder::Local(_) => local::DIMENSION,
            Embedder::Endpoint(endpoint) => endpoint.dimension(),
            Embedder::None => 0,
        }
    }

    /// The tokens that fit one vector, with the two that frame every text: a text of at most
    /// `max_tokens() - 2` is embedded whole. None has a limit too, which no text reaches, since
    /// it counts nothing.
    pub fn max_tokens(&self) -> usize {
        match self {
            Embedder::Endpoint(endpoint) => endpoint.max_tokens(),
            Embedder::Local(_) | Embedder::None => local::MAX_TOKENS,
        }
    }

    /// The tokens of a text, without the two that frame it; 0 for none.
    pub fn count(&self, text: &str) -> usize {
        match self {
            Embedder::Local(local) => local.count(text),
            Embedder::Endpoint(endpoint) => endpoint.count(text),
            Embedder::None => 0,
        }
    }

    /// How many texts given together keep it busy.
    pub fn at_once(&self) -> usize {
        match self {
            Embedder::Local(_) | Embedder::None => local::AT_ONCE,
            Embedder::Endpoint(endpoint) => endpoint.at_once(),
        }
    }

    /// One vector a text, in the order of the texts. Of a longer text the first `max_tokens` are
    /// read. A service that is busy or stumbles is asked again, for minutes if need be.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.embed_with(texts, Patience::Work)
    }

    /// Like [`Embedder::embed`], for someone who waits: a service that does not answer soon is
    /// given up.
    pub fn embed_soon(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.embed_with(texts, Patience::Question)
    }

    fn embed_with(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        match self {
            Embedder::Local(local) => Ok(local.embed(texts)),
            Embedder::Endpoint(endpoint) => endpoint.embed(texts, patience),
            Embedder::None => Err(EmbedError::Disabled),
        }
    }
}
