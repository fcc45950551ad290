//! The sheet that text is written on while it is taken out of a document.
//!
//! Whatever is written, the sheet holds no control characters, no runs of blanks or of empty lines
//! outside of verbatim text, and no more bytes than allowed; its places are in the order of their
//! lines.

use dossier_core::chunk::Place;

use super::{Extracted, Fault};

/// A label is shown on one line, beside a path.
const LABEL_CHARACTERS: usize = 100;
/// Places are kept with every file; a document with more of them keeps the first.
const MOST_PLACES: usize = 20_000;
/// Between the titles of a section and of those around it.
const WITHIN: &str = " › ";

/// What stands between what is written and what comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Space,
    Line,
    Paragraph,
}

#[derive(Debug)]
pub(super) struct Sheet {
    text: String,
    places: Vec<Place>,
    line: u32,
    gap: Gap,
    /// What the next line begins with, such as the mark of a list item.
    mark: String,
    /// The label that holds from the next text on.
    label: Option<String>,
    /// Titles of the sections around the next text, with their levels.
    outline: Vec<(u8, String)>,
    most: usize,
    is_full: bool,
}

impl Sheet {
    /// A sheet for so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self {
            text: String::new(),
            places: Vec::new(),
            line: 1,
            gap: Gap::Nothing,
            mark: String::new(),
            label: None,
            outline: Vec::new(),
            most,
            is_full: false,
        }
    }

    /// Whether nothing more can be written, so that reading on is in vain.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Bytes that may still be written.
    pub(super) fn room(&self) -> usize {
        self.most.saturating_sub(self.text.len())
    }

    /// Writes words; each run of white space is one space.
    pub(super) fn say(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                _ if character.is_whitespace() => self.widen(Gap::Space),
                _ if is_invisible(character) => {}
                _ => {
                    self.bridge();
                    self.push(character);
                }
            }
        }
    }

    /// Writes text as it is laid out, such as code: lines, tabs and blanks inside lines stay.
    pub(super) fn verbatim(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                // Empty lines inside code stay; those around it do not.
                match self.gap {
                    Gap::Line | Gap::Paragraph => self.gap = Gap::Paragraph,
                    Gap::Nothing | Gap::Space => self.gap = Gap::Line,
                }
            }
            let line = line.trim_end();
            if !line.is_empty() {
                self.bridge();
                for character in line.chars().filter(|c| *c == '\t' || !is_invisible(*c)) {
                    self.push(character);
                }
            }
        }
    }

    pub(super) fn end_word(&mut self) {
        self.widen(Gap::Space);
    }

    pub(super) fn end_line(&mut self) {
        self.widen(Gap::Line);
    }

    pub(super) fn end_paragraph(&mut self) {
        self.widen(Gap::Paragraph);
    }

    /// Begins a new line with a mark, when there is text for it.
    pub(super) fn begin_item(&mut self, mark: String) {
        self.end_line();
        self.mark = mark;
    }

    /// Tells the cells of a row apart; the first needs nothing.
    pub(super) fn begin_cell(&mut self) {
        if self.gap < Gap::Line && !self.text.is_empty() {
            self.widen(Gap::Space);
            self.bridge();
            self.push('|');
            self.widen(Gap::Space);
        }
    }

    /// A page, a cell, an attachment begins.
    pub(super) fn begin_place(&mut self, label: &str) {
        self.end_paragraph();
        self.label = Some(one_line(label));
    }

    /// A section begins: its title stands in the text, and with the titles around it in the label.
    pub(super) fn heading(&mut self, level: u8, title: &str) {
        let title = one_line(title);
        if title.is_empty() {
            return;
        }
        let level = level.clamp(1, 6);
        self.outline.retain(|(outer, _)| *outer < level);
        self.outline.push((level, title.clone()));
        // The title of the whole says nothing about one of its parts.
        let skipped = usize::from(self.outline.len() > 1 && self.outline[0].0 == 1);
        let titles: Vec<&str> =
            self.outline[skipped..].iter().map(|(_, title)| title.as_str()).collect();
        self.begin_place(&format!("section {}", titles.join(WITHIN)));
        self.say(&format!("{} {title}", "#".repeat(level.into())));
        self.end_paragraph();
    }

    /// Puts in what was taken out of a document inside this one.
    pub(super) fn enclose(&mut self, label: &str, inner: &Extracted) {
        let mut places = inner.places.iter().peekable();
        self.begin_place(label);
        for (line, number) in inner.text.lines().zip(1..) {
            while let Some(place) = places.next_if(|place| place.line <= number) {
                self.begin_place(&format!("{label} {}", place.label));
            }
            self.verbatim(line);
            self.verbatim("\n");
        }
        self.end_paragraph();
    }

    /// The text with its places, if there is any and all of it is there.
    pub(super) fn finish(mut self) -> Result<Extracted, Fault> {
        if self.is_full {
            return Err(Fault::TooLong { limit: self.most });
        }
        if self.text.is_empty() {
            return Err(Fault::NoText);
        }
        self.text.push('\n');
        Ok(Extracted { text: self.text, places: self.places })
    }

    fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Writes what stands before the next text.
    fn bridge(&mut self) {
        if self.label.is_some() {
            self.widen(Gap::Paragraph);
        }
        let is_first = self.text.is_empty();
        match self.gap {
            _ if is_first => {}
            Gap::Nothing => {}
            Gap::Space => self.push(' '),
            Gap::Line => self.push('\n'),
            Gap::Paragraph => {
                self.push('\n');
                self.push('\n');
            }
        }
        let begins_line = is_first || self.gap >= Gap::Line;
        self.gap = Gap::Nothing;
        if let Some(label) = self.label.take()
            && self.places.len() < MOST_PLACES
        {
            self.places.push(Place { line: self.line, label });
        }
        let mark = std::mem::take(&mut self.mark);
        if begins_line {
            mark.chars().for_each(|character| self.push(character));
        }
    }

    fn push(&mut self, character: char) {
        // The last line has an end.
        if self.text.len() + character.len_utf8() + 1 > self.most {
            self.is_full = true;
            return;
        }
        self.line += u32::from(character == '\n');
        self.text.push(character);
    }
}

/// Control characters, and marks that only tell where a line may be broken or text is joined.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{feff}'
        )
}

/// A title on one line, not too long for a label.
pub(super) fn one_line(text: &str) -> String {
    let visible: String = text.chars().filter(|c| c.is_whitespace() || !is_invisible(*c)).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LABEL_CHARACTERS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(write: impl FnOnce(&mut Sheet), text: &str, places: &[(u32, &str)]) {
        let mut sheet = Sheet::new(1_000);
        write(&mut sheet);
        let places = places.iter();
        let places = places.map(|(line, label)| Place { line: *line, label: (*label).to_owned() });
        let expected = Extracted { text: text.to_owned(), places: places.collect() };
        assert_eq!(sheet.finish(), Ok(expected));
    }

    #[test]
    fn blanks_and_empty_lines_are_never_doubled() {
        check(
            |sheet| {
                sheet.end_paragraph();
                sheet.say("  a \n\t b\u{a0}\u{ad}c");
                sheet.end_line();
                sheet.end_paragraph();
                sheet.end_paragraph();
                sheet.say("d");
                sheet.end_paragraph();
            },
            "a b c\n\nd\n",
            &[],
        );
    }

    #[test]
    fn sections_are_labelled_with_those_around_them() {
        check(
            |sheet| {
                sheet.say("Before.");
                sheet.heading(1, "Guide");
                sheet.heading(2, "Installing");
                sheet.heading(3, "On\nLinux");
                sheet.say("Unpack.");
                sheet.heading(2, "Using");
            },
            "Before.\n\n# Guide\n\n## Installing\n\n### On Linux\n\nUnpack.\n\n## Using\n",
            &[
                (3, "section Guide"),
                (5, "section Installing"),
                (7, "section Installing › On Linux"),
                (11, "section Using"),
            ],
        );
    }

    #[test]
    fn rows_items_and_code_stay_legible() {
        check(
            |sheet| {
                for cell in ["a", "b"] {
                    sheet.begin_cell();
                    sheet.say(cell);
                }
                sheet.begin_item("- ".to_owned());
                sheet.begin_item("- ".to_owned());
                sheet.say("item");
                sheet.end_paragraph();
                sheet.verbatim("\nif x:\n\n    y()\r\n\n");
                sheet.end_paragraph();
                sheet.say("end");
            },
            "a | b\n- item\n\nif x:\n\n    y()\n\nend\n",
            &[],
        );
    }

    #[test]
    fn a_full_sheet_is_an_error_and_an_empty_one_too() {
        let mut sheet = Sheet::new(10);
        sheet.say(&"word ".repeat(10));
        assert_eq!(sheet.finish(), Err(Fault::TooLong { limit: 10 }));
        assert_eq!(Sheet::new(10).finish(), Err(Fault::NoText));
        for (most, expected) in [(4, None), (5, Some("word\n"))] {
            let mut sheet = Sheet::new(most);
            sheet.say("word");
            assert_eq!(sheet.finish().ok().map(|taken| taken.text).as_deref(), expected);
        }
    }
}
