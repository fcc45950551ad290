//! A real service that no one here wrote: llama.cpp with a tiny model of random weights, one token
//! a character and 512 at the most, behind a key.

use crate::cosine;
use dossier_embed::{Address, EmbedError, Embedder, Key, Trouble};

fn embedder(options: &str, key: &str) -> Embedder {
    let base = std::env::var("DOSSIER_TEST_EMBEDDINGS").expect(
        "DOSSIER_TEST_EMBEDDINGS is not set; start the service with: scripts/embeddings start",
    );
    let address = format!("{base}{options}#tiny").parse::<Address>().unwrap();
    Embedder::endpoint(address, Key::new(key))
}

#[test]
fn a_real_service_gives_every_text_its_own_vector() {
    let embedder = embedder("?batch=7", "dossier-test");
    let texts: Vec<String> = (0..50).map(|number| format!("{number} {}", 977 * number)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts).unwrap();
    assert_eq!((vectors.len(), embedder.dimension()), (50, 32));
    for (place, text) in texts.iter().enumerate() {
        let alone = &embedder.embed(&[text]).unwrap()[0];
        let nearest = |left: &&usize, right: &&usize| {
            cosine(&vectors[**left], alone).total_cmp(&cosine(&vectors[**right], alone))
        };
        let places: Vec<usize> = (0..50).collect();
        assert_eq!(places.iter().max_by(nearest), Some(&place), "{text}");
        assert!((cosine(alone, alone) - 1.0).abs() < 1e-5, "{text}");
    }
}

#[test]
fn a_real_service_that_counts_more_tokens_gets_a_shorter_text() {
    let embedder = embedder("", "dossier-test");
    let long = "a long walk ".repeat(120);
    assert!(embedder.count(&long) <= embedder.max_tokens());
    let vectors = embedder.embed(&["short", &long]).unwrap();
    let expected = embedder.embed(&[&long[..long.len() / 4]]).unwrap();
    assert!(cosine(&vectors[1], &expected[0]) > 0.999);
}

#[test]
fn a_real_service_refuses_a_wrong_key_and_other_dimensions() {
    let trouble = |embedder: Embedder| match embedder.embed(&["text"]) {
        Err(EmbedError::Service { trouble, .. }) => trouble,
        other => panic!("{other:?}"),
    };
    let refused = trouble(embedder("", "hunter2"));
    assert!(matches!(refused, Trouble::Refused { status: 401, .. }), "{refused}");
    let expected = Trouble::Dimension { expected: 16, got: 32 };
    assert_eq!(trouble(embedder("?dimensions=16", "dossier-test")), expected);
}
