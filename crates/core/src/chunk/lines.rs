//! Files by lines: a cut every 50 lines, with the exact place of every piece. The pieces put
//! together are the file, byte for byte.

use super::Place;
use super::cut::bounded;

/// A cut falls after every so many lines.
const LINES: usize = 50;
/// No piece has more characters; a longer one is cut at line ends, a longer line inside.
const CHARACTERS: usize = 8_000;
/// The same in a document: there a line is often a whole paragraph, fifty of them a chapter.
const DOCUMENT_CHARACTERS: usize = 2_400;

/// A part of a file and its place. Lines count from 1, both ends inclusive; characters (Unicode
/// scalar values) from 0, end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    pub text: &'a str,
    pub start_line: u32,
    pub end_line: u32,
    pub start_char: u64,
    pub end_char: u64,
    /// The label of the place in a document where it stands.
    pub place: Option<&'a str>,
}

/// The pieces of a file, blank ones included. Lines end at `\n`, `\r\n` or `\r`, as in an editor.
pub fn lines(text: &str) -> Vec<Piece<'_>> {
    cut(Cutter::new(text, CHARACTERS), &[])
}

/// The pieces of a document, whose places (in the order of their lines) begin new ones: no piece
/// stands on two pages or in two sections. Without places it is a file like others.
pub fn document<'a>(text: &'a str, places: &'a [Place]) -> Vec<Piece<'a>> {
    match places {
        [] => lines(text),
        _ => cut(Cutter::new(text, DOCUMENT_CHARACTERS), places),
    }
}

fn cut<'a>(mut cutter: Cutter<'a>, places: &'a [Place]) -> Vec<Piece<'a>> {
    let mut places = places.iter().peekable();
    let mut since_cut = LINES;
    for line in each_line(cutter.text) {
        let number = cutter.line.saturating_add(1);
        let mut begun = None;
        while let Some(place) = places.next_if(|place| place.line <= number) {
            begun = Some(place.label.as_str());
        }
        if begun.is_some() || since_cut == LINES {
            cutter.close();
            since_cut = 0;
        }
        cutter.place = begun.or(cutter.place);
        cutter.line = number;
        since_cut += 1;
        for part in bounded(line, cutter.most) {
            cutter.add(&line[part]);
        }
    }
    cutter.close();
    cutter.pieces
}

/// The piece under way, and those that are done.
struct Cutter<'a> {
    text: &'a str,
    /// Characters that a piece may have.
    most: usize,
    pieces: Vec<Piece<'a>>,
    place: Option<&'a str>,
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
    fn new(text: &'a str, most: usize) -> Self {
        Self {
            text,
            most,
            pieces: Vec::new(),
            place: None,
            line: 0,
            start_line: 0,
            end_line: 0,
            start_char: 0,
            start: 0,
            bytes: 0,
            characters: 0,
        }
    }

    fn add(&mut self, part: &str) {
        let characters = part.chars().count();
        if self.characters + characters > self.most {
            self.close();
        }
        if self.bytes == 0 {
            self.start_line = self.line;
        }
        self.end_line = self.line;
        self.bytes += part.len();
        self.characters += characters;
    }

    fn close(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let end = self.start + self.bytes;
        let end_char = self.start_char + self.characters as u64;
        self.pieces.push(Piece {
            text: &self.text[self.start..end],
            start_line: self.start_line,
            end_line: self.end_line,
            start_char: self.start_char,
            end_char,
            place: self.place,
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
    fn a_document_is_cut_where_its_places_begin() {
        let text = format!("{}{}{}", "cover\n", "page one\n".repeat(60), "page two\n".repeat(3));
        let place = |line: u32, label: &str| Place { line, label: label.to_owned() };
        let places = [place(2, "page 0"), place(2, "page 1"), place(62, "page 2")];
        let pieces: Vec<String> = document(&text, &places)
            .iter()
            .map(|p| format!("{}-{} {:?}", p.start_line, p.end_line, p.place))
            .collect();
        assert_eq!(
            pieces,
            [
                "1-1 None",
                "2-51 Some(\"page 1\")",
                "52-61 Some(\"page 1\")",
                "62-64 Some(\"page 2\")"
            ]
        );
        let paragraph = format!("{}\n", "word ".repeat(400));
        assert_eq!(document(&paragraph.repeat(3), &[place(1, "section A")]).len(), 3);
        assert_eq!(document(&text, &[]), lines(&text));
    }

    #[test]
    fn a_very_long_line_is_cut_inside() {
        check(&"x".repeat(20_000), &["1-1 0-8000", "1-1 8000-16000", "1-1 16000-20000"]);
        let words = format!("a\n{}\nb\n", "word ".repeat(2_000));
        check(&words, &["1-1 0-2", "2-2 2-8002", "2-3 8002-10005"]);
    }
}
