//! Bytes to text.
//!
//! The text has no byte order mark and no NUL, its line ends are as they were in the file, and
//! whenever a byte was lost on the way it says so.

use dossier_core::chunk::Place;

use crate::SkipReason;

/// How much of a file's beginning tells text from binary.
pub(crate) const SNIFF_BYTES: usize = 8 * 1024;

const REPLACEMENT: &str = "\u{fffd}";

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub content: String,
    /// Some bytes were not text and stand as U+FFFD; they are fewer than one character in a
    /// hundred.
    pub lossy: bool,
    /// Where the parts of a document begin; empty for what was text already.
    pub places: Vec<Place>,
}

#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    Utf16(fn([u8; 2]) -> u16),
}

/// Whether a file that begins with `start` holds no text.
pub(crate) fn is_binary(start: &[u8]) -> bool {
    match encoding(start) {
        (Encoding::Utf8, rest) => rest.contains(&0),
        (Encoding::Utf16(unit), rest) => rest.as_chunks().0.iter().any(|&pair| unit(pair) == 0),
    }
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Text, SkipReason> {
    let (content, damaged) = match encoding(bytes) {
        (Encoding::Utf8, rest) => utf8(rest),
        (Encoding::Utf16(unit), rest) => utf16(rest, unit),
    };
    let nuls = content.matches('\0').count();
    let lost = damaged + nuls;
    if lost > 0 && lost * 100 >= content.chars().count() {
        return Err(SkipReason::NotText);
    }
    // PostgreSQL takes no NUL in a text.
    let content = if nuls > 0 { content.replace('\0', REPLACEMENT) } else { content };
    Ok(Text { content, lossy: lost > 0, places: Vec::new() })
}

/// A key under a harmless name. A document that shows one further down is not taken for it.
pub(crate) fn is_private_key(content: &str) -> bool {
    let first_line = content.trim_start().lines().next().unwrap_or_default();
    first_line.starts_with("-----BEGIN ") && first_line.contains("PRIVATE KEY")
}

fn encoding(bytes: &[u8]) -> (Encoding, &[u8]) {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => (Encoding::Utf8, rest),
        [0xFF, 0xFE, rest @ ..] => (Encoding::Utf16(u16::from_le_bytes), rest),
        [0xFE, 0xFF, rest @ ..] => (Encoding::Utf16(u16::from_be_bytes), rest),
        _ => (Encoding::Utf8, bytes),
    }
}

fn utf8(bytes: &[u8]) -> (String, usize) {
    let mut content = String::with_capacity(bytes.len());
    let mut damaged = 0;
    for chunk in bytes.utf8_chunks() {
        content.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            content.push_str(REPLACEMENT);
            damaged += 1;
        }
    }
    (content, damaged)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, usize) {
    let (pairs, odd) = bytes.as_chunks();
    let mut content = String::with_capacity(bytes.len());
    let mut damaged = 0;
    for character in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        damaged += usize::from(character.is_err());
        content.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if !odd.is_empty() {
        content.push_str(REPLACEMENT);
        damaged += 1;
    }
    (content, damaged)
}
