//! Items: the one list behind every dossier. Whatever a model may see (a rule, a file, a message,
//! a fact) is an item with a source, a mode that says why it was considered, and a form that says
//! how much of it is shown.

use crate::chunk::{Chunk, Draft, Location, draft::STORED};
use crate::compress::{self, Age};
use crate::guard::masked;
use crate::id::ThreadId;
use crate::message::{Message, Speaker};
use crate::time::Timestamp;
use crate::tokens::Tokenizer;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Rules,
    UserCard,
    ToolDirectory,
    ProjectMap,
    File,
    Message,
    Fact,
    Summary,
}

/// Why an item was considered at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Pinned: in every dossier.
    Always,
    /// One of the thread's last turns.
    Recent,
    /// Found by search for this question.
    Retrieved,
}

/// How much of an item is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    Full,
    Trimmed,
    Line,
    Pointer,
    Dropped,
}

impl Form {
    pub fn as_str(self) -> &'static str {
        match self {
            Form::Full => "full",
            Form::Trimmed => "trimmed",
            Form::Line => "line",
            Form::Pointer => "pointer",
            Form::Dropped => "dropped",
        }
    }
}

/// The part of the budget an item is charged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    Header,
    History,
    Facts,
    Summaries,
    /// The question and what stands around items.
    Question,
}

impl Section {
    pub fn as_str(self) -> &'static str {
        match self {
            Section::Header => "header",
            Section::History => "history",
            Section::Facts => "facts",
            Section::Summaries => "summaries",
            Section::Question => "question",
        }
    }
}

/// Where an item comes from, in the words of the interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// The part of a document, such as `page 3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

/// Where it stands: a path with a page or with lines, who said it when, or its id.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source { path: Some(path), place: Some(place), .. } => write!(f, "{path} {place}"),
            Source { path: Some(path), lines: Some((first, last)), .. } => {
                write!(f, "{path}:{first}-{last}")
            }
            Source { path: Some(path), .. } => f.write_str(path),
            Source {
                round: Some(round), speaker: Some(speaker), created_at: Some(time), ..
            } => {
                write!(f, "{speaker}, round {round}, {}", time.date())
            }
            Source { kind, .. } if kind == "profile" => f.write_str(kind),
            Source { id, .. } => f.write_str(id),
        }
    }
}

impl Source {
    fn new(kind: &str, id: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            id: id.to_owned(),
            path: None,
            lines: None,
            place: None,
            round: None,
            speaker: None,
            created_at: None,
        }
    }

    /// A part of the profile itself, such as its rules.
    pub fn profile(id: &str) -> Self {
        Self::new("profile", id)
    }

    pub fn fact(id: &str) -> Self {
        Self::new("fact", id)
    }

    /// A conversation as a whole.
    pub fn thread(id: &str) -> Self {
        Self::new("conversation", id)
    }

    /// A ref, by its whole name.
    pub fn reference(name: &str) -> Self {
        Self::new("ref", name)
    }

    /// A part of what a persona is.
    pub fn persona(id: &str) -> Self {
        Self::new("persona", id)
    }

    pub fn message(id: &str, round: i64, speaker: &Speaker, created_at: Timestamp) -> Self {
        Self {
            round: Some(round),
            speaker: Some(speaker.label().to_owned()),
            created_at: Some(created_at),
            ..Self::new("message", id)
        }
    }

    pub fn file(id: &str, path: &str, lines: (u32, u32)) -> Self {
        Self { path: Some(path.to_owned()), lines: Some(lines), ..Self::new("file", id) }
    }

    /// The same source, in a part of its document.
    #[must_use]
    pub fn at(self, place: Option<&str>) -> Self {
        Self { place: place.map(str::to_owned), ..self }
    }
}

/// The score of each signal, by its name.
pub type Scores = BTreeMap<Cow<'static, str>, f32>;

/// Why a recent message is considered.
pub(crate) const LAST_TURN: &str = "one of the thread's last turns";

/// Something a model may see.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub kind: Kind,
    pub source: Source,
    pub mode: Mode,
    pub location: Option<Location>,
    /// What is shown, in the item's present form.
    pub text: String,
    /// Tokens of `text`, before it is wrapped.
    pub tokens: u32,
    pub form: Form,
    /// Fused score of a retrieved item; 0 for others.
    pub score: f32,
    pub scores: Scores,
    /// Older than its source: shed before fresh items of its kind.
    pub stale: bool,
    /// Items with the same number stay together: a question and its answer, a call and its result.
    pub group: Option<u64>,
    pub reason: String,
}

impl Item {
    /// A pinned item of the header.
    pub fn pinned(kind: Kind, source: Source, text: String, tokens: u32, reason: &str) -> Self {
        Self {
            kind,
            source,
            mode: Mode::Always,
            location: None,
            text,
            tokens,
            form: Form::Full,
            score: 0.0,
            scores: Scores::new(),
            stale: false,
            group: None,
            reason: reason.to_owned(),
        }
    }

    /// A message of the thread's last turns in the form for its age, its secrets masked. A round
    /// stays together.
    pub fn recent(message: &Message, age: Age, tokenizer: Tokenizer) -> Self {
        let shown = compress::by_age(&masked(&message.content), age, message.id.as_str());
        let tokens = tokenizer.recount(&shown.text);
        Self {
            mode: Mode::Recent,
            form: shown.form,
            location: Some(Location::of_message(message)),
            group: Some(message.round.unsigned_abs()),
            ..Self::pinned(
                Kind::Message,
                Source::message(
                    message.id.as_str(),
                    message.round,
                    &message.speaker,
                    message.created_at,
                ),
                shown.text,
                tokens,
                LAST_TURN,
            )
        }
    }

    /// A chunk that search has found. The secrets of a message are masked; a file's text is
    /// evidence and stays as it is.
    pub fn retrieved(chunk: &Draft) -> Self {
        match &chunk.location {
            Location::File { .. } => Self::showing(chunk, Cow::Borrowed(&chunk.content)),
            Location::Message { .. } => Self::showing(chunk, masked(&chunk.content)),
        }
    }

    /// The same of one that is kept, and knows whether there is something to mask.
    pub fn found(chunk: &Chunk) -> Self {
        match chunk.location {
            Location::Message { .. } if chunk.is_clean() => {
                Self::showing(chunk, Cow::Borrowed(&chunk.content))
            }
            _ => Self::retrieved(chunk),
        }
    }

    fn showing(chunk: &Draft, text: Cow<'_, str>) -> Self {
        let id = chunk.origin.as_str();
        let (kind, source) = match &chunk.location {
            Location::File { path, start_line, end_line, place, .. } => {
                let source = Source::file(id, path, (*start_line, *end_line));
                (Kind::File, source.at(place.as_deref()))
            }
            Location::Message { round, speaker, created_at, .. } => {
                (Kind::Message, Source::message(id, *round, speaker, *created_at))
            }
        };
        let tokens = match &text {
            Cow::Borrowed(_) => chunk.tokens,
            Cow::Owned(masked) => STORED.recount(masked),
        };
        Self {
            mode: Mode::Retrieved,
            location: Some(chunk.location.clone()),
            ..Self::pinned(kind, source, text.into_owned(), tokens, "")
        }
    }

    /// Leaves the item out, and says why after what spoke for it.
    pub fn leave_out(&mut self, because: &str) {
        self.form = Form::Dropped;
        if !self.reason.is_empty() {
            self.reason.push_str("; ");
        }
        self.reason.push_str("left out: ");
        self.reason.push_str(because);
    }

    /// Whether it was said in this round of the thread or later: the question itself, and what
    /// other models answer to it.
    pub fn is_said_since(&self, thread: &ThreadId, round: i64) -> bool {
        match &self.location {
            Some(Location::Message { thread: own, round: said, .. }) => {
                own == thread && *said >= round
            }
            _ => false,
        }
    }

    pub fn section(&self) -> Section {
        match (self.mode, self.kind) {
            (Mode::Always, _) => Section::Header,
            (_, Kind::Message) => Section::History,
            (_, Kind::Fact) => Section::Facts,
            _ => Section::Summaries,
        }
    }
}

/// The first words of a text, on one line.
pub fn summary(text: &str) -> String {
    opening(text, 100)
}

/// The first so many characters of a text, on one line.
pub fn opening(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}
