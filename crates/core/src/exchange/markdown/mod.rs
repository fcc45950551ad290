//! Conversations as Markdown: a heading for each message, for people, and a comment below it with
//! everything a heading has no room for, for the way back.
//!
//! Contents stand as they are. What is read back is what was written, whatever they hold: comments
//! carry a mark that no content of their conversation contains, and only they divide.

mod log;
mod people;
mod read;

pub use read::read;

use super::Conversation;
use crate::item::summary;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the comment of a conversation says.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
}

/// What the comment of a message says.
#[derive(Debug, Serialize, Deserialize)]
struct MessageHead {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    speaker: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    section: Option<String>,
}

/// The conversation as Markdown, with the end of its last line.
pub fn write(conversation: &Conversation) -> String {
    let mark = mark(conversation);
    let title = conversation.title.as_deref().map(summary).filter(|title| !title.is_empty());
    let head = Head {
        id: conversation.id.clone(),
        title: conversation.title.clone(),
        created_at: conversation.created_at,
    };
    let mut text = format!("# {}\n\n", title.as_deref().unwrap_or("Conversation"));
    text.push_str(&comment(&mark, "conversation", &head));
    for message in &conversation.messages {
        let head = MessageHead {
            id: message.id.clone(),
            speaker: message.speaker.clone(),
            created_at: message.created_at,
            section: message.section.clone(),
        };
        text.push_str(&format!("\n\n{}\n\n", heading(&head)));
        text.push_str(&comment(&mark, "message", &head));
        text.push_str("\n\n");
        text.push_str(&message.content);
    }
    text.push_str(&format!("\n\n<!-- {mark}:end -->\n"));
    text
}

/// `## Ana, 2026-03-01 12:30, day 1`
fn heading(head: &MessageHead) -> String {
    let speaker = summary(&head.speaker);
    let time = head.created_at.map(|time| {
        let time = time.to_string();
        time.get(..16).map_or(time.clone(), |minutes| minutes.replace('T', " "))
    });
    let section = head.section.as_deref().map(summary).filter(|section| !section.is_empty());
    let parts: Vec<String> = [Some(speaker), time, section].into_iter().flatten().collect();
    format!("## {}", parts.join(", "))
}

/// A comment of one line. Two hyphens could end it, and stand only in strings.
fn comment(mark: &str, kind: &str, head: &impl Serialize) -> String {
    let head = serde_json::to_value(head).unwrap_or(Value::Null).to_string();
    format!("<!-- {mark}:{kind} {} -->", head.replace("--", "-\\u002d"))
}

/// The first mark that none of the contents holds.
fn mark(conversation: &Conversation) -> String {
    let is_free = |mark: &String| {
        let begin = format!("<!-- {mark}:");
        conversation.messages.iter().all(|message| !message.content.contains(&begin))
    };
    let marks = std::iter::once("dossier".to_owned())
        .chain((2_u32..).map(|number| format!("dossier-{number}")));
    marks.into_iter().find(is_free).unwrap_or_default()
}
