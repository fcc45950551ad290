//! A text has one vector, to the bit, whatever happens around it.

use std::thread;

use dossier_embed::Embedder;

/// Texts of many lengths, from none to more than the model reads.
fn texts() -> Vec<String> {
    let sentence = "Sessions expire after 30 minutes; the token is then refused with 401. ";
    [0, 1, 2, 3, 5, 8, 14, 30]
        .into_iter()
        .flat_map(|count| [sentence.repeat(count), format!("{}naïve 漢字", sentence.repeat(count))])
        .collect()
}

#[test]
fn a_vector_does_not_depend_on_the_texts_beside_it() {
    let embedder = Embedder::local();
    let texts = texts();
    let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let alone: Vec<Vec<f32>> =
        texts.iter().flat_map(|text| embedder.embed(&[text]).unwrap()).collect();

    assert_eq!(embedder.embed(&texts).unwrap(), alone);
    assert_eq!(embedder.embed(&texts[..3]).unwrap(), alone[..3]);
    texts.reverse();
    let mut reversed = embedder.embed(&texts).unwrap();
    reversed.reverse();
    assert_eq!(reversed, alone);
}

#[test]
fn threads_that_share_an_embedder_get_the_same_vectors() {
    let embedder = Embedder::local();
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let answers: Vec<Vec<Vec<f32>>> = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| embedder.embed(&texts).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let again = Embedder::local().embed(&texts).unwrap();
    assert!(answers.iter().all(|answer| *answer == again));
}

#[test]
fn only_the_first_256_tokens_are_read() {
    let embedder = Embedder::local();
    let full = "word ".repeat(254);
    assert_eq!(embedder.count(&full), embedder.max_tokens() - 2);
    let vectors =
        embedder.embed(&[&full, &format!("{full} and more"), &"word ".repeat(253)]).unwrap();
    assert_eq!(vectors[0], vectors[1]);
    assert_ne!(vectors[0], vectors[2]);
}
