//! The wire format of `/v1/embeddings`, and the check of every answer: one vector a text, all of
//! one length, scaled to length one.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::address::MAX_DIMENSION;
use crate::Trouble;

#[derive(Debug, Serialize)]
pub(super) struct EmbeddingsRequest<'a> {
    pub model: &'a str,
    pub input: &'a [&'a str],
    pub encoding_format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct EmbeddingsResponse {
    data: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    /// Some servers leave it out and keep the order.
    index: Option<usize>,
    embedding: Embedding,
}

/// Floats were asked for; some servers send base64 all the same.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Embedding {
    Floats(Vec<f32>),
    Base64(String),
}

impl Embedding {
    fn floats(self) -> Result<Vec<f32>, Trouble> {
        let text = match self {
            Embedding::Floats(floats) => return Ok(floats),
            Embedding::Base64(text) => text,
        };
        let bytes = STANDARD.decode(text).map_err(|error| Trouble::NoVectors(error.to_string()))?;
        let (floats, []) = bytes.as_chunks::<4>() else {
            return Err(Trouble::NoVectors("base64 that is cut short".to_owned()));
        };
        Ok(floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }
}

/// The vectors of an answer, in the order of the texts that were asked about.
pub(super) fn vectors(answer: &[u8], asked: usize) -> Result<Vec<Vec<f32>>, Trouble> {
    let EmbeddingsResponse { data } = serde_json::from_slice(answer)
        .map_err(|error| Trouble::NoVectors(said(answer).unwrap_or_else(|| error.to_string())))?;
    let wrong_count = Trouble::Count { asked, got: data.len() };
    if data.len() != asked {
        return Err(wrong_count);
    }
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; asked];
    for (place, Item { index, embedding }) in data.into_iter().enumerate() {
        match vectors.get_mut(index.unwrap_or(place)) {
            Some(vector @ None) => *vector = Some(unit(embedding.floats()?)?),
            _ => return Err(wrong_count),
        }
    }
    let vectors: Vec<Vec<f32>> = vectors.into_iter().flatten().collect();
    let length = vectors.first().map_or(0, Vec::len);
    match vectors.iter().find(|vector| vector.len() != length) {
        Some(other) => Err(Trouble::Dimension { expected: length, got: other.len() }),
        None => Ok(vectors),
    }
}

/// The vector scaled to length one.
fn unit(mut vector: Vec<f32>) -> Result<Vec<f32>, Trouble> {
    if vector.is_empty() || vector.len() > MAX_DIMENSION as usize {
        return Err(Trouble::BadDimension(vector.len()));
    }
    if !vector.iter().all(|value| value.is_finite()) {
        return Err(Trouble::NotFinite);
    }
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if length > 0.0 {
        for value in &mut vector {
            *value = (f64::from(*value) / length) as f32;
        }
    }
    Ok(vector)
}

/// What a service says went wrong, in the forms that are in use:
/// `{"error": {"message": …}}`, `{"error": …}`, `{"message": …}` and `{"detail": …}`.
pub(super) fn said(answer: &[u8]) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_slice(answer).ok()?;
    let error = answer.get("error").unwrap_or(&answer);
    [Some(error), error.get("message"), answer.get("detail")]
        .into_iter()
        .flatten()
        .find_map(|said| said.as_str())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &str, expected: Result<Vec<Vec<f32>>, Trouble>) {
        assert_eq!(vectors(answer.as_bytes(), 2), expected, "{answer}");
    }

    #[test]
    fn vectors_are_matched_by_index_and_scaled_to_length_one() {
        let expected = || Ok(vec![vec![0.6, 0.8], vec![0.0, -1.0]]);
        check(
            r#"{"data": [{"index": 1, "embedding": [0, -2]}, {"index": 0, "embedding": [3, 4]}]}"#,
            expected(),
        );
        check(r#"{"data": [{"embedding": [3, 4]}, {"embedding": [0, -2]}]}"#, expected());
        check(
            r#"{"data": [{"index": 0, "embedding": "AABAQAAAgEA="}, {"index": 1, "embedding": "AAAAAAAAAMA="}]}"#,
            expected(),
        );
    }

    #[test]
    fn an_answer_that_is_not_one_vector_a_text_is_refused() {
        let count = |got| Err(Trouble::Count { asked: 2, got });
        check(r#"{"data": [{"index": 0, "embedding": [1]}]}"#, count(1));
        check(
            r#"{"data": [{"index": 1, "embedding": [1]}, {"index": 1, "embedding": [1]}]}"#,
            count(2),
        );
        check(
            r#"{"data": [{"index": 0, "embedding": [1]}, {"index": 2, "embedding": [1]}]}"#,
            count(2),
        );
    }

    #[test]
    fn numbers_that_are_none_and_lengths_that_differ_are_refused() {
        let pair = |first: &str, second: &str| {
            format!(
                r#"{{"data": [{{"index": 0, "embedding": {first}}}, {{"index": 1, "embedding": {second}}}]}}"#
            )
        };
        check(&pair("[1]", "[1e39]"), Err(Trouble::NotFinite));
        check(&pair("[1]", "\"AADAfw==\""), Err(Trouble::NotFinite));
        check(&pair("[1, 0]", "[1]"), Err(Trouble::Dimension { expected: 2, got: 1 }));
        check(&pair("[]", "[]"), Err(Trouble::BadDimension(0)));
        check(
            &pair("\"AADA\"", "[1]"),
            Err(Trouble::NoVectors("base64 that is cut short".to_owned())),
        );
    }

    #[test]
    fn an_error_in_place_of_an_answer_is_told() {
        for answer in [
            r#"{"error": {"message": "no such model", "code": 404}}"#,
            r#"{"error": "no such model"}"#,
            r#"{"message": "no such model"}"#,
            r#"{"detail": "no such model"}"#,
        ] {
            check(answer, Err(Trouble::NoVectors("no such model".to_owned())));
        }
        assert!(matches!(vectors(b"<html>", 1), Err(Trouble::NoVectors(_))));
    }
}
