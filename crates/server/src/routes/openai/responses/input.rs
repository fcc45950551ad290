//! What a response follows: a text, or messages, calls and their results as items.

use super::super::message::image;
use super::super::{invalid, unsupported};
use crate::problem::Problem;
use dossier_core::chat::{Message, Part, Said, ToolCall, ToolResult};
use serde::Deserialize;
use utoipa::ToSchema;

/// What the user says, or items.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum InputRequest {
    Text(String),
    Items(Vec<ItemRequest>),
}

/// A message, a `function_call` or a `function_call_output`. Which of the fields are wanted depends
/// on the type.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ItemRequest {
    /// `message` when not given.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub role: Option<String>,
    pub content: Option<ItemContent>,
    pub call_id: Option<String>,
    pub name: Option<String>,
    pub arguments: Option<String>,
    pub output: Option<ItemContent>,
}

/// A text, or its parts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ItemContent {
    Text(String),
    Parts(Vec<ItemPart>),
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ItemPart {
    /// `input_text`, `output_text`, `refusal` or `input_image`.
    #[serde(rename = "type")]
    pub kind: String,
    pub text: Option<String>,
    pub refusal: Option<String>,
    /// A `data:` URL with the image in base64.
    pub image_url: Option<String>,
}

pub fn messages(input: InputRequest) -> Result<Vec<Message>, Problem> {
    let items = match input {
        InputRequest::Text(text) => return Ok(vec![Message::user(text)]),
        InputRequest::Items(items) => items,
    };
    let mut messages: Vec<Message> = Vec::with_capacity(items.len());
    for (number, item) in items.into_iter().enumerate() {
        let at = format!("input[{number}]");
        match item.kind.as_deref().unwrap_or("message") {
            "message" => messages.push(message(&at, item)?),
            "function_call" => call(&mut messages, called(&at, item)?),
            "function_call_output" => messages.push(result(&at, item)?),
            // The thoughts of a model are sealed; they come back from the store.
            "reasoning" => {}
            kind => {
                return Err(unsupported(at, &format!("items of type `{kind}` are not understood")));
            }
        }
    }
    Ok(messages)
}

fn message(at: &str, item: ItemRequest) -> Result<Message, Problem> {
    let content = item
        .content
        .ok_or_else(|| invalid(format!("{at}.content"), format!("{at} has no content")))?;
    let parts = parts(&format!("{at}.content"), content)?;
    let text = |parts: Vec<Part>| Message::from(Said::User { parts }).text();
    Ok(match item.role.as_deref() {
        Some("user") => Said::User { parts }.into(),
        Some("assistant") => Message::assistant(text(parts)),
        Some("system" | "developer") => Message::system(text(parts)),
        _ => {
            let what = "choose the role user, assistant, system or developer";
            return Err(invalid(format!("{at}.role"), what));
        }
    })
}

fn parts(at: &str, content: ItemContent) -> Result<Vec<Part>, Problem> {
    let parts = match content {
        ItemContent::Text(text) => return Ok(vec![Part::Text(text)]),
        ItemContent::Parts(parts) => parts,
    };
    let part = |ItemPart { kind, text, refusal, image_url }: ItemPart| match (
        kind.as_str(),
        text,
        refusal,
        image_url,
    ) {
        ("input_text" | "output_text" | "text", Some(text), ..) | ("refusal", _, Some(text), _) => {
            Ok(Part::Text(text))
        }
        ("input_image", _, _, Some(url)) => Ok(Part::Image(image(at, &url)?)),
        _ => Err(unsupported(at, &format!("this part of type `{kind}` is not understood"))),
    };
    parts.into_iter().map(part).collect()
}

fn called(at: &str, item: ItemRequest) -> Result<ToolCall, Problem> {
    match item {
        ItemRequest { call_id: Some(id), name: Some(name), arguments, .. } => {
            Ok(ToolCall { id, name, arguments: arguments.unwrap_or_default() })
        }
        _ => Err(invalid(at, "a function_call has a call_id, a name and arguments")),
    }
}

/// Calls belong to what the assistant said before them.
fn call(messages: &mut Vec<Message>, call: ToolCall) {
    match messages.last_mut().map(|message| &mut message.said) {
        Some(Said::Assistant { calls, .. }) => calls.push(call),
        _ => {
            let said = Said::Assistant { text: String::new(), calls: vec![call], sealed: None };
            messages.push(said.into());
        }
    }
}

fn result(at: &str, item: ItemRequest) -> Result<Message, Problem> {
    match item {
        ItemRequest { call_id: Some(call), output: Some(output), .. } => {
            let parts = parts(&format!("{at}.output"), output)?;
            let content = Message::from(Said::User { parts }).text();
            Ok(Message::results(vec![ToolResult { call, content, failed: false }]))
        }
        _ => Err(invalid(at, "a function_call_output has a call_id and an output")),
    }
}
