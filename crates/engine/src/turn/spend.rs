//! Budgets beside what was spent: of a day and a month, for everything and for one project. Those of
//! this machine's owner hold for all owners together, for they spend on the same keys; others can set
//! their own beside them.
//!
//! Invariant: a spent budget stops what would cost something and nothing else.

use super::reply::dollars;
use super::request::Freshness;
use crate::error::EngineError;
use crate::figures::Overrun;
use crate::stats::expect_days;
use crate::workspace::Workspace;
use dossier_core::catalogue::ModelInfo;
use dossier_core::id::{OwnerId, ProjectId, ThreadId};
use dossier_core::sameness::Keeping;
use dossier_core::savings;
use dossier_core::spend::{self, Judged};
use dossier_core::time::Timestamp;
use dossier_models::{ChatModel, Limits};
use dossier_store::{Project, UsageBy, UsageFilter, UsageRow, UsageSum, Waits};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// What is to be known of money and time before a question is asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spending {
    pub warnings: Vec<String>,
    /// How long an answer may take.
    pub limits: Limits,
    /// Why no model may be asked that costs something; a kept answer may be given all the same.
    pub refusal: Option<String>,
}

impl Spending {
    /// Why this model may not be asked.
    pub fn refuses(&self, model: &ModelInfo) -> Option<&str> {
        self.refusal.as_deref().filter(|_| !model.is_free())
    }
}

/// What may be spent, of time as well, as it is set.
#[derive(Debug)]
pub(crate) struct Allowance {
    /// By all owners together.
    machine: BTreeMap<String, Value>,
    /// By an owner other than that of the machine.
    own: Option<BTreeMap<String, Value>>,
}

impl Allowance {
    /// How long an answer may take. That is set for the machine, whoever asks.
    pub fn limits(&self) -> Limits {
        let set = self.machine.get(Limits::SETTING).and_then(Value::as_str);
        let seconds = set.and_then(|text| text.parse().ok()).unwrap_or(Limits::SECONDS);
        Limits::of(Duration::from_secs(seconds))
    }
}

impl Workspace {
    /// What budgets and the length of the thread say of one more question to these models. A spent
    /// budget is an error, unless one of them costs nothing or a kept answer may be had; then it
    /// stops the others alone.
    pub(crate) async fn check_spending(
        &self,
        project: &Project,
        thread: Option<&ThreadId>,
        models: &[Arc<dyn ChatModel>],
        freshness: Freshness,
        now: Timestamp,
    ) -> Result<Spending, EngineError> {
        let is_free = models.iter().any(|model| model.info().is_free());
        let is_kept = freshness == Freshness::Kept && Keeping::of(&project.settings).is_some();
        let allowance = self.allowance().await?;
        let limits = allowance.limits();
        let mut spending = match self.check_allowance(&allowance, Some(project), now).await {
            Ok(warnings) => Spending { warnings, limits, refusal: None },
            Err(EngineError::OverBudget(said)) if is_free || is_kept => {
                let warnings = if is_free { vec![said.clone()] } else { Vec::new() };
                Spending { warnings, limits, refusal: Some(said) }
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
        self.check_allowance(&self.allowance().await?, project, now).await
    }

    /// The same for one model; a spent budget is a warning where that costs nothing.
    pub(crate) async fn check_budgets_for(
        &self,
        model: &ModelInfo,
        project: Option<&Project>,
        now: Timestamp,
    ) -> Result<Spending, EngineError> {
        let allowance = self.allowance().await?;
        let warnings = match self.check_allowance(&allowance, project, now).await {
            Err(EngineError::OverBudget(said)) if model.is_free() => vec![said],
            checked => checked?,
        };
        Ok(Spending { warnings, limits: allowance.limits(), refusal: None })
    }

    pub(crate) async fn allowance(&self) -> Result<Allowance, EngineError> {
        let local = OwnerId::local();
        if *self.owner() == local {
            return Ok(Allowance { machine: self.settings().await?, own: None });
        }
        let machine = self.everybody.owner(&local);
        let (mut machine, own) = tokio::try_join!(machine.config(), self.store.config())?;
        // What file and environment say is the machine's.
        machine.extend(self.given.iter().map(|(key, value)| (key.clone(), value.clone())));
        Ok(Allowance { machine, own: Some(own) })
    }

    /// The same, where what may be spent is at hand.
    pub(crate) async fn check_allowance(
        &self,
        allowance: &Allowance,
        project: Option<&Project>,
        now: Timestamp,
    ) -> Result<Vec<String>, EngineError> {
        let Allowance { machine, own } = allowance;
        let day = now.date().to_string();
        let month = format!("{}-01", day.get(..7).unwrap_or(&day));
        let mut warnings = Vec::new();
        for (key, from, name) in [
            ("budget.usd_per_day", &day, "the day's budget"),
            ("budget.usd_per_month", &month, "the month's budget"),
        ] {
            if let Some(limit) = machine.get(key).and_then(amount) {
                let spent = dollars(self.everybody.spent(from).await?);
                let judged = spend::judge(name, limit, spent);
                self.heed(
                    if own.is_some() { of_machine(name, judged) } else { judged },
                    &mut warnings,
                )?;
            }
            if let Some(limit) = own.as_ref().and_then(|own| amount(own.get(key)?)) {
                let spent = self.spent(from, None).await?;
                self.heed(spend::judge(name, limit, spent), &mut warnings)?;
            }
        }
        if let Some(project) = project
            && let Some(limit) = project.settings.get("budget_usd_per_month").and_then(amount)
        {
            let spent = self.spent(&month, Some(&project.id)).await?;
            let judged = spend::judge("the project's budget of the month", limit, spent);
            self.heed(judged, &mut warnings)?;
        }
        Ok(warnings)
    }

    fn heed(&self, judged: Judged, warnings: &mut Vec<String>) -> Result<(), EngineError> {
        match judged {
            Judged::Fine => {}
            Judged::Nearly(said) => warnings.push(said),
            Judged::Over(said) => {
                self.figures.overrun(Overrun::Money);
                return Err(EngineError::OverBudget(said));
            }
        }
        Ok(())
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
        expect_days(filter)?;
        Ok(self.store.usage(by, filter).await?)
    }

    /// How long replies were waited for.
    pub async fn waits(
        &self,
        by: UsageBy,
        filter: &UsageFilter,
    ) -> Result<Vec<Waits>, EngineError> {
        expect_days(filter)?;
        Ok(self.store.waits(by, filter).await?)
    }
}

/// The same for an owner whom it does not concern how much the others have spent.
fn of_machine(name: &str, judged: Judged) -> Judged {
    match judged {
        Judged::Fine => Judged::Fine,
        Judged::Nearly(_) => Judged::Nearly(format!("{name} of this machine is nearly spent")),
        Judged::Over(_) => Judged::Over(format!(
            "{name} of this machine is spent; whoever runs it can raise it, or wait for the next"
        )),
    }
}

/// A sum of money, as a number or as the text that settings are kept as.
fn amount(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}
