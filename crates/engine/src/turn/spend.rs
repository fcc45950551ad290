//! Budgets beside what was spent: of a day and a month, for everything and for one project.
//!
//! Invariant: a spent budget stops what would cost something and nothing else.

use super::reply::dollars;
use super::request::Freshness;
use crate::error::EngineError;
use crate::figures::Overrun;
use crate::workspace::Workspace;
use dossier_core::id::{ProjectId, ThreadId};
use dossier_core::sameness::Keeping;
use dossier_core::savings;
use dossier_core::spend::{self, Judged};
use dossier_core::time::Timestamp;
use dossier_store::{Project, UsageBy, UsageFilter, UsageRow, UsageSum, Waits};
use serde_json::Value;

/// What is to be known of money before a question is asked.
#[derive(Debug, Default)]
pub(crate) struct Spending {
    pub warnings: Vec<String>,
    /// Why no model may be asked; a kept answer may be given all the same.
    pub refusal: Option<String>,
}

impl Workspace {
    /// What budgets and the length of the thread say of one more question. A spent budget is an
    /// error, unless a kept answer may be had for nothing.
    pub(crate) async fn check_spending(
        &self,
        project: &Project,
        thread: Option<&ThreadId>,
        freshness: Freshness,
        now: Timestamp,
    ) -> Result<Spending, EngineError> {
        let is_kept = freshness == Freshness::Kept && Keeping::of(&project.settings).is_some();
        let mut spending = match self.check_budgets(Some(project), now).await {
            Ok(warnings) => Spending { warnings, refusal: None },
            Err(EngineError::OverBudget(said)) if is_kept => {
                Spending { warnings: Vec::new(), refusal: Some(said) }
            }
            Err(error) => return Err(error),
        };
        if let Some(thread) = thread {
            let input = self.store.session_input(thread).await?;
            spending.warnings.extend(savings::long_session(input));
        }
        Ok(spending)
    }

    /// Warnings about budgets that are nearly spent; an error when one is.
    pub(crate) async fn check_budgets(
        &self,
        project: Option<&Project>,
        now: Timestamp,
    ) -> Result<Vec<String>, EngineError> {
        let config = self.store.config().await?;
        let limit = |key: &str| config.get(key).and_then(amount);
        let of_project =
            project.and_then(|project| amount(project.settings.get("budget_usd_per_month")?));
        let day = now.date().to_string();
        let month = format!("{}-01", day.get(..7).unwrap_or(&day));
        let mut warnings = Vec::new();
        for (limit, from, own, name) in [
            (limit("budget.usd_per_day"), &day, None, "the day's budget"),
            (limit("budget.usd_per_month"), &month, None, "the month's budget"),
            (
                of_project,
                &month,
                project.map(|project| &project.id),
                "the project's budget of the month",
            ),
        ] {
            let Some(limit) = limit else { continue };
            let spent = self.spent(from, own).await?;
            match spend::judge(name, limit, spent) {
                Judged::Fine => {}
                Judged::Nearly(said) => warnings.push(said),
                Judged::Over(said) => {
                    self.figures.overrun(Overrun::Money);
                    return Err(EngineError::OverBudget(said));
                }
            }
        }
        Ok(warnings)
    }

    async fn spent(&self, from: &str, project: Option<&ProjectId>) -> Result<f64, EngineError> {
        let filter = UsageFilter {
            from: Some(from.to_owned()),
            project: project.cloned(),
            ..UsageFilter::default()
        };
        let sums = self.store.usage(UsageBy::Component, &filter).await?;
        Ok(dollars(sums.iter().map(|sum| sum.cost).sum()))
    }

    /// Notes a call that belongs to no turn.
    pub(crate) async fn put_usage(&self, usage: &UsageRow) -> Result<(), EngineError> {
        self.store.put_usage(usage).await?;
        self.figures.spent(usage);
        Ok(())
    }

    /// What calls of models took, added up.
    pub async fn usage(
        &self,
        by: UsageBy,
        filter: &UsageFilter,
    ) -> Result<Vec<UsageSum>, EngineError> {
        Ok(self.store.usage(by, filter).await?)
    }

    /// How long replies were waited for.
    pub async fn waits(
        &self,
        by: UsageBy,
        filter: &UsageFilter,
    ) -> Result<Vec<Waits>, EngineError> {
        Ok(self.store.waits(by, filter).await?)
    }
}

/// A sum of money, as a number or as the text that settings are kept as.
fn amount(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}
