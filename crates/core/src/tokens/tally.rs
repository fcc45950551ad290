//! Counting texts that have most of their lines in common: each line is counted once. No token
//! reaches over the end of a line into a character that stands for itself, so the lines add up to
//! the whole.

use super::Tokenizer;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// What was counted before, for one tokenizer.
#[derive(Debug)]
pub struct Tally {
    tokenizer: Tokenizer,
    /// In tokens before any factor: a factor is applied to a whole, and rounded there.
    lines: HashMap<String, usize>,
    /// Those of them that nobody had counted.
    new: Vec<(String, usize)>,
}

impl Tally {
    pub fn new(tokenizer: Tokenizer) -> Self {
        Self { tokenizer, lines: HashMap::new(), new: Vec::new() }
    }

    /// The same as [`Tokenizer::count`].
    pub fn count(&mut self, text: &str) -> u32 {
        let mut total = 0;
        for line in lines(text) {
            total += match self.lines.get(line) {
                Some(known) => *known,
                None => self.count_line(line),
            };
        }
        self.tokenizer.of_unscaled(total)
    }

    fn count_line(&mut self, line: &str) -> usize {
        let known = self.shared().read().unwrap_or_else(PoisonError::into_inner).get(line);
        let count = known.unwrap_or_else(|| {
            let count = self.tokenizer.unscaled(line);
            self.new.push((line.to_owned(), count));
            count
        });
        self.lines.insert(line.to_owned(), count);
        count
    }

    fn shared(&self) -> &'static RwLock<Shared> {
        static O200K: LazyLock<RwLock<Shared>> = LazyLock::new(RwLock::default);
        static CL100K: LazyLock<RwLock<Shared>> = LazyLock::new(RwLock::default);
        match self.tokenizer {
            Tokenizer::Cl100k => &CL100K,
            Tokenizer::O200k | Tokenizer::Estimate { .. } => &O200K,
        }
    }
}

/// What was counted is left to others.
impl Drop for Tally {
    fn drop(&mut self) {
        if !self.new.is_empty() {
            let mut shared = self.shared().write().unwrap_or_else(PoisonError::into_inner);
            for (line, count) in self.new.drain(..) {
                shared.put(line, count);
            }
        }
    }
}

/// Lines that were counted lately, whoever wanted it: header, last turns and good passages come again
/// with every question. What they count depends on nothing else.
#[derive(Debug, Default)]
struct Shared {
    young: HashMap<String, usize>,
    old: HashMap<String, usize>,
    /// Of the young.
    bytes: usize,
}

impl Shared {
    /// So many bytes of lines make a generation.
    const GENERATION: usize = 2 << 20;

    fn get(&self, line: &str) -> Option<usize> {
        self.young.get(line).or_else(|| self.old.get(line)).copied()
    }

    fn put(&mut self, line: String, count: usize) {
        if self.bytes + line.len() > Self::GENERATION {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += line.len();
        self.young.insert(line, count);
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

    #[test]
    fn what_was_counted_long_ago_is_forgotten() {
        let mut shared = Shared::default();
        shared.put("first".to_owned(), 1);
        for number in 0..3 {
            assert_eq!(shared.get("first"), (number < 2).then_some(1), "{number}");
            shared.put(number.to_string().repeat(Shared::GENERATION), 2);
        }
        assert_eq!((shared.young.len(), shared.old.len()), (1, 1));
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
