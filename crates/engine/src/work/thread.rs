//! What a thread calls for: a title when it has none, a summary every ten rounds. Without a model, where
//! it writes rubbish, and where its provider fails for good, the thread's own words do.

use super::{Outcome, Task, queued};
use crate::changes::{Action, Change};
use crate::error::EngineError;
use crate::mint;
use crate::summaries::{earlier, summarised};
use crate::workspace::Workspace;
use dossier_core::chat::Finish;
use dossier_core::digest::{MOST_TOKENS, Rubbish, checked, checked_title};
use dossier_core::guard;
use dossier_core::id::{Id, JobId, MessageId, ThreadId};
use dossier_core::item::opening;
use dossier_core::message::{Message, Role};
use dossier_core::time::Timestamp;
use dossier_core::work::{self, Answered, Due};
use dossier_models::{ModelsError, Trouble};
use dossier_store::{Job, MadeOf, Thread};
use serde_json::{Value, json};

/// The messages that a first summary is made of, and the most that a later one is.
const LAST: usize = 20;
const MOST_LAST: usize = 60;
/// The most characters of a summary in a thread's own words, and of a question in it.
const OWN_LENGTH: usize = 480;
const LONGEST_OPENING: usize = 160;
/// The most characters that a model is given, and of one message.
const MATERIAL: usize = 12_000;
const LONGEST_SAID: usize = 600;
/// The most tokens of a title.
const TITLE_TOKENS: u32 = 40;

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
        let order = Order {
            instructions: include_str!("../../prompts/title.md"),
            most_tokens: TITLE_TOKENS,
            check: checked_title,
        };
        let beginning = &messages[..messages.len().min(2)];
        let written = self.write_of(job, thread, order, told_by(beginning)).await?;
        let title = match &written {
            Written::By(title) => title.clone(),
            _ => own_title(first),
        };
        if self.store.give_title(&thread.id, &title).await? {
            self.tell(Change::conversation(Action::Changed, &thread.project, &thread.id));
        }
        Ok(ended(written))
    }

    async fn summarise(&self, job: &Job, thread: &Thread) -> Result<Outcome, EngineError> {
        let before = earlier(thread);
        let messages = self.said_since(thread, before.and_then(|before| before.rounds)).await?;
        if messages.is_empty() {
            return Ok(Outcome::Skipped("nothing was said"));
        }
        let order = Order {
            instructions: include_str!("../../prompts/summary.md"),
            most_tokens: MOST_TOKENS,
            check: checked,
        };
        let known =
            before.map(|before| format!("What was said before, in short: {}\n\n", before.summary));
        let material = known.unwrap_or_default() + &told_by(&messages);
        let written = self.write_of(job, thread, order, material).await?;
        let (summary, before) = match &written {
            Written::By(summary) => (summary.clone(), before),
            // What a model wrote of earlier rounds says more.
            Written::OverQuota | Written::Refused(_) | Written::Failed(_) if before.is_some() => {
                return Ok(ended(written));
            }
            _ => (own_summary(&messages), None),
        };
        let state = match messages.first().zip(messages.last()) {
            Some((first, last)) => {
                let known = before.and_then(|before| before.rounds);
                let first = known.map_or(first.round, |(known, _)| known.min(first.round));
                summarised(&thread.context_state, first, last.round)
            }
            None => thread.context_state.clone(),
        };
        let ids: Vec<MessageId> = messages.into_iter().map(|message| message.id).collect();
        let made_of = MadeOf { messages: &ids, summary: before.map(|before| before.summary) };
        let set = self.store.set_context_state(&thread.id, Some(&summary), &state, made_of);
        Ok(match set.await? {
            true => ended(written),
            false => Outcome::Skipped("something that it was made of is gone"),
        })
    }

    /// The last messages; those behind the rounds that a summary stands for, if there is one.
    async fn said_since(
        &self,
        thread: &Thread,
        summed_up: Option<(i64, i64)>,
    ) -> Result<Vec<Message>, EngineError> {
        Ok(match summed_up {
            Some((_, last)) => {
                let mut messages = self.store.recent_messages(&thread.id, MOST_LAST).await?;
                messages.retain(|message| message.round > last);
                messages
            }
            None => self.store.recent_messages(&thread.id, LAST).await?,
        })
    }

    /// What a small model writes about the material.
    async fn write_of(
        &self,
        job: &Job,
        thread: &Thread,
        order: Order,
        material: String,
    ) -> Result<Written, EngineError> {
        let Some(model) = self.small_model()? else { return Ok(Written::ByNobody) };
        let task = Task {
            job,
            instructions: order.instructions,
            material,
            most_tokens: order.most_tokens,
            project: Some(&thread.project),
            thread: Some(&thread.id),
        };
        if !self.is_within_quota(&task, model.info(), mint::now()).await? {
            return Ok(Written::OverQuota);
        }
        let answer = match self.write(&*model, &task).await {
            Err(EngineError::Models(error)) if is_final(job, &error) => {
                return Ok(Written::Failed(error));
            }
            answer => answer?,
        };
        let told = match answer.finish {
            Some(Finish::Length) => Err(Rubbish::TooLong),
            _ => (order.check)(&answer.text, &[&task.material]),
        };
        Ok(match told {
            Ok(text) => Written::By(text),
            Err(rubbish) => {
                let model = model.info().full_name();
                tracing::warn!(%rubbish, model, kind = job.kind, "what a model wrote was refused");
                Written::Refused(rubbish)
            }
        })
    }
}

/// What came of asking a small model to write.
enum Written {
    By(String),
    /// None is set up.
    ByNobody,
    OverQuota,
    Refused(Rubbish),
    /// Its provider does not answer, and is not waited for any longer.
    Failed(ModelsError),
}

/// Whether there is no further attempt, or none that could go better.
fn is_final(job: &Job, error: &ModelsError) -> bool {
    job.attempts >= job.max_attempts || !error.trouble().is_some_and(Trouble::is_outage)
}

/// What was said, as a model is given it: of a long message how it begins.
fn told_by(messages: &[Message]) -> String {
    let most = (MATERIAL / messages.len().max(1)).min(LONGEST_SAID);
    let said = |message: &Message| {
        let content = guard::masked(&message.content);
        let end = content.char_indices().nth(most).map_or(content.len(), |(end, _)| end);
        format!("{}: {}", message.speaker.label(), &content[..end])
    };
    messages.iter().map(said).collect::<Vec<_>>().join("\n\n")
}

/// What is wanted of a model, and what is taken.
struct Order {
    instructions: &'static str,
    most_tokens: u32,
    check: fn(&str, &[&str]) -> Result<String, Rubbish>,
}

/// The thread has what it needs either way; what was refused, and what failed, is counted.
fn ended(written: Written) -> Outcome {
    match written {
        Written::By(_) | Written::ByNobody => Outcome::Done,
        Written::OverQuota => Outcome::Skipped("quota_exceeded"),
        Written::Refused(rubbish) => Outcome::Failed(format!("rejected: {rubbish}")),
        Written::Failed(error) => Outcome::Failed(error.to_string()),
    }
}

/// What was asked, in the words of whoever asked: of many questions, how each begins.
fn own_summary(messages: &[Message]) -> String {
    let is_asked = |message: &&Message| message.speaker.role == Role::User;
    let asked: Vec<&Message> = messages.iter().filter(is_asked).collect();
    let most = (OWN_LENGTH / asked.len().max(1)).min(LONGEST_OPENING);
    let said: Vec<String> =
        asked.iter().map(|message| opening(&guard::masked(&message.content), most)).collect();
    format!("Asked: {}", said.join(" · "))
}
