//! What a session remembers of its files: bounded by their number, whatever happens to them.

use super::Split;
use std::collections::{BTreeMap, BTreeSet};

/// A file as the disk tells it without being read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    pub path: String,
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified_ns: i64,
}

/// A file as it was when it was last sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    pub size: u64,
    pub modified_ns: i64,
    /// With its wrapper.
    pub tokens: u32,
    /// The round whose question it stands in.
    pub round: i64,
}

/// The inline list and the last sending of each file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileState {
    pub inline: BTreeSet<String>,
    /// Whether something has overflowed: then nothing is added any more.
    pub frozen: bool,
    pub sent: BTreeMap<String, Sent>,
}

impl FileState {
    /// Whether the reader has this very file before it, in one of the rounds that are replayed.
    pub fn holds(&self, file: &Seen, held: &BTreeSet<i64>) -> bool {
        self.sent.get(&file.path).is_some_and(|sent| {
            sent.size == file.size
                && sent.modified_ns == file.modified_ns
                && held.contains(&sent.round)
        })
    }

    /// Whether one of the rounds that are replayed shows the file otherwise than it is.
    pub fn is_outdated(&self, file: &Seen, held: &BTreeSet<i64>) -> bool {
        let is_shown = self.sent.get(&file.path).is_some_and(|sent| held.contains(&sent.round));
        is_shown && !self.holds(file, held)
    }

    /// Tokens of files that the replayed rounds hold, as far as is remembered.
    pub fn tokens_held(&self, held: &BTreeSet<i64>) -> u32 {
        let held = self.sent.values().filter(|sent| held.contains(&sent.round));
        held.map(|sent| sent.tokens).fold(0, u32::saturating_add)
    }

    /// The paths by which all files are found again once this is forgotten: those that hold for the
    /// whole session, and the files that stand inline without lying below one of them.
    pub fn found_again(&self, context: &[String]) -> Vec<String> {
        let alone = self.inline.iter().filter(|path| !context.iter().any(|own| lies_in(path, own)));
        context.iter().chain(alone).cloned().collect()
    }

    /// What is remembered after this was sent in a round and answered.
    #[must_use]
    pub fn after(&self, split: &Split, round: i64) -> Self {
        let mut sent = self.sent.clone();
        sent.extend(split.send.iter().map(|measured| {
            let Seen { path, size, modified_ns } = measured.file.clone();
            (path, Sent { size, modified_ns, tokens: measured.tokens, round })
        }));
        Self { inline: split.inline.clone(), frozen: split.frozen, sent }
    }
}

/// Whether a path is this folder's or file's, as a session names them: `.` is its own folder.
fn lies_in(path: &str, folder: &str) -> bool {
    match path.strip_prefix(folder) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => folder == "." && !path.starts_with('/'),
    }
}
