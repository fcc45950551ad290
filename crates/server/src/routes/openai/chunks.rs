//! A chat completion as a stream of chunks. It ends with the vendor's mark of the end, or with an
//! error in a frame of its own; never in silence.

use super::chat::{Manner, TokensResponse};
use super::finish_reason;
use super::speech::Speech;
use crate::problem::Problem;
use crate::sse;
use crate::state::Door;
use axum::response::IntoResponse;
use axum::response::sse::Event as Frame;
use dossier_core::chat::Event;
use serde::Serialize;

#[derive(Serialize)]
struct Chunk<'a> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'a str,
    choices: &'a [Choice<'a>],
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Option<TokensResponse>>,
}

#[derive(Serialize)]
struct Choice<'a> {
    index: u32,
    delta: Delta<'a>,
    logprobs: (),
    finish_reason: Option<&'static str>,
}

#[derive(Default, Serialize)]
struct Delta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<[CallDelta<'a>; 1]>,
}

#[derive(Serialize)]
struct CallDelta<'a> {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    function: FunctionDelta<'a>,
}

#[derive(Serialize)]
struct FunctionDelta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    arguments: &'a str,
}

pub fn stream(door: &Door, manner: Manner, speech: Speech) -> impl IntoResponse + use<> {
    let writer = Writer { manner, usage: None };
    sse::answer(door, speech, writer)
}

struct Writer {
    manner: Manner,
    usage: Option<TokensResponse>,
}

impl sse::Writer for Writer {
    fn begin(&mut self) -> Vec<Frame> {
        let (role, content) = (Some("assistant"), Some(""));
        vec![self.chunk(Delta { role, content, ..Delta::default() }, None)]
    }

    fn say(&mut self, event: &Event) -> Vec<Frame> {
        let delta = match event {
            Event::Text(text) => Delta { content: Some(text), ..Delta::default() },
            Event::Reasoning(text) => Delta { reasoning_content: Some(text), ..Delta::default() },
            Event::Call { number, id, name } => call(CallDelta {
                index: *number,
                id: Some(id),
                kind: Some("function"),
                function: FunctionDelta { name: Some(name), arguments: "" },
            }),
            Event::Arguments { number, text } => call(CallDelta {
                index: *number,
                id: None,
                kind: None,
                function: FunctionDelta { name: None, arguments: text },
            }),
            Event::Usage(usage) => {
                self.usage = Some((*usage).into());
                return Vec::new();
            }
            Event::Sealed(_) => return Vec::new(),
            Event::Finish(finish) => {
                return vec![self.chunk(Delta::default(), Some(finish_reason(finish)))];
            }
        };
        vec![self.chunk(delta, None)]
    }

    fn end(&mut self) -> Vec<Frame> {
        let usage = self.manner.tells_usage.then(|| self.frame(&[], Some(self.usage)));
        usage.into_iter().chain([Frame::default().data("[DONE]")]).collect()
    }

    fn fail(&mut self, problem: &Problem) -> Vec<Frame> {
        vec![Frame::default().data(problem.frame())]
    }
}

impl Writer {
    fn chunk(&self, delta: Delta<'_>, finish_reason: Option<&'static str>) -> Frame {
        let choice = Choice { index: 0, delta, logprobs: (), finish_reason };
        self.frame(&[choice], self.manner.tells_usage.then_some(None))
    }

    fn frame(&self, choices: &[Choice<'_>], usage: Option<Option<TokensResponse>>) -> Frame {
        let Manner { id, created, model, .. } = &self.manner;
        let object = "chat.completion.chunk";
        let chunk = Chunk { id, object, created: *created, model, choices, usage };
        Frame::default().data(serde_json::to_string(&chunk).unwrap_or_default())
    }
}

fn call(call: CallDelta<'_>) -> Delta<'_> {
    Delta { tool_calls: Some([call]), ..Delta::default() }
}
