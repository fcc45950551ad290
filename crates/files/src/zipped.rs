//! Texts out of a ZIP, chosen by name. However small the ZIP, no more than the limit is unpacked.

use std::borrow::Cow;
use std::io::{Read, Seek};

use zip::ZipArchive;

use crate::FilesError;

/// A text of a ZIP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub text: String,
}

/// The members whose names are wanted, in the order of their names; all together have at most
/// `limit` bytes.
pub fn zipped(
    reader: impl Read + Seek,
    limit: u64,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Member>, FilesError> {
    let mut archive = ZipArchive::new(reader).map_err(bad)?;
    let mut names: Vec<String> =
        archive.file_names().flatten().map(Cow::into_owned).filter(|name| wanted(name)).collect();
    names.sort();
    let mut members = Vec::with_capacity(names.len());
    let mut room = limit;
    for name in names {
        let member = archive.by_name(&name).map_err(bad)?;
        let mut bytes = Vec::new();
        // What a ZIP says of its sizes need not be true.
        let read = member.take(room.saturating_add(1)).read_to_end(&mut bytes).map_err(bad)?;
        room = room.checked_sub(read as u64).ok_or_else(|| FilesError::BadZip {
            fault: format!("{name} makes it more than {limit} bytes when unpacked"),
        })?;
        let text = String::from_utf8(bytes).map_err(|error| FilesError::BadZip {
            fault: format!(
                "{name} is not text in UTF-8: byte {} is wrong",
                error.utf8_error().valid_up_to()
            ),
        })?;
        members.push(Member { name, text });
    }
    Ok(members)
}

fn bad(error: impl ToString) -> FilesError {
    FilesError::BadZip { fault: error.to_string() }
}
