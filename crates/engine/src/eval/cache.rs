//! Answers for other questions: how many pairs of questions the guard of the answer cache takes
//! for one, rightly and wrongly.

use crate::error::EngineError;
use dossier_core::sameness::Asked;
use dossier_core::sameness::{Likeness, Signature, Used, Verdict, compare, judge};
use dossier_embed::Embedder;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// Two questions, and whether they are the same.
#[derive(Debug, Clone, Deserialize)]
pub struct Pair {
    pub id: String,
    pub a: String,
    pub b: String,
    /// 1: the same question; 0: another.
    pub label: u8,
    /// What the second answer would be made from otherwise: "persona", "file"…
    #[serde(default)]
    pub changed: Option<String>,
}

/// Reads a data set; a line that is no pair is an error that names it.
pub fn read_pairs(text: &str) -> Result<Vec<Pair>, EngineError> {
    let mut pairs: Vec<Pair> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |error: &dyn std::fmt::Display| {
            let number = number + 1;
            EngineError::Invalid(format!(
                "line {number} is no pair: {error}; expected {{\"id\", \"a\", \"b\", \"label\": 0 or 1}}"
            ))
        };
        let pair: Pair = serde_json::from_str(line).map_err(|error| wrong(&error))?;
        if pair.label > 1 {
            return Err(wrong(&format!("label {}", pair.label)));
        }
        pairs.push(pair);
    }
    if pairs.is_empty() {
        return Err(EngineError::Invalid("the data set is empty".to_owned()));
    }
    Ok(pairs)
}

/// The figures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CacheReport {
    /// Pairs of the same question that were taken for one.
    pub right_hits: usize,
    /// Pairs of different questions that were taken for one.
    pub wrong_hits: usize,
    pub positives: usize,
    pub negatives: usize,
}

/// Judges all pairs as the answer cache would, the first question being the earlier one.
pub async fn cache(embedder: Embedder, pairs: &[Pair]) -> Result<CacheReport, EngineError> {
    let embedder = Arc::new(embedder);
    let mut report = CacheReport::default();
    for pair in pairs {
        let hit = verdict(&embedder, pair).await?.is_same();
        let (all, hits) = match pair.label {
            1 => (&mut report.positives, &mut report.right_hits),
            _ => (&mut report.negatives, &mut report.wrong_hits),
        };
        *all += 1;
        *hits += usize::from(hit);
    }
    Ok(report)
}

async fn verdict(embedder: &Arc<Embedder>, pair: &Pair) -> Result<Verdict, EngineError> {
    // Only questions of equal form are worth their vectors.
    let similarity = match compare(&pair.a, &pair.b, Some(1.0)) {
        Verdict::Same(Likeness::Paraphrase) => similarity(embedder, pair).await?,
        _ => None,
    };
    let earlier = Signature::of(&Used::default());
    let later = Signature::of(&Used { persona: pair.changed.clone(), ..Used::default() });
    Ok(judge(
        Asked { text: &pair.a, signature: &earlier },
        Asked { text: &pair.b, signature: &later },
        similarity,
    ))
}

async fn similarity(embedder: &Arc<Embedder>, pair: &Pair) -> Result<Option<f32>, EngineError> {
    if embedder.is_none() {
        return Ok(None);
    }
    let (embedder, a, b) = (Arc::clone(embedder), pair.a.clone(), pair.b.clone());
    let vectors = spawn_blocking(move || embedder.embed(&[&a, &b])).await??;
    Ok(match vectors.as_slice() {
        [a, b] => Some(a.iter().zip(b).map(|(a, b)| a * b).sum()),
        _ => None,
    })
}
