//! Where a text may be cut: between sentences, or words, or characters of a script without spaces,
//! and never inside a value or a fenced block of code.

use super::values::{Value, is_delimiter};
use crate::chunk::sentences;
use std::ops::Range;

/// The parts of a text that stay whole or go whole, in order, without overlap.
pub(super) struct Atoms(Vec<Range<usize>>);

impl Atoms {
    pub(super) fn of(text: &str, values: &[Value<'_>]) -> Self {
        let mut ranges = fences(text);
        ranges.extend(values.iter().map(|value| value.range.clone()));
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut atoms: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match atoms.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                _ => atoms.push(range),
            }
        }
        Self(atoms)
    }

    /// The atom that a cut at this byte would go through.
    fn at(&self, cut: usize) -> Option<&Range<usize>> {
        let index = self.0.partition_point(|atom| atom.end <= cut);
        self.0.get(index).filter(|atom| atom.start < cut)
    }

    fn before(&self, cut: usize) -> usize {
        self.at(cut).map_or(cut, |atom| atom.start)
    }

    fn after(&self, cut: usize) -> usize {
        self.at(cut).map_or(cut, |atom| atom.end)
    }
}

/// Blocks between lines of three or more backticks or tildes, with these lines. A block that is
/// not closed goes to the end.
pub(super) fn fences(text: &str) -> Vec<Range<usize>> {
    let mut fences = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let mark = fence_mark(line);
        match open {
            None if !mark.is_empty() => open = Some((start, mark)),
            Some((from, opening)) if mark.starts_with(opening) && line.trim() == mark => {
                fences.push(from..start + line.trim_end().len());
                open = None;
            }
            _ => {}
        }
    }
    fences.extend(open.map(|(from, _)| from..text.len()));
    fences
}

fn fence_mark(line: &str) -> &str {
    let line = line.trim_start();
    ['`', '~']
        .into_iter()
        .map(|mark| &line[..line.len() - line.trim_start_matches(mark).len()])
        .find(|mark| mark.len() >= 3)
        .unwrap_or_default()
}

/// The first sentence of the first line with words outside fenced blocks; empty if there is none.
pub(super) fn first_sentence(text: &str) -> Range<usize> {
    let fences = fences(text);
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let fence = fences.partition_point(|fence| fence.end <= start);
        let is_code = fences.get(fence).is_some_and(|fence| fence.start <= start);
        if let Some(first) = sentences(line.trim()).first().filter(|_| !is_code) {
            return start..start + first.end;
        }
    }
    0..0
}

/// The end of the longest good part of a text from a byte on with at most `limit` characters.
pub(super) fn head(text: &str, from: usize, limit: usize, atoms: &Atoms) -> usize {
    let fit = text[from..].char_indices().nth(limit).map(|(at, _)| from + at);
    let Some(most) = fit.map(|most| atoms.before(most).max(from)) else {
        return atoms.before(text.len()).max(from);
    };
    let part = &text[from..most];
    let sentence = sentences(part).last().map_or(0, |last| last.start);
    let word = if text[most..].starts_with(char::is_whitespace) {
        part.len()
    } else {
        part.rfind(char::is_whitespace).unwrap_or(0)
    };
    let best = [sentence, word].into_iter().find(|cut| *cut > part.len() / 2);
    // Half a word may look like a value.
    let inside = text[most..].starts_with(|c| !is_delimiter(c));
    let whole = if inside { part.trim_end_matches(|c| !is_delimiter(c)) } else { part };
    atoms.before(from + best.unwrap_or(whole.len())).max(from)
}

/// The start of the longest good end of a text with at most `limit` characters.
pub(super) fn tail(text: &str, limit: usize, atoms: &Atoms) -> usize {
    let Some((least, _)) = limit.checked_sub(1).and_then(|last| text.char_indices().nth_back(last))
    else {
        return if limit == 0 { text.len() } else { 0 };
    };
    let least = atoms.after(least);
    let end = &text[least..];
    let sentence = sentences(end).first().map_or(end.len(), |first| first.end);
    let word = if text[..least].ends_with(char::is_whitespace) {
        0
    } else {
        end.find(char::is_whitespace).unwrap_or(end.len())
    };
    let best = [sentence, word].into_iter().find(|cut| *cut < end.len() / 2);
    let inside = text[..least].ends_with(|c| !is_delimiter(c));
    let whole = if inside { end.trim_start_matches(|c| !is_delimiter(c)) } else { end };
    atoms.after(least + best.unwrap_or(end.len() - whole.len()))
}

#[cfg(test)]
mod tests {
    use super::super::values::values;
    use super::*;

    fn check(text: &str, limit: usize, start: &str, end: &str) {
        let atoms = Atoms::of(text, &values(text));
        assert_eq!(text[..head(text, 0, limit, &atoms)].trim(), start, "head");
        assert_eq!(text[tail(text, limit, &atoms)..].trim(), end, "tail");
    }

    #[test]
    fn a_cut_falls_between_sentences_or_words_or_characters() {
        check("Short.", 6, "Short.", "Short.");
        check("One two. Three four. Five six.", 12, "One two.", "Five six.");
        check("one two three four five six", 10, "one two", "five six");
        check("日本語日本語日本語", 4, "日本語日", "語日本語");
        check("abc", 0, "", "");
    }

    #[test]
    fn a_word_or_a_value_stays_whole_or_goes_whole() {
        check("wordwordword", 6, "", "");
        check("ab 12345 cd", 6, "ab", "cd");
        check("total 12 345 km", 8, "total", "");
        check("日本12345日本", 4, "日本", "日本");
    }

    #[test]
    fn a_fenced_block_stays_whole_or_goes_whole() {
        check("see\n```rust\nlet x = y;\n```\nend", 20, "see", "end");
        check("a b c\n~~~\nnever closed", 12, "a b c", "");
    }
}
