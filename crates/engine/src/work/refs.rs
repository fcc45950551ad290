//! Summaries of refs by a small model: within the quotas, of the change where the content was
//! summarised before, and of nothing where the same content was. What does not pass the check is not
//! taken, and the summary that was made without a model stands.

use super::{Outcome, Task, queued};
use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chat::Finish;
use dossier_core::digest::{Earlier, MOST_TOKENS, Material, Rubbish, WORTH, checked};
use dossier_core::hash::ContentHash;
use dossier_core::id::ThreadId;
use dossier_core::refs::Kind;
use dossier_core::time::Timestamp;
use dossier_store::{Job, RefRow};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(super) const REF_SUMMARY: &str = "ref_summary";
const PRIORITY: i64 = 5;

/// What came to nothing is tried again after so long, when it is stored or looked at again.
const AGAIN_AFTER_MS: i64 = 24 * 3_600_000;

/// The ref that a job is about.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    kind: String,
    hash: String,
    thread: Option<ThreadId>,
}

impl Workspace {
    /// Notes that a model is to summarise a ref: a large one, that has no such summary yet, where a
    /// small model is set up.
    pub(crate) async fn call_for_summary(
        &self,
        row: &RefRow,
        thread: Option<&ThreadId>,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        if row.tokens < WORTH || row.summary_model.is_some() || self.small_model()?.is_none() {
            return Ok(());
        }
        let payload = Payload {
            kind: row.kind.to_string(),
            hash: row.hash.to_string(),
            thread: thread.cloned(),
        };
        let job = Job {
            id: row.summary_job(),
            kind: REF_SUMMARY.to_owned(),
            payload: json!(payload),
            priority: PRIORITY,
            ..queued(now)
        };
        let before = Timestamp::from_millis(now.as_millis().saturating_sub(AGAIN_AFTER_MS));
        Ok(self.store.enqueue_again(&job, before).await?)
    }

    pub(super) async fn summarise_ref(&self, job: &Job) -> Result<Outcome, EngineError> {
        let now = mint::now();
        let payload: Payload = match serde_json::from_value(job.payload.clone()) {
            Ok(payload) => payload,
            Err(error) => return Ok(Outcome::Failed(format!("the job cannot be read: {error}"))),
        };
        let hash = ContentHash::from_stored(payload.hash);
        let found = match Kind::new(&payload.kind) {
            Some(kind) => self.store.find_ref(&kind, &hash, now).await?,
            None => None,
        };
        let Some(row) = found else { return Ok(Outcome::Skipped("the ref is gone")) };
        if row.summary_model.is_some() {
            return Ok(Outcome::Done);
        }
        if let Some(alike) = self.store.summarised_alike(&row, now).await?
            && let Some(model) = &alike.summary_model
        {
            self.store.finish_summary(job, &row, (&alike.summary, model), now).await?;
            return Ok(Outcome::Written);
        }
        self.have_summarised(job, &row, payload.thread.as_ref(), now).await
    }

    async fn have_summarised(
        &self,
        job: &Job,
        row: &RefRow,
        thread: Option<&ThreadId>,
        now: Timestamp,
    ) -> Result<Outcome, EngineError> {
        let Some(model) = self.small_model()? else {
            return Ok(Outcome::Skipped("no small model is set up"));
        };
        let Some(content) = self.text_of(row).await? else {
            return Ok(Outcome::Skipped("the content is gone"));
        };
        let earlier = match self.store.summarised_before(row, now).await? {
            Some(before) => self
                .text_of(&before)
                .await?
                .map(|content| Earlier { summary: before.summary, content }),
            None => None,
        };
        let compressed = row.compressed.clone();
        let (content, material) = tokio::task::spawn_blocking(move || {
            let material = Material::new(&content, &compressed, earlier);
            (content, material)
        })
        .await?;
        let (instructions, material) = match material {
            Material::Content(text) => (include_str!("../../prompts/ref_summary.md"), text),
            Material::Change { summary, change } => (
                include_str!("../../prompts/ref_change.md"),
                format!("Summary so far:\n{summary}\n\nChange:\n{change}"),
            ),
        };
        let task = Task {
            job,
            instructions,
            material,
            most_tokens: MOST_TOKENS,
            project: row.project.as_ref(),
            thread,
        };
        if !self.is_within_quota(&task, model.info(), now).await? {
            return Ok(Outcome::Skipped("quota_exceeded"));
        }
        let answer = self.write(&*model, &task).await?;
        let compressed = row.compressed.clone();
        let told = tokio::task::spawn_blocking(move || match answer.finish {
            Some(Finish::Length) => Err(Rubbish::TooLong),
            _ => checked(&answer.text, &[&content, &compressed]),
        })
        .await?;
        match told {
            Ok(summary) => {
                let model = model.info().full_name();
                self.store.finish_summary(job, row, (&summary, &model), mint::now()).await?;
                Ok(Outcome::Written)
            }
            Err(rubbish) => {
                tracing::warn!(%rubbish, model = model.info().full_name(), "a summary was refused");
                Ok(Outcome::Failed(format!("rejected: {rubbish}")))
            }
        }
    }

    async fn text_of(&self, row: &RefRow) -> Result<Option<String>, EngineError> {
        let bytes = self.store.blob(&row.content).await?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }
}
