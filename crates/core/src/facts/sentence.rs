//! The sentences of a message that a person wrote as such: code, quotations, logs, tables and
//! other pasted material are left out, since nobody states what was pasted.

use std::ops::Range;

/// A sentence where it stands, with the mark that ends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    pub range: Range<usize>,
    pub text: &'a str,
    pub asks: bool,
}

/// Longer lines without any end of a sentence are pasted.
const LONGEST: usize = 400;

/// Endings that are no end of a sentence.
const ABBREVIATIONS: [&str; 12] =
    ["e.g.", "i.e.", "etc.", "vs.", "dr.", "mr.", "mrs.", "ms.", "st.", "no.", "approx.", "prof."];

pub(super) fn sentences(message: &str) -> Vec<Sentence<'_>> {
    let mut sentences = Vec::new();
    let mut fenced = false;
    let mut start = 0;
    for line in message.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !is_pasted(line) {
            split(message, range, &mut sentences);
        }
    }
    sentences
}

/// A line that looks like code, a quotation, a log, a table or a heading.
fn is_pasted(line: &str) -> bool {
    let text = line.trim();
    let indented = line.starts_with("    ") || line.starts_with('\t');
    let marks = text.chars().filter(|c| "{}[]<>;=|\\`$^".contains(*c)).count();
    let quotes = ['>', '|', '#', '{', '"', '“', '„', '«', '‘', '\''];
    let starts = ["at ", "+++", "---", "@@", "$ ", "//", "/*", "Traceback"];
    let level = ["ERROR", "WARN", "INFO", "DEBUG", "TRACE", "FATAL"].iter().any(|level| {
        text.split_whitespace().take(4).any(|word| word.trim_matches(['[', ']', ':']) == *level)
    });
    let stamped = text.get(..16).is_some_and(|start| {
        start.is_ascii()
            && start.as_bytes()[4] == b'-'
            && start.as_bytes()[7] == b'-'
            && start.contains(':')
    });
    indented
        || level
        || stamped
        || text.starts_with(quotes)
        || starts.iter().any(|start| text.starts_with(start))
        || (marks > 2 && !text.contains("[ ]"))
        || marks * 8 > text.len().max(1)
}

fn split<'a>(message: &'a str, range: Range<usize>, sentences: &mut Vec<Sentence<'a>>) {
    let line = &message[range.clone()];
    let mut quotes = Quotes::default();
    let mut add = |piece: Range<usize>| {
        // What stands within a quotation is another's.
        if !quotes.are_open() {
            push(message, range.start + piece.start..range.start + piece.end, sentences);
        }
        quotes.pass(&line[piece]);
    };
    let mut from = 0;
    for (at, mark) in line.char_indices().filter(|(_, c)| ".!?…".contains(*c)) {
        let end = at + mark.len_utf8();
        let after = &line[end..];
        let closes = after.chars().next().is_none_or(char::is_whitespace);
        let word = line[from..end].rsplit(char::is_whitespace).next().unwrap_or_default();
        let short = ABBREVIATIONS.contains(&word.to_lowercase().as_str())
            || (mark == '.' && word.chars().count() == 2 && word.starts_with(char::is_uppercase));
        if closes && !short {
            add(from..end);
            from = end;
        }
    }
    add(from..line.len());
}

/// The quotations of a line, as far as it was read.
#[derive(Default)]
struct Quotes {
    straight: bool,
    curled: bool,
    angled: bool,
}

impl Quotes {
    fn are_open(&self) -> bool {
        self.straight || self.curled || self.angled
    }

    fn pass(&mut self, text: &str) {
        for mark in text.chars() {
            match mark {
                '"' => self.straight = !self.straight,
                '„' => self.curled = true,
                // It opens in English and closes in German.
                '“' => self.curled = !self.curled,
                '”' => self.curled = false,
                '«' => self.angled = true,
                '»' => self.angled = false,
                _ => {}
            }
        }
    }
}

fn push<'a>(message: &'a str, range: Range<usize>, sentences: &mut Vec<Sentence<'a>>) {
    let whole = &message[range.clone()];
    let text = whole.trim();
    let start = range.start + (whole.len() - whole.trim_start().len());
    if text.is_empty() || text.len() > LONGEST {
        return;
    }
    let asks = text.ends_with(['?', '？']);
    sentences.push(Sentence { range: start..start + text.len(), text, asks });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &str, expected: &[&str]) {
        let texts: Vec<&str> = sentences(message).iter().map(|sentence| sentence.text).collect();
        assert_eq!(texts, expected, "{message}");
        for sentence in sentences(message) {
            assert_eq!(&message[sentence.range], sentence.text);
        }
    }

    #[test]
    fn sentences_end_at_their_marks_and_not_within_numbers_or_names() {
        check(
            "We use 3.5 litres. Dr. Ortiz agreed! Why?",
            &["We use 3.5 litres.", "Dr. Ortiz agreed!", "Why?"],
        );
        check("J. Smith owns e.g. main.rs\nand more", &["J. Smith owns e.g. main.rs", "and more"]);
    }

    #[test]
    fn pasted_material_has_no_sentences() {
        check("```\nWe decided to leave.\n```\nSo it is.", &["So it is."]);
        check("Tom wrote: \"Hi. We left. Bye.\"\nSo it is.", &["Tom wrote: \"Hi.", "So it is."]);
        check("„Hallo. Wir gehen.“ So it is.\n‘We decided to leave.’", &[]);
        check("> We decided to leave.\n    my name is Ana", &[]);
        check("2026-03-01 12:00:01 ERROR my name is wrong", &[]);
        check("[INFO] the limit is 5\n{\"name\": \"Ana\", \"x\": 1}", &[]);
    }
}
