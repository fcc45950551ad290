//! The export of Claude: conversations with their messages in order, and projects with documents.
//!
//! The text of an attachment becomes a file of the project, named in its message: a message is one
//! passage however long it is, while a file is cut into passages that fit a budget.

use super::{Conversation, ConversationMessage, Document, ExchangeError, LeftOut, branch, place};
use crate::time::Timestamp;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) fn conversation(
    object: &Map<String, Value>,
    number: usize,
) -> Result<Conversation, ExchangeError> {
    let title = text(object.get("name")).map(str::to_owned);
    let Some(Value::Array(given)) = object.get("chat_messages") else {
        let here = place(number, title.as_deref());
        return Err(ExchangeError::wrong(here, "its chat_messages are no list"));
    };
    let uuid = text(object.get("uuid"));
    let created_at = time(object.get("created_at"));
    let mut left_out: BTreeMap<LeftOut, usize> = BTreeMap::new();
    let mut documents = Documents::of(uuid.unwrap_or("conversation"));
    let mut messages = Vec::new();
    let mut clock = created_at;
    let line = line(object, given);
    for message in &line {
        let content = content(message, &mut documents, &mut left_out);
        if content.trim().is_empty() {
            continue;
        }
        clock = time(message.get("created_at")).or(clock);
        messages.push(ConversationMessage {
            id: text(message.get("uuid")).map(str::to_owned),
            speaker: speaker(object, message),
            content,
            created_at: clock,
            section: None,
        });
    }
    if line.len() < given.len() {
        left_out.insert(LeftOut::OtherBranches, given.len() - line.len());
    }
    Ok(Conversation {
        id: uuid.map(|uuid| format!("claude:{uuid}")),
        title,
        created_at,
        messages,
        documents: documents.kept,
        left_out,
    })
}

/// The messages in order. Where they name their parents, those of the line that ends with the
/// current message, or with the last.
fn line<'a>(object: &Map<String, Value>, given: &'a [Value]) -> Vec<&'a Value> {
    let id = |message: &'a Value| text(message.get("uuid"));
    let by_id: HashMap<&str, &Value> =
        given.iter().filter_map(|message| Some((id(message)?, message))).collect();
    let parents: HashMap<&str, Option<&str>> =
        by_id.iter().map(|(id, message)| (*id, text(message.get("parent_message_uuid")))).collect();
    let linked = parents.values().flatten().any(|parent| by_id.contains_key(parent));
    if !linked || by_id.len() < given.len() {
        return given.iter().collect();
    }
    let current = text(object.get("current_leaf_message_uuid"));
    let leaf = current
        .and_then(|current| by_id.get_key_value(current).map(|(id, _)| *id))
        .or_else(|| given.last().and_then(id));
    let path = leaf.map(|leaf| branch::path(leaf, &parents)).unwrap_or_default();
    path.iter().filter_map(|id| by_id.get(id).copied()).collect()
}

fn speaker(object: &Map<String, Value>, message: &Value) -> String {
    let model = text(message.get("model")).or_else(|| text(object.get("model")));
    match (text(message.get("sender")), model) {
        (Some("assistant"), Some(model)) => format!("agent:{model}"),
        (Some("assistant"), None) => "agent:claude".to_owned(),
        (Some(sender), _) => sender.to_owned(),
        (None, _) => "system".to_owned(),
    }
}

/// What a message says, with its tools' results and the names of its files.
fn content(
    message: &Value,
    documents: &mut Documents,
    left_out: &mut BTreeMap<LeftOut, usize>,
) -> String {
    let mut pieces: Vec<String> = Vec::new();
    for block in list(message, "content") {
        match text(block.get("type")) {
            Some("text") => pieces.extend(text(block.get("text")).map(str::to_owned)),
            Some("thinking" | "redacted_thinking") => {
                *left_out.entry(LeftOut::Reasoning).or_default() += 1;
            }
            Some("tool_use") => pieces.extend(tool_use(block)),
            Some("tool_result") => pieces.extend(tool_result(block)),
            Some("token_budget" | "flag") => {}
            _ => *left_out.entry(LeftOut::UnknownKinds).or_default() += 1,
        }
    }
    if pieces.is_empty() {
        // Older exports have the text alone.
        pieces.extend(text(message.get("text")).map(str::to_owned));
    }
    let mut named = HashSet::new();
    for attachment in list(message, "attachments") {
        let name = text(attachment.get("file_name")).unwrap_or("pasted.txt");
        named.insert(name);
        match text(attachment.get("extracted_content")) {
            Some(content) => {
                let path = documents.keep(name, content);
                pieces.push(format!("[attachment {name}: {path}]"));
            }
            None => pieces.push(format!("[attachment {name}]")),
        }
    }
    let files = list(message, "files").filter_map(|file| text(file.get("file_name")));
    pieces.extend(files.filter(|name| named.insert(name)).map(|name| format!("[file {name}]")));
    pieces.join("\n\n")
}

/// A call of a tool. What it writes (an artifact, a file) is often the answer itself.
fn tool_use(block: &Value) -> Option<String> {
    let input = block.get("input")?;
    let written = ["content", "code", "file_text", "new_str"];
    let long = written.into_iter().find_map(|key| text(input.get(key)));
    let name = text(block.get("name")).unwrap_or("tool");
    match long {
        Some(long) => {
            let title = ["title", "path", "id"].into_iter().find_map(|key| text(input.get(key)));
            let label = title.map_or_else(|| name.to_owned(), |title| format!("{name} {title}"));
            Some(format!("[{label}]\n{long}"))
        }
        None if input.as_object().is_none_or(Map::is_empty) => None,
        None => Some(format!("[{name} {input}]")),
    }
}

fn tool_result(block: &Value) -> Option<String> {
    let said: Vec<&str> = match block.get("content") {
        Some(Value::String(said)) => vec![said],
        Some(Value::Array(blocks)) => {
            blocks.iter().filter_map(|block| text(block.get("text"))).collect()
        }
        _ => Vec::new(),
    };
    let said = said.join("\n");
    let name = text(block.get("name")).unwrap_or("tool");
    (!said.trim().is_empty()).then(|| format!("[result of {name}]\n{said}"))
}

/// The documents of a project, and its instructions.
pub(super) fn project_documents(object: &Map<String, Value>) -> Vec<Document> {
    let name = text(object.get("name")).or_else(|| text(object.get("uuid"))).unwrap_or("project");
    let mut documents = Documents::of(name);
    if let Some(instructions) = text(object.get("prompt_template")) {
        documents.keep("instructions.md", instructions);
    }
    for document in object.get("docs").and_then(Value::as_array).into_iter().flatten() {
        if let Some(content) = text(document.get("content")) {
            documents.keep(text(document.get("filename")).unwrap_or("document.txt"), content);
        }
    }
    documents.kept
}

/// Texts under paths of their own.
#[derive(Debug)]
struct Documents {
    folder: String,
    kept: Vec<Document>,
    /// Where the document of a path stands.
    places: HashMap<String, usize>,
}

impl Documents {
    fn of(name: &str) -> Self {
        let folder = format!("claude/{}", one_part(name));
        Self { folder, kept: Vec::new(), places: HashMap::new() }
    }

    /// Keeps a text; returns its path. Another text of the same name is numbered.
    fn keep(&mut self, name: &str, content: &str) -> String {
        let name = one_part(name);
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
            _ => (name.as_str(), String::new()),
        };
        let numbered = |number: usize| match number {
            1 => format!("{}/{name}", self.folder),
            number => format!("{}/{stem}-{number}{extension}", self.folder),
        };
        let is_free = |path: &String| {
            self.places.get(path).is_none_or(|place| self.kept[*place].content == content)
        };
        let path = (1..).map(numbered).find(is_free).unwrap_or_default();
        if !self.places.contains_key(&path) {
            self.places.insert(path.clone(), self.kept.len());
            self.kept.push(Document { path: path.clone(), content: content.to_owned() });
        }
        path
    }
}

/// A name that is one part of a path: no way out of its folder, nothing that cannot be shown.
fn one_part(name: &str) -> String {
    let harmless = |c: char| match c {
        '/' | '\\' | ':' => '_',
        c if c.is_control() => '_',
        c => c,
    };
    let part: String = name.trim().chars().map(harmless).take(120).collect();
    match part.trim_matches(['.', ' ']) {
        "" => "unnamed".to_owned(),
        _ => part.trim().to_owned(),
    }
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

fn time(value: Option<&Value>) -> Option<Timestamp> {
    text(value).and_then(|text| Timestamp::parse(text).ok())
}
