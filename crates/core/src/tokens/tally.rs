//! Counting texts that have most of their lines in common: each line is counted once. No token
//! reaches over the end of a line into a character that stands for itself, so the lines add up to
//! the whole.

use super::Tokenizer;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// What was counted before, for one tokenizer.
#[derive(Debug)]
pub struct Tally {
    tokenizer: Tokenizer,
    /// In tokens before any factor: a factor is applied to a whole, and rounded there.
    lines: HashMap<String, usize>,
    /// Those of them that nobody has counted lately.
    new: Vec<(u128, usize)>,
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
        let hash = hashed(line);
        let known = Shared::read(self.tokenizer).get(hash);
        let count = known.map_or_else(|| self.tokenizer.unscaled(line), |(count, _)| count);
        if !known.is_some_and(|(_, lasts)| lasts) {
            self.new.push((hash, count));
        }
        self.lines.insert(line.to_owned(), count);
        count
    }
}

/// Tokens of a whole text, before any factor.
pub(super) fn recounted(tokenizer: Tokenizer, text: &str) -> usize {
    let hash = hashed(text);
    let known = Shared::read(tokenizer).get(hash);
    let count = known.map_or_else(|| tokenizer.unscaled(text), |(count, _)| count);
    if !known.is_some_and(|(_, lasts)| lasts) {
        Shared::write(tokenizer).put(hash, count);
    }
    count
}

/// What was counted is left to others.
impl Drop for Tally {
    fn drop(&mut self) {
        if !self.new.is_empty() {
            let mut shared = Shared::write(self.tokenizer);
            for (line, count) in self.new.drain(..) {
                shared.put(line, count);
            }
        }
    }
}

/// Lines and short texts that were counted lately, whoever wanted it: header, last turns and good
/// passages come again with every question. Only their hashes are kept, and a count depends on nothing else, so nobody
/// learns from it what others have said, and nothing of it is left when a text is forgotten.
#[derive(Debug, Default)]
struct Shared {
    young: HashMap<u128, usize>,
    old: HashMap<u128, usize>,
}

impl Shared {
    /// So many lines make a generation.
    const GENERATION: usize = 1 << 15;

    fn of(tokenizer: Tokenizer) -> &'static RwLock<Self> {
        static O200K: LazyLock<RwLock<Shared>> = LazyLock::new(RwLock::default);
        static CL100K: LazyLock<RwLock<Shared>> = LazyLock::new(RwLock::default);
        match tokenizer {
            Tokenizer::Cl100k => &CL100K,
            Tokenizer::O200k | Tokenizer::Estimate { .. } => &O200K,
        }
    }

    fn read(tokenizer: Tokenizer) -> RwLockReadGuard<'static, Self> {
        Self::of(tokenizer).read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(tokenizer: Tokenizer) -> RwLockWriteGuard<'static, Self> {
        Self::of(tokenizer).write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts, and whether they will last.
    fn get(&self, line: u128) -> Option<(usize, bool)> {
        let young = self.young.get(&line).map(|count| (*count, true));
        young.or_else(|| self.old.get(&line).map(|count| (*count, false)))
    }

    fn put(&mut self, line: u128, count: usize) {
        if self.young.len() >= Self::GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(line, count);
    }
}

fn hashed(line: &str) -> u128 {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        (seed, line).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (half(0) << 64) | half(1)
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
    fn what_nobody_asked_for_lately_is_forgotten() {
        let mut shared = Shared::default();
        shared.put(0, 7);
        for (generation, expected) in [Some((7, true)), Some((7, false)), None].iter().enumerate() {
            assert_eq!(shared.get(0), *expected, "{generation}");
            let first = 1 + generation * Shared::GENERATION;
            for line in first..first + Shared::GENERATION {
                shared.put(line as u128, 1);
            }
        }
        assert!(shared.young.len() + shared.old.len() <= 2 * Shared::GENERATION);
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
                for _ in 0..2 {
                    prop_assert_eq!(tally.count(&text), tokenizer.count(&text));
                    prop_assert_eq!(tokenizer.recount(&text), tokenizer.count(&text));
                }
            }
        }
    }
}
