//! What of a message was pasted: its long parts, apart from the few words beside them by which its
//! writer says what is wanted.
//!
//! Invariant: the parts lie one after the other and none is shorter than was asked for, so that
//! each can stand behind a ref; whatever is not in one is short or says what is wanted.

use crate::chunk::sentences;
use std::ops::Range;

/// The most bytes of words before a pasted text, and of those after it.
const WORDS: usize = 1_000;

/// How the tag around an attachment begins; one whose text would close it has a longer name.
const ATTACHMENT: &str = "attachment";

/// A long part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pasted {
    pub range: Range<usize>,
    /// The name of the file that was attached.
    pub name: Option<String>,
}

/// The parts of a message that have so many bytes: what stands in fences, what is attached, and
/// of all else what is between its first words and its last.
pub fn pasted(text: &str, least: usize) -> Vec<Pasted> {
    let mut found = Vec::new();
    let mut open: Option<(Fence<'_>, Range<usize>)> = None;
    let (mut at, mut before) = (0, 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((fence, opening)) = &open else {
            open = Fence::opened(line).map(|fence| (fence, start..at));
            continue;
        };
        if !fence.is_closed(line) {
            continue;
        }
        let inside = trimmed(text, opening.end..start);
        if inside.len() >= least {
            found.extend(between_words(text, before..opening.start, least));
            let name = fence.name().map(str::to_owned);
            found.push(Pasted { range: inside, name });
            before = at;
        }
        open = None;
    }
    found.extend(between_words(text, before..text.len(), least));
    found
}

/// What begins with one line and ends with another.
enum Fence<'a> {
    Code { ticks: usize },
    Attachment { tag: &'a str, name: &'a str },
}

impl<'a> Fence<'a> {
    fn opened(line: &'a str) -> Option<Self> {
        let line = line.trim();
        let inside = line.strip_prefix('<').and_then(|rest| rest.strip_suffix("\">"));
        if let Some((tag, name)) = inside.and_then(|inside| inside.split_once(" name=\""))
            && tag
                .strip_prefix(ATTACHMENT)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        {
            return Some(Self::Attachment { tag, name });
        }
        let ticks = ticks(line);
        (ticks >= 3).then_some(Self::Code { ticks })
    }

    fn is_closed(&self, line: &str) -> bool {
        let line = line.trim();
        match self {
            Self::Attachment { tag, .. } => {
                line.strip_prefix("</").and_then(|rest| rest.strip_suffix('>')) == Some(*tag)
            }
            Self::Code { ticks: opened } => ticks(line) >= *opened && ticks(line) == line.len(),
        }
    }

    fn name(&self) -> Option<&'a str> {
        match self {
            Self::Attachment { name, .. } => Some(*name),
            Self::Code { .. } => None,
        }
    }
}

fn ticks(line: &str) -> usize {
    line.len() - line.trim_start_matches('`').len()
}

/// The long part of a stretch of text, without the words before and after it.
fn between_words(text: &str, range: Range<usize>, least: usize) -> Option<Pasted> {
    let whole = trimmed(text, range);
    if whole.len() < least {
        return None;
    }
    let start = whole.start + first_words(&text[whole.clone()]);
    let rest = trimmed(text, start..whole.end);
    let end = rest.start + last_words(&text[rest.clone()]);
    let range = trimmed(text, rest.start..end);
    (range.len() >= least).then_some(Pasted { range, name: None })
}

/// Where the words at the beginning end: paragraphs, or else a line, or else a sentence.
fn first_words(text: &str) -> usize {
    let near = &text[..text.floor_char_boundary(WORDS)];
    let sentence = sentences(near).first().map(|sentence| sentence.end);
    let ends = [near.rfind("\n\n"), near.find('\n'), sentence.filter(|end| *end < near.len())];
    ends.into_iter().flatten().find(|end| are_words(&text[..*end])).unwrap_or(0)
}

/// Where the words at the end begin.
fn last_words(text: &str) -> usize {
    let first = text.ceil_char_boundary(text.len().saturating_sub(WORDS));
    let near = &text[first..];
    // The end of a document that holds sentences is a part of it.
    let is_prose = are_words(text);
    let sentence = sentences(near).last().map(|sentence| sentence.start);
    let sentence = sentence.filter(|start| *start > 0 && is_prose);
    let line = near.trim_end().rfind('\n').map(|at| at + 1);
    let starts = [near.find("\n\n").map(|at| at + 2), line, sentence];
    let found = starts.into_iter().flatten().find(|start| are_words(&near[*start..]));
    found.map_or(text.len(), |start| first + start)
}

/// Whether a text may be said to somebody: documents, tables and code begin otherwise.
fn are_words(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with(['{', '}', '[', ']', '(', ')', '<', '"', '\'', '`', ',', ';', '|'])
        && text.contains(char::is_alphabetic)
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start.max(range.start + part.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LEAST: usize = 200;

    /// The message with `[name]` for each part that was pasted.
    fn check(text: &str, expected: &str) {
        let mut shown = String::new();
        let mut end = 0;
        for Pasted { range, name } in pasted(text, LEAST) {
            shown.push_str(&text[end..range.start]);
            shown.push_str(&format!("[{}]", name.unwrap_or_default()));
            end = range.end;
        }
        shown.push_str(&text[end..]);
        assert_eq!(shown, expected);
    }

    fn log() -> String {
        (0..60).map(|n| format!("INFO request {n} took {n} ms\n")).collect()
    }

    #[test]
    fn a_short_message_has_nothing_that_was_pasted() {
        check("Why?\n\nBecause.", "Why?\n\nBecause.");
    }

    #[test]
    fn the_words_before_and_after_stay() {
        let prose = "The pump lost pressure. Nobody knows why it did so that day.\n".repeat(40);
        let prose = prose.trim_end();
        // A last line may be what is wanted, and is short.
        let last = "The pump lost pressure. Nobody knows why it did so that day.";
        check(
            &format!("Hello,\n\nwhat failed?\n\n{prose}"),
            &format!("Hello,\n\nwhat failed?\n\n[]\n{last}"),
        );
        check(&format!("[1] of 2:\n{prose}\n\nSum it up, please."), "[]\n\nSum it up, please.");
    }

    #[test]
    fn a_line_or_a_sentence_will_do() {
        let document =
            format!("{{\n{}\"end\": true\n}}", "  \"name\": \"Ana. And Bo\",\n".repeat(60));
        check(&format!("What is wrong here\n{document}"), "What is wrong here\n[]");
        check(&format!("{document}\nWhat is wrong?"), "[]\nWhat is wrong?");
        let line = "a b c d e f g ".repeat(300);
        check(&format!("What comes after {line}"), "[] ");
        let minified = format!("[{}0]", "{\"text\": \"One. Two\"},".repeat(90));
        check(&minified, "[]");
        let prose = "Nobody knows why it did so that day. ".repeat(80);
        let asked = format!("Sum up: this. {prose}Is it true?");
        check(&asked, "Sum up: this. []Is it true?".replace("[]", "[] ").trim_end());
    }

    #[test]
    fn what_is_fenced_or_attached_is_a_part_of_its_own() {
        let log = log();
        let log = log.trim_end();
        check(
            &format!(
                "Compare\n```text\n{log}\n```\nwith\n```\nshort\n```\n\n<attachment name=\"a.log\">\n{log}\n</attachment>"
            ),
            "Compare\n```text\n[]\n```\nwith\n```\nshort\n```\n\n<attachment name=\"a.log\">\n[a.log]\n</attachment>",
        );
        // A fence that nobody closes is text.
        check(&format!("Why?\n\n```\n{log}"), "Why?\n\n[]\nINFO request 59 took 59 ms");
    }

    proptest! {
        #[test]
        fn parts_are_long_and_in_order(text in "(?s)([a-z .\n`{é]{0,40}|```\n|<attachment name=\"a\">\n|</attachment>\n){0,60}", least in 1_usize..400) {
            let mut end = 0;
            for Pasted { range, .. } in pasted(&text, least) {
                prop_assert!(range.start >= end && range.len() >= least);
                prop_assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
                end = range.end;
            }
        }
    }
}
