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

impl Limits {
    /// The setting that says how many seconds a whole answer may take.
    pub const SETTING: &str = "models.timeout_seconds";
    /// What holds where nobody has set it.
    pub const SECONDS: u64 = 600;

    /// Those of an answer that may take so long. Where there is more time than usual, a model may be
    /// silent for longer, too; less time ends the whole and makes no model look dead sooner.
    pub fn of(whole: Duration) -> Self {
        let (begin, idle) = (Duration::from_secs(300), Duration::from_secs(120));
        Self { whole, begin: begin.max(whole / 2), idle: idle.max(whole / 5) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::of(Duration::from_secs(Self::SECONDS))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_take_ten_minutes_unless_it_is_set_otherwise() {
        let limits = |whole, begin, idle| {
            let [whole, begin, idle] = [whole, begin, idle].map(Duration::from_secs);
            Limits { whole, begin, idle }
        };
        assert_eq!(Limits::default(), limits(600, 300, 120));
        assert_eq!(Limits::of(Duration::from_secs(20)), limits(20, 300, 120));
        assert_eq!(Limits::of(Duration::from_secs(3_600)), limits(3_600, 1_800, 720));
    }
}
