//! Opening a file that may be swapped under our hands.
//!
//! What is handed out is a regular file that stood at exactly the given path, with no link on the
//! way, at a moment after it was opened. A pipe, socket or device is never waited for.

use std::fs::{self, File, Metadata, OpenOptions};
use std::path::Path;

use crate::SkipReason;

/// Opens the regular file at `path`, which must be free of links.
pub(crate) fn regular(path: &Path) -> Result<(File, Metadata), SkipReason> {
    if !fs::symlink_metadata(path).map_err(unreadable)?.is_file() {
        return Err(SkipReason::NotAFile);
    }
    let file = without_waiting().open(path).map_err(unreadable)?;
    let opened = file.metadata().map_err(unreadable)?;
    if !opened.is_file() {
        return Err(SkipReason::NotAFile);
    }
    let standing = fs::symlink_metadata(path).map_err(unreadable)?;
    if fs::canonicalize(path).map_err(unreadable)? != path || !is_same(&opened, &standing) {
        return Err(SkipReason::Replaced);
    }
    Ok((file, opened))
}

pub(crate) fn unreadable(error: std::io::Error) -> SkipReason {
    SkipReason::Unreadable(error.to_string())
}

/// The checks before opening can be outrun by a swap; these flags make that harmless too.
#[cfg(unix)]
fn without_waiting() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY);
    options
}

#[cfg(not(unix))]
fn without_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

#[cfg(unix)]
fn is_same(opened: &Metadata, standing: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (opened.dev(), opened.ino()) == (standing.dev(), standing.ino())
}

#[cfg(not(unix))]
fn is_same(opened: &Metadata, standing: &Metadata) -> bool {
    opened.file_type() == standing.file_type()
}
