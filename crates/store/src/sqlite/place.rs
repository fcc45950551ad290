//! Where an SQLite database lies and what lies beside it. All of it belongs to one file, so two
//! databases in one folder do not meet; all of it is for its owner's eyes only.
//!
//! Every process that has the database open holds a shared lock on a file beside it, which ends
//! with the process however it ends. Whoever exchanges the database takes that lock for itself.

use crate::error::StoreError;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The file whose companions have short names.
const USUAL_NAME: &str = "dossier.db";

#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The database itself, by its real path.
    pub(crate) file: PathBuf,
}

impl Place {
    /// The place that a URL's path names. It need not be there.
    pub(crate) fn named(path: &str) -> Result<Self, StoreError> {
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() || path.starts_with(':') || path.contains(['?', '#']) {
            return Err(StoreError::invalid("database url", "names no file; write sqlite:<path>"));
        }
        let absolute = std::path::absolute(path).map_err(|error| unopened(path, &error))?;
        // Links are followed, so that all ways to a file lead to the same companions.
        let file = match absolute.canonicalize() {
            Ok(real) => real,
            Err(_) => match (absolute.parent().map(Path::canonicalize), absolute.file_name()) {
                (Some(Ok(folder)), Some(name)) => folder.join(name),
                _ => absolute,
            },
        };
        Ok(Self { file })
    }

    /// Makes the file and its folder if they are missing. A file that is there is not opened:
    /// closing it again would end the locks that SQLite holds on it in this process.
    pub(crate) fn create(&self) -> Result<(), StoreError> {
        let created = match self.file.parent() {
            Some(folder) => create_private_folder(folder),
            None => Ok(()),
        };
        let created = created.and_then(|()| {
            match private_file().write(true).create_new(true).open(&self.file) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                result => result.map(drop),
            }
        });
        created.map_err(|error| unopened(&self.file.display().to_string(), &error))
    }

    /// Whether there is a database; a file that holds nothing is none.
    pub(crate) fn exists(&self) -> bool {
        self.file.metadata().is_ok_and(|metadata| metadata.len() > 0)
    }

    /// Refuses what is left of a database whose first page is not whole: SQLite would take it for
    /// an empty one and begin anew.
    pub(crate) fn check_length(&self) -> Result<(), StoreError> {
        const SMALLEST_PAGE: u64 = 512;
        match self.file.metadata() {
            Ok(metadata) if (1..SMALLEST_PAGE).contains(&metadata.len()) => {
                let what = format!("{} is cut short", self.file.display());
                Err(StoreError::Damaged { what })
            }
            _ => Ok(()),
        }
    }

    /// Whether the file can be changed, which takes its folder too.
    pub(crate) fn is_writable(&self) -> bool {
        let folder = self.file.parent().unwrap_or(Path::new("/"));
        is_writable(&self.file) && is_writable(folder)
    }

    /// Changes that are not yet in the file itself, and their index.
    pub(crate) fn journals(&self) -> [PathBuf; 2] {
        ["-wal", "-shm"].map(|suffix| with_suffix(&self.file, suffix))
    }

    /// The folder of large blobs.
    pub(crate) fn blobs(&self) -> PathBuf {
        self.companion("blobs")
    }

    pub(crate) fn backups(&self) -> PathBuf {
        self.companion("backups")
    }

    /// Notes that this process has the database open, until the file is dropped. Nothing where
    /// nothing can be noted, as in a folder that is not writable.
    pub(crate) fn share(&self) -> Result<Option<File>, StoreError> {
        let path = with_suffix(&self.file, "-lock");
        let open = private_file().read(true).append(true).create(true).open(&path);
        let Ok(file) = open.or_else(|_| File::open(&path)) else { return Ok(None) };
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Err(StoreError::unavailable(
                "the database is being restored by another process",
                "try again when it is done",
            )),
            _ => Ok(Some(file)),
        }
    }

    /// Notes that this process works on turns or jobs, until the file is dropped. Waits while another one
    /// looks whether anybody does.
    pub(crate) fn work(&self) -> io::Result<File> {
        let file = self.work_file()?;
        file.lock_shared()?;
        Ok(file)
    }

    /// Keeps every process from working on them until the file is dropped; nothing while one does.
    pub(crate) fn rest(&self) -> Option<File> {
        let file = self.work_file().ok()?;
        file.try_lock().ok()?;
        Some(file)
    }

    fn work_file(&self) -> io::Result<File> {
        let path = with_suffix(&self.file, "-turns");
        private_file().read(true).append(true).create(true).open(path)
    }

    /// Shuts out every other process until the file is dropped; refused while one is in.
    pub(crate) fn claim(&self) -> Result<File, StoreError> {
        let path = with_suffix(&self.file, "-lock");
        let file = private_file()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .map_err(|error| unopened(&path.display().to_string(), &error))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(in_use()),
            Err(TryLockError::Error(error)) => Err(unopened(&path.display().to_string(), &error)),
        }
    }

    fn companion(&self, name: &str) -> PathBuf {
        match self.file.file_name() {
            Some(own) if own != USUAL_NAME => with_suffix(&self.file, &format!("-{name}")),
            _ => self.file.with_file_name(name),
        }
    }
}

pub(crate) fn in_use() -> StoreError {
    StoreError::unavailable(
        "another process has the database open",
        "end it (a server, an index run, a watcher) and try again",
    )
}

fn unopened(path: &str, error: &io::Error) -> StoreError {
    StoreError::unavailable(
        format!("{path} cannot be opened: {error}"),
        "check that its folder exists and is writable",
    )
}

/// Options for a file that only its owner may read.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(unix)]
fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.permissions().readonly())
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_in_one_folder_have_companions_of_their_own() {
        let place = |file: &str| Place { file: PathBuf::from(file) };
        assert_eq!(place("/a/dossier.db").blobs(), Path::new("/a/blobs"));
        assert_eq!(place("/a/notes.db").blobs(), Path::new("/a/notes.db-blobs"));
        assert_eq!(place("/a/notes.db").backups(), Path::new("/a/notes.db-backups"));
    }
}
