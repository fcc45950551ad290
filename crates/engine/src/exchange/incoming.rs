//! A file from elsewhere, known by its content: a ZIP of ChatGPT or Claude, an archive, or a text.

use super::archive::Archive;
use crate::error::EngineError;
use dossier_core::exchange::{self, Bundle, archive::Header};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom};

/// The most that is held of a file, packed or not: an export of many years is smaller.
const MOST: u64 = 1 << 30;

/// How far the first line of an archive reaches at most.
const FIRST_LINE: u64 = 64 << 10;

/// What a file holds, checked from its beginning to its end.
#[derive(Debug)]
pub enum Incoming {
    Bundle(Bundle),
    Archive(Archive),
}

impl Incoming {
    /// Reads a file, which must allow going back to its beginning.
    pub fn read(mut file: File) -> Result<Self, EngineError> {
        let mut first = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        BufReader::new(Read::by_ref(&mut file).take(FIRST_LINE)).read_until(b'\n', &mut first)?;
        file.seek(SeekFrom::Start(0))?;
        if first.starts_with(b"PK\x03\x04") || first.starts_with(b"PK\x05\x06") {
            return zipped(file).map(Self::Bundle);
        }
        if let Ok(first) = std::str::from_utf8(&first)
            && Header::find(first)?.is_some()
        {
            return Archive::open(file).map(Self::Archive);
        }
        Ok(Self::Bundle(exchange::read(&text(file)?)?))
    }
}

fn text(file: File) -> Result<String, EngineError> {
    let mut bytes = Vec::new();
    if file.take(MOST + 1).read_to_end(&mut bytes)? as u64 > MOST {
        return Err(EngineError::Invalid(format!("it has more than {MOST} bytes; split it")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        EngineError::Invalid(format!("not text in UTF-8: byte {at} is wrong; convert it first"))
    })
}

fn zipped(file: File) -> Result<Bundle, EngineError> {
    let members = dossier_files::zipped(file, MOST, is_wanted)?;
    if members.is_empty() {
        return Err(EngineError::Invalid(
            "the ZIP holds no conversations.json, as those of ChatGPT and Claude do; unpack it and \
             name what is inside"
                .to_owned(),
        ));
    }
    let mut bundle = Bundle::default();
    for member in members {
        let read = exchange::read(&member.text);
        bundle
            .add(read.map_err(|error| EngineError::Invalid(format!("{}: {error}", member.name)))?);
    }
    Ok(bundle)
}

/// Conversations in one file or in numbered ones, and projects in one file or in one each.
fn is_wanted(name: &str) -> bool {
    let (folder, base) = name.rsplit_once('/').unwrap_or(("", name));
    let Some(stem) = base.strip_suffix(".json") else { return false };
    let numbered =
        stem.strip_prefix("conversations-").or_else(|| stem.strip_prefix("conversations_"));
    stem == "conversations"
        || stem == "projects"
        || numbered.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        || folder.rsplit('/').next() == Some("projects")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversations_and_projects_are_wanted_wherever_they_lie() {
        for name in ["conversations.json", "x/conversations-012.json", "projects/0195.json"] {
            assert!(is_wanted(name), "{name}");
        }
        for name in
            ["shared_conversations.json", "conversations-old.json", "user.json", "chat.html"]
        {
            assert!(!is_wanted(name), "{name}");
        }
    }
}
