//! Answers for other questions: how many pairs of questions the answer cache takes for one, rightly
//! and wrongly. Both questions of a pair are asked in turns as at any door, of a model that counts for
//! nothing: what is measured is whether it was asked at all.

use super::changed::{Change, Scene};
use crate::error::EngineError;
use crate::eval::Quantiles;
use crate::mint;
use crate::workspace::Engine;
use dossier_core::id::OwnerId;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Two questions, and whether they are the same.
#[derive(Debug, Clone, Deserialize)]
pub struct Pair {
    pub id: String,
    pub a: String,
    pub b: String,
    /// 1: the same question; 0: another.
    pub label: u8,
    /// What is different when the second is asked.
    #[serde(default)]
    pub changed: Option<Change>,
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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CacheReport {
    /// Pairs of the same question of which the second was answered from the cache.
    pub right_hits: usize,
    /// Pairs of different questions of which the second was.
    pub wrong_hits: usize,
    pub positives: usize,
    pub negatives: usize,
    /// Pairs between whose questions something changes, and those of them of which the second was
    /// answered from the cache as long as nothing had changed: only these tell something.
    pub changed: usize,
    pub hits_before_change: usize,
    /// Until the second is answered, by whomever.
    pub answer_ms: Quantiles<f64>,
}

/// Asks both questions of all pairs, each pair in a project of its own, below owners that exist for
/// the run alone.
pub async fn cache(engine: &Engine, pairs: &[Pair]) -> Result<CacheReport, EngineError> {
    let (mut hits, mut all) = ([0, 0], [0, 0]);
    let (mut changed, mut hits_before_change) = (0, 0);
    let mut times = Vec::with_capacity(pairs.len());
    let owners = [mint::id::<OwnerId>(), mint::id::<OwnerId>()];
    let [own, other] = owners.each_ref().map(|owner| engine.owner(owner));
    for (number, pair) in pairs.iter().enumerate() {
        let mut scene = Scene::new(&own, number, pair).await?;
        scene.ask(&pair.a).await?;
        if let Some(change) = pair.changed {
            changed += 1;
            hits_before_change += usize::from(scene.ask(&pair.b).await?);
            scene.change(change, &other, pair).await?;
        }
        let began = Instant::now();
        let is_hit = scene.ask(&pair.b).await?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
        scene.end().await?;
        let label = usize::from(pair.label);
        all[label] += 1;
        hits[label] += usize::from(is_hit);
    }
    Ok(CacheReport {
        right_hits: hits[1],
        wrong_hits: hits[0],
        positives: all[1],
        negatives: all[0],
        changed,
        hits_before_change,
        answer_ms: Quantiles::of(times),
    })
}
