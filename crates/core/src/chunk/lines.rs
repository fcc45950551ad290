//! Files by lines: a cut every 50 lines, with the exact place of every piece. The pieces put
//! together are the file, byte for byte.

use super::cut::bounded;

/// A cut falls after every so many lines.
const LINES: usize = 50;
/// No piece has more characters; a longer one is cut at line ends, a longer line inside.
const CHARACTERS: usize = 8_000;

/// A part of a file and its place. Lines count from 1, both ends inclusive; characters (Unicode
/// scalar values) from 0, end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    pub text: &'a str,
    pub start_line: u32,
    pub end_line: u32,
    pub start_char: u64,
    pub end_char: u64,
}

/// The pieces of a file, blank ones included. Lines end at `\n`, `\r\n` or `\r`, as in an editor.
pub fn lines(text: &str) -> Vec<Piece<'_>> {
    let mut cutter = Cutter::default();
    for (index, line) in each_line(text).enumerate() {
        if index % LINES == 0 {
            cutter.close(text);
        }
        cutter.line = cutter.line.saturating_add(1);
        for part in bounded(line, CHARACTERS) {
            cutter.add(text, &line[part]);
        }
    }
    cutter.close(text);
    cutter.pieces
}

/// The piece under way, and those that are done.
#[derive(Default)]
struct Cutter<'a> {
    pieces: Vec<Piece<'a>>,
    /// The line that is being added.
    line: u32,
    start_line: u32,
    end_line: u32,
    start_char: u64,
    start: usize,
    bytes: usize,
    characters: usize,
}

impl<'a> Cutter<'a> {
    fn add(&mut self, text: &'a str, part: &str) {
        let characters = part.chars().count();
        if self.characters + characters > CHARACTERS {
            self.close(text);
        }
        if self.bytes == 0 {
            self.start_line = self.line;
        }
        self.end_line = self.line;
        self.bytes += part.len();
        self.characters += characters;
    }

    fn close(&mut self, text: &'a str) {
        if self.bytes == 0 {
            return;
        }
        let end = self.start + self.bytes;
        let end_char = self.start_char + self.characters as u64;
        self.pieces.push(Piece {
            text: &text[self.start..end],
            start_line: self.start_line,
            end_line: self.end_line,
            start_char: self.start_char,
            end_char,
        });
        self.start = end;
        self.start_char = end_char;
        self.bytes = 0;
        self.characters = 0;
    }
}

/// The lines with their ends.
pub(crate) fn each_line(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = match rest.find(['\n', '\r']) {
            Some(at) if rest[at..].starts_with("\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces as `lines characters`.
    fn check(text: &str, expected: &[&str]) {
        let places: Vec<String> = lines(text)
            .iter()
            .map(|p| format!("{}-{} {}-{}", p.start_line, p.end_line, p.start_char, p.end_char))
            .collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn a_file_is_cut_every_fifty_lines() {
        check("", &[]);
        check("a", &["1-1 0-1"]);
        check("a\n", &["1-1 0-2"]);
        check(&"ab\n".repeat(50), &["1-50 0-150"]);
        check(&"ab\n".repeat(51), &["1-50 0-150", "51-51 150-153"]);
        check(&"é\n".repeat(120), &["1-50 0-100", "51-100 100-200", "101-120 200-240"]);
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        check("a\r\nb\rc\nd", &["1-4 0-8"]);
        check(&"\r\n".repeat(51), &["1-50 0-100", "51-51 100-102"]);
        check(&"\r".repeat(51), &["1-50 0-50", "51-51 50-51"]);
    }

    #[test]
    fn a_large_piece_is_cut_at_line_ends_and_the_grid_of_fifty_lines_stays() {
        let line = format!("{}\n", "x".repeat(299));
        check(&line.repeat(60), &["1-26 0-7800", "27-50 7800-15000", "51-60 15000-18000"]);
    }

    #[test]
    fn a_very_long_line_is_cut_inside() {
        check(&"x".repeat(20_000), &["1-1 0-8000", "1-1 8000-16000", "1-1 16000-20000"]);
        let words = format!("a\n{}\nb\n", "word ".repeat(2_000));
        check(&words, &["1-1 0-2", "2-2 2-8002", "2-3 8002-10005"]);
    }
}
