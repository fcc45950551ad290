//! The 8-bit model against the float32 one it was made from.

use dossier_embed::Embedder;
use serde::Deserialize;

use crate::cosine;

#[derive(Deserialize)]
struct Example {
    text: String,
    embedding: Vec<f32>,
}

#[test]
fn vectors_point_where_the_float32_model_points() {
    let examples: Vec<Example> = include_str!("reference.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let texts: Vec<&str> = examples.iter().map(|example| example.text.as_str()).collect();
    let vectors = Embedder::local().embed(&texts).unwrap();
    assert_eq!(vectors.len(), examples.len());

    let mut sum = 0.0;
    for (example, vector) in examples.iter().zip(&vectors) {
        let cosine = cosine(vector, &example.embedding);
        assert!(cosine >= 0.99, "{cosine} for {:?}", example.text);
        sum += cosine;
    }
    let mean = sum / examples.len() as f32;
    assert!(mean >= 0.998, "{mean} in the mean");
}

#[test]
fn a_question_is_nearer_to_its_answer_than_to_another_text() {
    let vectors = Embedder::local()
        .embed(&[
            "How long do sign-in tokens last?",
            "A session expires after thirty minutes without activity.",
            "The bakery opens at seven and sells out of rye bread by noon.",
        ])
        .unwrap();
    assert!(cosine(&vectors[0], &vectors[1]) > cosine(&vectors[0], &vectors[2]) + 0.2);
}
