//! Reading the file that a command was given.

use anyhow::{Context as _, bail};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most that is read: an export of many years is smaller.
const MOST: u64 = 1 << 30;

/// The text of a file, or of standard input for `-`.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    if path == Path::new("-") {
        return text_of(io::stdin().lock(), "standard input");
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot open {name}; check the path"))?;
    text_of(file, &name)
}

fn text_of(reader: impl Read, name: &str) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let read = reader.take(MOST + 1).read_to_end(&mut bytes);
    if read.with_context(|| format!("cannot read {name}; name a file"))? as u64 > MOST {
        bail!("{name} has more than {MOST} bytes; split it");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            bail!("{name} is not text in UTF-8: byte {at} is wrong; convert it first")
        }
    }
}
