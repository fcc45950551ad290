//! Ranking: one list, best first, from the signals of every candidate.
//!
//! Each signal is brought to the range 0–1 by its best value in the pool, then weighed and added.
//! Structure counts as much as words: a message gains from its section and its neighbours, a file
//! excerpt from its file and its path. Ties are broken by place, never by chance.

mod bm25;
mod boosts;
mod groups;
mod place;
mod reason;
mod shortlist;
mod signal;
mod topics;

pub use bm25::Statistics;
pub use boosts::holds;
pub use reason::reason;
pub use shortlist::{Postings, Strength};
pub use signal::Signal;
pub use topics::topics;

use crate::analyse::{Counts, Field, Profile, Question, Term};
use crate::chunk::{Chunk, Location};
use crate::item::Scores;
use signal::Signals;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A chunk that some signal found, with its similarity to each topic of the question.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub chunk: Arc<Chunk>,
    /// One value for each topic; empty when the chunk has no vectors or there is no embedder.
    pub similarities: Vec<f32>,
}

/// A candidate in its place.
#[derive(Debug, Clone)]
pub struct Ranked {
    pub chunk: Arc<Chunk>,
    pub score: f32,
    /// How like the question it is by meaning alone, if it has vectors.
    pub similarity: Option<f32>,
    /// Score of the section or file it belongs to.
    pub group_score: f32,
    signals: [f32; Signal::COUNT],
    /// Terms of the question that its text holds, as places in `words`.
    held: u128,
    /// The words of the question that its terms come from.
    words: Arc<[String]>,
}

impl Ranked {
    /// What a signal says, between 0 and 1.
    pub fn signal(&self, signal: Signal) -> f32 {
        self.signals[signal as usize]
    }

    /// What spoke for it.
    pub fn scores(&self) -> Scores {
        let spoke = Signal::ALL.into_iter().filter(|signal| self.signal(*signal) > 0.0);
        spoke.map(|signal| (signal.name().into(), self.signal(signal))).collect()
    }

    /// The words of the question that its text holds. Several terms may be parts of one word.
    pub fn matched(&self) -> Vec<&str> {
        let mut words: Vec<&str> = Vec::new();
        let held = self.words.iter().enumerate().filter(|(term, _)| self.held >> term & 1 == 1);
        for (_, word) in held {
            if !words.contains(&word.as_str()) {
                words.push(word);
            }
        }
        words
    }
}

/// Of a very long question the rarest terms count.
const MOST_TERMS: usize = u128::BITS as usize;

/// What each signal weighs against keywords, which weigh 1.
mod weight {
    pub const MEANING: f32 = 1.5;
    pub const GROUP_WORDS: f32 = 0.3;
    pub const PATH: f32 = 0.3;
    pub const GROUP_BEST: f32 = 0.2;
    pub const NEIGHBOUR: f32 = 0.1;
    pub const SPEAKER: f32 = 0.3;
    pub const MONTH: f32 = 0.2;
    pub const PHRASE: f32 = 1.0;
}

/// Ranks the candidates, best first.
pub fn rank(
    question: &Question,
    candidates: Vec<Candidate>,
    statistics: &Statistics,
) -> Vec<Ranked> {
    let pool = Pool::new(question, candidates, statistics);
    if pool.candidates.is_empty() {
        return Vec::new();
    }
    let mut signals = Signals::new(pool.candidates.len());
    let words = pool.keywords(statistics);
    signals.add(Signal::Keywords, 1.0, words);
    signals.add(Signal::Meaning, weight::MEANING, pool.meaning());
    let groups = groups::Groups::of(&pool.candidates);
    signals.add(Signal::Section, weight::GROUP_WORDS, normalised(groups.words(&pool)));
    signals.add(Signal::Path, weight::PATH, normalised(groups.paths(&pool)));
    signals.add(Signal::Phrase, weight::PHRASE, boosts::phrases(&pool));
    signals.scale(&boosts::roles(&pool));
    let best = groups.best(&signals.total);
    signals.add(Signal::Group, weight::GROUP_BEST, best.clone());
    let neighbours = boosts::neighbours(&pool.candidates, &signals.total);
    signals.add(Signal::Neighbours, weight::NEIGHBOUR, neighbours);
    let top = signals.total.iter().copied().fold(0.0, f32::max);
    signals.add(Signal::Speaker, weight::SPEAKER * top, boosts::speaker(&pool));
    signals.add(Signal::Month, weight::MONTH * top, boosts::months(&pool));
    pool.ranked(&signals, &best)
}

/// The candidates in the order of their places, and the question without the names of speakers.
struct Pool<'a> {
    question: &'a Question,
    terms: Vec<String>,
    /// The terms of each topic of the question, as places in `terms`.
    topics: Vec<Vec<usize>>,
    /// Speakers of the pool whom the question names.
    named: Vec<String>,
    candidates: Vec<Candidate>,
    /// How often each candidate holds each term, one candidate after the other.
    counts: Vec<Counts>,
}

impl<'a> Pool<'a> {
    fn new(
        question: &'a Question,
        mut candidates: Vec<Candidate>,
        statistics: &Statistics,
    ) -> Self {
        candidates.sort_by(|left, right| place::compare(&left.chunk, &right.chunk));
        let speakers = speakers(candidates.iter().map(|candidate| candidate.chunk.as_ref()));
        let named = question.named(speakers.iter().map(String::as_str));
        let terms = statistics.rarest(question.terms_without(&named), MOST_TERMS);
        let topics = topics(question)
            .iter()
            .map(|topic| {
                let own = Question::new(topic).terms;
                (0..terms.len()).filter(|term| own.contains(&terms[*term])).collect()
            })
            .collect();
        let named = named.into_iter().map(str::to_owned).collect();
        let asked: Vec<Term<'_>> = terms.iter().map(|term| Term::new(term)).collect();
        let counts = candidates
            .iter()
            .flat_map(|candidate| asked.iter().map(|term| candidate.chunk.profile.counts(*term)))
            .collect();
        Self { question, terms, topics, named, candidates, counts }
    }

    /// How often a candidate holds each term.
    fn counts(&self, candidate: usize) -> &[Counts] {
        &self.counts[candidate * self.terms.len()..][..self.terms.len()]
    }

    /// BM25 of each candidate, by the topic it serves best.
    fn keywords(&self, statistics: &Statistics) -> Vec<f32> {
        let mut best = vec![0.0_f32; self.candidates.len()];
        for topic in &self.topics {
            let scorer = statistics.scorer(topic.iter().map(|term| &self.terms[*term]));
            let score = |(index, candidate): (usize, &Candidate)| {
                let (length, counts) = (candidate.chunk.profile.length(), self.counts(index));
                let weights = topic.iter().map(|term| Profile::weigh(counts[*term]));
                scorer.score(length as f32, weights)
            };
            let scores = self.candidates.iter().enumerate().map(score).collect();
            for (best, score) in best.iter_mut().zip(normalised(scores)) {
                *best = best.max(score);
            }
        }
        best
    }

    /// Similarity of each candidate, by the topic it serves best. One without vectors counts as
    /// an average one, so that what is not yet embedded is not buried.
    fn meaning(&self) -> Vec<f32> {
        let similarity = |candidate: &Candidate| {
            candidate.similarities.iter().copied().reduce(f32::max).unwrap_or(0.0)
        };
        let mut values = normalised(self.candidates.iter().map(similarity).collect());
        let known = |candidate: &Candidate| !candidate.similarities.is_empty();
        let count = self.candidates.iter().filter(|candidate| known(candidate)).count();
        let mean = values.iter().sum::<f32>() / count.max(1) as f32;
        for (value, candidate) in values.iter_mut().zip(&self.candidates) {
            if !known(candidate) {
                *value = mean;
            }
        }
        values
    }

    fn ranked(&self, signals: &Signals, groups: &[f32]) -> Vec<Ranked> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        // The candidates stand in the order of their places, and the sort is stable.
        order.sort_by(|left, right| signals.total[*right].total_cmp(&signals.total[*left]));
        topics::serve_each(&mut order, self);
        let words = self.terms.iter().map(|term| self.question.word(term).to_owned());
        let words: Arc<[String]> = words.collect();
        order
            .into_iter()
            .map(|index| Ranked {
                chunk: Arc::clone(&self.candidates[index].chunk),
                score: signals.total[index],
                similarity: self.candidates[index].similarities.iter().copied().reduce(f32::max),
                group_score: groups[index],
                signals: signals.of(index),
                held: self.held(index),
                words: Arc::clone(&words),
            })
            .collect()
    }

    /// The terms that a candidate's own text holds, a bit for each.
    fn held(&self, index: usize) -> u128 {
        let held = self.counts(index).iter().enumerate().filter(|(_, counts)| holds_itself(counts));
        held.fold(0, |held, (term, _)| held | 1 << term)
    }
}

/// Whether a term stands in the chunk's own text, and not only in what leads to it.
fn holds_itself(counts: &Counts) -> bool {
    counts[Field::Body as usize] > 0
}

/// The best value becomes 1, what is below zero becomes 0.
fn normalised(mut values: Vec<f32>) -> Vec<f32> {
    let best = values.iter().copied().fold(0.0, f32::max);
    for value in &mut values {
        *value = if best > 0.0 { value.max(0.0) / best } else { 0.0 };
    }
    values
}

/// The part of a ranking that a dossier considers: what would fill the budget twice over, and some
/// more. The rest is only counted.
pub fn considered(ranked: &[Ranked], budget: u32) -> &[Ranked] {
    const AT_LEAST: usize = 100;
    let mut tokens = 0_u64;
    let filling = ranked.iter().take_while(|ranked| {
        let before = tokens;
        tokens += u64::from(ranked.chunk.tokens);
        before < 2 * u64::from(budget)
    });
    let count = filling.count().max(AT_LEAST).min(ranked.len());
    &ranked[..count]
}

/// The distinct sources of a ranking, best first: messages by their own score, files by that of
/// their best excerpts together.
pub fn sources(ranked: &[Ranked]) -> Vec<&str> {
    let mut sources: Vec<(f32, &str)> = Vec::new();
    let mut seen = HashSet::new();
    for ranked in ranked {
        if seen.insert(ranked.chunk.origin.as_str()) {
            let score = match ranked.chunk.location {
                Location::File { .. } => ranked.group_score,
                Location::Message { .. } => ranked.score,
            };
            sources.push((score, ranked.chunk.origin.as_str()));
        }
    }
    sources.sort_by(|left, right| right.0.total_cmp(&left.0));
    sources.into_iter().map(|(_, source)| source).collect()
}

/// The names of those who speak in these chunks, sorted.
pub fn speakers<'a>(chunks: impl IntoIterator<Item = &'a Chunk>) -> Vec<String> {
    let names: BTreeSet<&str> = chunks
        .into_iter()
        .filter_map(|chunk| match &chunk.location {
            Location::Message { speaker, .. } => speaker.name.as_deref(),
            Location::File { .. } => None,
        })
        .collect();
    names.into_iter().map(str::to_owned).collect()
}
