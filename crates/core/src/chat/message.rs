//! One message of a prompt. An image is kept as base64 text, as every provider takes it.

use crate::render::{WireMessage, WireRole};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// What one side said, and whether a provider's cache may end behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    #[serde(flatten)]
    pub said: Said,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cache_after: bool,
}

/// What was said, by whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum Said {
    System {
        text: String,
    },
    User {
        parts: Vec<Part>,
    },
    Assistant {
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sealed: Option<Sealed>,
    },
    /// What the tools gave that the message before called.
    Tool {
        results: Vec<ToolResult>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Text(String),
    Image(Image),
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    pub mime: String,
    pub base64: String,
}

impl Image {
    /// What stands for the image where it is not kept.
    pub fn placeholder(&self) -> String {
        placeholder(&self.mime, &self.base64)
    }
}

/// The kind of something in base64, and how many bytes it has.
pub(super) fn placeholder(kind: &str, base64: &str) -> String {
    let padding = base64.bytes().rev().take_while(|byte| *byte == b'=').count();
    let bytes = (base64.len() / 4 * 3).saturating_sub(padding);
    format!("[{kind}, {bytes} bytes]")
}

/// Without its bytes, which may be millions.
impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.placeholder())
    }
}

/// A call of a tool, as the model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// Meant to be a JSON object; it is what the model wrote, whole or not.
    pub arguments: String,
}

impl ToolCall {
    /// The arguments as JSON; none at all count as an empty object.
    pub fn parsed(&self) -> Result<Value, serde_json::Error> {
        let arguments = self.arguments.trim();
        serde_json::from_str(if arguments.is_empty() { "{}" } else { arguments })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The id of the call.
    pub call: String,
    pub content: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

/// What a provider wants back unchanged with the answer it came with, such as signed thoughts:
/// without it some refuse the results of tools. Only the model that made it is given it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sealed {
    /// The full name of that model.
    pub model: String,
    pub content: Value,
}

impl Message {
    pub fn system(text: impl Into<String>) -> Self {
        Said::System { text: text.into() }.into()
    }

    pub fn user(text: impl Into<String>) -> Self {
        Said::User { parts: vec![Part::Text(text.into())] }.into()
    }

    pub fn assistant(text: impl Into<String>) -> Self {
        Said::Assistant { text: text.into(), calls: Vec::new(), sealed: None }.into()
    }

    pub fn results(results: Vec<ToolResult>) -> Self {
        Said::Tool { results }.into()
    }

    /// The same with a further part, if the user says it.
    pub fn with(mut self, part: Part) -> Self {
        if let Said::User { parts } = &mut self.said {
            parts.push(part);
        }
        self
    }

    pub(super) fn drop_images(&mut self) {
        let Said::User { parts } = &mut self.said else { return };
        for part in parts {
            if let Part::Image(image) = part {
                *part = Part::Text(image.placeholder());
            }
        }
    }

    /// Its words alone: without images, and without what tools were called with.
    pub fn text(&self) -> String {
        match &self.said {
            Said::System { text } | Said::Assistant { text, .. } => text.clone(),
            Said::User { parts } => {
                let texts = parts.iter().filter_map(|part| match part {
                    Part::Text(text) => Some(text.as_str()),
                    Part::Image(_) => None,
                });
                texts.collect::<Vec<_>>().join("\n\n")
            }
            Said::Tool { results } => {
                let texts = results.iter().map(|result| result.content.as_str());
                texts.collect::<Vec<_>>().join("\n\n")
            }
        }
    }
}

impl From<Said> for Message {
    fn from(said: Said) -> Self {
        Self { said, cache_after: false }
    }
}

impl From<&WireMessage> for Message {
    fn from(message: &WireMessage) -> Self {
        match message.role {
            WireRole::System => Self::system(&message.content),
            WireRole::User => Self::user(&message.content),
            WireRole::Assistant => Self::assistant(&message.content),
        }
    }
}
