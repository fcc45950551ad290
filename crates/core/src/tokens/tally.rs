//! Counting texts that have most of their lines in common: each line is counted once. No token
//! reaches over the end of a line into a character that stands for itself, so the lines add up to
//! the whole.

use super::Tokenizer;
use std::collections::HashMap;

/// What was counted before, for one tokenizer.
#[derive(Debug)]
pub struct Tally {
    tokenizer: Tokenizer,
    /// In tokens before any factor: a factor is applied to a whole, and rounded there.
    lines: HashMap<String, usize>,
}

impl Tally {
    pub fn new(tokenizer: Tokenizer) -> Self {
        Self { tokenizer, lines: HashMap::new() }
    }

    /// The same as [`Tokenizer::count`].
    pub fn count(&mut self, text: &str) -> u32 {
        let mut total = 0;
        for line in lines(text) {
            total += match self.lines.get(line) {
                Some(known) => *known,
                None => {
                    let count = self.tokenizer.unscaled(line);
                    self.lines.insert(line.to_owned(), count);
                    count
                }
            };
        }
        self.tokenizer.of_unscaled(total)
    }
}

/// A text in pieces that no token crosses: cut behind a line's end where a visible character of
/// ASCII follows. White space belongs to the line's end before it, and so may a slash.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let is_end = |at: &usize| {
            bytes[*at - 1] == b'\n' && bytes[*at].is_ascii_graphic() && bytes[*at] != b'/'
        };
        let end = (1..bytes.len()).find(is_end).unwrap_or(bytes.len());
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_cut_where_a_line_begins_with_a_visible_character() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(lines(text).collect::<Vec<_>>(), expected);
        };
        check("", &[]);
        check("a\nb\n", &["a\n", "b\n"]);
        check("a\n\n[b]", &["a\n\n", "[b]"]);
        check("a\n  b\n// c\n\td", &["a\n  b\n// c\n\td"]);
        check("ä\nö\n<file>", &["ä\nö\n", "<file>"]);
    }

    proptest! {
        #[test]
        fn lines_add_up_to_the_whole(
            pieces in prop::collection::vec("[a-zA-Z']{0,6}|[0-9]{1,5}|[ \t\r\n/]{1,4}|[.,:<>#|=-]{1,3}|\\PC{1,3}|\n", 0..40),
        ) {
            let text = pieces.concat();
            let claude = Tokenizer::for_model("claude");
            for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k, claude] {
                let mut tally = Tally::new(tokenizer);
                prop_assert_eq!(tally.count(&text), tokenizer.count(&text));
                prop_assert_eq!(tally.count(&text), tokenizer.count(&text));
            }
        }
    }
}
