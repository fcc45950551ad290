//! Facts that a small model finds in a message, where the project wants it. What it proposes passes
//! the same gate as what is extracted without it; an answer of which nothing can be taken writes
//! nothing.

use super::{Outcome, Task, queued};
use crate::error::EngineError;
use crate::facts::said;
use crate::flags::{FACTS, FACTS_BY_MODEL, flag};
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::facts::{extract, proposed};
use dossier_core::guard;
use dossier_core::id::{Id, JobId, TurnId};
use dossier_core::message::Message;
use dossier_core::tokens::Tokenizer;
use dossier_store::{Job, Project, Turn};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const FACTS_JOB: &str = "facts";
const PRIORITY: i64 = 3;

/// A longer message is a document, and its writer states little of it.
const LONGEST: u32 = 1_500;
/// The most tokens of an answer.
const MOST_TOKENS: u32 = 600;
/// The most known subjects that a model is told.
const MOST_SUBJECTS: usize = 60;

impl Workspace {
    /// Notes that a model is to look for facts in the question of a turn, where that is wanted.
    pub(crate) async fn call_for_facts(
        &self,
        project: &Project,
        turn: &Turn,
        question: &Message,
    ) -> Result<(), EngineError> {
        // Whether there is a small model is for whoever does the job: another process may have one.
        if !flag(project, FACTS_BY_MODEL) {
            return Ok(());
        }
        // A kept answer costs no call of a model, neither now nor later.
        if self.store.was_repeated(&turn.id).await? {
            return Ok(());
        }
        let job = Job {
            id: JobId::with_suffix(format!("facts_{}", question.id)),
            kind: FACTS_JOB.to_owned(),
            payload: json!({"turn": turn.id}),
            priority: PRIORITY,
            ..queued(mint::now())
        };
        Ok(self.store.enqueue(&job).await?)
    }

    pub(super) async fn find_facts(&self, job: &Job) -> Result<Outcome, EngineError> {
        let turn = job.payload.get("turn").and_then(Value::as_str).unwrap_or_default();
        let Some(turn) = self.store.turn(&TurnId::from(turn)).await? else {
            return Ok(Outcome::Skipped("the turn is gone"));
        };
        let Some(project) = self.store.project(&turn.project).await? else {
            return Ok(Outcome::Skipped("the project is gone"));
        };
        let Some(question) = self.store.message(&turn.message).await? else {
            return Ok(Outcome::Skipped("the message is gone"));
        };
        if !flag(&project, FACTS) || !flag(&project, FACTS_BY_MODEL) {
            return Ok(Outcome::Skipped("the project does without"));
        }
        let Some(model) = self.small_model()? else {
            return Ok(Outcome::Skipped("no small model is set up"));
        };
        let message = guard::masked(said(&question).content);
        if Tokenizer::O200k.count(&message) > LONGEST {
            return Ok(Outcome::Skipped("the message is too long"));
        }
        let task = Task {
            job,
            instructions: include_str!("../../prompts/facts.md"),
            material: format!(
                "Known subjects: {}\n\nMessage:\n{message}",
                self.subjects(&project).await?
            ),
            most_tokens: MOST_TOKENS,
            project: Some(&project.id),
            thread: Some(&turn.thread),
        };
        if !self.is_within_quota(&task, model.info(), mint::now()).await? {
            return Ok(Outcome::Skipped("quota_exceeded"));
        }
        let answer = self.write(&*model, &task).await?;
        let said = said(&question);
        let drafts = match proposed(&answer.text, said, &extract(said)) {
            Ok(drafts) => drafts,
            Err(reason) => return Ok(Outcome::Failed(format!("rejected: {reason}"))),
        };
        let shown = self.quoted_files(&turn.id).await?;
        let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        self.take_facts(&project.id, &[(&question, drafts)], &shown).await?;
        Ok(Outcome::Done)
    }

    /// What facts are known about, in order.
    async fn subjects(&self, project: &Project) -> Result<String, EngineError> {
        let known = self.store.facts(&project.id).await?;
        let topics = known.facts.iter().filter_map(|known| known.fact.topic.as_ref());
        let subjects: BTreeSet<&str> = topics.map(|topic| topic.subject.as_str()).collect();
        let subjects: Vec<&str> = subjects.into_iter().take(MOST_SUBJECTS).collect();
        Ok(if subjects.is_empty() { "none".to_owned() } else { subjects.join(", ") })
    }
}
