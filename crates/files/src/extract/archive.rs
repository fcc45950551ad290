//! The parts of a zipped document. Whatever sizes the archive claims, no part is read beyond the
//! limit, and all parts together not beyond theirs.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::Fault;
use super::budget::Budget;

const MIB: u64 = 1024 * 1024;
const PART_BYTES: u64 = 64 * MIB;
const ALL_BYTES: u64 = 256 * MIB;

const BOMB: Fault = Fault::Bomb("a part is larger than 64 MiB, or all are larger than 256");
const BROKEN: Fault = Fault::Damaged("its archive cannot be read");

pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
    budget: &'a Budget,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8], budget: &'a Budget) -> Result<Self, Fault> {
        // A password turns an Office document into another kind of container altogether.
        if bytes.starts_with(b"\xD0\xCF\x11\xE0") {
            return Err(Fault::Encrypted);
        }
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| BROKEN)?;
        Ok(Self { zip, left: ALL_BYTES, budget })
    }

    /// The bytes of a part; none when there is no such part.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        let part = match self.zip.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(_) | ZipError::InvalidPassword) => {
                return Err(Fault::Encrypted);
            }
            Err(_) => return Err(BROKEN),
        };
        let limit = self.left.min(PART_BYTES).min(self.budget.left() as u64);
        let mut bytes = Vec::new();
        part.take(limit + 1).read_to_end(&mut bytes).map_err(|_| BROKEN)?;
        let size = bytes.len() as u64;
        self.budget.spend(bytes.len())?;
        if size > limit {
            return Err(BOMB);
        }
        self.left -= size;
        Ok(Some(bytes))
    }

    /// A part that the document cannot do without.
    pub(super) fn main_part(&mut self, name: &str) -> Result<Vec<u8>, Fault> {
        self.part(name)?.ok_or(Fault::Damaged("its main part is missing"))
    }

    /// The names of all parts, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.zip.file_names().flatten().map(Cow::into_owned).collect();
        names.sort();
        names
    }
}
