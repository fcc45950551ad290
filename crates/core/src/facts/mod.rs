//! Facts: what is worth remembering of a conversation, as short texts that quote their source.
//!
//! Memory has a gate. [`extract`] takes only what a person plainly states, [`proposed`] what a model
//! finds besides, if it quotes it; [`admit`] keeps out what was recalled, merges what is known, lets a
//! newer fact close an older one, and puts what is doubtful aside for a person to look through; a
//! [`Ledger`] does so for message after message. A junk fact costs room in every later dossier, so
//! what is not surely a fact is none. [`top`] puts facts into the order in which they are shown,
//! [`join`] puts them into a dossier, and [`without_stale`] takes out of its messages what they
//! contradict.

mod extract;
mod gate;
mod item;
mod join;
mod lesson;
mod memory;
mod patterns;
mod propose;
mod rank;
mod remembered;
mod sentence;
mod words;

pub use extract::{Draft, Utterance, extract};
pub use gate::{Admission, Caps, Refusal, admit, overflow};
pub use item::item;
pub use join::{Recall, Relied, join, without_stale};
pub use lesson::{Amendment, Ledger, Lesson};
pub use memory::Memory;
pub use propose::{NoFacts, proposed};
pub use rank::{Candidate, DEFAULT_COUNT, FEWEST, MOST, Scored, top, weight};
pub use remembered::{Embedding, Remembered, Sought};

use crate::id::{FactId, MessageId, ThreadId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The most lines of a fact.
pub const MOST_LINES: usize = 3;
/// The most characters of a fact.
pub const MOST_CHARACTERS: usize = 500;

/// What a fact is about. Preferences and dated statements are facts with a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    Decision,
    Entity,
    Task,
    Metric,
    Link,
    Fact,
}

impl FactKind {
    pub const ALL: [FactKind; 6] = [
        FactKind::Decision,
        FactKind::Entity,
        FactKind::Task,
        FactKind::Metric,
        FactKind::Link,
        FactKind::Fact,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            FactKind::Decision => "decision",
            FactKind::Entity => "entity",
            FactKind::Task => "task",
            FactKind::Metric => "metric",
            FactKind::Link => "link",
            FactKind::Fact => "fact",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Why a fact waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// Whoever said it was not sure.
    Hedged,
    /// It tells what another has said.
    Hearsay,
    /// It contradicts a fact that is pinned.
    Contradiction,
}

impl Doubt {
    pub fn as_str(self) -> &'static str {
        match self {
            Doubt::Hedged => "hedged",
            Doubt::Hearsay => "hearsay",
            Doubt::Contradiction => "contradiction",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Doubt::Hedged, Doubt::Hearsay, Doubt::Contradiction]
            .into_iter()
            .find(|doubt| doubt.as_str() == text)
    }
}

/// What a fact is said of: a newer fact about the same takes the place of an older one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    pub subject: String,
    pub attribute: String,
}

/// The words that a fact rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotation {
    pub thread: Option<ThreadId>,
    /// None for what a person wrote down as a fact.
    pub message: Option<MessageId>,
    pub quote: String,
}

/// One remembered nugget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    pub id: FactId,
    pub kind: FactKind,
    pub text: String,
    pub source: Quotation,
    pub topic: Option<Topic>,
    /// Sorted, in lower case.
    pub tags: Vec<String>,
    pub created_at: Timestamp,
    /// When it was last said again; decay begins here.
    pub confirmed_at: Timestamp,
    pub valid_from: Timestamp,
    /// From when on it does not hold any more.
    pub valid_until: Option<Timestamp>,
    pub superseded_by: Option<FactId>,
    pub pinned: bool,
    /// Waits for a person, who accepts or rejects it.
    pub doubt: Option<Doubt>,
}

impl Fact {
    /// Whether it holds at a time and may be shown.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.doubt.is_none() && self.valid_until.is_none_or(|until| now < until)
    }
}

/// A text that is no fact, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadFact {
    #[error("a fact needs a text; write one to three lines")]
    Empty,
    #[error("a fact has at most {MOST_LINES} lines, this one has {0}; split it")]
    Lines(usize),
    #[error("a fact has at most {MOST_CHARACTERS} characters, this one has {0}; shorten it")]
    Characters(usize),
}

/// The text of a fact as it is kept: without empty lines and space at the ends.
pub fn text(written: &str) -> Result<String, BadFact> {
    let lines: Vec<&str> = written.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = lines.join("\n");
    let characters = text.chars().count();
    match lines.len() {
        0 => Err(BadFact::Empty),
        lines if lines > MOST_LINES => Err(BadFact::Lines(lines)),
        _ if characters > MOST_CHARACTERS => Err(BadFact::Characters(characters)),
        _ => Ok(text),
    }
}

/// Tags as they are kept: in lower case, sorted, each once.
pub fn tags<'a>(written: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut tags: Vec<String> = written
        .into_iter()
        .map(|tag| tag.trim().to_lowercase())
        .filter(|tag| !tag.is_empty())
        .collect();
    tags.sort();
    tags.dedup();
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_has_one_to_three_lines_and_at_most_500_characters() {
        assert_eq!(text("  one \n\n two\n"), Ok("one\ntwo".to_owned()));
        assert_eq!(text(" \n"), Err(BadFact::Empty));
        assert_eq!(text("a\nb\nc\nd"), Err(BadFact::Lines(4)));
        assert_eq!(text(&"ä".repeat(500)).map(|text| text.chars().count()), Ok(500));
        assert_eq!(text(&"ä".repeat(501)), Err(BadFact::Characters(501)));
    }

    #[test]
    fn kinds_and_doubts_are_read_as_they_are_written() {
        for kind in FactKind::ALL {
            assert_eq!(FactKind::parse(kind.as_str()), Some(kind));
        }
        for doubt in [Doubt::Hedged, Doubt::Hearsay, Doubt::Contradiction] {
            assert_eq!(Doubt::parse(doubt.as_str()), Some(doubt));
        }
        assert_eq!((FactKind::parse("rumour"), Doubt::parse("")), (None, None));
    }
}
