//! A response as the vendor's sequence of events, each with its name and its number.

use super::output::{Item, Output, Step, part};
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

    fn begun(&mut self, place: usize) -> Vec<Frame> {
        // A message has ended when something else begins; arguments of calls may come in turns.
        let is_message = |open: &usize| matches!(self.output.items[*open], Item::Message { .. });
        let ended: Vec<usize> = self.open.iter().copied().filter(is_message).collect();
        let mut frames: Vec<Frame> = ended.into_iter().flat_map(|it| self.ended(it)).collect();
        self.open.push(place);
        let id = self.output.item_id(place);
        let mut item = self.output.item(place, "in_progress");
        let is_message = matches!(self.output.items[place], Item::Message { .. });
        if is_message {
            item["content"] = json!([]);
        }
        let added = json!({"output_index": place, "item": item});
        frames.push(self.frame("response.output_item.added", added));
        if is_message {
            let data = json!({
                "item_id": id, "output_index": place, "content_index": 0, "part": part(""),
            });
            frames.push(self.frame("response.content_part.added", data));
        }
        frames
    }

    fn more(&mut self, place: usize, text: &str) -> Frame {
        let mut data =
            json!({"item_id": self.output.item_id(place), "output_index": place, "delta": text});
        match self.output.items[place] {
            Item::Message { .. } => {
                data["content_index"] = json!(0);
                data["logprobs"] = json!([]);
                self.frame("response.output_text.delta", data)
            }
            Item::Call { .. } => self.frame("response.function_call_arguments.delta", data),
        }
    }

    fn ended(&mut self, place: usize) -> Vec<Frame> {
        self.open.retain(|open| *open != place);
        let id = self.output.item_id(place);
        let mut frames = Vec::new();
        match self.output.items[place].clone() {
            Item::Message { text } => {
                let data = json!({
                    "item_id": id, "output_index": place, "content_index": 0, "text": text,
                    "logprobs": [],
                });
                frames.push(self.frame("response.output_text.done", data));
                let data = json!({
                    "item_id": id, "output_index": place, "content_index": 0, "part": part(&text),
                });
                frames.push(self.frame("response.content_part.done", data));
            }
            Item::Call { name, arguments, .. } => {
                let data = json!({
                    "item_id": id, "output_index": place, "name": name, "arguments": arguments,
                });
                frames.push(self.frame("response.function_call_arguments.done", data));
            }
        }
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
