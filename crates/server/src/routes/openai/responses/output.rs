//! A response as it grows, piece by piece: the object that is sent whole, and its items.

use super::ResponseRequest;
use dossier_core::chat::{Event, Finish, Usage};
use dossier_core::time::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ResponseObject {
    pub id: String,
    #[schema(value_type = String)]
    pub object: &'static str,
    pub created_at: i64,
    /// `in_progress`, `completed` or `incomplete`.
    #[schema(value_type = String)]
    pub status: &'static str,
    #[schema(value_type = Option<Object>)]
    pub error: Option<Value>,
    #[schema(value_type = Option<Object>)]
    pub incomplete_details: Option<Value>,
    pub instructions: Option<String>,
    pub max_output_tokens: Option<u32>,
    pub model: String,
    #[schema(value_type = Vec<Object>)]
    pub output: Vec<Value>,
    pub parallel_tool_calls: bool,
    pub previous_response_id: Option<String>,
    #[schema(value_type = Object)]
    pub reasoning: Value,
    pub store: bool,
    pub temperature: Option<f64>,
    #[schema(value_type = Object)]
    pub text: Value,
    pub tool_choice: Value,
    #[schema(value_type = Vec<Object>)]
    pub tools: Vec<Value>,
    pub top_p: Option<f64>,
    #[schema(value_type = String)]
    pub truncation: &'static str,
    #[schema(value_type = Option<Object>)]
    pub usage: Option<Value>,
    #[schema(value_type = Object)]
    pub metadata: Value,
}

/// An item of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Reasoning { text: String },
    Message { text: String },
    Call { call_id: String, name: String, arguments: String },
}

/// A response on its way.
#[derive(Debug)]
pub struct Output {
    object: ResponseObject,
    pub items: Vec<Item>,
    /// The place among the items of each call, by its number.
    calls: Vec<usize>,
    tells_reasoning: bool,
}

/// What a piece did to the items.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// The item in this place begins.
    Begun(usize),
    /// It has more of its text or its arguments.
    More(usize, String),
}

impl Output {
    pub fn new(request: &ResponseRequest, id: &str, now: Timestamp) -> Self {
        let reasoning = request.reasoning.as_ref();
        let effort = reasoning.and_then(|reasoning| reasoning.effort.as_deref());
        let summary = reasoning.and_then(|reasoning| reasoning.summary.as_deref());
        let format = request.text.as_ref().and_then(|text| text.format.clone());
        let tools = request.tools.iter().flatten().map(|tool| {
            json!({
                "type": tool.kind, "name": tool.name, "description": tool.description,
                "parameters": tool.parameters, "strict": tool.strict.unwrap_or(false),
            })
        });
        let object = ResponseObject {
            id: id.to_owned(),
            object: "response",
            created_at: now.as_millis() / 1000,
            status: "in_progress",
            error: None,
            incomplete_details: None,
            instructions: request.instructions.clone(),
            max_output_tokens: request.max_output_tokens,
            model: request.model.clone(),
            output: Vec::new(),
            parallel_tool_calls: true,
            previous_response_id: request.previous_response_id.clone(),
            reasoning: json!({"effort": effort, "summary": summary}),
            store: true,
            temperature: request.temperature,
            text: json!({"format": format.unwrap_or_else(|| json!({"type": "text"}))}),
            tool_choice: request.tool_choice.clone().unwrap_or_else(|| json!("auto")),
            tools: tools.collect(),
            top_p: request.top_p,
            truncation: "disabled",
            usage: None,
            metadata: json!(request.metadata.clone().unwrap_or_default()),
        };
        let tells_reasoning = summary.is_some();
        Self { object, items: Vec::new(), calls: Vec::new(), tells_reasoning }
    }

    pub fn name(&mut self, id: &str) {
        id.clone_into(&mut self.object.id);
    }

    /// Takes a piece in; what it did to the items.
    pub fn take(&mut self, event: &Event) -> Vec<Step> {
        match event {
            Event::Text(text) => self.text(text),
            Event::Reasoning(text) if self.tells_reasoning => self.reasoning(text),
            Event::Call { id, name, .. } => {
                self.calls.push(self.items.len());
                self.items.push(Item::Call {
                    call_id: id.clone(),
                    name: name.clone(),
                    arguments: String::new(),
                });
                vec![Step::Begun(self.items.len() - 1)]
            }
            Event::Arguments { number, text } => {
                let Some(place) = self.calls.get(*number).copied() else { return Vec::new() };
                if let Some(Item::Call { arguments, .. }) = self.items.get_mut(place) {
                    arguments.push_str(text);
                }
                vec![Step::More(place, text.clone())]
            }
            Event::Usage(usage) => {
                self.object.usage = Some(told(*usage));
                Vec::new()
            }
            Event::Finish(finish) => {
                self.finish(finish);
                Vec::new()
            }
            Event::Reasoning(_) | Event::Sealed(_) => Vec::new(),
        }
    }

    fn text(&mut self, text: &str) -> Vec<Step> {
        if let Some(Item::Message { text: own }) = self.items.last_mut() {
            own.push_str(text);
            return vec![Step::More(self.items.len() - 1, text.to_owned())];
        }
        self.begun(Item::Message { text: text.to_owned() }, text)
    }

    fn reasoning(&mut self, text: &str) -> Vec<Step> {
        if let Some(Item::Reasoning { text: own }) = self.items.last_mut() {
            own.push_str(text);
            return vec![Step::More(self.items.len() - 1, text.to_owned())];
        }
        self.begun(Item::Reasoning { text: text.to_owned() }, text)
    }

    fn begun(&mut self, item: Item, text: &str) -> Vec<Step> {
        let place = self.items.len();
        self.items.push(item);
        vec![Step::Begun(place), Step::More(place, text.to_owned())]
    }

    fn finish(&mut self, finish: &Finish) {
        let reason = match finish {
            Finish::Length => Some("max_output_tokens"),
            Finish::Refused => Some("content_filter"),
            Finish::Stop | Finish::ToolCalls | Finish::Other(_) => None,
        };
        self.object.status = if reason.is_some() { "incomplete" } else { "completed" };
        self.object.incomplete_details = reason.map(|reason| json!({ "reason": reason }));
    }

    /// The response as far as it has come.
    pub fn response(&self) -> ResponseObject {
        let status = self.object.status;
        let output = (0..self.items.len()).map(|place| self.item(place, status)).collect();
        ResponseObject { output, ..self.object.clone() }
    }

    /// An item as it is sent.
    pub fn item(&self, place: usize, status: &str) -> Value {
        let id = self.item_id(place);
        match &self.items[place] {
            Item::Reasoning { text } => json!({
                "id": id, "type": "reasoning", "status": status, "summary": [thought(text)],
            }),
            Item::Message { text } => json!({
                "id": id, "type": "message", "status": status, "role": "assistant",
                "content": [part(text)],
            }),
            Item::Call { call_id, name, arguments } => json!({
                "id": id, "type": "function_call", "status": status, "call_id": call_id,
                "name": name, "arguments": arguments,
            }),
        }
    }

    pub fn item_id(&self, place: usize) -> String {
        let prefix = match &self.items[place] {
            Item::Reasoning { .. } => "rs",
            Item::Message { .. } => "msg",
            Item::Call { .. } => "fc",
        };
        let suffix = self.object.id.split_once('_').map_or("", |(_, suffix)| suffix);
        format!("{prefix}_{suffix}_{place}")
    }
}

/// The one part of a message.
pub fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

/// The one part of what a model thinks.
pub fn thought(text: &str) -> Value {
    json!({"type": "summary_text", "text": text})
}

fn told(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached_input},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.input.saturating_add(usage.output),
    })
}
