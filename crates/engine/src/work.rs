//! Work for later, as durable rows: a title for a thread that has none, a summary every ten
//! rounds. A small model writes them where one is set up; otherwise the thread's own words do.

use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chat::{Message as Said, Options, Prompt};
use dossier_core::guard;
use dossier_core::id::{Id, JobId, ThreadId};
use dossier_core::item::opening;
use dossier_core::message::Message;
use dossier_core::savings::{Rates, Savings};
use dossier_core::tier::Tier;
use dossier_core::time::Timestamp;
use dossier_core::work::{self, Answered, Due};
use dossier_models::{ChatModel, Extractive, Limits, answer};
use dossier_store::{Job, JobState, Thread, UsageRow};
use serde_json::{Value, json};
use std::sync::Arc;

/// The messages that a summary is made of.
const LAST: usize = 20;

/// How long a worker may take for one job, and how long a failed one waits.
const LEASE_MS: i64 = 120_000;
const WAIT_MS: i64 = 60_000;

const TITLE: &str = "title";
pub(crate) const SUMMARY: &str = "summary";

/// The jobs that a thread calls for. One that exists already is not made again.
pub(crate) fn due(thread: &Thread, answered: Answered, now: Timestamp) -> Vec<Job> {
    let job = |due: Due| {
        let (kind, suffix, priority) = match due {
            Due::Title => (TITLE, format!("title_{}", thread.id), 10),
            Due::Summary { round } => (SUMMARY, format!("summary_{}_{round}", thread.id), 0),
        };
        Job {
            id: JobId::with_suffix(suffix),
            kind: kind.to_owned(),
            payload: json!({"thread": thread.id}),
            priority,
            state: JobState::Queued,
            attempts: 0,
            max_attempts: 3,
            next_attempt_at: now,
            lease_until: None,
            error: None,
            created_at: now,
        }
    };
    let due = work::due(thread.title.is_some(), thread.round_count, answered);
    due.into_iter().map(job).collect()
}

/// The title that a thread has from its own words.
pub(crate) fn own_title(first: &Message) -> String {
    opening(&guard::masked(&first.content), 60)
}

impl Workspace {
    /// Does the work that is due; how much that was. A job that fails is tried again later.
    pub async fn work_off(&self) -> Result<usize, EngineError> {
        let mut done = 0;
        for kind in [TITLE, SUMMARY] {
            while let Some(job) = self.store.lease(kind, mint::now(), LEASE_MS).await? {
                let ended = match self.work_on(&job).await {
                    Ok(state) => self.store.finish(&job.id, state).await,
                    Err(error) => {
                        let again = Timestamp::from_millis(mint::now().as_millis() + WAIT_MS);
                        self.store.fail(&job.id, &error.to_string(), Some(again)).await
                    }
                };
                ended?;
                done += 1;
            }
        }
        Ok(done)
    }

    async fn work_on(&self, job: &Job) -> Result<JobState, EngineError> {
        let thread = job.payload.get("thread").and_then(Value::as_str).unwrap_or_default();
        let Some(thread) = self.store.thread(&ThreadId::from(thread)).await? else {
            return Ok(JobState::Skipped);
        };
        match job.kind.as_str() {
            TITLE if thread.title.is_some() => Ok(JobState::Skipped),
            TITLE => self.give_title(&thread).await,
            _ => self.summarise(&thread).await,
        }
    }

    async fn give_title(&self, thread: &Thread) -> Result<JobState, EngineError> {
        let messages = self.store.recent_messages(&thread.id, LAST).await?;
        let Some(first) = messages.first() else { return Ok(JobState::Skipped) };
        let written = self.write(
            thread,
            include_str!("../prompts/title.md"),
            &messages[..messages.len().min(2)],
        );
        let title = match written.await? {
            Some(text) => opening(text.trim_matches(['"', '\n', ' ', '.']), 80),
            None => own_title(first),
        };
        self.store.set_title(&thread.id, &title, thread.updated_at).await?;
        Ok(JobState::Done)
    }

    async fn summarise(&self, thread: &Thread) -> Result<JobState, EngineError> {
        let messages = self.store.recent_messages(&thread.id, LAST).await?;
        let written = self.write(thread, include_str!("../prompts/summary.md"), &messages);
        let summary = match written.await? {
            Some(text) => text,
            None => {
                let said: Vec<String> = messages
                    .iter()
                    .rev()
                    .filter(|message| message.speaker.role == dossier_core::message::Role::User)
                    .take(3)
                    .map(|message| opening(&guard::masked(&message.content), 160))
                    .collect();
                format!("Asked lately: {}", said.into_iter().rev().collect::<Vec<_>>().join(" · "))
            }
        };
        let state = &thread.context_state;
        self.store.set_context_state(&thread.id, Some(&summary), state).await?;
        Ok(JobState::Done)
    }

    /// What a small model writes about the messages; nothing when none is set up.
    async fn write(
        &self,
        thread: &Thread,
        task: &str,
        messages: &[Message],
    ) -> Result<Option<String>, EngineError> {
        let Some(model) = self.small_model()? else { return Ok(None) };
        let said: Vec<String> = messages
            .iter()
            .map(|message| {
                format!("{}: {}", message.speaker.label(), guard::masked(&message.content))
            })
            .collect();
        let prompt = Prompt {
            messages: vec![Said::system(task.trim()), Said::user(said.join("\n\n"))],
            options: Options { max_output_tokens: Some(400), ..Options::default() },
            ..Prompt::default()
        };
        let answer = answer(model.ask(prompt, Limits::default())).await?;
        if let Some(tokens) = answer.usage {
            let cost = model.info().costs.map(|costs| (costs.of(tokens) * 1e6).round() as i64);
            let usage = UsageRow {
                id: mint::id(),
                component: SUMMARY.to_owned(),
                model: model.info().full_name(),
                project: Some(thread.project.clone()),
                thread: Some(thread.id.clone()),
                message: None,
                tokens,
                cost,
                saved: Savings::spent(tokens, Rates::of(model.info().costs)),
                created_at: mint::now(),
            };
            self.put_usage(&usage).await?;
        }
        Ok(Some(answer.text.trim().to_owned()).filter(|text| !text.is_empty()))
    }

    /// The cheapest model that a provider offers here.
    fn small_model(&self) -> Result<Option<Arc<dyn ChatModel>>, EngineError> {
        let models = self.models()?;
        let priced = |costs: Option<dossier_core::catalogue::Costs>| {
            costs.map_or(f64::MAX, |costs| costs.input)
        };
        let small = models
            .ready()
            .into_iter()
            .filter(|info| info.provider != Extractive::PROVIDER)
            .filter(|info| matches!(info.tier, Tier::Cheap | Tier::Fast))
            .min_by(|left, right| priced(left.costs).total_cmp(&priced(right.costs)));
        small.map(|info| Ok(models.get(&info.full_name())?)).transpose()
    }
}
