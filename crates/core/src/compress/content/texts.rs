//! Texts within a document, and how the gaps in a text are written.

use super::detect::{Kind, detect_text};
use super::limits::Room;
use super::sheet::Sheet;
use super::{code, log, prose};
use crate::compress::cut::{Atoms, head};
use crate::compress::is_untouchable;
use crate::compress::values::values;

/// An error is shown whole up to so many bytes.
pub(super) const LONGEST_ERROR: usize = 8_000;
/// What stands for the end of a line within a cell.
const LINE_END: &str = " ⏎ ";

/// A text at a path, in about so many bytes.
pub(super) fn nested(text: &str, path: &str, bytes: usize) -> Sheet {
    if text.len() <= bytes {
        return quoted(text);
    }
    let lines = text.bytes().filter(|byte| *byte == b'\n').count();
    if lines < 2 {
        if is_untouchable(text) {
            return whole(text, path);
        }
        return beginning(text, bytes, path);
    }
    let gaps = Gaps { path, lines: Counted::AsStored };
    match detect_text(text, None) {
        Kind::Log => log::view(text, gaps, Room::within(bytes)),
        Kind::Code => code::view(text, gaps, bytes),
        _ => prose::view(text, gaps, Room::within(bytes)),
    }
}

/// A text of an error: all of it, unless it is larger than anybody would read.
pub(super) fn whole(text: &str, path: &str) -> Sheet {
    if text.len() <= LONGEST_ERROR { quoted(text) } else { beginning(text, LONGEST_ERROR, path) }
}

/// The beginning of a text, cut at a good place, and how much is missing.
pub(super) fn beginning(text: &str, characters: usize, path: &str) -> Sheet {
    // Four times as many bytes hold the cut, whatever the characters.
    let near = &text[..text.floor_char_boundary(characters.saturating_mul(4).saturating_add(400))];
    let atoms = Atoms::of(near, &values(near));
    let end = head(near, 0, characters, &atoms);
    let mut sheet = quoted(text[..end].trim_end());
    let of = if path.is_empty() { String::new() } else { format!(" of {path}") };
    sheet.frame(format_args!(" [… {} more bytes{of}]", text.len() - end));
    sheet
}

/// A text on one line.
pub(super) fn cell(text: &str, characters: usize) -> Sheet {
    let text = text.trim();
    let mut line = String::with_capacity(text.len().min(characters * 4));
    for part in text.lines().map(str::trim).filter(|part| !part.is_empty()) {
        if !line.is_empty() {
            line.push_str(LINE_END);
        }
        line.push_str(part);
        if line.len() > characters.saturating_mul(8).max(LONGEST_ERROR) {
            break;
        }
    }
    let is_long = line.len() > characters && line.chars().nth(characters).is_some();
    let mut sheet = if is_long && !is_untouchable(text) {
        beginning(&line, characters, "")
    } else {
        whole(&line, "")
    };
    if sheet.text.contains('|') {
        let mut marked = quoted("\"");
        marked.append(sheet);
        marked.quote("\"");
        sheet = marked;
    }
    // Only a space ends a link.
    if sheet.text.contains("://") || sheet.text.contains("www.") {
        sheet.quote(" ");
    }
    sheet
}

fn quoted(text: &str) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.quote(text);
    sheet
}

/// How the gaps of a text are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gaps<'a> {
    /// The path of the text in its document; empty for a content that is a text.
    pub(super) path: &'a str,
    pub(super) lines: Counted,
}

/// Whether the lines of a shown text are those of what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    AsStored,
    /// The text was made from what is stored, and an offset would lead nowhere.
    Otherwise,
}

impl Gaps<'_> {
    /// `[… 90 lines at offset 9, 2 errors]`: what an expansion of the ref is to be asked for.
    pub(super) fn lines(self, sheet: &mut Sheet, offset: usize, count: usize, errors: usize) {
        let held = match errors {
            0 => String::new(),
            1 => ", 1 error".to_owned(),
            errors => format!(", {errors} errors"),
        };
        if self.lines == Counted::Otherwise {
            return sheet.frame(format_args!("[…{held}]"));
        }
        let noun = if count == 1 { "line" } else { "lines" };
        let of = self.of();
        sheet.frame(format_args!("[… {count} {noun} at offset {offset}{of}{held}]"));
    }

    /// `[… ×90, to offset 480]`: lines like the one before.
    pub(super) fn repeats(self, sheet: &mut Sheet, count: usize, last: usize) {
        let of = self.of();
        sheet.frame(format_args!(" [… ×{count}, to offset {last}{of}]"));
    }

    fn of(self) -> String {
        if self.path.is_empty() { String::new() } else { format!(" of {}", self.path) }
    }
}
