//! Private keys in PEM, OpenSSH and PGP armour, from the line that begins the block to the line
//! that ends it, or as far as a block that was cut goes on.

use super::{PRIVATE_KEY, Place, Secret, run};

const BEGIN: &str = "-----BEGIN";
const END: &str = "-----END ";
const DASHES: &str = "-----";
/// The longest name of a block, such as `PGP PRIVATE KEY BLOCK`.
const LONGEST_NAME: usize = 40;
/// Fewer characters than these between both lines are talk about keys.
const SHORTEST: usize = 40;

pub(super) fn private_key(place: &Place<'_>) -> Option<Secret> {
    if !place.word().ends_with(BEGIN) {
        return None;
    }
    let after = place.after();
    let head = &after[..after.floor_char_boundary(LONGEST_NAME)];
    let name = &head[..head.find(DASHES)?];
    if !name.contains("PRIVATE KEY") {
        return None;
    }
    let body = place.word.end + name.len() + DASHES.len();
    let rest = &place.text[body..];
    // A block holds no other, so this is looked through once.
    let rest = &rest[..rest.find(BEGIN).unwrap_or(rest.len())];
    let length = closed(rest).or_else(|| Some(material(rest)))?;
    let said = rest[..length].bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
    let start = place.word.end - BEGIN.len();
    (said >= SHORTEST).then_some(Secret { range: start..body + length, mark: PRIVATE_KEY })
}

/// The bytes to the end of the closing line.
fn closed(rest: &str) -> Option<usize> {
    let end = rest.find(END)?;
    let name = end + END.len();
    let length = name + rest[name..].find(DASHES)? + DASHES.len();
    // Its two lines alone do not make a key.
    (end >= SHORTEST).then_some(length)
}

/// The bytes of the lines that can be part of a key: base64, with line breaks as such or escaped,
/// and headers, behind the signs of a quotation.
fn material(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        let quote = run(line, |byte| matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'"' | b'\''));
        let said = line[quote..].trim_end();
        let base64 = quote + run(&line[quote..], is_base64);
        let is_header = said.split_once(": ").is_some_and(|(name, _)| {
            ["Proc-Type", "DEK-Info", "Version", "Comment", "Charset", "Hash"].contains(&name)
        });
        if is_header || base64 >= quote + said.len() {
            length += line.len();
            continue;
        }
        // Words end the key, the rest of its last line may be anything.
        let last = &line[quote..base64];
        if last.len() >= SHORTEST {
            length += base64;
        }
        break;
    }
    rest[..length].trim_end().len()
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\')
}
