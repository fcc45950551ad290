//! What two statements are compared by: their words, their numbers, and whether they deny.

use crate::analyse;
use std::hash::{DefaultHasher, Hash, Hasher as _};

/// Two facts that share so much of their words, and all numbers, say the same.
const NEAR: f32 = 0.8;
/// A fact of which so much stands in one text that the model was shown was recalled from it.
const RECALLED: f32 = 0.9;

/// The words of a text, as sorted numbers: memory holds many of them, and compares them often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    pub terms: Vec<u64>,
    numbers: Vec<u64>,
    negated: bool,
}

pub(super) fn terms(text: &str) -> Vec<u64> {
    numbered(analyse::terms(text))
}

fn numbered(words: impl IntoIterator<Item = String>) -> Vec<u64> {
    let number = |word: String| {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        hasher.finish()
    };
    let mut numbers: Vec<u64> = words.into_iter().map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// How many numbers stand in both lists.
fn common(left: &[u64], right: &[u64]) -> usize {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut common = 0;
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                common += 1;
                left.next();
                right.next();
            }
        }
    }
    common
}

/// The cosine of two sets of words.
pub(super) fn likeness(left: &[u64], right: &[u64]) -> f32 {
    let lengths = (left.len() * right.len()) as f32;
    if lengths == 0.0 { 0.0 } else { common(left, right) as f32 / lengths.sqrt() }
}

pub(super) fn is_subset(part: &[u64], whole: &[u64]) -> bool {
    common(part, whole) == part.len()
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        const NEGATIONS: [&str; 7] =
            ["not", "no", "never", "without", "against", "cannot", "nobody"];
        let plain = analyse::words(text);
        let contracted = text.contains("n't") || text.contains("n’t");
        let negated = contracted || plain.iter().any(|word| NEGATIONS.contains(&word.as_str()));
        let numbers = plain.into_iter().filter(|word| word.contains(char::is_numeric));
        Self { terms: terms(text), numbers: numbered(numbers), negated }
    }

    /// Whether nobody would find it again.
    pub(super) fn say_too_little(&self) -> bool {
        self.terms.len() < 2
    }

    pub(super) fn denies(&self) -> bool {
        self.negated
    }

    pub(super) fn say_the_same(&self, other: &Words) -> bool {
        if self.numbers != other.numbers || self.negated != other.negated {
            return false;
        }
        // One other word in a short text is another fact.
        self.terms == other.terms || (self.terms.len() > 8 && self.share(other) >= NEAR)
    }

    fn share(&self, other: &Words) -> f32 {
        let common = common(&self.terms, &other.terms);
        let all = self.terms.len() + other.terms.len() - common;
        common as f32 / all.max(1) as f32
    }

    /// Whether one sentence of the text holds them: in a long text any words can be found.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        let sentences = text.lines().flat_map(|line| line.split(". "));
        sentences.map(terms).any(|shown| {
            let held = common(&self.terms, &shown) as f32;
            held / self.terms.len().max(1) as f32 >= RECALLED
        })
    }
}
