//! An archive on disk: read through once to know that it is whole, then line by line.

use crate::error::EngineError;
use dossier_core::exchange::ExchangeError;
use dossier_core::exchange::archive::{End, Header, Line, Tally};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};

/// The longest line: a file's content, with its escapes.
const LONGEST: u64 = 1 << 30;

/// A whole archive.
#[derive(Debug)]
pub struct Archive {
    reader: BufReader<File>,
    pub header: Header,
    /// How many lines of each kind it holds.
    pub end: End,
    number: u64,
    /// Where the first line to be stored begins.
    begin: u64,
}

impl Archive {
    /// Checks every line, and the last one against all others.
    pub(super) fn open(file: File) -> Result<Self, EngineError> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut tally = Tally::default();
        let first = next_line(&mut reader, 1)?.unwrap_or_default();
        let header = Header::find(&first)?.ok_or(ExchangeError::NotAText)?;
        tally.take(&first, None);
        let mut end = None;
        let mut number = 1;
        while let Some(text) = next_line(&mut reader, number + 1)? {
            number += 1;
            match Line::parse(&text, number) {
                Ok(Line::End(found)) => {
                    end = Some(found);
                    break;
                }
                Ok(line) => tally.take(&text, line.kind()),
                // Where an archive was cut, the last line is the half of one.
                Err(_) if !text.ends_with('\n') => break,
                Err(error) => return Err(error.into()),
            }
        }
        let end = tally.check(end)?;
        if next_line(&mut reader, number + 1)?.is_some() {
            let what = "something follows its last line".to_owned();
            return Err(ExchangeError::Incomplete { what }.into());
        }
        let mut archive = Self { reader, header, end, number: 1, begin: first.len() as u64 };
        archive.rewind()?;
        Ok(archive)
    }

    /// Goes back to the first line to be stored.
    pub(super) fn rewind(&mut self) -> Result<(), EngineError> {
        self.reader.seek(SeekFrom::Start(self.begin))?;
        self.number = 1;
        Ok(())
    }

    /// How many lines there are to be stored.
    pub fn len(&self) -> u64 {
        self.end.counts.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next line to be stored.
    pub(super) fn next(&mut self) -> Result<Option<Line>, EngineError> {
        self.number += 1;
        let Some(text) = next_line(&mut self.reader, self.number)? else { return Ok(None) };
        match Line::parse(&text, self.number)? {
            Line::End(_) => Ok(None),
            line => Ok(Some(line)),
        }
    }
}

/// A line with its end; nothing behind the last.
fn next_line(reader: &mut BufReader<File>, number: u64) -> Result<Option<String>, EngineError> {
    let mut bytes = Vec::new();
    let read = reader.take(LONGEST).read_until(b'\n', &mut bytes)?;
    if read as u64 == LONGEST {
        return Err(EngineError::Invalid(format!("line {number} has more than {LONGEST} bytes")));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| EngineError::Invalid(format!("line {number} is not text in UTF-8")))?;
    Ok((read > 0).then_some(text))
}
