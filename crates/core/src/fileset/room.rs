//! How much of a model's window files may take.

use crate::tier::Window;
use crate::tokens::Tokenizer;

/// The share of the window that files may fill, in percent: 150,000 of 200,000 tokens. The rest is
/// for what is said about them.
const INLINE: u64 = 75;

/// What is kept for an answer: the model's longest, but no more than one part in eight.
const ANSWER: u32 = 8;

/// Limits of a session in one model's window, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// For files that stand inline.
    pub inline: u32,
    /// For everything that is sent.
    pub whole: u32,
    /// The same where the caller insists on a file: nothing but the answer is kept free.
    pub most: u32,
}

impl Room {
    pub fn of(window: Window, tokenizer: Tokenizer) -> Self {
        let Window { context, output } = window;
        let less = |tokens: u32| if tokenizer.is_exact() { tokens } else { tokens - tokens / 20 };
        let most = context.saturating_sub(output.min(context / ANSWER));
        let inline = (u64::from(context) * INLINE / 100) as u32;
        Self {
            inline: less(inline),
            whole: less(most.saturating_sub(context / 50)),
            most: less(most),
        }
    }

    /// The same with so many percent of the room for files.
    #[must_use]
    pub fn reduced(self, percent: u32) -> Self {
        let inline = (u64::from(self.inline) * u64::from(percent) / 100) as u32;
        Self { inline, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_the_window_are_for_files() {
        let o3 = Room::of(Window { context: 200_000, output: 100_000 }, Tokenizer::O200k);
        assert_eq!(o3, Room { inline: 150_000, whole: 171_000, most: 175_000 });
        let small = Room::of(Window { context: 32_768, output: 1_000 }, Tokenizer::O200k);
        assert_eq!(small, Room { inline: 24_576, whole: 31_113, most: 31_768 });
        assert_eq!(o3.reduced(75).inline, 112_500);
    }
}
