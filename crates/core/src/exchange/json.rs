//! Dossier's own JSON: `{"title", "messages": [{"speaker", "content", …}]}`. It is written with the
//! thread's id, so that the same conversation is known again.

use super::error::brief;
use super::{Conversation, ConversationMessage, ExchangeError, place};
use crate::time::Timestamp;
use serde_json::{Map, Value, json};

const KEYS: &[&str] = &["id", "title", "created_at", "messages"];
const MESSAGE_KEYS: &[&str] = &["id", "speaker", "content", "created_at", "section"];

/// The conversation, and which of its keys were not understood.
pub(super) fn conversation(
    mut object: Map<String, Value>,
    number: usize,
) -> Result<(Conversation, Vec<String>), ExchangeError> {
    let title = object.get("title").and_then(Value::as_str).map(str::to_owned);
    let here = place(number, title.as_deref());
    if object.get("title").is_some_and(|value| !value.is_string() && !value.is_null()) {
        return Err(ExchangeError::wrong(here, "its title is no text"));
    }
    let mut warnings = Vec::new();
    unknown(object.keys(), KEYS, &here, &mut warnings);
    let Some(Value::Array(given)) = object.remove("messages") else {
        return Err(ExchangeError::wrong(here, "its messages are no list"));
    };
    let mut messages = Vec::with_capacity(given.len());
    for (index, value) in given.into_iter().enumerate() {
        let here = format!("{here}, message {}", index + 1);
        if let Value::Object(message) = &value {
            unknown(message.keys(), MESSAGE_KEYS, &here, &mut warnings);
        }
        let message: ConversationMessage = serde_json::from_value(value).map_err(|error| {
            ExchangeError::wrong(here, format!("{}; {MESSAGE}", brief(error, 200)))
        })?;
        messages.push(message);
    }
    let created_at = match object.get("created_at") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => {
            let time =
                Timestamp::parse(text).map_err(|error| ExchangeError::wrong(&*here, error))?;
            Some(time)
        }
        Some(_) => return Err(ExchangeError::wrong(here, "its created_at is no ISO 8601 time")),
    };
    let id = object.get("id").and_then(Value::as_str).map(|id| format!("dossier:{id}"));
    let conversation = Conversation { id, title, created_at, messages, ..Conversation::default() };
    Ok((conversation, warnings))
}

const MESSAGE: &str = "a message is {\"speaker\", \"content\", \"created_at\"?, \"section\"?}";

/// Notes the keys that are not among the known ones.
fn unknown<'a>(
    keys: impl Iterator<Item = &'a String>,
    known: &[&str],
    here: &str,
    warnings: &mut Vec<String>,
) {
    for key in keys.filter(|key| !known.contains(&key.as_str())) {
        warnings.push(format!("{here}: `{key}` is not known and was left out"));
    }
}

/// The conversation on one line, without the end of the line.
pub fn write(conversation: &Conversation) -> String {
    let mut object = Map::new();
    if let Some(id) = &conversation.id {
        let id = id.strip_prefix("dossier:").unwrap_or(id);
        object.insert("id".to_owned(), json!(id));
    }
    if let Some(title) = &conversation.title {
        object.insert("title".to_owned(), json!(title));
    }
    if let Some(time) = conversation.created_at {
        object.insert("created_at".to_owned(), json!(time));
    }
    object.insert("messages".to_owned(), json!(conversation.messages));
    Value::Object(object).to_string()
}
