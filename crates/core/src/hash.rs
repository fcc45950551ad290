//! Content by its SHA-256: the name under which blobs, blocks and vectors are stored once.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// The SHA-256 of some bytes, as 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(hex(&Sha256::digest(bytes.as_ref())))
    }

    /// The hash of a list of parts. Lengths are hashed too, so `["ab", "c"]` and `["a", "bc"]`
    /// differ.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        Self(hex(&digest.finalize()))
    }

    /// The hash that a digest of many pieces has come to.
    pub(crate) fn from_digest(digest: &[u8]) -> Self {
        Self(hex(digest))
    }

    /// A hash read back from where it was stored.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The hash of these 32 bytes, which some content has.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(hex(&bytes))
    }

    /// The 32 bytes themselves; none where something else was stored as a hash.
    pub fn to_bytes(&self) -> Option<[u8; 32]> {
        let mut bytes = [0; 32];
        let (digits, rest) = self.0.as_bytes().as_chunks::<2>();
        if digits.len() != bytes.len() || !rest.is_empty() {
            return None;
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(digits) {
            *byte = value(*high)? << 4 | value(*low)?;
        }
        Some(bytes)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// What a digit counts.
fn value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_sha256_of_the_bytes() {
        assert_eq!(
            ContentHash::of("abc").as_str(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_hash_survives_as_bytes_and_nothing_else_becomes_some() {
        let hash = ContentHash::of("abc");
        assert_eq!(hash.to_bytes().map(ContentHash::from_bytes), Some(hash.clone()));
        let digits = hash.as_str();
        for other in ["", "b", &digits[1..], &format!("{digits}00"), &digits.to_uppercase()] {
            assert_eq!(ContentHash::from_stored(other.to_owned()).to_bytes(), None, "{other}");
        }
    }

    #[test]
    fn the_border_between_parts_counts() {
        assert_ne!(ContentHash::of_parts(["ab", "c"]), ContentHash::of_parts(["a", "bc"]));
    }
}
