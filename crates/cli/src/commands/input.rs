//! Reading the file that a command was given.

use anyhow::{Context as _, bail};
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;

/// The most that is read: an export of many years is smaller.
const MOST: u64 = 1 << 30;

/// The text of a file, or of standard input for `-`.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let name = shown(path);
    let mut bytes = Vec::new();
    let read = open(path)?.take(MOST + 1).read_to_end(&mut bytes);
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

/// A file in which one can go back. Standard input and pipes are copied to disk first.
pub fn open(path: &Path) -> anyhow::Result<File> {
    let name = shown(path);
    if path == Path::new("-") {
        return spooled(io::stdin().lock(), &name);
    }
    let file = File::open(path).with_context(|| format!("cannot open {name}; check the path"))?;
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => Ok(file),
        Ok(metadata) if metadata.is_dir() => bail!("{name} is a folder; name a file"),
        _ => spooled(file, &name),
    }
}

fn spooled(mut reader: impl Read, name: &str) -> anyhow::Result<File> {
    let mut copied = || -> io::Result<File> {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut reader, &mut file)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    };
    copied().with_context(|| format!("cannot read {name}; name a file"))
}

fn shown(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}
