//! Chunks: searchable pieces of anything, each with its exact location.

mod cut;
pub mod draft;
mod lines;
mod place;
mod prose;
mod windows;

pub(crate) use cut::bounded;
pub(crate) use lines::each_line;
pub use lines::{Piece, document, lines};
pub use place::Place;
pub use prose::prose;
pub(crate) use prose::sentences;
pub use windows::windows;

use crate::analyse::Profile;
use crate::guard::masked;
use crate::hash::ContentHash;
use crate::id::{ChunkId, FileId, MessageId, ThreadId};
use crate::message::{Message, Speaker};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::OnceLock;

/// What a chunk is a piece of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    File(FileId),
    Message(MessageId),
}

impl Origin {
    pub fn as_str(&self) -> &str {
        match self {
            Origin::File(id) => id.as_str(),
            Origin::Message(id) => id.as_str(),
        }
    }
}

/// Where in its source a chunk stands. Lines and characters count from 1 and 0; both ends of the
/// lines are inclusive, the end of the characters is exclusive, as an editor would show them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    File {
        path: String,
        start_line: u32,
        end_line: u32,
        start_char: u64,
        end_char: u64,
        /// The part of a document, such as `page 3`; none where lines say enough.
        #[serde(skip_serializing_if = "Option::is_none")]
        place: Option<String>,
    },
    Message {
        thread: ThreadId,
        round: i64,
        position: i64,
        speaker: Speaker,
        #[serde(skip_serializing_if = "Option::is_none")]
        section: Option<String>,
        created_at: Timestamp,
    },
}

impl Location {
    pub fn of_message(message: &Message) -> Self {
        Location::Message {
            thread: message.thread.clone(),
            round: message.round,
            position: message.position,
            speaker: message.speaker.clone(),
            section: message.section.clone(),
            created_at: message.created_at,
        }
    }
}

/// A chunk before it has a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub origin: Origin,
    /// Place among the chunks of the same source, from 0.
    pub index: u32,
    pub content: String,
    pub location: Location,
    /// Tokens of the content alone, by `o200k`.
    pub tokens: u32,
    pub profile: Profile,
}

impl Draft {
    /// What is turned into vectors: a message with its speaker, a file's text as it is.
    pub fn embedded(&self) -> Cow<'_, str> {
        match &self.location {
            Location::Message { speaker, .. } => {
                Cow::Owned(format!("{}: {}", speaker.label(), self.content))
            }
            Location::File { .. } => Cow::Borrowed(&self.content),
        }
    }

    /// The key of the chunk's vectors.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.embedded().as_bytes())
    }
}

/// A chunk as it is stored. Rows are never changed, only added and removed.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub id: ChunkId,
    pub draft: Draft,
    /// Found out when it is first asked for: chunks are kept, and shown again and again.
    is_clean: OnceLock<bool>,
}

impl Chunk {
    pub fn new(id: ChunkId, draft: Draft) -> Self {
        Self { id, draft, is_clean: OnceLock::new() }
    }

    /// Whether its text holds no secret.
    pub fn is_clean(&self) -> bool {
        let is_clean = || matches!(masked(&self.content), Cow::Borrowed(_));
        *self.is_clean.get_or_init(is_clean)
    }
}

impl PartialEq for Chunk {
    fn eq(&self, other: &Self) -> bool {
        (self.id, &self.draft) == (other.id, &other.draft)
    }
}

impl std::ops::Deref for Chunk {
    type Target = Draft;

    fn deref(&self) -> &Draft {
        &self.draft
    }
}
