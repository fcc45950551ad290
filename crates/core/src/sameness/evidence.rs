//! Whether what an answer was made from is still all there is to it.
//!
//! A chunk is never changed, and its number is never used again: so its number is its revision. An
//! answer stands while every chunk that its model was shown is there, and while a later dossier
//! shows none that came after it. Chunks that were there before and rank otherwise for other words
//! are no news.

use crate::id::ChunkId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What of a project an answer was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The chunks that the model was shown.
    pub chunks: BTreeSet<ChunkId>,
    /// The newest chunk there was before anything was looked for.
    pub newest: ChunkId,
    /// The refs that stood in what the model was shown, or in what it said.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub refs: BTreeSet<String>,
}

/// What has happened since an answer was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// Nothing that bears on it.
    Nothing,
    /// Something that it was made from has changed or gone.
    Changed,
    /// Something was added that the model would be shown now.
    News,
}

impl Evidence {
    /// Of the chunks that a dossier shows now, those that may be news.
    pub fn later(&self, shown: &BTreeSet<ChunkId>) -> BTreeSet<ChunkId> {
        let came_later = |chunk: &&ChunkId| **chunk > self.newest && !self.chunks.contains(chunk);
        shown.iter().filter(came_later).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(numbers: &[i64]) -> BTreeSet<ChunkId> {
        numbers.iter().copied().map(ChunkId).collect()
    }

    #[test]
    fn only_what_came_after_an_answer_and_was_not_shown_to_its_model_may_be_news() {
        let evidence =
            Evidence { chunks: chunks(&[3, 12]), newest: ChunkId(10), refs: BTreeSet::new() };
        assert_eq!(evidence.later(&chunks(&[3, 7, 10, 12])), chunks(&[]));
        assert_eq!(evidence.later(&chunks(&[3, 11, 12, 13])), chunks(&[11, 13]));
    }
}
