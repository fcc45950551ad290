//! Cutting: nothing is lost, nothing is too large, every place is exact.

use crate::{number, repeated, text};
use dossier_core::chunk::{Draft, Location, Piece, draft, lines, prose, windows};
use dossier_core::id::FileId;
use dossier_core::tokens::Tokenizer;
use std::cell::Cell;
use std::ops::Range;

pub fn chunk(data: &[u8]) {
    let text = text(data);
    check_lines(&text);
    check_file(&text);
    check_prose(&text);
    check_windows(&text, 1 + number(data, 300));
    if let Some(long) = repeated(&text) {
        check_lines(&long);
        check_prose(&long);
        check_windows(&long, 254);
    }
}

/// The pieces put together are the text, and their places are what an editor shows.
fn check_lines(text: &str) {
    let (mut at, mut characters) = (0, 0);
    let mut line = Counter::default();
    for piece in lines(text) {
        let Piece { text: part, start_line, end_line, start_char, end_char, place } = piece;
        assert_eq!(place, None);
        assert_eq!(part, &text[at..at + part.len()]);
        at += part.len();
        assert_eq!(start_char, characters);
        characters += part.chars().count() as u64;
        assert_eq!(end_char, characters);
        assert!((1..=8_000).contains(&(end_char - start_char)));
        assert_eq!((start_line, end_line), line.read(part));
        assert_eq!((start_line - 1) / 50, (end_line - 1) / 50, "a cut falls every 50 lines");
    }
    assert_eq!(at, text.len());
}

/// Counts lines character by character.
pub(crate) struct Counter {
    line: u32,
    last: char,
}

impl Default for Counter {
    fn default() -> Self {
        Self { line: 1, last: ' ' }
    }
}

impl Counter {
    pub(crate) fn from(line: u32) -> Self {
        Self { line, ..Self::default() }
    }

    /// The lines of the first and of the last character of a part.
    pub(crate) fn read(&mut self, part: &str) -> (u32, u32) {
        let mut first = None;
        for c in part.chars() {
            let ended = self.last == '\n' || self.last == '\r' && c != '\n';
            self.line += u32::from(ended);
            self.last = c;
            first.get_or_insert(self.line);
        }
        (first.unwrap_or(self.line), self.line)
    }
}

/// A file's chunks are the pieces that are not blank.
fn check_file(text: &str) {
    let id = FileId::from("fil_1");
    let drafts = draft::of_file(&id, "src/a b.rs", text);
    let mut pieces = lines(text);
    pieces.retain(|piece| !piece.text.trim().is_empty());
    assert_eq!(drafts.len(), pieces.len());
    for (index, (draft, piece)) in drafts.iter().zip(pieces).enumerate() {
        let Draft { content, location, tokens, .. } = draft;
        assert_eq!((draft.index as usize, content.as_str()), (index, piece.text));
        assert_eq!(*tokens, Tokenizer::O200k.count(content));
        let Piece { start_line, end_line, start_char, end_char, .. } = piece;
        let path = "src/a b.rs".to_owned();
        let place = None;
        let expected = Location::File { path, start_line, end_line, start_char, end_char, place };
        assert_eq!(*location, expected);
    }
}

fn check_prose(text: &str) {
    let pieces = prose(text);
    check_cover(text, &pieces);
    for piece in pieces {
        let piece = &text[piece];
        assert_eq!(piece, piece.trim());
        assert!((1..=500).contains(&piece.chars().count()));
    }
}

fn check_windows(text: &str, limit: usize) {
    let measures: [fn(&str) -> usize; 3] = [
        |part| part.split_whitespace().map(|word| word.len().div_ceil(4)).sum(),
        |part| part.chars().count(),
        // More than the sum of its parts.
        |part| part.chars().count() + part.matches('\n').count() * 2,
    ];
    for measure in measures {
        let calls = Cell::new(0);
        let pieces = windows(text, limit, |part| {
            calls.set(calls.get() + 1);
            measure(part)
        });
        // Four grains, halves down to characters, and as much again for joining.
        assert!(calls.get() <= 8 * (text.chars().count() + 1), "{} calls", calls.get());
        check_cover(text, &pieces);
        for piece in pieces {
            let piece = &text[piece];
            assert!(measure(piece) <= limit || piece.chars().count() == 1);
        }
    }
}

/// Pieces are in order, and between them is nothing but white space.
fn check_cover(text: &str, pieces: &[Range<usize>]) {
    let mut at = 0;
    for piece in pieces {
        assert!(text[at..piece.start].trim().is_empty(), "{:?}", &text[at..piece.start]);
        at = piece.end;
    }
    assert!(text[at..].trim().is_empty(), "{:?}", &text[at..]);
}
