//! Conversations from and for other programs: one file for each format. What a text holds is told
//! by its content, never by its name. Reading is all or nothing: an error names the conversation
//! and the message that are wrong.

mod branch;
mod chatgpt;
mod claude;
mod elements;
mod error;
mod json;
mod known;

pub mod archive;
pub mod markdown;

pub use error::ExchangeError;
pub use json::write as write_json;
pub use known::{Known, Relation, relation};

use crate::chat::without_binaries;
use crate::hash::ContentHash;
use crate::time::Timestamp;
use elements::Elements;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A conversation as it comes from outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conversation {
    /// The program it comes from and its id there, such as `chatgpt:6f1c…`.
    pub id: Option<String>,
    pub title: Option<String>,
    pub created_at: Option<Timestamp>,
    pub messages: Vec<ConversationMessage>,
    /// Texts that were attached to its messages.
    pub documents: Vec<Document>,
    /// How many messages were not taken, and why.
    pub left_out: BTreeMap<LeftOut, usize>,
}

/// One message of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationMessage {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub speaker: String,
    pub content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

/// A text that becomes a file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub path: String,
    pub content: String,
}

/// Why something of an export is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// Answers and questions that were replaced. A thread has one line of history, and what was
    /// taken back must not come up as if it had been said in it.
    OtherBranches,
    /// Never shown to the user where they come from.
    Hidden,
    Reasoning,
    /// What a tool has read on the web.
    WebPages,
    UnknownKinds,
    /// What a log says before anyone speaks.
    Preamble,
    /// Attachments that no project takes, such as credentials.
    Refused,
    /// Conversations in which nothing is said.
    Empty,
}

/// Everything that a text holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bundle {
    pub conversations: Vec<Conversation>,
    /// Texts that belong to no conversation.
    pub documents: Vec<Document>,
    pub left_out: BTreeMap<LeftOut, usize>,
    /// What is in the text and was not understood.
    pub warnings: Vec<String>,
}

impl Bundle {
    /// Adds what another text of the same export holds.
    pub fn add(&mut self, other: Bundle) {
        self.conversations.extend(other.conversations);
        self.documents.extend(other.documents);
        self.warnings.extend(other.warnings);
        for (reason, count) in other.left_out {
            *self.left_out.entry(reason).or_default() += count;
        }
    }

    fn add_conversation(&mut self, conversation: Conversation) {
        if conversation.messages.is_empty() {
            *self.left_out.entry(LeftOut::Empty).or_default() += 1;
        } else {
            self.conversations.push(conversation);
        }
    }
}

impl Conversation {
    /// The name by which the same conversation is known again. Without an id only an equal
    /// conversation is the same.
    pub fn name(&self) -> String {
        if let Some(id) = &self.id {
            return id.clone();
        }
        let mut parts: Vec<String> = vec![self.title.clone().unwrap_or_default()];
        for message in &self.messages {
            let time = message.created_at.map(|time| time.to_string()).unwrap_or_default();
            let ConversationMessage { id, speaker, content, section, .. } = message;
            let optional = |text: &Option<String>| text.clone().unwrap_or_default();
            parts.extend([optional(id), speaker.clone(), content.clone(), time, optional(section)]);
        }
        format!("content:{}", ContentHash::of_parts(parts.iter().map(String::as_str)))
    }
}

/// Reads a text in whichever of the formats it is.
pub fn read(text: &str) -> Result<Bundle, ExchangeError> {
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        None => Err(ExchangeError::Empty),
        Some('{' | '[') => read_json(text),
        Some(_) => markdown::read(text),
    }
}

fn read_json(text: &str) -> Result<Bundle, ExchangeError> {
    let mended = elements::without_lone_surrogates(text);
    let mut bundle = Bundle::default();
    let mut number = 0;
    for element in Elements::of(&mended) {
        // Some exporters put the list into an object.
        let nested = match element? {
            Value::Object(mut object)
                if object.get("conversations").is_some_and(Value::is_array) =>
            {
                match object.remove("conversations") {
                    Some(Value::Array(list)) => list,
                    _ => Vec::new(),
                }
            }
            value => vec![value],
        };
        for value in nested {
            number += 1;
            read_element(&mut bundle, number, value)?;
        }
    }
    Ok(bundle)
}

fn read_element(bundle: &mut Bundle, number: usize, value: Value) -> Result<(), ExchangeError> {
    let Value::Object(object) = value else {
        return Err(ExchangeError::unknown(&format!("element {number} is no object")));
    };
    if object.contains_key("dossier") {
        return Err(ExchangeError::NotAText);
    }
    if object.contains_key("mapping") {
        bundle.add_conversation(chatgpt::conversation(&object, number)?);
    } else if object.contains_key("chat_messages") {
        bundle.add_conversation(claude::conversation(&object, number)?);
    } else if object.contains_key("docs") && object.contains_key("uuid") {
        bundle.documents.extend(claude::project_documents(&object));
    } else if object.contains_key("messages") {
        let (conversation, warnings) = json::conversation(object, number)?;
        bundle.conversations.push(conversation);
        bundle.warnings.extend(warnings);
    } else {
        return Err(ExchangeError::unknown(&format!("conversation {number} has no messages")));
    }
    Ok(())
}

/// PostgreSQL's text takes no NUL, and nobody writes one on purpose.
pub fn clean(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// What was said, as it is stored: the same with a placeholder for each large binary.
pub fn clean_content(text: &str) -> String {
    clean(&without_binaries(text))
}

/// How an error names a conversation.
fn place(number: usize, title: Option<&str>) -> String {
    match title {
        Some(title) => format!("conversation {number} ({})", crate::item::summary(title)),
        None => format!("conversation {number}"),
    }
}
