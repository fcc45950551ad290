//! The passages of a rendered dossier, with what they are called: the reverse of `render`.

use crate::render::{OPENING, POINTERS, QUESTION, STANDING};
use std::ops::Range;

/// A piece of a prompt that comes from one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage<'a> {
    /// What it is called, without the lines.
    pub(super) label: String,
    /// The number of its first line, for lines of a file.
    first_line: Option<usize>,
    pub(super) text: &'a str,
    pub(super) is_message: bool,
}

impl<'a> Passage<'a> {
    pub(super) fn said(who: &str, text: &'a str) -> Self {
        let label = format!("{who}, in this conversation");
        Self { label, first_line: None, text, is_message: true }
    }

    /// Whether it is of a file that is not written to be read as sentences.
    pub(super) fn is_code(&self) -> bool {
        const READ: [&str; 14] = [
            "md", "markdown", "txt", "rst", "adoc", "org", "tex", "html", "htm", "pdf", "docx",
            "odt", "eml", "epub",
        ];
        let path = self.label.split(", ").next().unwrap_or_default();
        let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        !self.is_message && ending.is_some_and(|ending| !READ.contains(&ending.as_str()))
    }

    /// What a part of it is called.
    pub(super) fn source(&self, part: &Range<usize>) -> String {
        let Some(first) = self.first_line else { return self.label.clone() };
        let lines = |text: &str| text.matches('\n').count();
        let skipped = self.text[part.clone()].len() - self.text[part.clone()].trim_start().len();
        let start = first + lines(&self.text[..part.start + skipped]);
        let end = start + lines(self.text[part.clone()].trim());
        if start == end {
            format!("{}, line {start}", self.label)
        } else {
            format!("{}, lines {start}-{end}", self.label)
        }
    }
}

/// The passages of a turn's own message, and the question behind them.
pub(super) fn turn(text: &str) -> (Vec<Passage<'_>>, &str) {
    let text = without_standing(text);
    if let Some(question) = text.strip_prefix(QUESTION) {
        return (Vec::new(), question);
    }
    let split = text.strip_prefix(OPENING).and_then(|rest| {
        let at = rest.rfind(QUESTION)?;
        Some((&rest[..at], &rest[at + QUESTION.len()..]))
    });
    let Some((body, question)) = split else { return (Vec::new(), text) };
    // Pointers say where something stands, not what.
    let body = body.split(POINTERS).next().unwrap_or_default();
    let files = files(body);
    let messages = body.find("<file").map_or(body, |at| &body[..at]);
    let mut passages = self::messages(messages);
    passages.extend(files);
    (passages, question)
}

/// The text behind the line about round and title, if that is what it begins with.
fn without_standing(text: &str) -> &str {
    let told = text.strip_prefix(STANDING).and_then(|line| line.split_once('\n'));
    match told {
        Some((_, rest)) if rest.starts_with(OPENING) || rest.starts_with(QUESTION) => rest,
        _ => text,
    }
}

/// What stands in file wrappers.
pub(super) fn files(text: &str) -> Vec<Passage<'_>> {
    let mut passages = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("<file") {
        rest = &rest[at..];
        let Some(file) = File::read(rest) else {
            rest = &rest[1..];
            continue;
        };
        passages.push(file.passage);
        rest = file.rest;
    }
    passages
}

struct File<'a> {
    passage: Passage<'a>,
    rest: &'a str,
}

impl<'a> File<'a> {
    /// A wrapper at the beginning of a text.
    fn read(text: &'a str) -> Option<Self> {
        let (opening, body) = text.split_once(">\n")?;
        let name = opening.strip_prefix('<')?.split(' ').next()?;
        let attribute = |name: &str| {
            let (_, value) = opening.split_once(&format!(" {name}=\""))?;
            value.split('"').next()
        };
        let path = attribute("path")?;
        // The wrapper's name was chosen such that its text cannot close it.
        let (text, rest) = body.split_once(&format!("</{name}>"))?;
        let place = attribute("place").map(|place| format!(", {place}")).unwrap_or_default();
        let lines = attribute("lines").and_then(|lines| lines.split('-').next());
        let passage = Passage {
            label: format!("{path}{place}"),
            first_line: Some(lines.and_then(|first| first.parse().ok()).unwrap_or(1)),
            text,
            is_message: false,
        };
        Some(Self { passage, rest })
    }
}

/// Quoted messages under their headings.
fn messages(text: &str) -> Vec<Passage<'_>> {
    let mut passages: Vec<Passage<'_>> = Vec::new();
    let mut heading = None;
    // Where the last message begins, and where this line ends.
    let (mut begin, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        end += line.len();
        if let Some(date) = dated(line.trim_end()) {
            heading = Some(date);
        } else if let (Some(heading), Some((speaker, said))) = (heading, spoken(line)) {
            begin = end - said.len();
            passages.push(Passage {
                label: format!("{speaker}, {heading}"),
                first_line: None,
                text: said,
                is_message: true,
            });
        } else if let Some(last) = passages.last_mut() {
            // A further line of the same message.
            last.text = &text[begin..end];
        }
    }
    passages
}

/// A heading such as `[session 3, 2024-01-03]`, without its brackets.
fn dated(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let date = inner.get(inner.len().checked_sub(10)?..)?;
    let is_date = date.char_indices().all(|(at, c)| match at {
        4 | 7 => c == '-',
        _ => c.is_ascii_digit(),
    });
    is_date.then_some(inner)
}

/// A line such as `Ann: I think so`, as who says what. A word like "Note" before a colon is no one.
fn spoken(line: &str) -> Option<(&str, &str)> {
    const WORDS: [&str; 12] = [
        "note", "example", "warning", "error", "todo", "answer", "question", "http", "https",
        "step", "hint", "result",
    ];
    let (speaker, said) = line.split_once(": ")?;
    let words = speaker.split(' ').count();
    let is_name = |c: char| c.is_alphanumeric() || " ._-/'".contains(c);
    let first = speaker.split(' ').next().unwrap_or_default().to_lowercase();
    let is_someone = words <= 3
        && speaker.chars().next().is_some_and(char::is_alphanumeric)
        && speaker.chars().all(is_name)
        && !WORDS.contains(&first.as_str());
    is_someone.then_some((speaker, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rendered_turn_gives_back_its_passages_with_their_sources() {
        let text = format!(
            "{OPENING}[session 1, 2024-01-01]\nAnn: One.\nTwo: three.\nNote: four.\nBen: Five.\n\
             <file path=\"a.md\" place=\"page 2\" lines=\"7-9\">\nx\ny\n</file>\n\
             <file-0123abcd path=\"b.rs\" lines=\"1-2\">\n</file>\n</file-0123abcd>\n\
             {POINTERS}- c.rs, lines 1-3: z (about 3 tokens)\n{QUESTION}Why?"
        );
        let (passages, question) = turn(&text);
        let shown: Vec<(String, &str)> = passages
            .iter()
            .map(|passage| (passage.source(&(0..passage.text.len())), passage.text))
            .collect();
        let expected = [
            ("Ann, session 1, 2024-01-01", "One.\n"),
            ("Two, session 1, 2024-01-01", "three.\nNote: four.\n"),
            ("Ben, session 1, 2024-01-01", "Five.\n"),
            ("a.md, page 2, lines 7-8", "x\ny\n"),
            ("b.rs, line 1", "</file>\n"),
        ];
        assert_eq!(shown, expected.map(|(source, text)| (source.to_owned(), text)));
        assert_eq!(question, "Why?");
    }

    #[test]
    fn a_message_without_passages_is_the_question() {
        assert_eq!(turn("Why?"), (Vec::new(), "Why?"));
        assert_eq!(turn(""), (Vec::new(), ""));
        assert_eq!(files("<file <file path=\"x\n</file>"), Vec::new());
    }
}
