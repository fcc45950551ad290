//! Facts at hand: each with what it is compared by, so that a question need not take it apart.

use super::Fact;
use super::words::{Words, likeness, terms};
use crate::vector::Quantised;

/// A vector, and the name of what made it.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    pub model: String,
    pub vector: Quantised,
}

/// A fact of memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    pub fact: Fact,
    /// None until it was embedded; then words alone find it.
    pub embedding: Option<Embedding>,
    pub(super) words: Words,
}

impl Remembered {
    pub fn new(fact: Fact, embedding: Option<Embedding>) -> Self {
        let words = Words::of(&fact.text);
        Self { fact, embedding, words }
    }
}

/// What facts are looked for.
#[derive(Debug, Clone, Default)]
pub struct Sought {
    terms: Vec<u64>,
    /// The vectors of its topics, and the name of what made them.
    pub(super) vectors: Option<(String, Vec<Quantised>)>,
}

impl Sought {
    pub fn new(text: &str, vectors: Option<(String, Vec<Quantised>)>) -> Self {
        Self { terms: terms(text), vectors }
    }

    /// How like a fact is: by meaning where both have vectors of one kind, else by words.
    pub fn similarity(&self, remembered: &Remembered) -> f32 {
        let by_meaning = self.vectors.as_ref().zip(remembered.embedding.as_ref());
        match by_meaning.filter(|((model, _), own)| *model == own.model) {
            Some(((_, topics), own)) => {
                topics.iter().map(|topic| topic.similarity(&own.vector)).fold(0.0, f32::max)
            }
            None => likeness(&self.terms, &remembered.words.terms),
        }
    }
}
