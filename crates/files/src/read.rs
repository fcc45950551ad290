//! The text of a found file.
//!
//! At most the limit and one byte more is ever held, however the file grows, and what is read
//! passes the guard again.

use std::io::Read;

use crate::text::{self, SNIFF_BYTES, Text};
use crate::walk::Found;
use crate::{Limits, SkipReason, guard, open};

/// The text of a found file, decoded; the error tells why it has none.
pub fn read(found: &Found, limits: &Limits) -> Result<Text, SkipReason> {
    if guard::refuses(&found.real_path) {
        return Err(SkipReason::Credential);
    }
    let (file, metadata) = open::regular(&found.real_path)?;
    let limit = limits.max_file_bytes;
    if metadata.len() > limit {
        return Err(SkipReason::TooLarge { size: metadata.len(), limit });
    }
    let mut bytes = Vec::new();
    let mut file = file.take(limit.saturating_add(1));
    file.by_ref().take(SNIFF_BYTES as u64).read_to_end(&mut bytes).map_err(open::unreadable)?;
    if text::is_binary(&bytes) {
        return Err(SkipReason::Binary);
    }
    file.read_to_end(&mut bytes).map_err(open::unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(SkipReason::TooLarge { size: bytes.len() as u64, limit });
    }
    let text = text::decode(&bytes)?;
    if is_private_key(&text.content) {
        return Err(SkipReason::Credential);
    }
    Ok(text)
}

/// A key under a harmless name. A document that shows one further down is not taken for it.
fn is_private_key(content: &str) -> bool {
    let first_line = content.trim_start().lines().next().unwrap_or_default();
    first_line.starts_with("-----BEGIN ") && first_line.contains("PRIVATE KEY")
}
