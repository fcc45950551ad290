//! The crate from outside: its vectors against the float32 model's, one vector a text, input that
//! no one would write, and services that behave and misbehave.

#![cfg(test)]

mod endpoint;
mod llama;
mod one_vector;
mod reference;
mod rubbish;
mod service;

use dossier_embed::Embedder;

/// The cosine of two vectors of length one.
fn cosine(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[test]
fn the_local_embedder_describes_its_vectors() {
    let embedder = Embedder::local();
    assert_eq!(embedder.model().unwrap(), Some("minilm-l6-v2"));
    assert_eq!(embedder.dimension(), 384);
    assert_eq!(embedder.max_tokens(), 256);
    assert_eq!(embedder.count("Where do tokens expire?"), 7);
}

#[test]
fn no_embedder_counts_nothing_and_says_how_to_choose_one() {
    let embedder = Embedder::none();
    assert_eq!(embedder.model().unwrap(), None);
    assert_eq!(embedder.dimension(), 0);
    assert_eq!(embedder.count("Where do tokens expire?"), 0);
    assert_eq!(
        embedder.embed(&["text"]).unwrap_err().to_string(),
        "search by meaning is switched off; choose the embedder `local` to switch it on"
    );
}

#[test]
fn debugging_an_embedder_prints_neither_vocabulary_nor_weights() {
    let embedder = Embedder::local();
    embedder.embed(&["text"]).unwrap();
    assert_eq!(format!("{embedder:?}"), r#"Local(Local { model: "minilm-l6-v2", loaded: true })"#);
}
