//! Bytes to text: what is decoded, what is mended, what is refused, and what a file is called.

use dossier_files::{SkipReason, Text, mime};
use proptest::prelude::*;

use crate::folder::Folder;

fn read(bytes: impl AsRef<[u8]>) -> Result<Text, SkipReason> {
    let folder = Folder::new();
    folder.write("file.txt", bytes);
    folder.read("file.txt")
}

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(
        read(bytes),
        Ok(Text { content: expected.to_owned(), lossy: false, places: Vec::new() })
    );
}

#[track_caller]
fn check_refused(bytes: impl AsRef<[u8]>, expected: SkipReason) {
    assert_eq!(read(bytes), Err(expected));
}

#[test]
fn utf8_is_read_as_it_is() {
    check("naïve\r\nточка\n", "naïve\r\nточка\n");
}

#[test]
fn an_empty_file_is_an_empty_text() {
    check("", "");
}

#[test]
fn a_byte_order_mark_is_taken_off() {
    check(b"\xEF\xBB\xBFhello", "hello");
}

#[test]
fn utf16_with_a_mark_is_decoded_in_both_orders() {
    let units: Vec<u16> = "\u{feff}naïve 😀".encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    check(little, "naïve 😀");
    check(big, "naïve 😀");
}

#[test]
fn utf32_is_taken_for_binary() {
    check_refused(b"\xFF\xFE\0\0h\0\0\0i\0\0\0", SkipReason::Binary);
}

#[test]
fn half_a_surrogate_in_a_long_utf16_text_is_replaced() {
    let units = std::iter::once(0xFEFF).chain([b'a'.into(); 200]).chain([0xD800]);
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    assert_eq!(
        read(bytes),
        Ok(Text {
            content: format!("{}\u{fffd}", "a".repeat(200)),
            lossy: true,
            places: Vec::new()
        })
    );
}

#[test]
fn a_nul_among_the_first_8_kib_means_binary() {
    check_refused(b"text\0text", SkipReason::Binary);
    check_refused([vec![b'a'; 8191], vec![0]].concat(), SkipReason::Binary);
}

#[test]
fn a_nul_after_the_first_8_kib_is_replaced() {
    let content = format!("{}\u{fffd}", "a".repeat(8192));
    assert_eq!(
        read([vec![b'a'; 8192], vec![0]].concat()),
        Ok(Text { content, lossy: true, places: Vec::new() })
    );
}

#[test]
fn a_few_invalid_bytes_are_replaced() {
    let content = format!("{}\u{fffd}", "a".repeat(100));
    assert_eq!(
        read([vec![b'a'; 100], vec![0xE9]].concat()),
        Ok(Text { content, lossy: true, places: Vec::new() })
    );
}

#[test]
fn many_invalid_bytes_are_no_text() {
    check_refused(b"caf\xE9 cr\xE8me", SkipReason::NotText);
    check_refused([vec![b'a'; 99], vec![0xE9]].concat(), SkipReason::NotText);
}

#[test]
fn text_that_begins_as_a_private_key_is_refused_under_any_name() {
    check_refused("\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn…\n", SkipReason::Credential);
    check_refused("-----BEGIN PGP PRIVATE KEY BLOCK-----\n", SkipReason::Credential);
}

#[test]
fn a_public_key_or_a_text_about_keys_is_read() {
    check("-----BEGIN PUBLIC KEY-----\n", "-----BEGIN PUBLIC KEY-----\n");
    check(
        "A key begins with\n-----BEGIN PRIVATE KEY-----\n",
        "A key begins with\n-----BEGIN PRIVATE KEY-----\n",
    );
}

#[test]
fn the_media_type_follows_the_extension() {
    let types =
        ["README.md", "src/main.rs", "a/b.PY", "data.json", "Makefile", ".gitignore", "x.unknown"]
            .map(mime);
    assert_eq!(
        types,
        [
            "text/markdown",
            "text/x-rust",
            "text/x-python",
            "application/json",
            "text/plain",
            "text/plain",
            "text/plain",
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn no_bytes_make_a_text_with_a_nul_and_none_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(text) = read(&bytes) {
            prop_assert!(!text.content.contains('\0'));
        }
    }
}
