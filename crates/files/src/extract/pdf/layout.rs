//! From letters on a page to lines of text.
//!
//! Letters are taken in the order in which they are drawn, which in almost every document is the
//! order of reading, also in columns. Where they stand says where words, lines and paragraphs end.

use hayro_font::kurbo::{Point, Vec2};
use std::collections::HashSet;

use crate::extract::sheet::Sheet;

/// Gaps, measured in the height of the letters: between words, between columns of a table, and
/// between lines of which the second begins a paragraph.
const WORD: f64 = 0.15;
const COLUMN: f64 = 1.5;
const PARAGRAPH: f64 = 1.65;
/// A step back along the line that is more than kerning.
const BACK: f64 = 0.6;
/// A step across the line that is more than a raised letter.
const ACROSS: f64 = 0.45;
/// No honest page shows more; the rest of it is left out.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Letters that are remembered, so that none is read twice.
const MOST_DRAWN: usize = 100_000;

/// Something that is drawn, and where.
#[derive(Debug, Clone)]
pub(super) struct Letter {
    pub text: String,
    pub start: Point,
    pub end: Point,
    pub size: f64,
    /// Of the line, of any length.
    pub direction: Vec2,
}

/// What separates two letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    Nothing,
    Word,
    Column,
    Line,
    Paragraph,
}

/// The lines of a page.
#[derive(Debug, Default)]
pub(super) struct Layout {
    lines: Vec<Line>,
    last: Option<Letter>,
    bytes: usize,
    /// Letters that were drawn, by what and roughly where: bold type is often drawn twice.
    drawn: HashSet<(String, i64, i64)>,
}

#[derive(Debug)]
struct Line {
    text: String,
    begins_paragraph: bool,
}

impl Layout {
    pub(super) fn add(&mut self, letter: Letter) {
        let is_placed = letter.size.is_finite() && letter.size > 0.0 && letter.start.is_finite();
        if !is_placed || self.bytes > MOST_BYTES {
            return;
        }
        self.bytes += letter.text.len() + 1;
        if self.drawn.len() > MOST_DRAWN {
            self.drawn.clear();
        }
        let cell = |value: f64| (value / (letter.size * 0.2)).round() as i64;
        let seen = (letter.text.clone(), cell(letter.start.x), cell(letter.start.y));
        if !letter.text.trim().is_empty() && !self.drawn.insert(seen) {
            return;
        }
        let gap = self.last.as_ref().map_or(Gap::Paragraph, |last| gap(last, &letter));
        let text = readable(&letter.text);
        match (gap, self.lines.last_mut()) {
            (Gap::Nothing, Some(line)) => line.text.push_str(&text),
            (Gap::Word, Some(line)) => {
                line.text.push(' ');
                line.text.push_str(&text);
            }
            (Gap::Column, Some(line)) => {
                line.text.push('\t');
                line.text.push_str(&text);
            }
            (gap, _) => {
                self.lines.push(Line { text, begins_paragraph: gap == Gap::Paragraph });
            }
        }
        self.last = Some(letter);
    }

    /// Writes the lines. A word that was divided at the end of a line is put together again there.
    pub(super) fn write(self, sheet: &mut Sheet) {
        let mut lines: Vec<Line> = self.lines;
        lines.retain(|line| !line.text.trim().is_empty());
        for index in 1..lines.len() {
            let (before, after) = lines.split_at_mut(index);
            let (Some(upper), Some(lower)) = (before.last_mut(), after.first_mut()) else { break };
            if !lower.begins_paragraph {
                rejoin(&mut upper.text, &mut lower.text);
            }
        }
        for line in &lines {
            if line.begins_paragraph {
                sheet.end_paragraph();
            }
            sheet.verbatim(&spaced(&line.text));
            sheet.end_line();
        }
        sheet.end_paragraph();
    }
}

fn gap(last: &Letter, next: &Letter) -> Gap {
    let size = last.size.max(next.size);
    let direction = last.direction / last.direction.hypot().max(f64::MIN_POSITIVE);
    let is_turned = direction.dot(next.direction) < 0.9 * next.direction.hypot();
    let step = next.start - last.end;
    let along = step.dot(direction) / size;
    let across = step.cross(direction) / size;
    if is_turned {
        Gap::Paragraph
    } else if across.abs() > ACROSS || along < -BACK {
        // A line lies below the one before it, at a distance of little more than its letters; what
        // goes up again is another column or table cell.
        match (-ACROSS..=PARAGRAPH).contains(&across) {
            true => Gap::Line,
            false => Gap::Paragraph,
        }
    } else if along > COLUMN {
        Gap::Column
    } else if along > WORD {
        Gap::Word
    } else {
        Gap::Nothing
    }
}

/// Ligatures as the letters they stand for, bullets of symbol fonts as bullets.
fn readable(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;

    let mut readable = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{fb00}'..='\u{fb06}' => readable.extend(character.nfkc()),
            '\u{f0b7}' | '\u{f0a7}' => readable.push('•'),
            '\u{e000}'..='\u{f8ff}' | '\u{fffd}' => {}
            '\t' | '\n' | '\r' => readable.push(' '),
            // A soft hyphen is drawn only where a word is divided.
            '\u{ad}' => readable.push('-'),
            _ => readable.push(character),
        }
    }
    readable
}

/// Words one space apart, columns two.
fn spaced(line: &str) -> String {
    let columns = line.split('\t').map(|column| {
        let words: Vec<&str> = column.split_whitespace().collect();
        words.join(" ")
    });
    columns.filter(|column| !column.is_empty()).collect::<Vec<_>>().join("  ")
}

/// Moves the second half of a divided word up to its first.
fn rejoin(upper: &mut String, lower: &mut String) {
    let first_half = upper.trim_end().strip_suffix(['-', '\u{2010}']);
    let Some(first_half) = first_half.filter(|half| half.ends_with(char::is_lowercase)) else {
        return;
    };
    let second_half = lower.trim_start();
    if !second_half.starts_with(char::is_lowercase) {
        return;
    }
    let end = second_half.find(char::is_whitespace).unwrap_or(second_half.len());
    *upper = format!("{first_half}{}", &second_half[..end]);
    *lower = second_half[end..].to_owned();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divided_word_is_put_together() {
        let check = |upper: &str, lower: &str, expected: [&str; 2]| {
            let (mut upper, mut lower) = (upper.to_owned(), lower.to_owned());
            rejoin(&mut upper, &mut lower);
            assert_eq!([upper.as_str(), lower.as_str()], expected);
        };
        check("a manip-", "ulation of", ["a manipulation", " of"]);
        check("North-", "South", ["North-", "South"]);
        check("1990-", "1999", ["1990-", "1999"]);
        check("and -", "so on", ["and -", "so on"]);
    }

    #[test]
    fn ligatures_are_spelt_out() {
        assert_eq!(readable("e\u{fb03}cient \u{f0b7} \u{f123}"), "efficient • ");
    }
}
