//! Patterns of words, the language of the data files about questions and facts.
//!
//! `a|b` is one of several words, `a?` may be missing, `*` is any words, at least one and as many
//! as possible, `~` the same and as few as possible.

use std::ops::Range;

/// A pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Word { words: Vec<String>, optional: bool },
    Longest,
    Shortest,
}

/// Where a pattern has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Anywhere,
    AtTheEnd,
}

/// Where a pattern was found: the word after its last, and the words of each gap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Found {
    pub end: usize,
    pub gaps: Vec<Range<usize>>,
}

impl Pattern {
    /// Reads a pattern; one without words is none.
    pub fn read(text: &str) -> Option<Self> {
        let pieces: Vec<Piece> = text.split_whitespace().map(Piece::read).collect();
        (!pieces.is_empty()).then_some(Self(pieces))
    }

    /// Looks for the pattern from exactly this word on.
    pub fn at(&self, words: &[String], start: usize, end: End) -> Option<Found> {
        let mut gaps = Vec::new();
        let end = matched(&self.0, words, start, end, &mut gaps)?;
        Some(Found { end, gaps })
    }
}

impl Piece {
    fn read(word: &str) -> Self {
        match word {
            "*" => return Piece::Longest,
            "~" => return Piece::Shortest,
            _ => {}
        }
        let (word, optional) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
        Piece::Word { words: word.split('|').map(str::to_owned).collect(), optional }
    }
}

fn matched(
    pieces: &[Piece],
    words: &[String],
    at: usize,
    end: End,
    gaps: &mut Vec<Range<usize>>,
) -> Option<usize> {
    let Some((piece, rest)) = pieces.split_first() else {
        return (end == End::Anywhere || at == words.len()).then_some(at);
    };
    let mut gap = |to: usize| {
        gaps.push(at..to);
        let found = matched(rest, words, to, end, gaps);
        if found.is_none() {
            gaps.pop();
        }
        found
    };
    match piece {
        Piece::Longest => (at + 1..=words.len()).rev().find_map(&mut gap),
        Piece::Shortest => (at + 1..=words.len()).find_map(&mut gap),
        Piece::Word { words: choice, optional } => {
            if words.get(at).is_some_and(|word| choice.contains(word))
                && let Some(found) = matched(rest, words, at + 1, end, gaps)
            {
                return Some(found);
            }
            optional.then(|| matched(rest, words, at, end, gaps)).flatten()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, end: End, expected: Option<&[&str]>) {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let found = Pattern::read(pattern).and_then(|pattern| pattern.at(&words, 0, end));
        let gaps = found.map(|found| {
            let texts = found.gaps.into_iter().map(|gap| words[gap].join(" "));
            texts.collect::<Vec<String>>()
        });
        let expected = expected.map(|gaps| gaps.iter().map(|gap| (*gap).to_owned()).collect());
        assert_eq!(gaps, expected, "{pattern}: {text}");
    }

    #[test]
    fn a_pattern_has_choices_optional_words_and_gaps() {
        let ask = "can|could you please? tell me *";
        check(ask, "could you tell me why", End::AtTheEnd, Some(&["why"]));
        check(ask, "can you please tell me why not", End::AtTheEnd, Some(&["why not"]));
        check(ask, "can you tell me", End::AtTheEnd, None);
        check("~ is *", "this is what it is", End::Anywhere, Some(&["this", "what it is"]));
        check("* is ~", "this is what it is so", End::Anywhere, Some(&["this is what it", "so"]));
        check("a b", "a b b", End::AtTheEnd, None);
        check("a b", "a b b", End::Anywhere, Some(&[]));
    }
}
