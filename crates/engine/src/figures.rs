//! Figures of this process since its start, whoever's work it was: how long dossiers and facts took,
//! what they were made of, which budgets were overrun, and what calls took and saved. Their names are
//! ours, so that nothing anybody sends can make them grow.

use crate::assemble::Effort;
use crate::error::EngineError;
use crate::workspace::Engine;
use dossier_core::fit::Fitting;
use dossier_core::histogram::Histogram;
use dossier_core::item::Section;
use dossier_core::receipt::BudgetUse;
use dossier_core::savings::Savings;
use dossier_core::time::Timestamp;
use dossier_store::{JobState, UsageBy, UsageFilter, UsageRow, UsageSum};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Bounds in seconds, among them those that are aimed at.
const BOUNDS: [f64; 11] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0];

/// Figures that all views of an engine share.
pub(crate) type SharedFigures = Arc<Figures>;

#[derive(Debug, Default)]
pub(crate) struct Figures(Mutex<FigureSums>);

/// The figures.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureSums {
    /// Finding what bears on a question, and making a dossier of it.
    pub assembling: Histogram,
    /// Reading the facts and choosing among them.
    pub recalling: Histogram,
    /// Dossiers by how far their budgets went.
    pub fittings: BTreeMap<&'static str, u64>,
    /// Tokens of dossiers by their sections.
    pub sections: BTreeMap<&'static str, u64>,
    /// Calls of tools, by when the model was given their schemas.
    pub tool_uses: BTreeMap<&'static str, u64>,
    /// Budgets that did not suffice, by what they are of.
    pub overruns: BTreeMap<&'static str, u64>,
    /// What calls took, by what they were for.
    pub spent: BTreeMap<String, Spent>,
    pub saved: Savings,
}

/// What calls took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    pub calls: u64,
    pub input: u64,
    pub cached_input: u64,
    pub output: u64,
}

/// When a model was given the schema of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaGiven {
    WithTheQuestion,
    /// When there was something to use it for.
    Later,
}

/// A budget that did not suffice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overrun {
    /// Something had to be left out that was to be shown.
    Tokens,
    /// No model was asked.
    Money,
}

impl Default for FigureSums {
    fn default() -> Self {
        Self {
            assembling: Histogram::new(&BOUNDS),
            recalling: Histogram::new(&BOUNDS),
            fittings: Fitting::ALL.map(|fitting| (fitting.as_str(), 0)).into(),
            sections: BTreeMap::new(),
            tool_uses: BTreeMap::from([("first", 0), ("lazy", 0)]),
            overruns: BTreeMap::from([("tokens", 0), ("money", 0)]),
            spent: BTreeMap::new(),
            saved: Savings::default(),
        }
    }
}

impl Figures {
    pub(crate) fn assembled(&self, budget: &BudgetUse, effort: Effort) {
        self.change(|sums| {
            sums.assembling.add(effort.took.as_secs_f64());
            *sums.fittings.entry(effort.fitting.as_str()).or_default() += 1;
            for (section, tokens) in &budget.sections {
                let name = Section::as_str(*section);
                *sums.sections.entry(name).or_default() += u64::from(*tokens);
            }
        });
    }

    pub(crate) fn recalled(&self, took: Duration) {
        self.change(|sums| sums.recalling.add(took.as_secs_f64()));
    }

    pub(crate) fn tool_used(&self, given: SchemaGiven) {
        let name = match given {
            SchemaGiven::WithTheQuestion => "first",
            SchemaGiven::Later => "lazy",
        };
        self.change(|sums| *sums.tool_uses.entry(name).or_default() += 1);
    }

    pub(crate) fn overrun(&self, overrun: Overrun) {
        let name = match overrun {
            Overrun::Tokens => "tokens",
            Overrun::Money => "money",
        };
        self.change(|sums| *sums.overruns.entry(name).or_default() += 1);
    }

    /// Counts a call that was stored.
    pub(crate) fn spent(&self, usage: &UsageRow) {
        self.change(|sums| {
            let spent = sums.spent.entry(usage.component.clone()).or_default();
            spent.calls += 1;
            spent.input += u64::from(usage.tokens.input);
            spent.cached_input += u64::from(usage.tokens.cached_input);
            spent.output += u64::from(usage.tokens.output);
            sums.saved.gross += usage.saved.gross;
            sums.saved.net += usage.saved.net;
        });
    }

    fn change(&self, change: impl FnOnce(&mut FigureSums)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// What is in the store at this moment, whoever's it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    /// Jobs by what has become of them.
    pub jobs: BTreeMap<&'static str, u64>,
    /// What was spent today, by what it was for.
    pub today: BTreeMap<String, Today>,
}

/// What was spent today.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Today {
    /// Read and written.
    pub tokens: u64,
    /// In millionths of a dollar.
    pub cost: u64,
}

impl std::iter::Sum for Today {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            tokens: sum.tokens.saturating_add(part.tokens),
            cost: sum.cost.saturating_add(part.cost),
        })
    }
}

impl From<&UsageSum> for Today {
    fn from(sum: &UsageSum) -> Self {
        let tokens = sum.input.saturating_add(sum.output).unsigned_abs();
        Self { tokens, cost: sum.cost.unsigned_abs() }
    }
}

impl Engine {
    /// Figures since the start.
    pub fn figures(&self) -> FigureSums {
        self.figures.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What all owners have together: for whoever runs the server, so no owner is told.
    pub async fn standing(&self, now: Timestamp) -> Result<Standing, EngineError> {
        let from = Some(now.date().to_string());
        let filter = UsageFilter { from, ..UsageFilter::default() };
        let mut standing = Standing::default();
        // Nobody's rows are read but under their name.
        for owner in self.store.owners().await? {
            let store = self.store.owner(&owner);
            for (state, count) in store.job_counts().await? {
                *standing.jobs.entry(JobState::as_str(state)).or_default() += count;
            }
            for sum in store.usage(UsageBy::Component, &filter).await? {
                let own = Today::from(&sum);
                let today = standing.today.entry(sum.key).or_default();
                today.tokens += own.tokens;
                today.cost += own.cost;
            }
        }
        Ok(standing)
    }
}
