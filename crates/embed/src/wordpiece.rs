//! BERT's WordPiece over the model's own vocabulary: each word is cut into the longest pieces
//! that the vocabulary knows, from the left.
//!
//! Invariant: the ids are those of the model's original tokenizer, but for two things. `[SEP]` and
//! its like, written in a text, are plain words; and marks and punctuation that Unicode has gained
//! since are treated as such.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use crate::words::{Word, each_word};

const VOCABULARY: &str = include_str!("../model/vocab.txt");
/// Marks a piece that continues a word.
const CONTINUES: &str = "##";

const UNKNOWN: i32 = 100;
const CLASSIFY: i32 = 101;
const SEPARATE: i32 = 102;

/// The tokenizer, public so that it can be fuzzed alone.
#[expect(missing_debug_implementations, reason = "nobody wants to read a vocabulary")]
pub struct WordPiece {
    starts: Pieces,
    continuations: Pieces,
}

impl WordPiece {
    pub fn load() -> WordPiece {
        let mut starts = Pieces::default();
        let mut continuations = Pieces::default();
        for (piece, id) in VOCABULARY.lines().zip(0..) {
            match piece.strip_prefix(CONTINUES) {
                Some(continuation) => continuations.insert(continuation, id),
                None => starts.insert(piece, id),
            }
        }
        WordPiece { starts, continuations }
    }

    /// The number of pieces, without the two that frame a text.
    pub fn count(&self, text: &str) -> usize {
        let mut count = 0;
        // Never broken off.
        let _ = self.each_word_cut(text, |pieces| {
            count += pieces.len();
            ControlFlow::Continue(())
        });
        count
    }

    /// What the model reads: at most `limit` ids, with the two that frame a text. The rest of a
    /// longer text is not looked at.
    pub fn ids(&self, text: &str, limit: usize) -> Vec<i32> {
        let room = limit.saturating_sub(1);
        let mut ids = vec![CLASSIFY];
        // Broken off when full.
        let _ = self.each_word_cut(text, |pieces| {
            ids.extend(pieces);
            if ids.len() < room { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        ids.truncate(room);
        ids.push(SEPARATE);
        ids
    }

    fn each_word_cut(
        &self,
        text: &str,
        mut each: impl FnMut(&[i32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut pieces = Vec::new();
        each_word(text, |word| {
            pieces.clear();
            let known = match word {
                Word::Spelled(word) => self.cut(word, &mut pieces),
                Word::TooLong => false,
            };
            if known { each(&pieces) } else { each(&[UNKNOWN]) }
        })
    }

    /// Whether the vocabulary could spell the whole word.
    fn cut(&self, word: &str, pieces: &mut Vec<i32>) -> bool {
        let mut vocabulary = &self.starts;
        let mut rest = word;
        while !rest.is_empty() {
            let Some((id, tail)) = vocabulary.longest(rest) else {
                return false;
            };
            pieces.push(id);
            vocabulary = &self.continuations;
            rest = tail;
        }
        true
    }
}

/// One half of the vocabulary.
#[derive(Default)]
struct Pieces {
    ids: FxHashMap<&'static str, i32>,
    /// In bytes; keeps the search for a piece short in a word that has none.
    longest: usize,
}

impl Pieces {
    fn insert(&mut self, piece: &'static str, id: i32) {
        self.longest = self.longest.max(piece.len());
        self.ids.insert(piece, id);
    }

    /// The longest piece that `word` begins with, and what follows it.
    fn longest<'a>(&self, word: &'a str) -> Option<(i32, &'a str)> {
        (1..=self.longest.min(word.len())).rev().find_map(|end| {
            let (piece, tail) = word.split_at_checked(end)?;
            Some((*self.ids.get(piece)?, tail))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// A text with the ids that the reference tokenizer gives it.
    #[derive(Deserialize)]
    struct Example {
        text: String,
        token_ids: Vec<i32>,
    }

    fn check(examples: &str) {
        let word_piece = WordPiece::load();
        for line in examples.lines() {
            let Example { text, token_ids } = serde_json::from_str(line).unwrap();
            assert_eq!(word_piece.ids(&text, 256), token_ids, "{text:?}");
            if token_ids.len() < 256 {
                assert_eq!(word_piece.count(&text), token_ids.len() - 2, "{text:?}");
            }
        }
    }

    #[test]
    fn ids_agree_with_the_reference() {
        check(include_str!("../tests/it/reference.jsonl"));
    }

    /// These ids are from `BertWordPieceTokenizer` of PyPI's `tokenizers` 0.23.
    #[test]
    fn ids_agree_with_the_reference_on_scripts_symbols_code_and_long_words() {
        check(include_str!("../tests/it/wordpiece.jsonl"));
    }

    #[test]
    fn special_tokens_written_in_a_text_are_plain_words() {
        let ids = WordPiece::load().ids("[SEP] [MASK]", 256);
        assert_eq!(ids, [101, 1031, 19802, 1033, 1031, 7308, 1033, 102]);
    }

    #[test]
    fn a_long_text_keeps_its_first_pieces_between_the_frame() {
        let word_piece = WordPiece::load();
        let whole = word_piece.ids("one two internationalisation three", 256);
        for limit in 2..whole.len() {
            let mut expected = whole[..limit - 1].to_vec();
            expected.push(SEPARATE);
            assert_eq!(word_piece.ids("one two internationalisation three", limit), expected);
        }
    }

    #[test]
    fn a_huge_text_is_counted_in_one_pass() {
        let word_piece = WordPiece::load();
        let megabytes = 10_000_000;
        assert_eq!(word_piece.count(&"a".repeat(megabytes)), 1);
        assert_eq!(word_piece.count(&"a ".repeat(megabytes / 2)), megabytes / 2);
        assert_eq!(word_piece.count(&" ".repeat(megabytes)), 0);
        assert_eq!(word_piece.count(&"\u{301}".repeat(megabytes / 2)), 0);
        // Each of these words is searched for at every place and ends in one unknown piece.
        let hopeless = format!("{}\u{e33} ", "qx".repeat(49));
        assert_eq!(word_piece.count(&hopeless.repeat(100_000)), 100_000);
    }
}
