//! Groups of candidates: the section of a thread, the file of an excerpt. What a group is about
//! counts for each of its members.

use super::bm25::Statistics;
use super::{Candidate, Pool};
use crate::analyse::{self, Field};
use crate::chunk::Location;
use std::collections::{BTreeMap, BTreeSet};

/// How many of a group's members make up its score.
const BEST_MEMBERS: usize = 5;

/// Which candidates belong together.
pub(super) struct Groups {
    /// Members of each group, by their places.
    members: Vec<Vec<usize>>,
    /// The group of each candidate.
    of: Vec<usize>,
}

impl Groups {
    pub(super) fn of(candidates: &[Candidate]) -> Self {
        let mut numbers = BTreeMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut of = Vec::with_capacity(candidates.len());
        let mut previous = None;
        for (index, candidate) in candidates.iter().enumerate() {
            let key = match &candidate.chunk.location {
                Location::File { path, .. } => ("", path.as_str()),
                Location::Message { thread, section, .. } => {
                    (thread.as_str(), section.as_deref().unwrap_or(""))
                }
            };
            // Most stand beside others of their group.
            let number = match previous {
                Some((known, number)) if known == key => number,
                _ => *numbers.entry(key).or_insert(members.len()),
            };
            previous = Some((key, number));
            if number == members.len() {
                members.push(Vec::new());
            }
            members[number].push(index);
            of.push(number);
        }
        Self { members, of }
    }

    /// BM25 of each candidate's group as one long document, among the groups of the pool.
    pub(super) fn words(&self, pool: &Pool<'_>) -> Vec<f32> {
        let document = |members: &Vec<usize>| Document::of_members(pool, members);
        let documents: Vec<Document> = self.members.iter().map(document).collect();
        self.spread(&scores(&pool.terms, &documents))
    }

    /// BM25 of each file's path as a document of its own.
    pub(super) fn paths(&self, pool: &Pool<'_>) -> Vec<f32> {
        let documents: Vec<Document> = self
            .members
            .iter()
            .map(|members| match &pool.candidates[members[0]].chunk.location {
                Location::File { path, .. } => Document::of_path(pool, path),
                Location::Message { .. } => Document::of_path(pool, ""),
            })
            .collect();
        self.spread(&scores(&pool.terms, &documents))
    }

    /// The best members of each candidate's group: their sum, each counting less than the one
    /// before.
    pub(super) fn best(&self, totals: &[f32]) -> Vec<f32> {
        let whole: f32 = (1..=BEST_MEMBERS).map(|rank| 1.0 / rank as f32).sum();
        let scores: Vec<f32> = self
            .members
            .iter()
            .map(|members| {
                let mut values: Vec<f32> = members.iter().map(|index| totals[*index]).collect();
                values.sort_by(|left, right| right.total_cmp(left));
                let best = values.iter().take(BEST_MEMBERS).enumerate();
                best.map(|(rank, value)| value / (rank + 1) as f32).sum::<f32>() / whole
            })
            .collect();
        self.spread(&scores)
    }

    fn spread(&self, scores: &[f32]) -> Vec<f32> {
        self.of.iter().map(|group| scores[*group]).collect()
    }
}

/// A group as one document: how often it holds each of the question's terms.
struct Document {
    counts: Vec<f32>,
    length: f32,
}

impl Document {
    fn of_members(pool: &Pool<'_>, members: &[usize]) -> Self {
        let mut document = Self { counts: vec![0.0; pool.terms.len()], length: 0.0 };
        for index in members {
            let profile = &pool.candidates[*index].chunk.profile;
            document.length += profile.field_length(Field::Body) as f32;
            for (count, counts) in document.counts.iter_mut().zip(pool.counts(*index)) {
                let label = counts[Field::Label as usize].min(1) as f32;
                *count = (*count + counts[Field::Body as usize] as f32).max(label);
            }
        }
        document
    }

    fn of_path(pool: &Pool<'_>, path: &str) -> Self {
        let held: BTreeSet<String> = analyse::terms(path).into_iter().collect();
        let count = |term: &String| f32::from(u8::from(held.contains(term)));
        Self { counts: pool.terms.iter().map(count).collect(), length: held.len() as f32 }
    }
}

fn scores(terms: &[String], documents: &[Document]) -> Vec<f32> {
    let holding = |term: usize| {
        documents.iter().filter(|document| document.counts[term] > 0.0).count() as u64
    };
    let statistics = Statistics {
        documents: documents.len() as u64,
        total_length: documents.iter().map(|document| document.length).sum::<f32>() as u64,
        frequency: terms.iter().cloned().zip((0..terms.len()).map(holding)).collect(),
        ..Statistics::default()
    };
    let scorer = statistics.scorer(terms);
    let score =
        |document: &Document| scorer.score(document.length, document.counts.iter().copied());
    documents.iter().map(score).collect()
}
