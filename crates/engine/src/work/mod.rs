//! Work for later, as durable rows: titles and summaries of threads, summaries of refs, facts. A small
//! model does it where one is set up; otherwise what was made without a model stands. A job that is done
//! twice, because its worker was killed, leaves what it leaves when it is done once.

mod facts;
mod refs;
mod thread;

pub(crate) use thread::{due, own_title};

use crate::error::EngineError;
use crate::mint;
use crate::workspace::{Engine, Workspace};
use dossier_core::catalogue::{Costs, ModelInfo};
use dossier_core::chat::{Answer, Message as Said, Options, Prompt, Usage};
use dossier_core::digest::MOST_SHOWN;
use dossier_core::id::{OwnerId, ProjectId, ThreadId};
use dossier_core::savings::{Rates, Savings};
use dossier_core::tier::Tier;
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_core::work::{Quota, Spent, wait};
use dossier_models::{ChatModel, Extractive, Limits, answer};
use dossier_store::{Job, JobEnd, JobState, UsageRow};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// How long a worker has a job to itself; a model must have answered before.
const LEASE_MS: i64 = 120_000;
const LIMITS: Limits = Limits {
    whole: Duration::from_secs(90),
    begin: Duration::from_secs(60),
    idle: Duration::from_secs(30),
};

/// What a model may think beside what it writes, where it thinks.
const THOUGHTS: u32 = 1_000;

/// The kinds of jobs; what models take for them is noted under the same names.
pub const KINDS: [&str; 4] = [thread::TITLE, thread::SUMMARY, refs::REF_SUMMARY, facts::FACTS_JOB];

/// A job that waits for its first attempt.
fn queued(now: Timestamp) -> Job {
    Job {
        id: mint::id(),
        kind: String::new(),
        payload: Value::Null,
        priority: 0,
        state: JobState::Queued,
        attempts: 0,
        max_attempts: 3,
        next_attempt_at: now,
        lease_until: None,
        error: None,
        created_at: now,
        tokens: 0,
        cost: None,
        completed_at: None,
    }
}

/// What has become of a job.
enum Outcome {
    Done,
    /// Its end is written down with what it was for.
    Written,
    Skipped(&'static str),
    /// Trying again would give the same.
    Failed(String),
}

/// What a model is to write, and for whom.
struct Task<'a> {
    job: &'a Job,
    instructions: &'a str,
    material: String,
    most_tokens: u32,
    project: Option<&'a ProjectId>,
    thread: Option<&'a ThreadId>,
}

impl Task<'_> {
    /// The most that the call takes.
    fn bound(&self, model: &ModelInfo) -> Usage {
        let count = |text: &str| Tokenizer::O200k.count(text);
        // The frame of each message counts as well.
        let input = count(self.instructions) + count(&self.material) + 20;
        Usage { input, output: self.room(model), ..Usage::default() }
    }

    fn room(&self, model: &ModelInfo) -> u32 {
        let thoughts = if model.capabilities.thinking { THOUGHTS } else { 0 };
        self.most_tokens + thoughts
    }
}

impl Engine {
    /// The owners for whom there is work.
    pub async fn owners_with_jobs(&self, now: Timestamp) -> Result<Vec<OwnerId>, EngineError> {
        Ok(self.store.owners_with_jobs(now).await?)
    }
}

impl Workspace {
    /// Does the work that is due; how much that was. A job that fails is tried again later.
    pub async fn work_off(&self) -> Result<usize, EngineError> {
        self.work_some(usize::MAX).await
    }

    /// Does so many pieces of the work that is due, the most urgent first.
    pub async fn work_some(&self, most: usize) -> Result<usize, EngineError> {
        let mut done = 0;
        while done < most
            && let Some(job) = self.store.lease(&KINDS, mint::now(), LEASE_MS).await?
        {
            let outcome = self.work_on(&job).await;
            let now = mint::now();
            let error;
            let end = match outcome {
                Ok(Outcome::Written) => None,
                Ok(Outcome::Done) => Some(JobEnd::Done),
                Ok(Outcome::Skipped(reason)) => Some(JobEnd::Skipped(reason)),
                Ok(Outcome::Failed(reason)) => {
                    error = reason;
                    Some(JobEnd::Failed(&error))
                }
                Err(failure) => {
                    error = failure.to_string();
                    let again = now.as_millis().saturating_add(wait(job.attempts));
                    Some(JobEnd::Again(&error, Timestamp::from_millis(again)))
                }
            };
            if let Some(end) = end {
                self.store.finish(&job, end, now).await?;
            }
            done += 1;
        }
        Ok(done)
    }

    async fn work_on(&self, job: &Job) -> Result<Outcome, EngineError> {
        match job.kind.as_str() {
            refs::REF_SUMMARY => self.summarise_ref(job).await,
            facts::FACTS_JOB => self.find_facts(job).await,
            _ => self.work_on_thread(job).await,
        }
    }

    /// What a model writes, noted as taken by the job's kind.
    async fn write(&self, model: &dyn ChatModel, task: &Task<'_>) -> Result<Answer, EngineError> {
        let info = model.info();
        let prompt = Prompt {
            messages: vec![Said::system(task.instructions.trim()), Said::user(&task.material)],
            options: Options { max_output_tokens: Some(task.room(info)), ..Options::default() },
            ..Prompt::default()
        };
        let answer = answer(model.ask(prompt, LIMITS)).await?;
        // A provider that reports nothing takes something all the same.
        let tokens = answer.usage.unwrap_or_else(|| Usage {
            output: Tokenizer::O200k.count(&answer.text),
            ..task.bound(info)
        });
        let usage = UsageRow {
            id: mint::id(),
            component: task.job.kind.clone(),
            model: info.full_name(),
            project: task.project.cloned(),
            thread: task.thread.cloned(),
            message: None,
            tokens,
            cost: info.costs.map(|costs| (costs.of(tokens) * 1e6).round() as i64),
            saved: Savings::spent(tokens, Rates::of(info.costs)),
            created_at: mint::now(),
        };
        self.store.note_call(task.job, &usage).await?;
        self.figures.spent(&usage);
        Ok(answer)
    }

    /// Whether the call can be made without passing a limit, whatever others do meanwhile.
    async fn is_within_quota(
        &self,
        task: &Task<'_>,
        model: &ModelInfo,
        now: Timestamp,
    ) -> Result<bool, EngineError> {
        // Who has nothing left for questions has nothing left for this.
        let project = match task.project {
            Some(id) => self.store.project(id).await?,
            None => None,
        };
        match self.check_budgets_for(model, project.as_ref(), now).await {
            Err(EngineError::OverBudget(_)) => return Ok(false),
            judged => judged?,
        };
        let quota = Quota::of(&self.settings().await?);
        let day = now.date().to_string();
        let (spent, others) = self.store.spent_on(&KINDS, task.job, task.thread, &day).await?;
        let bound = task.bound(model);
        let tokens = u64::from(bound.input) + u64::from(bound.output);
        // What others are about to take is not known; it is hardly more than the most that is shown.
        let each = u64::from(MOST_SHOWN) + u64::from(bound.output);
        let call = Spent {
            tokens_of_day: tokens.saturating_add(others.saturating_mul(each)),
            tokens_of_thread: if task.thread.is_some() { tokens } else { 0 },
            usd_of_day: model.costs.map_or(0.0, |costs| costs.of(bound)) * (others + 1) as f64,
        };
        Ok(quota.allows(spent, call))
    }

    /// The cheapest model that a provider offers here.
    pub(crate) fn small_model(&self) -> Result<Option<Arc<dyn ChatModel>>, EngineError> {
        let models = self.models()?;
        let priced = |costs: Option<Costs>| costs.map_or(f64::MAX, |costs| costs.input);
        let small = models
            .ready()
            .into_iter()
            .filter(|info| info.provider != Extractive::PROVIDER)
            .filter(|info| matches!(info.tier, Tier::Cheap | Tier::Fast))
            .min_by(|left, right| priced(left.costs).total_cmp(&priced(right.costs)));
        small.map(|info| Ok(models.get(&info.full_name())?)).transpose()
    }
}
