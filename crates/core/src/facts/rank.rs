//! The order of facts: how like the question, then how many tags are shared, then how fresh.

use super::{Fact, FactKind};
use crate::time::Timestamp;
use std::cmp::Ordering;

/// How many facts are shown unless another number is asked for.
pub const DEFAULT_COUNT: usize = 12;
/// The fewest that can be asked for.
pub const FEWEST: usize = 8;
/// The most that can be asked for.
pub const MOST: usize = 20;

/// Facts whose similarities differ by less are equally like the question; otherwise tags and age
/// would never count, since no two similarities are equal.
const BAND: f32 = 0.05;

/// What is never lost by age alone.
const LEAST_WEIGHT: f32 = 0.05;

/// A fact with the similarity of its text to a question.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    pub fact: &'a Fact,
    pub similarity: f32,
}

/// A fact in its place, with what put it there.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored<'a> {
    pub fact: &'a Fact,
    pub similarity: f32,
    pub shared_tags: usize,
    pub weight: f32,
}

/// The facts that hold, best first, as many as were asked for within the bounds.
pub fn top<'a>(
    candidates: impl IntoIterator<Item = Candidate<'a>>,
    tags: &[String],
    count: Option<usize>,
    now: Timestamp,
) -> Vec<Scored<'a>> {
    let candidates: Vec<(i32, Candidate<'a>)> =
        candidates.into_iter().map(|candidate| (band(candidate.similarity), candidate)).collect();
    let scored = |(_, candidate): &(i32, Candidate<'a>)| Scored {
        fact: candidate.fact,
        similarity: candidate.similarity,
        shared_tags: candidate.fact.tags.iter().filter(|tag| tags.contains(tag)).count(),
        weight: weight(candidate.fact, now),
    };
    let count = count.unwrap_or(DEFAULT_COUNT).clamp(FEWEST, MOST);
    let mut best = Vec::new();
    // There may be very many, and few are wanted: only facts of the best bands are looked at.
    let mut next = candidates.iter().map(|(band, _)| *band).max();
    while let Some(band) = next.filter(|_| best.len() < count) {
        let alike = candidates.iter().filter(|(own, _)| *own == band);
        best.extend(alike.filter(|(_, candidate)| candidate.fact.holds(now)).map(scored));
        next = candidates.iter().map(|(own, _)| *own).filter(|own| *own < band).max();
    }
    if best.len() > count {
        best.select_nth_unstable_by(count, order);
        best.truncate(count);
    }
    best.sort_by(order);
    best
}

/// Facts of one band are equally like the question.
fn band(similarity: f32) -> i32 {
    // What is no number is like nothing.
    if similarity.is_finite() { (similarity / BAND).floor() as i32 } else { i32::MIN }
}

fn order(left: &Scored<'_>, right: &Scored<'_>) -> Ordering {
    band(right.similarity)
        .cmp(&band(left.similarity))
        .then_with(|| right.shared_tags.cmp(&left.shared_tags))
        .then_with(|| right.weight.total_cmp(&left.weight))
        .then_with(|| right.fact.confirmed_at.cmp(&left.fact.confirmed_at))
        .then_with(|| left.fact.text.cmp(&right.fact.text))
}

/// What age has left of a fact: half after the half-life of its kind, and never nothing. A pinned
/// fact does not age.
pub fn weight(fact: &Fact, now: Timestamp) -> f32 {
    const DAY: f32 = 86_400_000.0;
    if fact.pinned {
        return 1.0;
    }
    let age = now.as_millis().saturating_sub(fact.confirmed_at.as_millis()).max(0) as f32 / DAY;
    0.5_f32.powf(age / half_life(fact.kind)).max(LEAST_WEIGHT)
}

/// In days.
fn half_life(kind: FactKind) -> f32 {
    match kind {
        FactKind::Entity => 365.0,
        FactKind::Decision | FactKind::Link => 180.0,
        FactKind::Fact => 120.0,
        FactKind::Metric => 60.0,
        FactKind::Task => 30.0,
    }
}
