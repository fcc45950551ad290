//! Old messages made shorter without a model, by age. Compression is reversible and honest: what is
//! cut is named by a reference to the whole text; ids, URLs, refs and numbers come through
//! unaltered or are counted behind that reference; errors and security warnings are never cut. A
//! check after compression ships the original when any of this fails.

pub mod content;
mod cut;
mod kind;
mod marker;
mod untouchable;
mod values;

pub use marker::{in_short, is_cut};
pub use untouchable::is_untouchable;
pub use values::protected;

use crate::item::Form;
use crate::tokens::Tokenizer;
use cut::Atoms;
use marker::Marker;
use std::collections::BTreeSet;
use std::ops::Range;
use values::Value;

/// How old a message is, which decides how much of it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Age {
    /// Untouched.
    Fresh,
    /// Cut in the middle.
    Middle,
    /// One line.
    Old,
}

impl Age {
    /// The age of a message that was written so many rounds ago.
    pub fn of(rounds: u32) -> Self {
        match rounds {
            0..2 => Age::Fresh,
            2..5 => Age::Middle,
            _ => Age::Old,
        }
    }
}

/// A text as it is shown: full, trimmed, or a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compressed {
    pub text: String,
    pub form: Form,
}

/// The most characters of a text cut in the middle, its marker included.
const TRIMMED: usize = 300;
/// The most characters of these that carried values take.
const TRIMMED_VALUES: usize = 100;
/// The most characters of one line, before its marker.
const LINE: usize = 120;
/// The most characters of the values carried by one line.
const LINE_VALUES: usize = 200;

/// A message in the form for its age. `reference` is the message's id, which stands for the whole
/// text. A form that is no shorter, or does not pass the check, gives way to the next longer one.
pub fn by_age(text: &str, age: Age, reference: &str) -> Compressed {
    let forms: &[Form] = match age {
        Age::Fresh => &[],
        Age::Middle => &[Form::Trimmed],
        Age::Old => &[Form::Line, Form::Trimmed],
    };
    let full = || Compressed { text: text.to_owned(), form: Form::Full };
    if forms.is_empty() || is_untouchable(text) {
        return full();
    }
    let source = Source::new(text, reference);
    forms
        .iter()
        .map(|form| Compressed { text: source.shortened(*form), form: *form })
        .find(|shorter| source.is_longer_than(&shorter.text) && source.vouches_for(&shorter.text))
        .unwrap_or_else(full)
}

/// Whether a compressed text keeps faith with its original: every value in it stands in the
/// original, and whatever is missing can be reached through the reference.
pub fn honest(original: &str, compressed: &str, reference: &str) -> bool {
    original == compressed
        || !is_untouchable(original) && Source::new(original, reference).vouches_for(compressed)
}

/// Whether the reference stands in the text as a whole word.
pub(crate) fn stands_in(text: &str, reference: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !reference.is_empty()
        && text.match_indices(reference).any(|(at, _)| {
            !text[..at].ends_with(is_part) && !text[at + reference.len()..].starts_with(is_part)
        })
}

/// A text to shorten, with what must not be cut through.
struct Source<'a> {
    text: &'a str,
    reference: &'a str,
    characters: usize,
    values: Vec<Value<'a>>,
    atoms: Atoms,
}

impl<'a> Source<'a> {
    fn new(text: &'a str, reference: &'a str) -> Self {
        let values = values::values(text);
        let atoms = Atoms::of(text, &values);
        Self { text, reference, characters: text.chars().count(), values, atoms }
    }

    /// Whether compression pays. A marker has few characters but many tokens, so tokens are
    /// counted as well, unless the difference leaves no doubt.
    fn is_longer_than(&self, compressed: &str) -> bool {
        const NO_DOUBT: usize = 4;
        let characters = compressed.chars().count();
        let tokens = |text: &str| Tokenizer::O200k.recount(text);
        characters < self.characters
            && (characters * NO_DOUBT < self.characters || tokens(compressed) < tokens(self.text))
    }

    /// Whether the compressed text alters no value and names the reference.
    fn vouches_for(&self, compressed: &str) -> bool {
        let known: BTreeSet<&str> = self.values.iter().map(|value| value.text).collect();
        let shown = marker::without_frame(compressed, self.reference);
        stands_in(compressed, self.reference)
            && values::values(&shown).iter().all(|value| known.contains(value.text))
    }

    fn shortened(&self, form: Form) -> String {
        if form == Form::Line { self.line() } else { self.trimmed() }
    }

    /// Head and tail at good places, and the marker between them.
    fn trimmed(&self) -> String {
        let speaking = self.values.iter().filter(|value| value.kind.speaks_alone());
        let values = speaking.map(Marker::length).sum::<usize>().min(TRIMMED_VALUES);
        let room = TRIMMED.saturating_sub(self.longest_frame() + values) / 2;
        let head = 0..cut::head(self.text, 0, room, &self.atoms);
        let tail = cut::tail(self.text, room, &self.atoms).max(head.end)..self.text.len();
        let marker = self.marker(&[head.clone(), tail.clone()], values);
        let (head, tail) = (self.text[head].trim_end(), self.text[tail].trim_start());
        format!("{head} … {marker} … {tail}").trim().to_owned()
    }

    /// The first sentence, or as much of it as fits, and the marker.
    fn line(&self) -> String {
        let sentence = cut::first_sentence(self.text);
        let end = cut::head(&self.text[..sentence.end], sentence.start, LINE, &self.atoms);
        let kept = sentence.start..end;
        let marker = self.marker(std::slice::from_ref(&kept), LINE_VALUES);
        format!("{} … {marker}", self.text[kept].trim_end()).trim().to_owned()
    }

    /// The marker for everything but the kept ranges.
    fn marker(&self, kept: &[Range<usize>], room: usize) -> Marker<'a> {
        let is_kept = |value: &&Value<'a>| {
            kept.iter()
                .any(|range| range.start <= value.range.start && value.range.end <= range.end)
        };
        let shown: BTreeSet<&str> =
            self.values.iter().filter(is_kept).map(|value| value.text).collect();
        let lost =
            self.values.iter().filter(|value| !shown.contains(value.text)).collect::<Vec<_>>();
        let left = kept.iter().map(|range| self.text[range.clone()].chars().count()).sum();
        Marker::new(self.characters.saturating_sub(left), &lost, room, self.reference)
    }

    /// The most characters that a marker without values takes.
    fn longest_frame(&self) -> usize {
        let marker = Marker {
            characters: self.characters,
            carried: Vec::new(),
            elided: self.values.len(),
            reference: self.reference,
        };
        format!(" … {marker} … ").chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFERENCE: &str = "msg_01hqvjx9kf3t0q2z8w1mxnbr4c";

    fn check(text: &str, age: Age, form: Form, expected: &str) {
        let compressed = by_age(text, age, REFERENCE);
        assert_eq!(compressed, Compressed { text: expected.to_owned(), form });
        assert!(honest(text, &compressed.text, REFERENCE));
    }

    #[test]
    fn age_goes_by_rounds() {
        let ages = [0, 1, 2, 4, 5, u32::MAX].map(Age::of);
        use Age::{Fresh, Middle, Old};
        assert_eq!(ages, [Fresh, Fresh, Middle, Middle, Old, Old]);
    }

    #[test]
    fn fresh_and_short_messages_stay_as_they_are() {
        let long = "word ".repeat(200);
        check(&long, Age::Fresh, Form::Full, &long);
        for age in [Age::Middle, Age::Old] {
            check("", age, Form::Full, "");
            check("Short.\nVery short.", age, Form::Full, "Short.\nVery short.");
        }
        // Shorter by some characters, longer by some tokens.
        let text = "Then this and that happened. ".repeat(11);
        check(&text, Age::Middle, Form::Full, &text);
    }

    #[test]
    fn a_message_of_middle_age_keeps_its_head_and_its_tail() {
        let text =
            format!("It began well. {}It ended well.", "Then this and that happened. ".repeat(30));
        check(
            &text,
            Age::Middle,
            Form::Trimmed,
            "It began well. Then this and that happened. Then this and that happened. Then this and \
             that happened. … [cut 696 characters, msg_01hqvjx9kf3t0q2z8w1mxnbr4c] … Then this and \
             that happened. Then this and that happened. Then this and that happened. It ended well.",
        );
    }

    #[test]
    fn an_old_message_is_its_first_sentence_with_the_values_it_loses() {
        let text = format!(
            "Deployed v2.1 today. See https://ci.example.org/run/981 and ABC-123.\n\n{}\nIt took 42 s; ABC-123 is done.",
            "More words about it.\n".repeat(10)
        );
        check(
            &text,
            Age::Old,
            Form::Line,
            "Deployed v2.1 today. … [cut 290 characters, https://ci.example.org/run/981, ABC-123, \
             +1 value in msg_01hqvjx9kf3t0q2z8w1mxnbr4c]",
        );
    }

    #[test]
    fn values_that_do_not_fit_are_counted_behind_the_reference() {
        let urls: String = (0..40).map(|n| format!("https://example.org/page/{n}\n")).collect();
        let line = by_age(&format!("Links:\n{urls}"), Age::Old, REFERENCE);
        assert!(line.text.ends_with(&format!("/6, +33 values in {REFERENCE}]")), "{}", line.text);
        assert_eq!(line.form, Form::Line);
    }

    #[test]
    fn code_goes_whole() {
        let text = format!("Try this:\n```rust\n{}```\nIt works.", "let x = y;\n".repeat(60));
        check(
            &text,
            Age::Middle,
            Form::Trimmed,
            "Try this: … [cut 672 characters, msg_01hqvjx9kf3t0q2z8w1mxnbr4c] … It works.",
        );
        let code = text.trim_start_matches("Try this:\n").trim_end_matches("\nIt works.");
        check(code, Age::Old, Form::Line, "… [cut 671 characters, msg_01hqvjx9kf3t0q2z8w1mxnbr4c]");
    }

    #[test]
    fn errors_are_never_cut() {
        let text = format!("error: it broke\n{}", "because of this\n".repeat(100));
        check(&text, Age::Old, Form::Full, &text);
    }

    #[test]
    fn nothing_is_cut_without_a_reference() {
        let text = "word ".repeat(200);
        assert_eq!(by_age(&text, Age::Old, "").form, Form::Full);
    }

    #[test]
    fn a_text_with_an_altered_value_is_not_honest() {
        let original = "Pay 12345 € at https://a.org/pay?id=77 for ABC-123.";
        let check = |compressed: &str, expected: bool| {
            assert_eq!(honest(original, compressed, "msg_1"), expected, "{compressed}");
        };
        check(original, true);
        check("Pay 12345 € … [cut 40 characters, ABC-123, +1 value in msg_1]", true);
        check("Pay 12345 … [cut 40 characters, msg_1]", false);
        check("Pay 123 … [cut 40 characters, msg_1]", false);
        check("Pay … [cut 40 characters, https://a.org/pay, msg_1]", false);
        check("Pay …", false);
        check("Pay … [cut 40 characters, msg_12]", false);
    }
}
