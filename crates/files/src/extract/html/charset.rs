//! The characters of a page: by its byte order mark, by what it declares, or by what its bytes can
//! be.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Where a page must have declared its encoding.
const DECLARED_BYTES: usize = 4 * 1024;

/// The page as text. Bytes that the encoding does not have stand as U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    let encoding = match declared(&bytes[..bytes.len().min(DECLARED_BYTES)]) {
        Some(encoding) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The encoding that a `meta` element or an XML declaration names.
fn declared(start: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(start).to_lowercase();
    let after = |key: &str| {
        let at = start.find(key)? + key.len();
        let value = start[at..].trim_start().strip_prefix('=')?;
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | ':'));
        Encoding::for_label(&value.as_bytes()[..end.unwrap_or(value.len())])
    };
    let declared = after("charset")
        .or_else(|| start.trim_start().starts_with("<?xml").then(|| after("encoding")).flatten())?;
    // A page that could say so in ASCII is not in UTF-16.
    Some(if declared.is_ascii_compatible() { declared } else { UTF_8 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_encoding_is_honoured() {
        let page = |head: &str, text: &[u8]| decode(&[head.as_bytes(), text].concat());
        for (head, text) in [
            ("<meta charset=windows-1252>", &b"caf\xE9 \x96"[..]),
            (
                "<META http-equiv='Content-Type' content='text/html; charset=ISO-8859-1'>",
                b"caf\xE9 \x96",
            ),
            ("", b"caf\xE9 \x96"),
            ("<meta charset=\"utf-16\">", "café –".as_bytes()),
            ("<?xml version='1.0' encoding='windows-1250'?>", b"caf\xE9 \x96"),
            ("\u{feff}<meta charset=latin1>", "café –".as_bytes()),
        ] {
            assert!(page(head, text).ends_with("café –"), "{head}");
        }
        assert!(page("<meta charset=Shift_JIS>", b"\x93\xFA\x96{").ends_with("日本"));
    }
}
