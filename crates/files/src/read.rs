//! The text of a found file.
//!
//! At most the limit and one byte more is ever held, however the file grows, and what is read
//! passes the guard again.

use std::io::Read;
use std::path::Path;

use crate::text::{self, SNIFF_BYTES, Text};
use crate::walk::Found;
use crate::{Extracted, Format, Limits, SkipReason, extract, guard, kind, open};

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
    // Not read to its end for nothing.
    if Format::of(&found.path, &bytes).is_none() && text::is_binary(&bytes) {
        return Err(SkipReason::Binary);
    }
    file.read_to_end(&mut bytes).map_err(open::unreadable)?;
    text_of(&found.path, &bytes, limit)
}

/// The text of a file that came otherwise than from the disk. Its path is a virtual one.
pub fn read_upload(path: &str, bytes: &[u8], limit: u64) -> Result<Text, SkipReason> {
    if guard::refuses(Path::new(path)) {
        return Err(SkipReason::Credential);
    }
    if kind::is_unread(path) {
        return Err(SkipReason::UnreadFormat);
    }
    if kind::is_binary(path) {
        return Err(SkipReason::Binary);
    }
    text_of(path, bytes, limit)
}

fn text_of(path: &str, bytes: &[u8], limit: u64) -> Result<Text, SkipReason> {
    if bytes.len() as u64 > limit {
        return Err(SkipReason::TooLarge { size: bytes.len() as u64, limit });
    }
    let start = bytes.get(..SNIFF_BYTES).unwrap_or(bytes);
    let text = match Format::of(path, start) {
        Some(format) => document(format, bytes, limit)?,
        None if text::is_binary(start) => return Err(SkipReason::Binary),
        None => text::decode(bytes)?,
    };
    if text::is_private_key(&text.content) {
        return Err(SkipReason::Credential);
    }
    Ok(text)
}

/// The text that a document holds, which has to keep the limit as well.
fn document(format: Format, bytes: &[u8], limit: u64) -> Result<Text, SkipReason> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let Extracted { text, places } = extract(format, bytes, most).map_err(SkipReason::Document)?;
    Ok(Text { content: text, lossy: false, places })
}
