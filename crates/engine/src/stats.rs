//! Figures of an owner's work: what models took and what was spared, what is remembered and kept, and
//! what is still to be done.

use crate::error::EngineError;
use crate::facts::{FactFilter, FactState};
use crate::figures::Today;
use crate::work::KINDS;
use crate::workspace::Workspace;
use dossier_core::refs::RefName;
use dossier_core::savings::{SummaryWorth, long_session};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_core::work::Quota;
use dossier_store::{
    AssemblySums, CompressedSum, JobState, RefSums, SelectionSum, SelectionsBy, Summarised,
    UsageBy, UsageFilter, UsageSum, Waits,
};
use std::collections::BTreeMap;

/// Refuses a time that is no day: compared as text, it would find nothing, or too much.
pub(crate) fn expect_days(filter: &UsageFilter) -> Result<(), EngineError> {
    for (field, day) in [("from", &filter.from), ("to", &filter.to)] {
        let Some(day) = day else { continue };
        if !Timestamp::parse(day).is_ok_and(|time| time.date().to_string() == *day) {
            return Err(EngineError::Invalid(format!(
                "{field} is a day, written as in 2026-11-15, which `{day}` is not"
            )));
        }
    }
    Ok(())
}

/// Figures of an owner, or of one project.
#[derive(Debug, Clone, PartialEq)]
pub struct Stats {
    /// What calls took, by what they were for.
    pub usage: Vec<UsageSum>,
    /// How long replies were waited for, by what they were for.
    pub waits: Vec<Waits>,
    pub facts: BTreeMap<&'static str, usize>,
    /// Of the owner, whatever the project, by the kinds of contents.
    pub refs: Vec<(String, RefSums)>,
    pub measures: Measures,
    /// Threads that took more input than a session should, the longest first.
    pub long_sessions: Vec<UsageSum>,
}

/// What is aimed at, as it was reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    /// Dossiers that were stored.
    pub contexts: AssemblySums,
    /// How well what they chose served their replies.
    pub selections: Selections,
    /// Contents that are refs, by kind and outcome; of the owner, whatever the project.
    pub compressions: Vec<CompressedSum>,
    /// Of the owner, by what has become of them.
    pub jobs: BTreeMap<&'static str, u64>,
    /// What jobs of the owner took today, and what they may take.
    pub today: Today,
    pub quota: Quota,
    /// Summaries that models wrote of the owner's contents, the dearest first.
    pub summaries: Vec<SummaryCost>,
}

/// How well selections served replies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selections {
    pub by_profile: Vec<SelectionSum>,
    pub by_day: Vec<SelectionSum>,
}

/// A summary that a model wrote: what it took, and what comes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryCost {
    /// The ref, with every digit.
    pub name: RefName,
    pub model: String,
    /// In millionths of a dollar, if the price is known.
    pub cost: Option<i64>,
    pub worth: SummaryWorth,
}

/// Summaries added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SummarySums {
    pub count: usize,
    /// Tokens.
    pub spent: u64,
    /// In millionths of a dollar, of those whose price is known.
    pub cost: i64,
    pub uses: u64,
    /// What they have spared so far, less what they took.
    pub net: i64,
    /// After how many uses of each they have spared what they took.
    pub break_even: Option<u64>,
}

impl SummaryCost {
    fn of(row: Summarised) -> Self {
        let tokens = u64::from(Tokenizer::O200k.count(&row.summary));
        let spared = u64::from(row.compressed_tokens).saturating_sub(tokens);
        Self {
            name: RefName::whole(row.kind, &row.hash),
            model: row.model,
            cost: row.cost,
            worth: SummaryWorth { spent: row.tokens, spared, uses: row.uses },
        }
    }
}

impl Measures {
    /// The share of the looks for kept answers that found one.
    pub fn hit_rate(&self) -> Option<f64> {
        let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        let (hits, misses) = (sum(&self.contexts.hits), sum(&self.contexts.misses));
        (hits + misses > 0).then(|| hits as f64 / (hits + misses) as f64)
    }

    /// What the summaries come to together.
    pub fn summed(&self) -> SummarySums {
        let mut each = SummaryWorth::default();
        let mut sums = SummarySums { count: self.summaries.len(), ..SummarySums::default() };
        for SummaryCost { worth, cost, .. } in &self.summaries {
            each.spent += worth.spent;
            each.spared += worth.spared;
            sums.uses += worth.uses;
            sums.net += worth.net();
            sums.cost += cost.unwrap_or(0);
        }
        SummarySums { spent: each.spent, break_even: each.break_even(), ..sums }
    }
}

impl Workspace {
    /// The figures of a time, or of all.
    pub async fn stats(&self, filter: &UsageFilter, now: Timestamp) -> Result<Stats, EngineError> {
        let mut facts = BTreeMap::new();
        for state in FactState::ALL {
            let wanted = FactFilter {
                project: filter.project.clone(),
                state: Some(state),
                ..FactFilter::default()
            };
            facts.insert(state.as_str(), self.list_facts(&wanted, None, 0, now).await?.total);
        }
        let mut sessions = self.usage(UsageBy::Thread, filter).await?;
        sessions.retain(|sum| !sum.key.is_empty() && long_session(sum.input).is_some());
        sessions.sort_by_key(|sum| std::cmp::Reverse(sum.input));
        Ok(Stats {
            usage: self.usage(UsageBy::Component, filter).await?,
            waits: self.waits(UsageBy::Component, filter).await?,
            facts,
            refs: self.store.ref_sums(now).await?,
            measures: self.measures(filter, now).await?,
            long_sessions: sessions,
        })
    }

    /// What is aimed at, as it was reached in a time; what stands in the store is told as it is now.
    pub async fn measures(
        &self,
        filter: &UsageFilter,
        now: Timestamp,
    ) -> Result<Measures, EngineError> {
        expect_days(filter)?;
        let jobs = self.store.job_counts().await?;
        let summaries = self.store.summarised(now).await?;
        Ok(Measures {
            contexts: self.store.assemblies(filter).await?,
            selections: Selections {
                by_profile: self.store.selections(SelectionsBy::Profile, filter).await?,
                by_day: self.store.selections(SelectionsBy::Day, filter).await?,
            },
            compressions: self.store.compressed_sums(now).await?,
            jobs: jobs.into_iter().map(|(state, count)| (JobState::as_str(state), count)).collect(),
            today: self.summaries_today(now).await?,
            quota: Quota::of(&self.settings().await?),
            summaries: summaries.into_iter().map(SummaryCost::of).collect(),
        })
    }

    async fn summaries_today(&self, now: Timestamp) -> Result<Today, EngineError> {
        let from = Some(now.date().to_string());
        let filter = UsageFilter { from, ..UsageFilter::default() };
        let sums = self.usage(UsageBy::Component, &filter).await?;
        let own = sums.iter().filter(|sum| KINDS.contains(&sum.key.as_str()));
        Ok(own.map(Today::from).sum())
    }
}
