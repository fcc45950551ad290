//! What a model is asked and what it says, in no vendor's wire format.
//!
//! Invariant: everything here can be stored and read back as it was, so that a turn which was
//! interrupted can go on; and a prompt made of a rendered dossier has its bytes.

mod answer;
mod binaries;
mod images;
mod message;
mod room;

pub use answer::{Answer, Event, Finish, Usage};
pub use binaries::without_binaries;
pub use images::Images;
pub use message::{Image, Message, Part, Said, Sealed, ToolCall, ToolResult};
pub use room::Room;

use crate::render::{WireMessage, WireRole};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// All that a model is given for one answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    pub messages: Vec<Message>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    #[serde(default)]
    pub options: Options,
}

impl Prompt {
    /// A rendered dossier as a prompt. Header and history are the same bytes from turn to turn, so
    /// a vendor's cache may end after each of them.
    pub fn rendered(messages: &[WireMessage]) -> Self {
        let mut prompt =
            Self { messages: messages.iter().map(Message::from).collect(), ..Self::default() };
        let header = messages.iter().rposition(|message| message.role == WireRole::System);
        let history = messages.len().checked_sub(2);
        for place in [header, history].into_iter().flatten() {
            prompt.messages[place].cache_after = true;
        }
        prompt
    }

    /// The same with a short text in the place of each image, as it may be kept.
    pub fn without_images(&self) -> Self {
        let mut prompt = self.clone();
        for message in &mut prompt.messages {
            message.drop_images();
        }
        prompt
    }
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON Schema of its arguments.
    pub schema: Value,
    /// Whether the provider is to see to it that calls keep to the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}

/// How the answer is to be made. What is `None` is left to the provider; zero is a value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Whether the model's thoughts are wanted as text, where the provider shows them on demand.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub show_reasoning: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Prompts with the same key begin alike: a provider that keeps prompts sends them to the same
    /// place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_key: Option<String>,
    /// Further fields of the request's body, as the provider names them; they win over the others.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// How long a model is to think before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    Off,
    Minimal,
    Low,
    Medium,
    High,
    Max,
}

impl Effort {
    pub const ALL: [Self; 6] =
        [Self::Off, Self::Minimal, Self::Low, Self::Medium, Self::High, Self::Max];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Max => "max",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.as_str() == name)
    }
}

impl Options {
    /// Those of somebody who wants a model to think so long, and to see its thoughts.
    pub fn thinking(effort: Option<Effort>) -> Self {
        let show_reasoning = effort.is_some_and(|effort| effort != Effort::Off);
        Self { effort, show_reasoning, ..Self::default() }
    }
}

/// An answer in JSON that keeps to a schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Format {
    /// Letters, digits, `-` and `_`.
    pub name: String,
    pub schema: Value,
}

/// Which tools the model may or must call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolChoice {
    Auto,
    None,
    Required,
    Named(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(role: WireRole, content: &str) -> WireMessage {
        WireMessage { role, content: content.to_owned() }
    }

    #[test]
    fn a_rendered_dossier_may_be_cached_after_its_header_and_after_its_history() {
        let check = |roles: &[WireRole], expected: &[bool]| {
            let messages: Vec<_> = roles.iter().map(|role| wire(*role, "x")).collect();
            let prompt = Prompt::rendered(&messages);
            let marks: Vec<bool> = prompt.messages.iter().map(|m| m.cache_after).collect();
            assert_eq!(marks, expected, "{roles:?}");
        };
        use WireRole::{Assistant, System, User};
        check(&[System, User, Assistant, User], &[true, false, true, false]);
        check(&[System, User], &[true, false]);
        check(&[User], &[false]);
        check(&[], &[]);
    }

    #[test]
    fn a_prompt_is_read_back_as_it_was_written() {
        let image = Image { mime: "image/png".to_owned(), base64: "AAECAw==".to_owned() };
        let call = ToolCall {
            id: "c1".to_owned(),
            name: "read".to_owned(),
            arguments: "{\"path\": \"a.rs\"}".to_owned(),
        };
        let result = ToolResult { call: "c1".to_owned(), content: "gone".to_owned(), failed: true };
        let sealed =
            Sealed { model: "google/gemini-4-argon".to_owned(), content: serde_json::json!(["x"]) };
        let prompt = Prompt {
            messages: vec![
                Message::system("rules"),
                Message::user("look").with(Part::Image(image)),
                Message::from(Said::Assistant {
                    text: String::new(),
                    calls: vec![call],
                    sealed: Some(sealed),
                }),
                Message { cache_after: true, ..Message::results(vec![result]) },
            ],
            tools: vec![ToolSpec {
                name: "read".to_owned(),
                description: "reads".to_owned(),
                schema: serde_json::json!({"type": "object"}),
                strict: Some(true),
            }],
            options: Options {
                temperature: Some(0.0),
                effort: Some(Effort::Low),
                tool_choice: Some(ToolChoice::Named("read".to_owned())),
                ..Options::default()
            },
        };
        let json = serde_json::to_string(&prompt).unwrap();
        assert_eq!(serde_json::from_str::<Prompt>(&json).unwrap(), prompt);
        let kept = serde_json::to_string(&prompt.without_images()).unwrap();
        assert!(kept.contains("[image/png, 4 bytes]") && !kept.contains("AAECAw"), "{kept}");
    }
}
