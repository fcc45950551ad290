//! A compressed text while it is written: what is quoted from the original, and what is said about
//! it. Only what is said may hold numbers that the original does not have.

use crate::compress::values::values;
use std::collections::HashSet;
use std::fmt::Display;
use std::ops::Range;

#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) text: String,
    /// What is not of the original, in order, without overlap.
    frames: Vec<Range<usize>>,
}

/// How a shown text stands to its original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Whether every value in it is one of the original.
    pub(super) is_true: bool,
    /// Values of the original that do not stand in it.
    pub(super) elided: usize,
}

impl Sheet {
    pub(super) fn quote(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn frame(&mut self, words: impl Display) {
        use std::fmt::Write;
        let start = self.text.len();
        // Writing to a string does not fail.
        let _ = write!(self.text, "{words}");
        match self.frames.last_mut() {
            Some(last) if last.end == start => last.end = self.text.len(),
            _ => self.frames.push(start..self.text.len()),
        }
    }

    pub(super) fn line_end(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    pub(super) fn copy(&self) -> Sheet {
        Sheet { text: self.text.clone(), frames: self.frames.clone() }
    }

    /// Another sheet at the end of this one.
    pub(super) fn append(&mut self, other: Sheet) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        let moved = other.frames.into_iter().map(|frame| start + frame.start..start + frame.end);
        self.frames.extend(moved);
    }

    /// What a reader who knows the original's values makes of the text.
    pub(super) fn verdict(&self, known: &HashSet<&str>) -> Verdict {
        let mut shown: HashSet<&str> = HashSet::new();
        let mut is_true = true;
        for value in values(&self.text) {
            let next = self.frames.partition_point(|frame| frame.end <= value.range.start);
            let frame = self.frames.get(next).filter(|frame| frame.start < value.range.end);
            let said = |frame: &Range<usize>| {
                frame.start <= value.range.start && value.range.end <= frame.end
            };
            if known.contains(value.text) {
                shown.insert(value.text);
            } else if !frame.is_some_and(said) {
                is_true = false;
            }
        }
        Verdict { is_true, elided: known.len() - shown.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parts: &[(&str, bool)], known: &[&str], is_true: bool, elided: usize) {
        let mut sheet = Sheet::default();
        for (part, quoted) in parts {
            if *quoted { sheet.quote(part) } else { sheet.frame(part) }
        }
        let known = known.iter().copied().collect();
        assert_eq!(sheet.verdict(&known), Verdict { is_true, elided }, "{}", sheet.text);
    }

    #[test]
    fn only_what_is_said_may_have_values_of_its_own() {
        check(&[("12 of ", true), ("[… 99 more]", false)], &["12", "7"], true, 1);
        check(&[("12", true), ("34", false)], &["12"], false, 1);
        check(&[("13", true)], &["12", "13"], true, 1);
        check(&[("14", true)], &["12", "13"], false, 2);
    }
}
