//! Figures of an owner's work: what models took and what was spared, what is remembered and kept, and
//! what is still to be done.

use crate::error::EngineError;
use crate::facts::{FactFilter, FactState};
use crate::figures::Today;
use crate::work::KINDS;
use crate::workspace::Workspace;
use dossier_core::savings::long_session;
use dossier_core::time::Timestamp;
use dossier_core::work::Quota;
use dossier_store::{JobState, RefSums, UsageBy, UsageFilter, UsageSum, Waits};
use std::collections::BTreeMap;

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
    /// Of the owner, by what has become of them.
    pub jobs: BTreeMap<&'static str, u64>,
    /// What jobs of the owner took today, and what they may take.
    pub summaries: Today,
    pub quota: Quota,
    /// Threads that took more input than a session should, the longest first.
    pub long_sessions: Vec<UsageSum>,
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
        let jobs = self.store.job_counts().await?;
        let mut sessions = self.usage(UsageBy::Thread, filter).await?;
        sessions.retain(|sum| !sum.key.is_empty() && long_session(sum.input).is_some());
        sessions.sort_by_key(|sum| std::cmp::Reverse(sum.input));
        Ok(Stats {
            usage: self.usage(UsageBy::Component, filter).await?,
            waits: self.waits(UsageBy::Component, filter).await?,
            facts,
            refs: self.store.ref_sums(now).await?,
            jobs: jobs.into_iter().map(|(state, count)| (JobState::as_str(state), count)).collect(),
            summaries: self.summaries_today(now).await?,
            quota: Quota::of(&self.store.config().await?),
            long_sessions: sessions,
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
