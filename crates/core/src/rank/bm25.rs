//! BM25 with the project's own statistics, computed here for both databases alike.

use super::shortlist::Strength;
use std::collections::BTreeMap;

pub(super) const K1: f32 = 1.2;
pub(super) const B: f32 = 0.75;

/// How common terms are in a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    pub documents: u64,
    /// Words of all documents together.
    pub total_length: u64,
    /// In how many documents each term stands.
    pub frequency: BTreeMap<String, u64>,
    /// In how many of these it is strong.
    pub strong: BTreeMap<String, u64>,
}

impl Statistics {
    /// What these terms are worth in this collection.
    pub fn scorer<'a>(&self, terms: impl IntoIterator<Item = &'a String>) -> Scorer {
        Scorer {
            rarity: terms.into_iter().map(|term| self.rarity(term)).collect(),
            average_length: (self.total_length as f32 / self.documents.max(1) as f32).max(1.0),
        }
    }

    /// The inverse document frequency: large for rare terms, never negative.
    pub(crate) fn rarity(&self, term: &str) -> f32 {
        let documents = self.documents as f32;
        let frequency = self.frequency.get(term).copied().unwrap_or(0).min(self.documents) as f32;
        (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
    }

    /// The rarest of the terms that exist, sorted.
    pub(super) fn rarest(
        &self,
        terms: impl IntoIterator<Item = String>,
        most: usize,
    ) -> Vec<String> {
        let mut known: Vec<(u64, String)> = terms
            .into_iter()
            .filter_map(|term| Some((*self.frequency.get(&term)?, term)))
            .collect();
        known.sort();
        known.truncate(most);
        let mut terms: Vec<String> = known.into_iter().map(|(_, term)| term).collect();
        terms.sort();
        terms
    }

    /// How many chunks a list of the index holds.
    pub(super) fn length(&self, term: &str, strength: Strength) -> u64 {
        let of = |counts: &BTreeMap<String, u64>| counts.get(term).copied().unwrap_or(0);
        let strong = of(&self.strong);
        match strength {
            Strength::Strong => strong,
            Strength::Weak => of(&self.frequency).saturating_sub(strong),
        }
    }
}

/// BM25 for a fixed list of terms.
#[derive(Debug, Clone)]
pub struct Scorer {
    rarity: Vec<f32>,
    average_length: f32,
}

impl Scorer {
    /// The score of a document of this length, which holds each term so many times.
    pub fn score(&self, length: f32, counts: impl IntoIterator<Item = f32>) -> f32 {
        let damping = K1 * (1.0 - B + B * length / self.average_length);
        self.rarity
            .iter()
            .zip(counts)
            .map(|(rarity, count)| rarity * count * (K1 + 1.0) / (count + damping))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_term_in_a_short_document_scores_higher() {
        let frequency = [("rare", 1), ("common", 90)].map(|(term, n)| (term.to_owned(), n));
        let statistics = Statistics {
            documents: 100,
            total_length: 1_000,
            frequency: frequency.into(),
            ..Statistics::default()
        };
        let score = |term: &str, length| statistics.scorer(&[term.to_owned()]).score(length, [1.0]);
        assert!(score("rare", 10.0) > score("common", 10.0));
        assert!(score("rare", 5.0) > score("rare", 50.0));
        assert!(score("common", 10.0) > 0.0);
    }
}
