//! The export of ChatGPT: each conversation is a tree of nodes, of which the line that ends at
//! `current_node` is what its user sees. That line becomes the thread; other lines are counted.
//!
//! The format is not documented and changes, so what a single message lacks is never an error.

mod content;

use super::{Conversation, ConversationMessage, ExchangeError, LeftOut, branch, place};
use crate::time::Timestamp;
use content::Content;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) fn conversation(
    object: &Map<String, Value>,
    number: usize,
) -> Result<Conversation, ExchangeError> {
    let title = text(object.get("title")).map(str::to_owned);
    let Some(Value::Object(mapping)) = object.get("mapping") else {
        let here = place(number, title.as_deref());
        return Err(ExchangeError::wrong(here, "its mapping is no object of nodes"));
    };
    let parents: HashMap<&str, Option<&str>> =
        mapping.iter().map(|(id, node)| (id.as_str(), text(node.get("parent")))).collect();
    let line = leaf(object, mapping).map(|leaf| branch::path(leaf, &parents)).unwrap_or_default();
    let created_at = time(object.get("create_time"));
    let mut left_out = BTreeMap::new();
    let mut messages = Vec::new();
    let mut clock = created_at;
    for message in line.iter().filter_map(|id| mapping.get(*id)?.get("message")) {
        match content::of(message) {
            Content::Said(content) => {
                // Some messages come without a time; they were said after the one before.
                clock = time(message.get("create_time")).or(clock);
                messages.push(ConversationMessage {
                    id: text(message.get("id")).map(str::to_owned),
                    speaker: speaker(message),
                    content,
                    created_at: clock,
                    section: None,
                });
            }
            Content::LeftOut(reason) => *left_out.entry(reason).or_default() += 1,
            Content::Nothing => {}
        }
    }
    let others = said_elsewhere(mapping, &line);
    if others > 0 {
        left_out.insert(LeftOut::OtherBranches, others);
    }
    let id = text(object.get("conversation_id")).or_else(|| text(object.get("id")));
    Ok(Conversation {
        id: id.map(|id| format!("chatgpt:{id}")),
        title,
        created_at,
        messages,
        documents: Vec::new(),
        left_out,
    })
}

/// The end of the line that the user sees; without it, of the newest.
fn leaf<'a>(object: &'a Map<String, Value>, mapping: &'a Map<String, Value>) -> Option<&'a str> {
    if let Some(current) = text(object.get("current_node"))
        && mapping.contains_key(current)
    {
        return Some(current);
    }
    let is_leaf = |node: &Value| {
        node.get("children").and_then(Value::as_array).is_none_or(|children| children.is_empty())
    };
    let written =
        |node: &Value| node.get("message").and_then(|message| time(message.get("create_time")));
    let leaves = mapping.iter().filter(|(_, node)| is_leaf(node));
    leaves.max_by_key(|(_, node)| written(node)).map(|(id, _)| id.as_str())
}

/// How many messages of other lines say something.
fn said_elsewhere(mapping: &Map<String, Value>, line: &[&str]) -> usize {
    let line: HashSet<&str> = line.iter().copied().collect();
    let others = mapping.iter().filter(|(id, _)| !line.contains(id.as_str()));
    let messages = others.filter_map(|(_, node)| node.get("message"));
    messages.filter(|message| matches!(content::of(message), Content::Said(_))).count()
}

fn speaker(message: &Value) -> String {
    let author = message.get("author");
    let name = text(author.and_then(|author| author.get("name")));
    match text(author.and_then(|author| author.get("role"))) {
        Some("assistant") => match text(message.pointer("/metadata/model_slug")) {
            Some(model) => format!("agent:{model}"),
            None => "assistant".to_owned(),
        },
        Some("tool") => name.map_or_else(|| "tool".to_owned(), |name| format!("tool:{name}")),
        Some(role) => role.to_owned(),
        None => "system".to_owned(),
    }
}

/// A text that says something.
fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

/// Seconds since 1970, with a fraction.
fn time(value: Option<&Value>) -> Option<Timestamp> {
    /// The last moment of the year 9999.
    const LAST: f64 = 253_402_300_799.0;
    let seconds = value.and_then(Value::as_f64).filter(|seconds| (0.0..=LAST).contains(seconds))?;
    Some(Timestamp::from_millis((seconds * 1_000.0).round() as i64))
}
