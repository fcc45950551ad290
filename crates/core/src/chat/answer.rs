//! An answer, piece by piece and whole. The pieces of a stream put together give the whole.

use super::message::{Message, Said, Sealed, ToolCall};
use serde::{Deserialize, Serialize};

/// A piece of an answer. Texts and arguments are what is new, never what was said before; an
/// answer ends with [`Event::Finish`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Text(String),
    Reasoning(String),
    /// A call of a tool begins; calls are numbered from 0.
    Call {
        number: usize,
        id: String,
        name: String,
    },
    /// More of the arguments of a call that has begun.
    Arguments {
        number: usize,
        text: String,
    },
    Sealed(Sealed),
    Usage(Usage),
    Finish(Finish),
}

/// Tokens of one answer, as the provider counts and bills them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// All that was given, cached or not.
    pub input: u32,
    /// All that was made, thoughts among it.
    pub output: u32,
    /// The part of the input that came from the provider's cache.
    pub cached_input: u32,
    /// The part of the input that was put into it.
    pub cache_write: u32,
    pub reasoning: u32,
}

impl Usage {
    /// What several calls took together, as in a loop of tools.
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached_input: self.cached_input.saturating_add(other.cached_input),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    Stop,
    /// The answer was cut where the output or the window was full.
    Length,
    ToolCalls,
    /// The provider held the answer, or the rest of it, back.
    Refused,
    Other(String),
}

/// An answer, put together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    pub text: String,
    pub reasoning: String,
    pub calls: Vec<ToolCall>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sealed: Option<Sealed>,
    /// None when the provider did not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// None as long as the answer is not complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
}

impl Answer {
    pub fn add(&mut self, event: Event) {
        match event {
            Event::Text(text) => self.text.push_str(&text),
            Event::Reasoning(text) => self.reasoning.push_str(&text),
            Event::Call { id, name, .. } => {
                self.calls.push(ToolCall { id, name, arguments: String::new() });
            }
            Event::Arguments { number, text } => {
                if let Some(call) = self.calls.get_mut(number) {
                    call.arguments.push_str(&text);
                }
            }
            Event::Sealed(sealed) => self.sealed = Some(sealed),
            Event::Usage(usage) => self.usage = Some(usage),
            Event::Finish(finish) => self.finish = Some(finish),
        }
    }

    /// The answer as the message that the next prompt of the same turn repeats.
    pub fn message(&self) -> Message {
        Message::from(Said::Assistant {
            text: self.text.clone(),
            calls: self.calls.clone(),
            sealed: self.sealed.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_an_answer_make_the_whole() {
        let call = |number, id: &str| Event::Call { number, id: id.into(), name: "read".into() };
        let more = |number, text: &str| Event::Arguments { number, text: text.into() };
        let usage = Usage { input: 7, output: 5, ..Usage::default() };
        let mut answer = Answer::default();
        for event in [
            Event::Reasoning("hm".into()),
            Event::Text("I ".into()),
            call(0, "a"),
            more(0, "{\"p"),
            call(1, "b"),
            more(1, "{}"),
            more(0, "\":1}"),
            Event::Text("look".into()),
            Event::Usage(usage),
            Event::Finish(Finish::ToolCalls),
        ] {
            let json = serde_json::to_string(&event).unwrap();
            answer.add(serde_json::from_str(&json).unwrap());
        }
        let made = |id: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: "read".into(),
            arguments: arguments.into(),
        };
        assert_eq!(
            answer,
            Answer {
                text: "I look".into(),
                reasoning: "hm".into(),
                calls: vec![made("a", "{\"p\":1}"), made("b", "{}")],
                sealed: None,
                usage: Some(usage),
                finish: Some(Finish::ToolCalls),
            }
        );
    }
}
