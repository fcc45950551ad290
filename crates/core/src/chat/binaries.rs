//! Binaries that are written into a text as `data:` URIs. What is stored of a message has the same
//! placeholder for them as for an image.
//!
//! Invariant: whatever is not such a URI, and large, stays as it is to the byte.

use super::message::placeholder;
use std::borrow::Cow;

/// What stands between the kind of such a URI and its bytes.
const MARK: &str = ";base64,";
/// How it begins.
const SCHEME: &str = "data:";
/// The longest kind with its parameters, of which there are hardly ever any.
const LONGEST_KIND: usize = 200;
/// From so many characters of base64 on it is large. A shorter one costs little, and may be what
/// is talked about: an icon, an example.
const LARGE: usize = 1_000;

/// The text with a placeholder for each large binary.
pub fn without_binaries(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = text[at..].find(MARK) {
        let mark = at + found;
        let start = mark + MARK.len();
        let bytes = text.as_bytes()[start..].iter();
        at = start + bytes.take_while(|byte| is_base64(**byte)).count();
        if at - start < LARGE {
            continue;
        }
        if let Some((begin, kind)) = kind(text, from..mark) {
            kept.push_str(&text[from..begin]);
            kept.push_str(&placeholder(kind, &text[start..at]));
            from = at;
        }
    }
    match from {
        0 => Cow::Borrowed(text),
        from => Cow::Owned(kept + &text[from..]),
    }
}

/// The kind of what ends here, and where its URI begins.
fn kind(text: &str, within: std::ops::Range<usize>) -> Option<(usize, &str)> {
    let first = text.ceil_char_boundary(within.end.saturating_sub(LONGEST_KIND).max(within.start));
    let begin = first + text.get(first..within.end)?.rfind(SCHEME)?;
    let whole = &text[begin + SCHEME.len()..within.end];
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/+-._;=\"".contains(&byte);
    let kind = whole.split(';').next().filter(|kind| !kind.is_empty());
    // Nothing is the standard's short way to write this.
    whole.bytes().all(is_plain).then_some((begin, kind.unwrap_or("text/plain")))
}

/// In either alphabet, with what fills it up.
fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(without_binaries(text), expected);
        assert_eq!(without_binaries(expected), expected);
    }

    #[test]
    fn a_large_binary_becomes_its_placeholder_and_all_else_stays() {
        let (large, small) = ("QUJD".repeat(250), "QUJD".repeat(249));
        let png = |base64: &str| format!("data:image/png;base64,{base64}");
        check(&png(&large), "[image/png, 750 bytes]");
        let shown = format!("![été]({}QQ==) and \"{}\"", png(&large), png(&large));
        check(&shown, "![été]([image/png, 751 bytes]) and \"[image/png, 750 bytes]\"");
        let others = format!(
            "data:application/pdf;name=a.pdf;base64,{large} data:;base64,{large}é data:;base64,"
        );
        check(&others, "[application/pdf, 750 bytes] [text/plain, 750 bytes]é data:;base64,");
        for same in [
            png(&small),
            png(""),
            large.clone(),
            format!(";base64,{large}"),
            format!("data: none;base64,{large}"),
            format!("data:{};base64,{large}", "x".repeat(LONGEST_KIND)),
            "data:image/png;base64".to_owned(),
        ] {
            check(&same, &same);
        }
    }

    proptest! {
        #[test]
        fn whatever_stands_around_binaries_stays(
            texts in proptest::collection::vec("(\\PC|;base64,|data:|data:a/b;base64,A|\n| ){0,12}", 1..5),
            bytes in 750..900_usize,
        ) {
            // A text that ends or begins like a part of a URI would be one with it.
            let texts: Vec<String> = texts.iter().map(|text| format!(" {text} ")).collect();
            let plain = texts.concat();
            prop_assert_eq!(without_binaries(&plain), plain.as_str());
            let uri = format!("data:image/png;base64,{}", "AAAA".repeat(bytes / 3));
            let expected = texts.join(&format!("[image/png, {} bytes]", bytes / 3 * 3));
            let whole = texts.join(&uri);
            prop_assert_eq!(without_binaries(&whole), expected);
        }
    }
}
