//! Summaries of contents by a model: what it is shown, and whether what it says is taken.
//!
//! A model sees a bounded piece of the content, or what has changed since it saw it last. Its answer
//! is taken only if it is short, names no value that the content does not hold, and says something
//! of the content; otherwise the summary that was made without a model stands.

mod change;
mod check;

pub use check::{Rubbish, checked, checked_title};

use crate::tokens::Tokenizer;

/// The most tokens of a summary.
pub const MOST_TOKENS: u32 = 120;
/// The most characters of a summary.
pub const MOST_CHARACTERS: usize = 500;
/// A content with fewer tokens is told well enough without a model.
pub const WORTH: u32 = 500;
/// The most tokens of a content that a model is shown.
pub const MOST_SHOWN: u32 = 1_500;

/// A content as it was before, with the summary that a model wrote of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    pub summary: String,
    pub content: String,
}

/// What a model is shown of a content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Material {
    /// All of it, or as much as there is room for of what stands in for it.
    Content(String),
    /// The summary that it had, and what has changed since.
    Change { summary: String, change: String },
}

impl Material {
    /// The change, where the content was summarised before and most of it is as it was; otherwise the
    /// content, or the shorter form of a long one.
    pub fn new(content: &str, compressed: &str, earlier: Option<Earlier>) -> Self {
        if let Some(Earlier { summary, content: before }) = earlier
            && let Some(change) = change::change(&before, content)
        {
            return Material::Change { summary, change };
        }
        let short = if tokens(content) <= MOST_SHOWN { content } else { compressed };
        Material::Content(within(short, MOST_SHOWN))
    }
}

fn tokens(text: &str) -> u32 {
    Tokenizer::O200k.count(text)
}

/// The beginning of a text that has at most so many tokens.
fn within(text: &str, most: u32) -> String {
    // A token has hardly ever more bytes.
    const BYTES: usize = 16;
    let mut end = text.floor_char_boundary(most as usize * BYTES);
    while tokens(&text[..end]) > most {
        end = text.floor_char_boundary(end * 9 / 10);
    }
    let cut = if end < text.len() { "\n…" } else { "" };
    format!("{}{cut}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_content_is_shown_whole_and_a_long_one_as_its_shorter_form() {
        let shown = |content: &str| Material::new(content, "in short", None);
        assert_eq!(shown("A log."), Material::Content("A log.".to_owned()));
        let long = "line of a log\n".repeat(5_000);
        assert_eq!(shown(&long), Material::Content("in short".to_owned()));
        let Material::Content(cut) = Material::new(&long, &long, None) else { panic!() };
        assert!(tokens(&cut) <= MOST_SHOWN + 2 && cut.ends_with("\n…"), "{}", tokens(&cut));
        assert!(within(&"é".repeat(90_000), MOST_SHOWN).ends_with('…'));
    }

    #[test]
    fn what_was_summarised_before_is_shown_as_its_change() {
        let before: String = (0..400).map(|line| format!("row {line} is fine\n")).collect();
        let after = before.replace("row 7 is fine", "row 7 is broken");
        let earlier = Earlier { summary: "All rows are fine.".to_owned(), content: before };
        let Material::Change { summary, change } = Material::new(&after, "", Some(earlier)) else {
            panic!()
        };
        assert_eq!(summary, "All rows are fine.");
        assert!(change.contains("-row 7 is fine\n+row 7 is broken\n"), "{change}");
        assert!(tokens(&change) < 100, "{change}");
    }
}
