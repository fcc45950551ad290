//! What became of the files of a call, as its caller is told and the reply remembers.

use serde::{Deserialize, Serialize};

/// The most files that are named as left out.
const MOST_SKIPPED: usize = 100;

/// Files of one call, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FilesReport {
    /// In this question.
    pub sent: usize,
    /// In earlier questions, as they are.
    pub unchanged: usize,
    /// Left to search, attachments included.
    pub searchable: usize,
    pub tokens_sent: u32,
    /// What sending every inline file again would have added.
    pub tokens_saved: u32,
    /// Of the whole request, and the most there may be.
    pub tokens_used: u32,
    pub tokens_limit: u32,
    /// Whether new files are searched from now on.
    pub frozen: bool,
    /// What was left out and why; of very many the first.
    pub skipped: Vec<SkippedFile>,
    /// How many more were left out.
    pub skipped_beyond: usize,
    /// Tokens of the question with its files, by this way of counting: so that it need not be
    /// counted again.
    pub own_tokens: u32,
    pub counted_by: String,
}

impl FilesReport {
    /// Names what was left out, as far as there is room.
    pub(super) fn leave_out(&mut self, mut files: Vec<SkippedFile>) {
        let room = MOST_SKIPPED.saturating_sub(self.skipped.len());
        self.skipped_beyond += files.len().saturating_sub(room);
        files.truncate(room);
        self.skipped.extend(files);
    }
}

/// A file that was named and not read, or is not looked at again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedFile {
    pub path: String,
    pub reason: String,
}
