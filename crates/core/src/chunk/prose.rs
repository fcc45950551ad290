//! Prose by meaning: paragraphs, and sentences where a paragraph is long. Every word of the text is
//! in exactly one piece, and no piece has white space around it.

use super::cut::{bounded, trimmed};
use std::ops::Range;

/// A paragraph with more characters is cut by sentence; sentences are joined up to it.
const CHARACTERS: usize = 500;

/// The pieces of a text, as byte ranges in order.
pub fn prose(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    for paragraph in paragraphs(text) {
        if fits(&text[paragraph.clone()]) {
            pieces.push(paragraph);
        } else {
            join_sentences(text, paragraph, &mut pieces);
        }
    }
    pieces
}

fn fits(text: &str) -> bool {
    text.len() <= CHARACTERS || text.chars().nth(CHARACTERS).is_none()
}

/// Parts between blank lines.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut paragraphs = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim().is_empty() {
            paragraphs.push(trimmed(text, start..at));
            start = at;
        }
    }
    paragraphs.push(trimmed(text, start..at));
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

fn join_sentences(text: &str, paragraph: Range<usize>, pieces: &mut Vec<Range<usize>>) {
    let mut piece = paragraph.start..paragraph.start;
    for sentence in sentences(&text[paragraph.clone()]) {
        let offset = paragraph.start + sentence.start;
        for part in bounded(&text[paragraph.clone()][sentence], CHARACTERS) {
            // White space between pieces may be long, and is looked at once.
            let part = trimmed(text, offset + part.start..offset + part.end);
            if part.is_empty() {
                continue;
            }
            if !fits(&text[piece.start..part.end]) {
                pieces.push(piece.clone());
                piece.start = part.start;
            }
            piece.end = part.end;
        }
    }
    pieces.push(piece);
}

/// The sentences of a text with the white space after them; put together they are the text.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    // Stops with nothing before them, as in `//! comment`, end nothing.
    let mut has_words = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if !is_stop(c) {
            has_words |= c.is_alphanumeric();
            continue;
        }
        let mut full_width = is_full_width(c);
        while let Some((_, c)) = characters.next_if(|(_, c)| is_stop(*c) || is_closing(*c)) {
            full_width |= is_full_width(c);
        }
        let spaced = characters.peek().is_none_or(|(_, c)| c.is_whitespace());
        let ends = full_width || spaced && !is_abbreviation(&text[start..at], c);
        if !(ends && has_words) {
            continue;
        }
        while characters.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        let end = characters.peek().map_or(text.len(), |(at, _)| *at);
        sentences.push(start..end);
        start = end;
        has_words = false;
    }
    if start < text.len() {
        sentences.push(start..text.len());
    }
    sentences
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…') || is_full_width(c)
}

/// Stops of languages that put no space after a sentence.
fn is_full_width(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡')
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | ')' | ']' | '}' | '”' | '’' | '»' | '」' | '』' | '）' | '】' | '*' | '_'
    )
}

/// Words that end in a full stop inside a sentence, in lower case.
const ABBREVIATIONS: [&str; 33] = [
    "e.g", "i.e", "cf", "vs", "approx", "ca", "dr", "mr", "mrs", "ms", "prof", "st", "sr", "jr",
    "rev", "gen", "col", "lt", "fig", "figs", "eq", "no", "nos", "vol", "pp", "sec", "ch", "ed",
    "eds", "al", "z.b", "d.h", "bzw",
];

/// Whether a stop belongs to the word before it: an abbreviation, the number of a list's item, or
/// somebody's initial.
fn is_abbreviation(before: &str, stop: char) -> bool {
    if stop != '.' {
        return false;
    }
    // No abbreviation is longer, and looking further back would make long words costly.
    let near = before.char_indices().nth_back(12).map_or(0, |(at, _)| at);
    let lead = before[near..].trim_end_matches(|c: char| c.is_alphanumeric() || c == '.');
    let word = &before[near + lead.len()..];
    let opens_line = before[..near].is_empty() && lead.trim().is_empty()
        || lead.trim_end_matches(' ').ends_with('\n');
    let numbered = opens_line && !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let initial = word.chars().count() == 1 && word.chars().all(|c| c.is_uppercase() && c != 'I');
    numbered || initial || ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_sentences(expected: &[&str]) {
        let text = expected.concat();
        let found: Vec<&str> = sentences(&text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = prose(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_sentence_ends_at_a_stop_before_white_space() {
        check_sentences(&["One. ", "Two! ", "Three?! ", "Four… ", "“Five.” ", "(Six.)\n", "seven"]);
        check_sentences(&["Pi is 3.14 or so. ", "See dossier.rs for it."]);
        check_sentences(&["//! A comment. ", "... and so on. ", "?"]);
        check_sentences(&[]);
    }

    #[test]
    fn a_full_width_stop_needs_no_space() {
        check_sentences(&["今日は。", "「元気？」", "はい！"]);
    }

    #[test]
    fn abbreviations_initials_and_item_numbers_do_not_end_a_sentence() {
        check_sentences(&["Ask Dr. Who, e.g. about J. Smith. ", "So did I. ", "Yes."]);
        check_sentences(&["1. First item\n2. Second item. ", "It was 1999. ", "Then"]);
    }

    #[test]
    fn short_paragraphs_stay_whole_and_long_ones_are_cut_by_sentence() {
        check(" One.\nTwo. \n \n\n Three.\r\n\r\nFour.\n", &["One.\nTwo.", "Three.", "Four."]);
        check(" \n\n ", &[]);
        let long = format!("{}. ", "x".repeat(198));
        let both = long.repeat(2);
        check(&format!("short\n\n{}", long.repeat(3)), &["short", both.trim(), long.trim()]);
    }

    #[test]
    fn a_very_long_sentence_is_cut_at_white_space() {
        let words = "word ".repeat(150);
        check(&words, &["word ".repeat(100).trim(), "word ".repeat(50).trim()]);
    }
}
