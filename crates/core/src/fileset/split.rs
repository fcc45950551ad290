//! Which files are sent, which are before the model already, and which are left to search.
//!
//! It goes in two steps, since a file that is unchanged must not be read: [`sides`] tells by size
//! and time alone what has to be measured, [`Split::of`] decides about what was measured.

use super::{FileState, Room, Seen};
use std::collections::BTreeSet;

/// A file with the tokens it takes inline, wrapper and all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    pub file: Seen,
    pub tokens: u32,
}

/// Files by what is to be done before they can be split.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sides {
    /// The model has them as they are.
    pub unchanged: Vec<Seen>,
    /// To be sent whatever they take: inline already and changed, or insisted on.
    pub due: Vec<Seen>,
    /// On no side yet.
    pub new: Vec<Seen>,
    /// On the other side of a closed list.
    pub searchable: Vec<Seen>,
}

/// Parts files, which must be there once each, by what is remembered of them. `held` are the rounds
/// that the model is shown again; what was sent in others is gone.
pub fn sides(
    files: impl IntoIterator<Item = Seen>,
    state: &FileState,
    priority: &BTreeSet<String>,
    held: &BTreeSet<i64>,
) -> Sides {
    let mut sides = Sides::default();
    for file in files {
        let insisted = priority.contains(&file.path);
        if state.holds(&file, held) {
            // Also what was insisted on once the list was closed: it is before the model.
            sides.unchanged.push(file);
        } else if state.inline.contains(&file.path) || insisted {
            sides.due.push(file);
        } else if state.frozen {
            sides.searchable.push(file);
        } else {
            sides.new.push(file);
        }
    }
    sides
}

/// What is done with each file in one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// By path.
    pub send: Vec<Measured>,
    pub unchanged: Vec<Measured>,
    pub searchable: Vec<Seen>,
    /// The list as it is after the call.
    pub inline: BTreeSet<String>,
    pub frozen: bool,
}

/// Files that must be sent do not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{needed} tokens are needed and {left} are left")]
pub struct Crowded {
    pub needed: u32,
    pub left: u32,
    /// The largest of them, by path.
    pub largest: Vec<String>,
}

impl Split {
    /// Splits what was measured. `used` is what else the request takes: header, history, question.
    pub fn of(
        sides: Sides,
        measured: Vec<Measured>,
        state: &FileState,
        priority: &BTreeSet<String>,
        room: Room,
        used: Used,
    ) -> Result<Self, Crowded> {
        let is_new: BTreeSet<&str> = sides.new.iter().map(|file| file.path.as_str()).collect();
        let (mut new, due): (Vec<Measured>, Vec<Measured>) =
            measured.into_iter().partition(|file| is_new.contains(file.file.path.as_str()));
        let needed = due.iter().map(|file| file.tokens).fold(0, u32::saturating_add);
        let insisted = due.iter().any(|file| priority.contains(&file.file.path));
        let left = if insisted { room.most } else { room.whole }.saturating_sub(used.whole);
        if needed > left {
            return Err(Crowded { needed, left, largest: largest(&due) });
        }
        let mut inline = state.inline.clone();
        if !state.frozen {
            // What is insisted on while the list is open belongs to it like all the others.
            inline.extend(due.iter().map(|file| file.file.path.clone()));
        }
        let files = room.inline.saturating_sub(used.files).saturating_sub(needed);
        let whole = room.whole.saturating_sub(used.whole).saturating_sub(needed);
        let mut room = files.min(whole);
        let mut send = due;
        let mut searchable = sides.searchable;
        let mut frozen = state.frozen;
        // More small files than large ones are inline, and the order is the same everywhere.
        new.sort_by(|left, right| {
            (left.tokens, &left.file.path).cmp(&(right.tokens, &right.file.path))
        });
        for file in new {
            match room.checked_sub(file.tokens) {
                Some(rest) => {
                    room = rest;
                    inline.insert(file.file.path.clone());
                    send.push(file);
                }
                None => {
                    frozen = true;
                    searchable.push(file.file);
                }
            }
        }
        send.sort_by(|left, right| left.file.path.cmp(&right.file.path));
        searchable.sort();
        let tokens = |file: &Seen| state.sent.get(&file.path).map_or(0, |sent| sent.tokens);
        let unchanged = sides
            .unchanged
            .into_iter()
            .map(|file| Measured { tokens: tokens(&file), file })
            .collect();
        Ok(Self { send, unchanged, searchable, inline, frozen })
    }

    /// Tokens of the files that are sent.
    pub fn sent_tokens(&self) -> u32 {
        self.send.iter().map(|file| file.tokens).fold(0, u32::saturating_add)
    }

    /// Tokens that sending every inline file again would have added.
    pub fn saved_tokens(&self) -> u32 {
        self.unchanged.iter().map(|file| file.tokens).fold(0, u32::saturating_add)
    }
}

/// What a request takes beside the files that are about to be sent, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Everything.
    pub whole: u32,
    /// Files in the history.
    pub files: u32,
}

fn largest(files: &[Measured]) -> Vec<String> {
    let mut files: Vec<&Measured> = files.iter().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.tokens));
    let name = |file: &&Measured| format!("{} ({} tokens)", file.file.path, file.tokens);
    files.iter().take(3).map(name).collect()
}
