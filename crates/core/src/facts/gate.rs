//! The gate of memory: what becomes of a fact that was drafted, given what is known.

use super::words::{Words, is_subset, terms};
use super::{Doubt, Draft, Fact, FactKind, Remembered, weight};
use crate::id::FactId;
use crate::time::Timestamp;
use std::sync::Arc;

/// What becomes of a drafted fact.
#[derive(Debug, Clone, PartialEq)]
pub enum Admission {
    /// It is new; it closes these older ones.
    New {
        closes: Vec<FactId>,
    },
    /// It was said before something that has taken its place since.
    Past {
        by: FactId,
        until: Timestamp,
    },
    /// It is known; that one is confirmed.
    Known(FactId),
    /// A person decides.
    Doubtful(Doubt),
    Refused(Refusal),
}

/// Why a fact is not remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It was shown to whoever said it.
    Recalled,
    /// It says too little to be found again.
    Empty,
}

/// Decides about a draft of something that was said at a time. `recalled` are texts that were
/// shown on this turn, `known` the facts of the project.
pub fn admit(
    draft: &Draft,
    known: &[Arc<Remembered>],
    recalled: &[&str],
    said_at: Timestamp,
) -> Admission {
    let words = Words::of(&draft.text);
    if words.say_too_little() {
        return Admission::Refused(Refusal::Empty);
    }
    let holding = holding(known, said_at);
    let oldest = |facts: &mut dyn Iterator<Item = &Remembered>| {
        facts
            .map(|known| &known.fact)
            .min_by_key(|fact| (fact.created_at, fact.id.clone()))
            .map(|fact| fact.id.clone())
    };
    // Of what can be replaced, less than before is something new: no chips any more.
    let is_said = |known: &Words| match draft.topic {
        Some(_) => known.say_just(&words),
        None => known.say_all_of(&words),
    };
    let same = |known: &&Remembered| known.fact.kind == draft.kind && is_said(&known.words);
    if let Some(id) = oldest(&mut holding.iter().copied().filter(same)) {
        return Admission::Known(id);
    }
    if recalled.iter().any(|text| words.stand_in(text)) {
        return Admission::Refused(Refusal::Recalled);
    }
    if let Some(doubt) = draft.doubt {
        return Admission::Doubtful(doubt);
    }
    placed(draft, &holding, said_at, Pins::Hold)
}

/// Whether a pinned fact withstands what contradicts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pins {
    Hold,
    /// A person has decided against them.
    Yield,
}

/// What becomes of a fact beside those that it contradicts.
pub(super) fn placed(
    draft: &Draft,
    holding: &[&Remembered],
    said_at: Timestamp,
    pins: Pins,
) -> Admission {
    let others = holding.iter().filter(|known| known.fact.doubt.is_none());
    let others: Vec<&Fact> =
        others.filter(|known| is_replaced(draft, known)).map(|known| &known.fact).collect();
    let later = |fact: &&&Fact| said_at < fact.valid_from;
    if let Some(newer) = others.iter().filter(later).min_by_key(|fact| fact.valid_from) {
        return Admission::Past { by: newer.id.clone(), until: newer.valid_from };
    }
    if pins == Pins::Hold && others.iter().any(|fact| fact.pinned) {
        return Admission::Doubtful(Doubt::Contradiction);
    }
    let mut closes: Vec<FactId> = others.into_iter().map(|fact| fact.id.clone()).collect();
    closes.sort();
    Admission::New { closes }
}

/// The facts that held at a time, doubtful ones included.
pub(super) fn holding(known: &[Arc<Remembered>], at: Timestamp) -> Vec<&Remembered> {
    let held = |known: &&Remembered| known.fact.valid_until.is_none_or(|until| at < until);
    known.iter().map(Arc::as_ref).filter(held).collect()
}

/// Whether one fact takes the place of another: it is said of the same, or says what it replaces.
fn is_replaced(draft: &Draft, other: &Remembered) -> bool {
    let fact = &other.fact;
    let same_topic = draft.topic.is_some() && draft.topic == fact.topic;
    let replaces = draft.replaces.as_ref().is_some_and(|replaced| {
        let replaced = terms(replaced);
        !replaced.is_empty() && is_subset(&replaced, &other.words.terms)
    });
    // What is chosen instead of Redis for one thing leaves Redis for another as it is.
    let elsewhere = draft.topic.is_some() && fact.topic.is_some();
    fact.kind == draft.kind && (same_topic || (replaces && !elsewhere))
}

/// How many facts of each kind a project keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    pub each: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self { each: 2_000 }
    }
}

impl Caps {
    pub fn of(self, kind: FactKind) -> usize {
        match kind {
            FactKind::Decision | FactKind::Entity | FactKind::Fact => self.each,
            // Tasks and links age fast, and figures come in numbers.
            FactKind::Task | FactKind::Metric | FactKind::Link => self.each / 2,
        }
    }
}

/// The facts of one kind that go when there are too many: closed ones first, then those that have
/// decayed most. What is pinned, or was written down by a person, stays.
pub fn overflow<'a>(
    facts: impl IntoIterator<Item = &'a Fact>,
    kind: FactKind,
    caps: Caps,
    now: Timestamp,
) -> Vec<FactId> {
    let mut own: Vec<&Fact> = facts.into_iter().filter(|fact| fact.kind == kind).collect();
    let excess = own.len().saturating_sub(caps.of(kind));
    if excess == 0 {
        return Vec::new();
    }
    own.retain(|fact| !fact.pinned && fact.source.message.is_some());
    own.sort_by(|left, right| {
        let standing = |fact: &Fact| (fact.holds(now), weight(fact, now));
        let (left_standing, right_standing) = (standing(left), standing(right));
        left_standing
            .partial_cmp(&right_standing)
            .unwrap_or(std::cmp::Ordering::Equal)
            .then_with(|| (left.created_at, &left.id).cmp(&(right.created_at, &right.id)))
    });
    own.into_iter().take(excess).map(|fact| fact.id.clone()).collect()
}
