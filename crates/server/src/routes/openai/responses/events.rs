//! A response as the vendor's sequence of events, each with its name and its number.

use super::output::{Item, Output, Step, part, thought};
use crate::problem::Problem;
use crate::sse;
use axum::response::sse::Event as Frame;
use dossier_core::chat::Event;
use serde_json::{Value, json};

pub struct Writer {
    output: Output,
    number: u64,
    /// Items that have begun and not ended.
    open: Vec<usize>,
}

impl Writer {
    pub fn new(output: Output) -> Self {
        Self { output, number: 0, open: Vec::new() }
    }

    fn frame(&mut self, kind: &str, mut data: Value) -> Frame {
        data["type"] = json!(kind);
        data["sequence_number"] = json!(self.number);
        self.number += 1;
        Frame::default().event(kind).data(data.to_string())
    }

    fn of_response(&mut self, kind: &str) -> Frame {
        let data = json!({ "response": self.output.response() });
        self.frame(kind, data)
    }

    fn of_item(&mut self, kind: &str, place: usize, mut data: Value) -> Frame {
        data["item_id"] = json!(self.output.item_id(place));
        data["output_index"] = json!(place);
        self.frame(kind, data)
    }

    fn begun(&mut self, place: usize) -> Vec<Frame> {
        // A text has ended when something else begins; arguments of calls may come in turns.
        let is_text = |open: &usize| !matches!(self.output.items[*open], Item::Call { .. });
        let ended: Vec<usize> = self.open.iter().copied().filter(is_text).collect();
        let mut frames: Vec<Frame> = ended.into_iter().flat_map(|it| self.ended(it)).collect();
        self.open.push(place);
        let mut item = self.output.item(place, "in_progress");
        let first = match self.output.items[place] {
            Item::Reasoning { .. } => {
                item["summary"] = json!([]);
                let data = json!({"summary_index": 0, "part": thought("")});
                Some(("response.reasoning_summary_part.added", data))
            }
            Item::Message { .. } => {
                item["content"] = json!([]);
                let data = json!({"content_index": 0, "part": part("")});
                Some(("response.content_part.added", data))
            }
            Item::Call { .. } => None,
        };
        let added = json!({"output_index": place, "item": item});
        frames.push(self.frame("response.output_item.added", added));
        frames.extend(first.map(|(kind, data)| self.of_item(kind, place, data)));
        frames
    }

    fn more(&mut self, place: usize, text: &str) -> Frame {
        let (kind, mut data) = match self.output.items[place] {
            Item::Reasoning { .. } => {
                ("response.reasoning_summary_text.delta", json!({"summary_index": 0}))
            }
            Item::Message { .. } => {
                ("response.output_text.delta", json!({"content_index": 0, "logprobs": []}))
            }
            Item::Call { .. } => ("response.function_call_arguments.delta", json!({})),
        };
        data["delta"] = json!(text);
        self.of_item(kind, place, data)
    }

    fn ended(&mut self, place: usize) -> Vec<Frame> {
        self.open.retain(|open| *open != place);
        let last = match self.output.items[place].clone() {
            Item::Reasoning { text } => vec![
                ("response.reasoning_summary_text.done", json!({"summary_index": 0, "text": text})),
                (
                    "response.reasoning_summary_part.done",
                    json!({"summary_index": 0, "part": thought(&text)}),
                ),
            ],
            Item::Message { text } => vec![
                (
                    "response.output_text.done",
                    json!({"content_index": 0, "text": text, "logprobs": []}),
                ),
                ("response.content_part.done", json!({"content_index": 0, "part": part(&text)})),
            ],
            Item::Call { name, arguments, .. } => vec![(
                "response.function_call_arguments.done",
                json!({"name": name, "arguments": arguments}),
            )],
        };
        let mut frames: Vec<Frame> =
            last.into_iter().map(|(kind, data)| self.of_item(kind, place, data)).collect();
        let item = self.output.item(place, "completed");
        let done = json!({"output_index": place, "item": item});
        frames.push(self.frame("response.output_item.done", done));
        frames
    }
}

impl sse::Writer for Writer {
    fn begin(&mut self) -> Vec<Frame> {
        ["response.created", "response.in_progress"].map(|kind| self.of_response(kind)).into()
    }

    fn say(&mut self, event: &Event) -> Vec<Frame> {
        let steps = self.output.take(event);
        let frames = steps.into_iter().flat_map(|step| match step {
            Step::Begun(place) => self.begun(place),
            Step::More(place, text) => vec![self.more(place, &text)],
        });
        frames.collect()
    }

    fn end(&mut self) -> Vec<Frame> {
        let open = self.open.clone();
        let mut frames: Vec<Frame> = open.into_iter().flat_map(|it| self.ended(it)).collect();
        let kind = match self.output.response().status {
            "incomplete" => "response.incomplete",
            _ => "response.completed",
        };
        frames.push(self.of_response(kind));
        frames
    }

    fn fail(&mut self, problem: &Problem) -> Vec<Frame> {
        let error = problem.error();
        let data = json!({
            "code": error.code, "message": error.message, "param": error.param, "error": error,
        });
        vec![self.frame("error", data)]
    }
}
