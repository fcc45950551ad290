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
    fn the_border_between_parts_counts() {
        assert_ne!(ContentHash::of_parts(["ab", "c"]), ContentHash::of_parts(["a", "bc"]));
    }
}
