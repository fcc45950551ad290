//! From chosen items to provider-neutral messages: a stable header, the history, this turn's
//! items, the question. The same items give the same bytes; a message is nothing but its blocks
//! one after the other, so stored blocks give back what was sent.

mod turn;
mod wrapper;

use crate::chunk::Location;
use crate::hash::ContentHash;
use crate::item::{Form, Item, Kind, Mode};
use crate::message::{Role, Speaker};
use crate::tokens::{Tally, Tokenizer};
use serde::{Deserialize, Serialize};
pub(crate) use turn::{OPENING, POINTERS, QUESTION, STANDING};
use wrapper::Wrapper;

/// Whom a vendor's interface takes a message to be from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WireRole {
    System,
    User,
    Assistant,
}

impl WireRole {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// A message as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireMessage {
    pub role: WireRole,
    pub content: String,
}

/// A piece of a message as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Which message it belongs to, from 0.
    pub message: usize,
    pub role: WireRole,
    /// The item it shows; none for what stands around items.
    pub item: Option<usize>,
    pub text: String,
}

/// What is asked, and who will read the dossier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking<'a> {
    pub question: &'a str,
    /// The model that will answer: its own replies are its turns, those of others are tagged.
    pub reader: Option<&'a str>,
    /// Where in a conversation it is asked; none where that is not told.
    pub standing: Option<Standing<'a>>,
}

/// A round of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing<'a> {
    pub round: i64,
    pub title: Option<&'a str>,
}

/// Tokens that a vendor's chat format adds to each message.
pub const OVERHEAD: u32 = 4;

/// Renders the items that `shown` marks. History keeps its order, retrieved items are put in the
/// order of their places.
pub fn blocks(items: &[Item], shown: &[bool], asking: Asking<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let visible = |mode: Mode| {
        items.iter().enumerate().filter(move |(index, item)| shown[*index] && item.mode == mode)
    };
    let mut message = 0;
    for (index, item) in visible(Mode::Always) {
        let text = format!("{}\n", header_text(item));
        blocks.push(Block { message, role: WireRole::System, item: Some(index), text });
    }
    message += usize::from(!blocks.is_empty());
    for (index, item) in visible(Mode::Recent) {
        let (role, text) = history_text(item, asking.reader);
        blocks.push(Block { message, role, item: Some(index), text });
        message += 1;
    }
    let retrieved: Vec<usize> = visible(Mode::Retrieved).map(|(index, _)| index).collect();
    for (item, text) in turn::texts(items, retrieved, asking) {
        blocks.push(Block { message, role: WireRole::User, item, text });
    }
    blocks
}

/// Everything that is said to the reader before this turn's own items and its question: header,
/// history, and the line about round and title.
pub fn before_items(blocks: &[Block]) -> impl Iterator<Item = &Block> {
    let last = blocks.last().map_or(0, |block| block.message);
    blocks.iter().filter(move |block| {
        block.message < last || (block.item.is_none() && block.text.starts_with(STANDING))
    })
}

/// Joins blocks into the messages they make up.
pub fn messages(blocks: &[Block]) -> Vec<WireMessage> {
    let mut messages: Vec<WireMessage> = Vec::new();
    let mut last = None;
    for block in blocks {
        match messages.last_mut() {
            Some(message) if last == Some(block.message) => message.content.push_str(&block.text),
            _ => messages.push(WireMessage { role: block.role, content: block.text.clone() }),
        }
        last = Some(block.message);
    }
    messages
}

/// Tokens of the rendered whole.
pub fn count(messages: &[WireMessage], tokenizer: Tokenizer) -> u32 {
    tally(messages, &mut Tally::new(tokenizer))
}

/// The same where much of it may have been counted before.
pub fn tally(messages: &[WireMessage], tally: &mut Tally) -> u32 {
    messages.iter().map(|message| OVERHEAD + tally.count(&message.content)).sum()
}

/// The hash of what is sent: every role and every byte.
pub fn hash(messages: &[WireMessage]) -> ContentHash {
    let parts = messages.iter().flat_map(|message| {
        let role = match message.role {
            WireRole::System => "system",
            WireRole::User => "user",
            WireRole::Assistant => "assistant",
        };
        [role, message.content.as_str()]
    });
    ContentHash::of_parts(parts)
}

/// A whole file in its wrapper: text as it is, but for control characters.
pub fn whole_file(path: &str, text: &str) -> String {
    let text = clean(text);
    let wrapper = Wrapper::around(&text);
    format!("{}{text}{}", wrapper.open(path), wrapper.close(&text))
}

fn header_text(item: &Item) -> String {
    match (&item.kind, &item.location) {
        (Kind::File, Some(Location::File { path, .. })) => {
            whole_file(path, &item.text).trim_end_matches('\n').to_owned()
        }
        _ => clean(&item.text).trim_end().to_owned(),
    }
}

fn history_text(item: &Item, reader: Option<&str>) -> (WireRole, String) {
    let text = clean(&item.text);
    let Some(Location::Message { speaker, .. }) = &item.location else {
        return (WireRole::User, text);
    };
    match speaker {
        Speaker { role: Role::Agent, name: None } => (WireRole::Assistant, text),
        Speaker { role: Role::Agent, name: Some(name) } => {
            if reader.is_none_or(|reader| reader == name) {
                (WireRole::Assistant, text)
            } else {
                (WireRole::User, format!("[{name}]: {text}"))
            }
        }
        Speaker { role: Role::User, name: None } => (WireRole::User, text),
        Speaker { role: Role::User, name: Some(name) } => {
            (WireRole::User, format!("{name}: {text}"))
        }
        Speaker { role: Role::Tool | Role::System, .. } => {
            (WireRole::User, format!("[{}]: {text}", speaker.label()))
        }
    }
}

/// Text without the control characters that could disturb a model or a terminal; line ends and
/// tabs stay.
pub(crate) fn clean(text: &str) -> String {
    // Most texts have none: they would begin with one of these bytes.
    let may_control = |byte: u8| {
        byte < b' ' && !matches!(byte, b'\n' | b'\t' | b'\r') || matches!(byte, 0x7F | 0xC2)
    };
    if !text.bytes().any(may_control) {
        return text.to_owned();
    }
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t' | '\r')).collect()
}

/// Tokens of a section's heading, roughly.
pub(crate) const HEADING: u32 = 13;

/// Tokens that wrapping adds to an item, roughly: enough to guess well before counting.
pub(crate) fn wrapping(item: &Item) -> u32 {
    match (item.mode, item.kind, item.form) {
        (Mode::Always, Kind::File, _) => 20,
        (Mode::Recent, ..) => OVERHEAD + 2,
        (_, Kind::File, Form::Pointer) => 0,
        (_, Kind::File, _) => {
            24 + item.source.place.as_ref().map_or(0, |place| 4 + place.len() as u32 / 4)
        }
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn control_characters_go_and_all_else_stays() {
        assert_eq!(clean("a\u{0}\u{1b}\u{7f}\u{85}\u{9f}b"), "ab");
        assert_eq!(clean("\ta£é\r\n\u{a0}漢"), "\ta£é\r\n\u{a0}漢");
    }

    proptest! {
        #[test]
        fn what_is_clean_has_no_control_character(text in any::<String>()) {
            let is_kept = |c: &char| !c.is_control() || "\n\t\r".contains(*c);
            prop_assert_eq!(clean(&text), text.chars().filter(is_kept).collect::<String>());
        }
    }
}
