//! What came of looking for kept answers, counted since the start.

use crate::workspace::Engine;
use dossier_core::sameness::Cached;
use dossier_core::savings::Savings;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A tally that all views of an engine share.
pub(crate) type SharedAnswers = Arc<AnswerTally>;

#[derive(Debug, Default)]
pub(crate) struct AnswerTally(Mutex<AnswerSums>);

/// How often answers were given again, and why they were not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerSums {
    /// By how the questions were the same, or `stale` where the answer's time was over.
    pub hits: BTreeMap<&'static str, u64>,
    /// By the reason in one word.
    pub misses: BTreeMap<&'static str, u64>,
    /// Tokens that no model had to read or write.
    pub saved_tokens: u64,
}

impl AnswerTally {
    pub(crate) fn hit(&self, cached: &Cached, saved: Savings) {
        let how = if cached.stale { "stale" } else { cached.how.as_str() };
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *sums.hits.entry(how).or_default() += 1;
        sums.saved_tokens += saved.gross.unsigned_abs();
    }

    pub(crate) fn miss(&self, reason: &'static str) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *sums.misses.entry(reason).or_default() += 1;
    }
}

impl Engine {
    /// What came of looking for kept answers since the start, whoever asked.
    pub fn answer_sums(&self) -> AnswerSums {
        self.answers.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
