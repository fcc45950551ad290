//! Windows for embedding: a chunk cut into pieces that the embedding model reads whole. No piece
//! measures more than the limit, unless it is one character; all text that is not blank is in
//! exactly one piece, in order.

use super::cut::trimmed;
use super::prose::sentences;
use std::ops::Range;

/// The pieces of a text, as byte ranges. `measure` is asked about every unit once or twice and
/// about every piece, so it is called a number of times that grows with the text, not its square.
pub fn windows(text: &str, limit: usize, measure: impl Fn(&str) -> usize) -> Vec<Range<usize>> {
    let mut cutter = Cutter { text, limit: limit.max(1), measure, units: Vec::new() };
    cutter.divide(0..text.len(), Grain::Text);
    cutter.join()
}

/// What a text is divided into, coarse to fine.
#[derive(Clone, Copy)]
enum Grain {
    Text,
    Line,
    Sentence,
    Word,
    /// A half, and so on: characters alone would measure far more than together.
    Half,
}

impl Grain {
    /// Ranges of a text's next finer parts, and what they are.
    fn parts(self, text: &str) -> (Grain, Vec<Range<usize>>) {
        match self {
            Grain::Text => (Grain::Line, ranges(text.split_inclusive(['\n', '\r']))),
            Grain::Line => (Grain::Sentence, sentences(text)),
            Grain::Sentence => (Grain::Word, ranges(text.split_inclusive(char::is_whitespace))),
            Grain::Word | Grain::Half => {
                let half = text.char_indices().nth(text.chars().count() / 2);
                let middle = half.map_or(text.len(), |(at, _)| at);
                (Grain::Half, vec![0..middle, middle..text.len()])
            }
        }
    }
}

fn ranges<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<Range<usize>> {
    parts
        .scan(0, |at, part| {
            let start = *at;
            *at += part.len();
            Some(start..*at)
        })
        .collect()
}

/// A part that measures no more than the limit, and what it measures.
struct Unit {
    range: Range<usize>,
    size: usize,
}

struct Cutter<'a, M> {
    text: &'a str,
    limit: usize,
    measure: M,
    units: Vec<Unit>,
}

impl<M: Fn(&str) -> usize> Cutter<'_, M> {
    /// Adds the range as one unit, or its parts.
    fn divide(&mut self, range: Range<usize>, grain: Grain) {
        let range = trimmed(self.text, range);
        let part = &self.text[range.clone()];
        if part.is_empty() {
            return;
        }
        let size = (self.measure)(part);
        if size <= self.limit || part.chars().nth(1).is_none() {
            self.units.push(Unit { range, size });
            return;
        }
        let (finer, parts) = grain.parts(part);
        for part in parts {
            self.divide(range.start + part.start..range.start + part.end, finer);
        }
    }

    /// Joins units from the first on while the sum of their sizes keeps the limit.
    fn join(&self) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let (mut first, mut sum) = (0, 0_usize);
        for (index, unit) in self.units.iter().enumerate() {
            if index > first && sum.saturating_add(unit.size) > self.limit {
                self.verify(&self.units[first..index], &mut pieces);
                (first, sum) = (index, 0);
            }
            sum = sum.saturating_add(unit.size);
        }
        self.verify(&self.units[first..], &mut pieces);
        pieces
    }

    /// Adds the joined units as one piece if it measures no more than the limit, which the sum
    /// does not promise; else as two halves, each verified.
    fn verify(&self, units: &[Unit], pieces: &mut Vec<Range<usize>>) {
        let (Some(first), Some(last)) = (units.first(), units.last()) else { return };
        let joined = first.range.start..last.range.end;
        if units.len() == 1 || (self.measure)(&self.text[joined.clone()]) <= self.limit {
            pieces.push(joined);
        } else {
            let (left, right) = units.split_at(units.len() / 2);
            self.verify(left, pieces);
            self.verify(right, pieces);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, limit: usize, expected: &[&str]) {
        let measure = |part: &str| part.chars().filter(|c| !c.is_whitespace()).count();
        let found: Vec<&str> =
            windows(text, limit, measure).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn text_that_fits_is_one_window() {
        check(" ab\n\ncd \n", 4, &["ab\n\ncd"]);
        check(" \n ", 4, &[]);
    }

    #[test]
    fn lines_are_joined_while_they_fit() {
        check("ab\ncd\nef\n", 4, &["ab\ncd", "ef"]);
    }

    #[test]
    fn a_line_that_is_too_large_is_cut_by_sentence_word_and_character() {
        check("Ab. Cd. Ef.", 6, &["Ab. Cd.", "Ef."]);
        check("ab cd ef gh", 5, &["ab cd", "ef gh"]);
        check("ab cdefghij kl", 4, &["ab", "cdef", "ghij", "kl"]);
        check("日本語日本", 2, &["日本", "語", "日本"]);
    }

    #[test]
    fn one_character_is_a_window_whatever_it_measures() {
        assert_eq!(windows("ab", 0, |_| 7), vec![0..1, 1..2]);
    }

    #[test]
    fn a_join_that_measures_more_than_its_parts_is_cut_again() {
        let measure = |part: &str| part.len() + 3 * part.matches('\n').count();
        let text = "ab\ncd\nef";
        for range in windows(text, 6, measure) {
            assert!(measure(&text[range]) <= 6);
        }
    }
}
