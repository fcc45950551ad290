//! A conversation as a client tells it anew with every request: what of it are instructions, what
//! was said, which question is to be answered and what came after it; and how it goes on from what
//! is stored.
//!
//! Invariant: a story is known again by what its user and its models said, one after the other,
//! whatever system text, results of tools or white space at the ends a client adds or leaves out.

use crate::chat::{
    Image, Images, Message as Said, Part, Said as What, ToolCall, ToolResult, without_binaries,
};
use crate::exchange::{clean, clean_content};
use crate::hash::ContentHash;
use crate::message::{Message, Role};

/// Something that was said, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    pub role: Role,
    /// The tool, where one speaks.
    pub name: Option<String>,
    pub content: String,
}

/// A conversation, taken apart. It has a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// What the client wants the model to be, if it says so.
    pub instructions: Option<String>,
    pub said: Vec<Spoken>,
    /// The place in `said` of the last thing that the user said.
    pub question: usize,
    /// The images of the user, those of the question and those from before it.
    pub images: Images,
    /// What came after the question, to be sent as it is: calls of tools and their results.
    pub tail: Vec<Said>,
}

/// Why messages are no story.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Untold {
    #[error("there is no message; send at least one of the user")]
    Nothing,
    #[error("no message of the user says anything; send one to be answered")]
    NoQuestion,
    #[error(
        "a tool gives the result of `{0}`, which nobody called; send the message that calls it before"
    )]
    NotCalled(String),
    #[error(
        "the call `{0}` has no result; send a message of the tool right after the one that calls it"
    )]
    NoResult(String),
}

impl Story {
    pub fn new(messages: Vec<Said>) -> Result<Self, Untold> {
        if messages.is_empty() {
            return Err(Untold::Nothing);
        }
        let messages = together(messages);
        check_calls(&messages)?;
        let last = messages.iter().rposition(is_question).ok_or(Untold::NoQuestion)?;
        let mut story = Self {
            instructions: None,
            said: Vec::with_capacity(messages.len()),
            question: 0,
            images: Images::default(),
            tail: Vec::new(),
        };
        let mut instructions: Vec<String> = Vec::new();
        let mut calls: Vec<ToolCall> = Vec::new();
        let mut earlier: Vec<Image> = Vec::new();
        for (place, message) in messages.into_iter().enumerate() {
            if let What::System { text } = &message.said {
                instructions.extend(Some(clean(text)).filter(|text| !text.trim().is_empty()));
                continue;
            }
            if let What::Assistant { calls: made, .. } = &message.said {
                calls.clone_from(made);
            }
            story.said.extend(spoken(&message, &calls));
            match message.said {
                What::User { parts } if place == last => {
                    story.question = story.said.len() - 1;
                    story.images = Images::new(std::mem::take(&mut earlier), images(parts));
                }
                What::User { parts } if place < last => earlier.extend(images(parts)),
                _ if place > last => story.tail.push(message),
                _ => {}
            }
        }
        story.instructions = Some(instructions.join("\n\n")).filter(|text| !text.is_empty());
        Ok(story)
    }

    /// The names of the story's beginnings: for each thing that the user or a model said, its place
    /// and the hash of everything up to it.
    pub fn links(&self) -> Vec<(usize, ContentHash)> {
        let mut links: Vec<(usize, ContentHash)> = Vec::with_capacity(self.said.len());
        for (place, spoken) in self.said.iter().enumerate() {
            if counts(spoken.role) {
                let previous = links.last().map(|(_, hash)| hash);
                links.push((place, link(previous, spoken.role, &spoken.content)));
            }
        }
        links
    }

    /// Whether it is nothing but a question and what followed it.
    pub fn is_only_a_question(&self) -> bool {
        self.question == 0
    }

    /// How the story goes on in a thread of which everything is at hand up to the place `before`
    /// of it and `after` follows there; none when the thread goes on otherwise.
    pub fn known_with(&self, before: usize, after: &[Message]) -> Option<usize> {
        let next = self.said.get(before..)?;
        let goes_on = after.len() <= next.len()
            && after.iter().zip(next).all(|(stored, spoken)| is_same(stored, spoken));
        goes_on.then(|| before + after.len())
    }

    /// How many things are the same from the beginning on.
    pub fn common_with(&self, stored: &[Message]) -> usize {
        stored.iter().zip(&self.said).take_while(|(stored, spoken)| is_same(stored, spoken)).count()
    }

    /// How many things of the story's beginning the thread ends with: clients that forget what is
    /// long ago, or send what is new alone, begin in the middle.
    pub fn overlap_with(&self, stored: &[Message]) -> usize {
        let longest = self.said.len().min(stored.len());
        (1..=longest)
            .rev()
            .find(|length| {
                let end = &stored[stored.len() - length..];
                end.iter().zip(&self.said).all(|(stored, spoken)| is_same(stored, spoken))
            })
            .unwrap_or(0)
    }
}

/// The name of a story's beginning, from that of the beginning before it and what is said then.
pub fn link(previous: Option<&ContentHash>, role: Role, content: &str) -> ContentHash {
    let previous = previous.map_or("", ContentHash::as_str);
    ContentHash::of_parts([previous, role.as_str(), content.trim()])
}

/// What a model said, as it is stored: its words, and the calls it made in words.
pub fn reply(text: &str, calls: &[ToolCall]) -> String {
    let mut parts: Vec<String> =
        Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned).into_iter().collect();
    parts.extend(calls.iter().map(|call| {
        // Clients write the arguments anew; what they say stays the same.
        let arguments = call.parsed().map_or_else(|_| call.arguments.clone(), |it| it.to_string());
        format!("[calls {}({arguments})]", call.name)
    }));
    match calls.is_empty() {
        true => clean(text),
        false => clean(&parts.join("\n\n")),
    }
}

fn counts(role: Role) -> bool {
    matches!(role, Role::User | Role::Agent)
}

fn is_same(stored: &Message, spoken: &Spoken) -> bool {
    let told = spoken.content.trim();
    stored.speaker.role == spoken.role
        && (stored.content.trim() == told
            // What came with an archive is as it was stored elsewhere.
            || without_binaries(&stored.content).trim() == told)
}

fn is_question(message: &Said) -> bool {
    matches!(&message.said, What::User { parts } if !user_text(parts).trim().is_empty())
}

/// Results of tools that stand one after the other belong together.
fn together(messages: Vec<Said>) -> Vec<Said> {
    let mut merged: Vec<Said> = Vec::with_capacity(messages.len());
    for message in messages {
        match (merged.last_mut().map(|last| &mut last.said), message.said) {
            (Some(What::Tool { results }), What::Tool { results: more }) => results.extend(more),
            (_, said) => merged.push(Said { said, cache_after: message.cache_after }),
        }
    }
    merged
}

/// Every call has its result in the next message, and every result its call in the one before.
fn check_calls(messages: &[Said]) -> Result<(), Untold> {
    let mut open: &[ToolCall] = &[];
    for message in messages {
        let results: &[ToolResult] = match &message.said {
            What::Tool { results } => results,
            _ => &[],
        };
        let is_answered = |call: &&ToolCall| results.iter().any(|result| result.call == call.id);
        if let Some(call) = open.iter().find(|call| !is_answered(call)) {
            return Err(Untold::NoResult(call.id.clone()));
        }
        let is_called = |result: &&ToolResult| open.iter().any(|call| call.id == result.call);
        if let Some(result) = results.iter().find(|result| !is_called(result)) {
            return Err(Untold::NotCalled(result.call.clone()));
        }
        open = match &message.said {
            What::Assistant { calls, .. } => calls,
            _ => &[],
        };
    }
    match open.first() {
        Some(call) => Err(Untold::NoResult(call.id.clone())),
        None => Ok(()),
    }
}

/// What of a message is stored; what is empty is not.
fn spoken(message: &Said, calls: &[ToolCall]) -> Vec<Spoken> {
    let of = |role, name, content: String| Spoken { role, name, content: clean_content(&content) };
    let mut said = match &message.said {
        What::System { .. } => Vec::new(),
        What::User { parts } => vec![of(Role::User, None, user_text(parts))],
        // What a model has said is kept whole.
        What::Assistant { text, calls, .. } => {
            vec![Spoken { role: Role::Agent, name: None, content: reply(text, calls) }]
        }
        What::Tool { results } => {
            let name = |result: &ToolResult| {
                let call = calls.iter().find(|call| call.id == result.call)?;
                Some(clean(&call.name)).filter(|name| !name.trim().is_empty())
            };
            let result = |it: &ToolResult| of(Role::Tool, name(it), it.content.clone());
            results.iter().map(result).collect()
        }
    };
    said.retain(|spoken| !spoken.content.trim().is_empty());
    said
}

/// The words of a user, with a placeholder for each image.
fn user_text(parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Image(image) => image.placeholder(),
    };
    parts.iter().map(part).collect::<Vec<_>>().join("\n\n")
}

fn images(parts: Vec<Part>) -> Vec<Image> {
    let image = |part| match part {
        Part::Image(image) => Some(image),
        Part::Text(_) => None,
    };
    parts.into_iter().filter_map(image).collect()
}
