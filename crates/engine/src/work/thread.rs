//! What a thread calls for: a title when it has none, a summary every ten rounds. Without a model the
//! thread's own words do.

use super::{Outcome, Task, queued};
use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::guard;
use dossier_core::id::{Id, JobId, ThreadId};
use dossier_core::item::opening;
use dossier_core::message::{Message, Role};
use dossier_core::time::Timestamp;
use dossier_core::work::{self, Answered, Due};
use dossier_store::{Job, Thread};
use serde_json::{Value, json};

/// The messages that a summary is made of.
const LAST: usize = 20;
/// The most tokens of either.
const MOST_TOKENS: u32 = 400;

pub(super) const TITLE: &str = "title";
pub(super) const SUMMARY: &str = "summary";

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
            ..queued(now)
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
    pub(super) async fn work_on_thread(&self, job: &Job) -> Result<Outcome, EngineError> {
        let thread = job.payload.get("thread").and_then(Value::as_str).unwrap_or_default();
        let Some(thread) = self.store.thread(&ThreadId::from(thread)).await? else {
            return Ok(Outcome::Skipped("the thread is gone"));
        };
        match job.kind.as_str() {
            TITLE if thread.title.is_some() => Ok(Outcome::Skipped("it has a title")),
            TITLE => self.give_title(job, &thread).await,
            _ => self.summarise(job, &thread).await,
        }
    }

    async fn give_title(&self, job: &Job, thread: &Thread) -> Result<Outcome, EngineError> {
        let messages = self.store.recent_messages(&thread.id, LAST).await?;
        let Some(first) = messages.first() else {
            return Ok(Outcome::Skipped("nothing was said"));
        };
        let beginning = &messages[..messages.len().min(2)];
        let instructions = include_str!("../../prompts/title.md");
        let written = self.write_of(job, thread, instructions, beginning).await?;
        let title = match written {
            Some(text) => opening(text.trim_matches(['"', '\n', ' ', '.']), 80),
            None => own_title(first),
        };
        self.store.set_title(&thread.id, &title, thread.updated_at).await?;
        Ok(Outcome::Done)
    }

    async fn summarise(&self, job: &Job, thread: &Thread) -> Result<Outcome, EngineError> {
        let messages = self.store.recent_messages(&thread.id, LAST).await?;
        let instructions = include_str!("../../prompts/summary.md");
        let summary = match self.write_of(job, thread, instructions, &messages).await? {
            Some(text) => text,
            None => {
                let said: Vec<String> = messages
                    .iter()
                    .rev()
                    .filter(|message| message.speaker.role == Role::User)
                    .take(3)
                    .map(|message| opening(&guard::masked(&message.content), 160))
                    .collect();
                format!("Asked lately: {}", said.into_iter().rev().collect::<Vec<_>>().join(" · "))
            }
        };
        let state = &thread.context_state;
        self.store.set_context_state(&thread.id, Some(&summary), state).await?;
        Ok(Outcome::Done)
    }

    /// What a small model writes about the messages; nothing when none is set up or may be asked.
    async fn write_of(
        &self,
        job: &Job,
        thread: &Thread,
        instructions: &str,
        messages: &[Message],
    ) -> Result<Option<String>, EngineError> {
        let Some(model) = self.small_model()? else { return Ok(None) };
        let said = |message: &Message| {
            format!("{}: {}", message.speaker.label(), guard::masked(&message.content))
        };
        let task = Task {
            job,
            instructions,
            material: messages.iter().map(said).collect::<Vec<_>>().join("\n\n"),
            most_tokens: MOST_TOKENS,
            project: Some(&thread.project),
            thread: Some(&thread.id),
        };
        if !self.is_within_quota(&task, model.info(), mint::now()).await? {
            return Ok(None);
        }
        let answer = self.write(&*model, &task).await?;
        Ok(Some(answer.text.trim().to_owned()).filter(|text| !text.is_empty()))
    }
}
