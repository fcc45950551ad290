//! Importing: a file of conversations is read whole or refused with words that a person can use,
//! and what was read is found again when it is written as plain JSON.

use crate::text;
use dossier_core::message::Speaker;
use dossier_engine::{Conversation, ConversationMessage, read_conversations};
use serde_json::{Value, json};

pub fn import(data: &[u8]) {
    let text = text(data);
    match read(&text) {
        Ok(conversations) => check_read(&text, conversations),
        Err(error) => check_refused(&error),
    }
}

/// Every format comes in through here.
fn read(text: &str) -> Result<Vec<Conversation>, String> {
    read_conversations(text).map_err(|error| error.to_string())
}

fn check_read(text: &str, conversations: Vec<Conversation>) {
    assert_eq!(read(&format!("\u{feff}{text}")).as_ref(), Ok(&conversations));
    let values: Vec<Value> = conversations.iter().map(plain).collect();
    let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
    let list = Value::from(values).to_string();
    assert_eq!(read(&list).as_ref(), Ok(&conversations));
    if !conversations.is_empty() {
        assert_eq!(read(&lines).as_ref(), Ok(&conversations));
    }
    for message in conversations.iter().flat_map(|conversation| &conversation.messages) {
        let speaker = Speaker::parse(&message.speaker);
        assert!(speaker.name.is_none_or(|name| !name.is_empty()));
    }
}

fn plain(conversation: &Conversation) -> Value {
    let message = |message: &ConversationMessage| {
        json!({
            "id": message.id,
            "speaker": message.speaker,
            "content": message.content,
            "created_at": message.created_at,
            "section": message.section,
        })
    };
    let messages: Vec<Value> = conversation.messages.iter().map(message).collect();
    json!({ "title": conversation.title, "messages": messages })
}

/// A refusal says something, and does not repeat the whole file.
fn check_refused(error: &str) {
    assert!(!error.trim().is_empty());
    assert!(error.chars().count() <= 1_000, "{} characters", error.chars().count());
}
