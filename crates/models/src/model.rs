//! The trait that every model has.

use crate::error::ModelsError;
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::{Answer, Event, Prompt};
use futures::stream::{BoxStream, StreamExt as _};
use std::fmt;
use std::time::Duration;

/// The pieces of an answer as they come. It ends after [`Event::Finish`] or after an error; a
/// stream that is dropped is a call that is given up, and its connection is closed.
pub type Events = BoxStream<'static, Result<Event, ModelsError>>;

/// Something that answers.
pub trait ChatModel: fmt::Debug + Send + Sync {
    fn info(&self) -> &ModelInfo;

    /// Where it is asked; under one name, another address may be another model.
    fn address(&self) -> Option<&str> {
        None
    }

    /// Answers. Nothing happens before the stream is first asked for an event.
    fn ask(&self, prompt: Prompt, limits: Limits) -> Events;
}

/// How long an answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For the whole answer, with all attempts.
    pub whole: Duration,
    /// Until it begins; models that think may be silent for minutes.
    pub begin: Duration,
    /// Between two signs of life.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            whole: Duration::from_secs(600),
            begin: Duration::from_secs(300),
            idle: Duration::from_secs(120),
        }
    }
}

/// The whole answer of a stream.
pub async fn answer(mut events: Events) -> Result<Answer, ModelsError> {
    let mut answer = Answer::default();
    while let Some(event) = events.next().await {
        answer.add(event?);
    }
    Ok(answer)
}
