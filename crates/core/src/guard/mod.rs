//! Secrets that were pasted into a conversation are shown to nobody again: keys, tokens, private
//! keys, and passwords in URLs or behind a label are replaced by a mark that says what stood there.
//!
//! A mark is one word, so that a URL or a line of settings keeps its shape, and is found to be no
//! secret, so that masking twice changes nothing. Every judgement looks at a bounded piece of text:
//! the time is linear in its length, whatever the text.

mod block;
mod label;
mod scheme;
mod shape;
mod url;
mod value;

use std::borrow::Cow;
use std::ops::Range;

/// A judgement looks at no more bytes than these; what it finds may be longer.
const WINDOW: usize = 256;

/// What stands for a secret whose kind can be seen from what is before it.
const PLAIN: &str = "[masked]";
const KEY: &str = "[masked-key]";
const TOKEN: &str = "[masked-token]";
const PRIVATE_KEY: &str = "[masked-private-key]";
/// How every mark begins.
const OPENING: &str = "[masked";

/// A secret where it stands, and what is shown for it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Secret {
    range: Range<usize>,
    mark: &'static str,
}

/// The text with every secret replaced by its mark; a text without any is the same text.
pub fn masked(text: &str) -> Cow<'_, str> {
    /// A mark can lay bare what was run together with a secret, so its text is looked through
    /// again; not without end.
    const MOST_PASSES: usize = 4;
    let mut shown = Cow::Borrowed(text);
    for _ in 0..MOST_PASSES {
        let Some(next) = masked_once(&shown) else { break };
        shown = Cow::Owned(next);
    }
    shown
}

fn masked_once(text: &str) -> Option<String> {
    let mut shown = String::new();
    let mut done = 0;
    while let Some(secret) = next(text, done) {
        shown.push_str(&text[done..secret.range.start]);
        shown.push_str(secret.mark);
        done = secret.range.end;
    }
    (done > 0).then(|| shown + &text[done..])
}

/// The first secret from a byte on. All of them begin with a word or stand behind one.
fn next(text: &str, from: usize) -> Option<Secret> {
    let mut at = from;
    while let Some(word) = next_word(text, at) {
        // What stands before `from` is a mark by now and has no say.
        let place = Place { text, from, word };
        let secret = block::private_key(&place)
            .or_else(|| url::password(&place))
            .or_else(|| shape::known(&place))
            .or_else(|| scheme::credentials(&place))
            .or_else(|| label::labelled(&place));
        if secret.is_some() {
            return secret;
        }
        at = place.word.end;
    }
    None
}

/// A word in its text.
struct Place<'a> {
    text: &'a str,
    /// Nothing before this byte is looked at.
    from: usize,
    word: Range<usize>,
}

impl<'a> Place<'a> {
    fn word(&self) -> &'a str {
        &self.text[self.word.clone()]
    }

    fn before(&self) -> &'a str {
        &self.text[self.from..self.word.start]
    }

    fn after(&self) -> &'a str {
        &self.text[self.word.end..]
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn next_word(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = from + bytes[from..].iter().position(|byte| is_word(*byte))?;
    Some(start..start + run(&text[start..], is_word))
}

/// How many bytes at the start of a text are of one kind, which must be ASCII.
fn run(text: &str, is_part: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|byte| !is_part(byte)).unwrap_or(text.len())
}

/// The start of a text, as much as a judgement looks at.
fn window(text: &str) -> &str {
    &text[..text.floor_char_boundary(WINDOW)]
}
