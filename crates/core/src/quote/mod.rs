//! What a dossier says about a question, in its own words: the sentences that fit best, with where
//! they stand.
//!
//! Invariant: a quote is a piece of the prompt to the byte, and the same prompt gives the same
//! quotes.

mod passage;
mod unit;

use crate::analyse::Question;
use crate::chat::{Message, Said};
use crate::rank::Statistics;
use passage::Passage;
use std::collections::BTreeMap;
use unit::Unit;

/// How an answer begins that is made of quotes; history that begins so is not quoted again.
pub const OPENING: &str =
    "Quoted from the dossier, best first; this is no language model's answer.";

/// What is said where there is nothing to quote.
pub const NOTHING: &str =
    "Nothing in the dossier answers this. This only quotes; it is no language model.\n";

/// Whether a text was made of quotes, or says that there are none: it adds nothing to what it
/// quotes, which may have changed since.
pub fn only_quotes(text: &str) -> bool {
    text.starts_with(OPENING) || text.starts_with(NOTHING.trim_end())
}

/// No answer has more.
const MOST: usize = 4;
/// A further quote adds so much of what the best one says.
const LEAST_GAIN: f32 = 0.35;
/// What was quoted counts so much when it is said again.
const SAID: f32 = 0.2;
/// The least share of the question's words, weighed by rarity, that an answer has.
const LEAST_COVERAGE: f32 = 0.34;

/// What has fewer words says no more by being short.
const SHORTEST: usize = 10;

/// A piece of a dossier, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    pub source: String,
    pub text: String,
}

/// The quotes that answer the question of a prompt, best first; none when nothing fits.
pub fn quotes(messages: &[Message]) -> Vec<Quote> {
    let texts: Vec<(&Said, String)> =
        messages.iter().map(|message| (&message.said, message.text())).collect();
    let Some(((_, last), before)) = texts.split_last() else { return Vec::new() };
    let (found, question) = passage::turn(last);
    let mut passages: Vec<Passage<'_>> = Vec::new();
    for (said, text) in before {
        match said {
            Said::System { .. } => passages.extend(passage::files(text)),
            Said::Assistant { .. } if only_quotes(text) => {}
            // An earlier question may have come with files, as it does in a consultation.
            Said::User { .. } => {
                let (shown, asked) = passage::turn(text);
                passages.extend(shown);
                passages.push(Passage::said("user", asked));
            }
            Said::Assistant { .. } => passages.push(Passage::said("assistant", text)),
            Said::Tool { .. } => passages.push(Passage::said("a tool", text)),
        }
    }
    passages.extend(found);
    let pool = Pool::new(&Question::new(question), &passages);
    pool.chosen().into_iter().map(|unit| pool.quote(unit)).collect()
}

/// Everything that could be quoted, and what it is worth for each term of the question.
struct Pool<'a> {
    passages: &'a [Passage<'a>],
    units: Vec<Unit>,
    /// How rare each term is: what a quote that holds it is worth.
    rarity: Vec<f32>,
    /// For each unit and term.
    scores: Vec<Vec<f32>>,
    /// What each unit's score is multiplied by.
    fitness: Vec<f32>,
}

impl<'a> Pool<'a> {
    fn new(question: &Question, passages: &'a [Passage<'a>]) -> Self {
        let terms: Vec<String> = question.terms.iter().cloned().collect();
        let units = unit::units(passages, &terms);
        let mut statistics = Statistics { documents: units.len() as u64, ..Statistics::default() };
        let mut frequency: BTreeMap<String, u64> = BTreeMap::new();
        for unit in &units {
            statistics.total_length += unit.words as u64;
            for (term, count) in terms.iter().zip(&unit.counts) {
                *frequency.entry(term.clone()).or_default() += u64::from(*count >= 1.0);
            }
        }
        statistics.frequency = frequency;
        let scorers: Vec<_> = terms.iter().map(|term| statistics.scorer([term])).collect();
        let scores = units
            .iter()
            .map(|unit| {
                let counts = scorers.iter().zip(&unit.counts);
                let length = unit.words.max(SHORTEST) as f32;
                counts.map(|(scorer, count)| scorer.score(length, [*count])).collect()
            })
            .collect();
        let rarity = terms.iter().map(|term| statistics.rarity(term)).collect();
        let fitness = unit::fitness(&question.text, passages, &units);
        Self { passages, units, rarity, scores, fitness }
    }

    fn chosen(&self) -> Vec<usize> {
        let mut weights = vec![1.0; self.rarity.len()];
        let mut chosen: Vec<usize> = Vec::new();
        let mut first = 0.0;
        while chosen.len() < MOST {
            let Some((unit, gain)) = self.best(&weights, &chosen) else { break };
            if gain < first * LEAST_GAIN {
                break;
            }
            first = f32::max(first, gain);
            for (weight, count) in weights.iter_mut().zip(&self.units[unit].counts) {
                if *count >= 1.0 {
                    *weight *= SAID;
                }
            }
            chosen.push(unit);
        }
        if self.answer(&chosen) { chosen } else { Vec::new() }
    }

    /// The unit that adds most; of equals the first. What is quoted already adds nothing.
    fn best(&self, weights: &[f32], chosen: &[usize]) -> Option<(usize, f32)> {
        let is_new = |unit: &usize| chosen.iter().all(|other| !self.overlap(*unit, *other));
        let gain = |unit: usize| {
            let weighed =
                self.scores[unit].iter().zip(weights).map(|(score, weight)| score * weight);
            let questions = self.after_question(unit, weights);
            weighed.sum::<f32>() * self.fitness[unit] + questions
        };
        (0..self.units.len())
            .filter(is_new)
            .map(|unit| (unit, gain(unit)))
            .filter(|(_, gain)| *gain > 0.0)
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// What a unit is worth as the beginning of what follows a question that fits.
    fn after_question(&self, unit: usize, weights: &[f32]) -> f32 {
        const SHARE: f32 = 0.5;
        let Some(before) = unit.checked_sub(1).map(|before| &self.units[before]) else {
            return 0.0;
        };
        let follows = before.asks && before.passage + 1 == self.units[unit].passage;
        let told = self.passages[before.passage].is_message
            && self.passages[self.units[unit].passage].is_message;
        if !(follows && told) {
            return 0.0;
        }
        let scores = self.scores[unit - 1].iter().zip(weights);
        SHARE * scores.map(|(score, weight)| score * weight).sum::<f32>()
    }

    /// Whether units together hold enough of the question to pass for an answer, with the questions
    /// that they follow and with what their sources are called.
    fn answer(&self, chosen: &[usize]) -> bool {
        let holds = |unit: usize, term: usize| {
            let before = unit.checked_sub(1).map(|before| &self.units[before]);
            let asked = before.filter(|before| before.asks);
            self.units[unit].counts[term] > 0.0
                || asked.is_some_and(|before| before.counts[term] >= 1.0)
        };
        let held: Vec<f32> = self
            .rarity
            .iter()
            .enumerate()
            .filter(|(term, _)| chosen.iter().any(|unit| holds(*unit, *term)))
            .map(|(_, rarity)| *rarity)
            .collect();
        let all: f32 = self.rarity.iter().sum();
        held.len() >= 3 || !held.is_empty() && held.iter().sum::<f32>() >= all * LEAST_COVERAGE
    }

    /// Whether two units would be quoted together, or say the same.
    fn overlap(&self, left: usize, right: usize) -> bool {
        let (left, right) = (self.quote(left), self.quote(right));
        left.text.contains(&right.text) || right.text.contains(&left.text)
    }

    fn quote(&self, unit: usize) -> Quote {
        let own = &self.units[unit];
        let passage = &self.passages[own.passage];
        let range = unit::widened(&self.units, unit);
        Quote { source: passage.source(&range), text: passage.text[range].trim().to_owned() }
    }
}
