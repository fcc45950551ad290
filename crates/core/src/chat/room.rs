//! How much of a model's window is left for what tools give it. A result that finds no room is cut
//! and says so: a prompt that the provider refuses would lose the whole answer.

use crate::tier::Window;
use crate::tokens::Tokenizer;

/// With fewer tokens than this left, a tool has nothing more to say.
const LEAST: u32 = 500;

/// What is left of a window.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    left: u32,
    tokenizer: Tokenizer,
}

impl Room {
    /// Of a window in which so many tokens are taken.
    pub fn new(window: Window, taken: u32, tokenizer: Tokenizer) -> Self {
        Self { left: window.input().saturating_sub(taken), tokenizer }
    }

    pub fn left(&self) -> u32 {
        self.left
    }

    pub fn is_full(&self) -> bool {
        self.left < LEAST
    }

    /// Notes what the model has written, which stands before what tools give it.
    pub fn take(&mut self, tokens: u32) {
        self.left = self.left.saturating_sub(tokens);
    }

    /// As much of a result as there is room for, and its tokens.
    pub fn admit(&mut self, result: &mut String) -> u32 {
        let whole = self.tokenizer.count(result);
        if whole > self.left {
            self.cut(result, whole);
        }
        let tokens = self.tokenizer.count(result);
        self.take(tokens);
        tokens
    }

    /// Cuts a result after a line, or else after any character.
    fn cut(&self, result: &mut String, whole: u32) {
        let note = format!(
            "[cut: the whole has {whole} tokens, and the model's window has no more room; ask for \
             less, or answer from what is here]"
        );
        let room = self.left.saturating_sub(LEAST.min(self.left));
        let mut kept = match whole {
            0 => 0,
            whole => (result.len() as u64 * u64::from(room) / u64::from(whole)) as usize,
        };
        loop {
            kept = result.floor_char_boundary(kept);
            if let Some(end) = result[..kept].rfind('\n') {
                kept = end + 1;
            }
            if kept == 0 || self.tokenizer.count(&result[..kept]) <= room {
                break;
            }
            // Where words are longer in the beginning than in the rest.
            kept = kept * 9 / 10;
        }
        result.truncate(kept);
        result.push_str(&note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(context: u32, taken: u32) -> Room {
        Room::new(Window { context, output: 1_000 }, taken, Tokenizer::O200k)
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let mut room = room(10_000, 2_000);
        let mut result = "one line\n".repeat(100);
        let tokens = room.admit(&mut result);
        assert_eq!((result, tokens), ("one line\n".repeat(100), 300));
        assert!(!room.is_full());
    }

    #[test]
    fn what_does_not_fit_is_cut_after_a_line_and_says_so() {
        let mut room = room(10_000, 2_000);
        for _ in 0..3 {
            let mut result = "a line of some words\n".repeat(1_000);
            let before = room.left;
            let tokens = room.admit(&mut result);
            assert!(tokens <= before.max(100), "{tokens} of {before}");
            let (kept, note) = result.split_at(result.find("[cut: ").unwrap_or(result.len()));
            assert_eq!(
                note.starts_with("[cut: the whole has 6000 tokens"),
                before < 6_000,
                "{note}"
            );
            assert!(kept.lines().all(|line| line == "a line of some words"));
        }
        assert!(room.is_full());
    }

    #[test]
    fn a_line_without_end_is_cut_within_a_character() {
        let mut room = room(4_000, 0);
        let mut result = "ü".repeat(50_000);
        assert!(room.admit(&mut result) <= 3_000);
        assert!(result.starts_with("üü") && result.contains("[cut: "));
    }
}
