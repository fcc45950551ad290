//! The gate of memory: what becomes of a fact that was drafted, given what is known.

use super::{Doubt, Draft, Fact, FactKind, weight};
use crate::analyse;
use crate::id::FactId;
use crate::time::Timestamp;
use std::collections::BTreeSet;

/// Two facts that share so much of their words, and all numbers, say the same.
const NEAR: f32 = 0.8;
/// A fact of which so much stands in one text that the model was shown was recalled from it.
const RECALLED: f32 = 0.9;

/// What becomes of a drafted fact.
#[derive(Debug, Clone, PartialEq)]
pub enum Admission {
    /// It is new; it closes these older ones.
    New {
        closes: Vec<FactId>,
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

/// Decides about a draft. `recalled` are the texts that were shown on this turn from memory and
/// from files, `known` the facts of the project that hold or wait.
pub fn admit(draft: &Draft, known: &[Fact], recalled: &[&str], now: Timestamp) -> Admission {
    let words = Words::of(&draft.text);
    if words.terms.len() < 2 {
        return Admission::Refused(Refusal::Empty);
    }
    if recalled.iter().any(|text| words.stand_in(text)) {
        return Admission::Refused(Refusal::Recalled);
    }
    let mut holding: Vec<&Fact> =
        known.iter().filter(|fact| fact.valid_until.is_none_or(|until| now < until)).collect();
    holding.sort_by(|left, right| (left.created_at, &left.id).cmp(&(right.created_at, &right.id)));
    let same = holding
        .iter()
        .find(|fact| fact.kind == draft.kind && words.say_the_same(&Words::of(&fact.text)));
    if let Some(fact) = same {
        return Admission::Known(fact.id.clone());
    }
    if let Some(doubt) = draft.doubt {
        return Admission::Doubtful(doubt);
    }
    let closed: Vec<&&Fact> =
        holding.iter().filter(|fact| fact.doubt.is_none() && closes(draft, fact)).collect();
    if closed.iter().any(|fact| fact.pinned) {
        return Admission::Doubtful(Doubt::Contradiction);
    }
    Admission::New { closes: closed.into_iter().map(|fact| fact.id.clone()).collect() }
}

/// Whether a new fact takes the place of an older one: it is said of the same, or says what it
/// replaces.
fn closes(draft: &Draft, older: &Fact) -> bool {
    let same_topic =
        draft.topic.is_some() && draft.topic == older.topic && draft.kind == older.kind;
    let replaces = draft.replaces.as_ref().is_some_and(|replaced| {
        let replaced = terms(replaced);
        !replaced.is_empty() && older.kind == draft.kind && replaced.is_subset(&terms(&older.text))
    });
    same_topic || replaces
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
/// decayed most. Pinned ones stay.
pub fn overflow(facts: &[Fact], kind: FactKind, caps: Caps, now: Timestamp) -> Vec<FactId> {
    let own = || facts.iter().filter(|fact| fact.kind == kind);
    let excess = own().count().saturating_sub(caps.of(kind));
    let mut loose: Vec<&Fact> = own().filter(|fact| !fact.pinned).collect();
    loose.sort_by(|left, right| {
        let standing = |fact: &Fact| (fact.holds(now), weight(fact, now));
        let (left_standing, right_standing) = (standing(left), standing(right));
        left_standing
            .partial_cmp(&right_standing)
            .unwrap_or(std::cmp::Ordering::Equal)
            .then_with(|| (left.created_at, &left.id).cmp(&(right.created_at, &right.id)))
    });
    loose.into_iter().take(excess).map(|fact| fact.id.clone()).collect()
}

/// What two texts are compared by.
struct Words {
    terms: BTreeSet<String>,
    numbers: BTreeSet<String>,
    negated: bool,
}

fn terms(text: &str) -> BTreeSet<String> {
    analyse::terms(text).into_iter().collect()
}

impl Words {
    fn of(text: &str) -> Self {
        const NEGATIONS: [&str; 7] =
            ["not", "no", "never", "without", "against", "cannot", "nobody"];
        let plain = analyse::words(text);
        let contracted = text.contains("n't") || text.contains("n’t");
        let negated = contracted || plain.iter().any(|word| NEGATIONS.contains(&word.as_str()));
        let numbers = plain.into_iter().filter(|word| word.contains(char::is_numeric)).collect();
        Self { terms: terms(text), numbers, negated }
    }

    fn say_the_same(&self, other: &Words) -> bool {
        let common = self.terms.intersection(&other.terms).count() as f32;
        let all = self.terms.union(&other.terms).count().max(1) as f32;
        // One other word in a short text is another fact.
        let near = self.terms == other.terms || (common / all >= NEAR && self.terms.len() > 8);
        near && self.numbers == other.numbers && self.negated == other.negated
    }

    /// Whether one sentence of the text holds them: in a long text any words can be found.
    fn stand_in(&self, text: &str) -> bool {
        let sentences = text.lines().flat_map(|line| line.split(". "));
        sentences.map(terms).any(|shown| {
            let held = self.terms.intersection(&shown).count() as f32;
            held / self.terms.len().max(1) as f32 >= RECALLED
        })
    }
}
