//! Cuts a text into BERT's words: control characters dropped, CJK characters and punctuation
//! standing alone, accents stripped, lower case.
//!
//! Invariant: one pass, and memory bounded by one word, whatever the text.

use std::ops::ControlFlow;

use unicode_normalization::char::decompose_canonical;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// BERT gives up on longer words.
const LONGEST_WORD: usize = 100;

/// A word as the vocabulary spells it.
pub(crate) enum Word<'a> {
    Spelled(&'a str),
    /// More than 100 characters; not kept.
    TooLong,
}

/// Calls `each` with every word of `text` until it breaks.
pub(crate) fn each_word(
    text: &str,
    each: impl FnMut(Word<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut cutter = Cutter { word: String::with_capacity(LONGEST_WORD), characters: 0, each };
    for character in text.chars() {
        cutter.read(character)?;
    }
    cutter.end_word()
}

struct Cutter<Each> {
    word: String,
    characters: usize,
    each: Each,
}

impl<Each: FnMut(Word<'_>) -> ControlFlow<()>> Cutter<Each> {
    /// Takes a character as it stands in the text.
    fn read(&mut self, character: char) -> ControlFlow<()> {
        if character.is_ascii() {
            return match character {
                '\t' | '\n' | '\r' => self.end_word(),
                _ if character.is_ascii_control() => ControlFlow::Continue(()),
                _ => self.take(character.to_ascii_lowercase()),
            };
        }
        if is_dropped(character) {
            return ControlFlow::Continue(());
        }
        if is_cjk(character) {
            self.end_word()?;
            self.normalise(character)?;
            return self.end_word();
        }
        self.normalise(character)
    }

    /// Strips accents and lowers the case. One character at a time is enough: full decomposition
    /// would also put marks in order, but those are the accents that go.
    fn normalise(&mut self, character: char) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        decompose_canonical(character, |part| {
            if part.general_category() == GeneralCategory::NonspacingMark {
                return;
            }
            for lower in part.to_lowercase() {
                if flow.is_continue() {
                    flow = self.take(lower);
                }
            }
        });
        flow
    }

    /// Takes a normalised character.
    fn take(&mut self, character: char) -> ControlFlow<()> {
        if character.is_whitespace() {
            return self.end_word();
        }
        if is_punctuation(character) {
            self.end_word()?;
            self.append(character);
            return self.end_word();
        }
        self.append(character);
        ControlFlow::Continue(())
    }

    fn append(&mut self, character: char) {
        if self.characters < LONGEST_WORD {
            self.word.push(character);
        }
        self.characters += 1;
    }

    fn end_word(&mut self) -> ControlFlow<()> {
        let flow = match self.characters {
            0 => ControlFlow::Continue(()),
            1..=LONGEST_WORD => (self.each)(Word::Spelled(&self.word)),
            _ => (self.each)(Word::TooLong),
        };
        self.word.clear();
        self.characters = 0;
        flow
    }
}

/// Control, format and private-use characters. Characters that Unicode has not assigned yet stay
/// (and become unknown), so that a newer table does not change old vectors.
fn is_dropped(character: char) -> bool {
    character == char::REPLACEMENT_CHARACTER
        || matches!(
            character.general_category(),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        )
}

/// BERT also counts the ASCII symbols that Unicode calls symbols, such as `$` and `^`.
fn is_punctuation(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation();
    }
    character.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// The ideographs, in the blocks BERT lists; Hangul and kana are words like any other.
fn is_cjk(character: char) -> bool {
    matches!(
        u32::from(character),
        0x3400..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B73F
            | 0x2B740..=0x2B81F
            | 0x2B820..=0x2CEAF
            | 0x2F800..=0x2FA1F
    )
}
