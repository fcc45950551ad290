//! Input that no one would write still gets a vector of length one, soon.

use dossier_embed::{EmbedError, Embedder};

use crate::cosine;

fn check(text: &str) -> Result<(), EmbedError> {
    let embedder = Embedder::local();
    let vectors = embedder.embed(&[text])?;
    assert_eq!(vectors.len(), 1);
    assert_eq!(vectors[0].len(), embedder.dimension());
    let square = cosine(&vectors[0], &vectors[0]);
    assert!((square - 1.0).abs() < 1e-5, "length {square}");
    embedder.count(text);
    Ok(())
}

#[test]
fn no_text_at_all_gives_no_vectors() {
    assert_eq!(Embedder::local().embed(&[]).unwrap(), Vec::<Vec<f32>>::new());
}

#[test]
fn an_empty_text_has_a_vector() -> Result<(), EmbedError> {
    check("")
}

#[test]
fn whitespace_alone_has_a_vector() -> Result<(), EmbedError> {
    check(" \t\r\n\u{a0}\u{2003}\u{2028}\u{3000}")
}

#[test]
fn control_characters_have_a_vector() -> Result<(), EmbedError> {
    check("\0")?;
    check("\0\u{1}\u{7f}\u{85}\u{9f}")
}

#[test]
fn emoji_have_a_vector() -> Result<(), EmbedError> {
    check("🦀👩‍👩‍👧‍👦🇨🇭👍🏽")
}

#[test]
fn characters_at_the_edges_of_unicode_have_a_vector() -> Result<(), EmbedError> {
    check("\u{d7ff}\u{e000}\u{fffd}\u{fffe}\u{ffff}\u{10ffff}\u{202e}\u{feff}\u{301}\u{301}")?;
    check(&String::from_utf8_lossy(&[0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]))
}

#[test]
fn ten_megabytes_of_one_word_have_a_vector() -> Result<(), EmbedError> {
    check(&"a".repeat(10_000_000))
}

#[test]
fn ten_megabytes_of_short_words_have_a_vector() -> Result<(), EmbedError> {
    check(&"a ".repeat(5_000_000))
}

#[test]
fn ten_megabytes_of_accents_have_a_vector() -> Result<(), EmbedError> {
    check(&"\u{301}".repeat(5_000_000))
}
