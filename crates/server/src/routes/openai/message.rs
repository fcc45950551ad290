//! Messages of chat completions, to and from what `dossier_core::chat` has.

use super::{invalid, unsupported};
use crate::problem::Problem;
use crate::routes::attachments;
use dossier_core::chat::{Image, Message, Part, Said, ToolCall, ToolResult};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What somebody said. Which of the fields are wanted depends on the role.
#[derive(Debug, Deserialize, ToSchema)]
pub struct MessageRequest {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    pub role: String,
    pub content: Option<ContentRequest>,
    /// The tools that the assistant called.
    pub tool_calls: Option<Vec<CallWire>>,
    /// The call that a tool gives the result of.
    pub tool_call_id: Option<String>,
    /// With which the assistant declined.
    pub refusal: Option<String>,
}

/// A text, or its parts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ContentRequest {
    Text(String),
    Parts(Vec<PartRequest>),
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct PartRequest {
    /// `text`, `image_url` or `refusal`.
    #[serde(rename = "type")]
    pub kind: String,
    pub text: Option<String>,
    pub image_url: Option<ImageRequest>,
    pub refusal: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ImageRequest {
    /// A `data:` URL with the image in base64.
    pub url: String,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CallWire {
    pub id: String,
    #[serde(rename = "type", default = "function")]
    pub kind: String,
    pub function: CalledWire,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CalledWire {
    pub name: String,
    /// JSON, as the model wrote it.
    #[serde(default)]
    pub arguments: String,
}

fn function() -> String {
    "function".to_owned()
}

impl From<ToolCall> for CallWire {
    fn from(call: ToolCall) -> Self {
        let function = CalledWire { name: call.name, arguments: call.arguments };
        Self { id: call.id, kind: self::function(), function }
    }
}

/// The messages of a request.
pub fn messages(requests: Vec<MessageRequest>) -> Result<Vec<Message>, Problem> {
    let place = |(number, request)| message(&format!("messages[{number}]"), request);
    requests.into_iter().enumerate().map(place).collect()
}

fn message(at: &str, request: MessageRequest) -> Result<Message, Problem> {
    let MessageRequest { role, content, tool_calls, tool_call_id, refusal } = request;
    let parts = content.map(|content| parts(at, content)).transpose()?;
    let needed = |parts: Option<Vec<Part>>| {
        parts.ok_or_else(|| invalid(format!("{at}.content"), format!("{at} has no content")))
    };
    let said = match role.as_str() {
        "system" | "developer" => Said::System { text: text(at, needed(parts)?)? },
        "user" => Said::User { parts: needed(parts)? },
        "assistant" => {
            let calls = tool_calls.unwrap_or_default();
            let calls = calls.into_iter().map(|call| self::call(at, call));
            let text = text(at, parts.unwrap_or_default())?;
            Said::Assistant {
                text: if text.is_empty() { refusal.unwrap_or_default() } else { text },
                calls: calls.collect::<Result<_, Problem>>()?,
                sealed: None,
            }
        }
        "tool" => {
            let call = tool_call_id.ok_or_else(|| {
                let what = format!("{at} has no tool_call_id; name the call that it answers");
                invalid(format!("{at}.tool_call_id"), what)
            })?;
            let content = text(at, needed(parts)?)?;
            Said::Tool { results: vec![ToolResult { call, content, failed: false }] }
        }
        "function" => {
            return Err(unsupported(
                format!("{at}.role"),
                "functions have become tools; send role tool with a tool_call_id",
            ));
        }
        other => {
            let what = format!(
                "there is no role `{other}`; choose system, developer, user, assistant or tool"
            );
            return Err(invalid(format!("{at}.role"), what));
        }
    };
    Ok(said.into())
}

fn parts(at: &str, content: ContentRequest) -> Result<Vec<Part>, Problem> {
    match content {
        ContentRequest::Text(text) => Ok(vec![Part::Text(text)]),
        ContentRequest::Parts(parts) => parts.into_iter().map(|it| part(at, it)).collect(),
    }
}

fn part(at: &str, request: PartRequest) -> Result<Part, Problem> {
    let at = format!("{at}.content");
    match request {
        PartRequest { kind, text: Some(text), .. } if kind == "text" => Ok(Part::Text(text)),
        PartRequest { kind, refusal: Some(text), .. } if kind == "refusal" => Ok(Part::Text(text)),
        PartRequest { kind, image_url: Some(image), .. } if kind == "image_url" => {
            Ok(Part::Image(self::image(&at, &image.url)?))
        }
        PartRequest { kind, .. } if matches!(kind.as_str(), "text" | "image_url" | "refusal") => {
            Err(invalid(at, format!("a part of type {kind} has a field of that name")))
        }
        PartRequest { kind, .. } => {
            Err(unsupported(at, &format!("parts of type `{kind}` are not understood")))
        }
    }
}

/// An image out of a `data:` URL; others would have to be fetched.
pub fn image(at: &str, url: &str) -> Result<Image, Problem> {
    let parts = url.strip_prefix("data:").and_then(|data| data.split_once(";base64,"));
    let (mime, base64) = parts.filter(|(mime, _)| mime.starts_with("image/")).ok_or_else(|| {
        unsupported(at, "images are taken as data:image/…;base64,… and not fetched from elsewhere")
    })?;
    // One that its provider refuses would be sent again with every question that follows.
    attachments::image(mime, base64)
        .map_err(|why| invalid(at, format!("the image is not taken: {why}")))
}

fn text(at: &str, parts: Vec<Part>) -> Result<String, Problem> {
    let texts = parts.into_iter().map(|part| match part {
        Part::Text(text) => Ok(text),
        Part::Image(_) => {
            Err(invalid(format!("{at}.content"), "only messages of the user have images"))
        }
    });
    Ok(texts.collect::<Result<Vec<_>, Problem>>()?.join("\n\n"))
}

fn call(at: &str, call: CallWire) -> Result<ToolCall, Problem> {
    if call.kind != "function" {
        let what = format!("calls of type `{}` are not understood", call.kind);
        return Err(unsupported(format!("{at}.tool_calls"), &what));
    }
    let CalledWire { name, arguments } = call.function;
    Ok(ToolCall { id: call.id, name, arguments })
}
