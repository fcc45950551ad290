//! The answer cache: a question that was answered before, from the same material by the same model,
//! gets the same answer and no model is asked.
//!
//! The dossier is assembled all the same, since it tells what the model would be shown now. An
//! answer is found by the question's form and by everything before this turn's own items, word for
//! word; and it is given only if all that it was made from is still there and the dossier shows
//! nothing that came later. Earlier askings of the same question, with what models said to them, are
//! no news: else every answer would be put out of date by itself.

mod flights;
mod sought;
mod tally;

pub(crate) use flights::{Asking, Flight, Flights};
pub(crate) use sought::{Reader, Sought};
pub use tally::AnswerSums;
pub(crate) use tally::SharedAnswers;

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::chat::Usage;
use dossier_core::guard::masked;
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, ProjectId};
use dossier_core::message::Role;
use dossier_core::refs::{freshness, is_stale};
use dossier_core::sameness::{
    Asked, Cached, Difference, Form, Kept, Measured, Since, Verdict, answers, stands_in_until,
};
use dossier_core::time::Timestamp;
use dossier_store::KeptAnswer;

/// A kept answer that is given again.
#[derive(Debug)]
pub(crate) struct Repeated {
    pub key: ContentHash,
    pub text: String,
    pub cached: Cached,
    /// What it took to make it, if that is known.
    pub taken: Option<Usage>,
}

/// How old an answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Age {
    Fresh,
    /// Its time may be over, since the model cannot be reached.
    Overdue,
}

/// Why a model is asked though the project keeps answers.
pub(crate) const NONE_KEPT: &str = "none";
pub(crate) const REFRESHED: &str = "refreshed";
pub(crate) const UNKNOWN: &str = "error";

impl Workspace {
    /// The kept answer to a question, or why there is none that may be given.
    pub(crate) async fn repeated(
        &self,
        sought: &Sought,
        project: &ProjectId,
        age: Age,
        now: Timestamp,
    ) -> Result<Result<Repeated, &'static str>, EngineError> {
        let Some(kept) = self.store.kept_answer(project, &sought.key).await? else {
            return Ok(Err(NONE_KEPT));
        };
        let since = self.since(&kept, sought, project, now).await?;
        let question = masked(&kept.question);
        let created_at = kept.row.created_at;
        let over_at = kept.row.expires_at.min(sought.expires_at(created_at));
        let expires_at = match age {
            Age::Fresh => over_at,
            Age::Overdue => stands_in_until(created_at, over_at),
        };
        let judged = |measured: Option<Measured>| {
            let asked = Asked { text: &question, signature: &kept.row.signature };
            let kept = Kept { asked, created_at, expires_at, since };
            answers(kept, sought.asked(), measured, now)
        };
        let mut measured = None;
        let mut verdict = judged(None);
        // Vectors are made only where everything else speaks for the answer.
        if verdict == Verdict::Different(Difference::Unlike) {
            measured = self.measured(&question, sought).await?;
            verdict = judged(measured);
        }
        Ok(match verdict {
            Verdict::Different(difference) => Err(difference.as_str()),
            Verdict::Same(how) => Ok(Repeated {
                key: kept.row.key,
                text: kept.answer,
                cached: Cached {
                    from_message: kept.row.answer,
                    kept_at: created_at,
                    how,
                    similarity: measured.map(|measured| measured.similarity),
                    stale: now >= over_at,
                },
                taken: kept.usage,
            }),
        })
    }

    /// How alike two questions are; nothing where no embedder tells.
    async fn measured(
        &self,
        earlier: &str,
        sought: &Sought,
    ) -> Result<Option<Measured>, EngineError> {
        if self.embedder.is_none() {
            return Ok(None);
        }
        let texts = vec![earlier.to_owned(), sought.question.clone()];
        Ok(match self.embed_texts(texts).await? {
            Ok((model, vectors)) => match vectors.as_slice() {
                [earlier, later] => Some(Measured {
                    similarity: earlier.similarity(later),
                    least: sought.keeping.least_similarity(&model),
                }),
                _ => None,
            },
            Err(error) => {
                tracing::warn!(%error, "a kept answer is not given, for questions cannot be compared");
                None
            }
        })
    }

    /// What has become of everything that an answer was made from.
    async fn since(
        &self,
        kept: &KeptAnswer,
        sought: &Sought,
        project: &ProjectId,
        now: Timestamp,
    ) -> Result<Since, EngineError> {
        let evidence = &kept.row.evidence;
        if !self.store.has_chunks(project, &evidence.chunks).await? {
            return Ok(Since::Changed);
        }
        for name in &evidence.refs {
            if !self.is_fresh(name, now).await? {
                return Ok(Since::Changed);
            }
        }
        for chunk in evidence.later(&sought.evidence.chunks) {
            let is_echo = match sought.messages.get(&chunk) {
                Some(message) => self.is_echo(message, &sought.form).await?,
                None => false,
            };
            if !is_echo {
                return Ok(Since::News);
            }
        }
        Ok(Since::Nothing)
    }

    async fn is_fresh(&self, name: &str, now: Timestamp) -> Result<bool, EngineError> {
        let Ok(name) = name.parse() else { return Ok(false) };
        let rows = self.store.refs_named(&name, now).await?;
        Ok(match rows.as_slice() {
            [row] => !row.is_stale && !is_stale(freshness(row.refreshed_at, row.expires_at, now)),
            _ => false,
        })
    }

    /// Whether a message asks the same question, or is what a model said to it.
    async fn is_echo(&self, message: &MessageId, form: &Form) -> Result<bool, EngineError> {
        let Some(message) = self.store.message(message).await? else { return Ok(false) };
        let question = match (message.speaker.role, &message.parent) {
            (Role::User, _) => Some(message),
            (Role::Agent, Some(parent)) => self.store.message(parent).await?,
            _ => None,
        };
        let is_asked = question.filter(|question| question.speaker.role == Role::User);
        Ok(is_asked.is_some_and(|question| {
            Form::of(&masked(&question.content)).is_ok_and(|own| own == *form)
        }))
    }
}
