//! What only SQLite needs: the file and its folder, pragmas, one writer at a time, large blobs
//! beside the database, and full text by FTS5.

mod backup;
mod blobs;
mod check;
mod chunks;
mod journal;
mod mend;
mod place;
mod restore;
mod search;

#[cfg(test)]
mod full;

pub(crate) use backup::{
    Turn, bytes as backup_bytes, examine as examine_backup, list as backups, make as back_up,
    name_now, rotate,
};
pub(crate) use check::{index_content, integrity, prepare_vocabulary};
pub(crate) use chunks::chunks;
pub(crate) use journal::committed;
pub(crate) use mend::{Removal, compact, recreate_index, shred};
pub(crate) use place::Place;
pub use restore::Restored;
pub(crate) use restore::restore;
pub(crate) use search::{index, new_chunk_ids, postings};

use crate::error::{StoreError, is_busy};
use crate::sql::{self, Pool, SqlitePool};
use crate::store::Opening;
use journal::Journal;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use tokio::sync::Mutex;

const CONNECTIONS: u32 = 5;

/// `page_size` and `journal_mode` are kept in the file, the others belong to the connection. A page
/// holds several chunks: in smaller ones half of the space would be lost. A commit survives the end
/// of the process; with `NORMAL` the last ones may be lost when the power fails. The journal is written
/// back beside the writers, and by one of them only when it holds 64 MB.
const PRAGMAS: &str = "PRAGMA page_size = 8192;
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
    PRAGMA wal_autocheckpoint = 8000;
    PRAGMA cache_size = -16384; PRAGMA mmap_size = 1073741824;";

/// What a process keeps of an SQLite store beside its connections.
#[derive(Debug)]
pub(crate) struct Local {
    /// Held while writing, so that a process's writers queue in order.
    pub(crate) writing: Arc<Mutex<()>>,
    pub(crate) place: Place,
    pub(crate) access: Access,
    /// The folder of large blobs.
    blobs: PathBuf,
    /// Tells other processes that the database is open.
    in_use: std::sync::Mutex<Option<File>>,
    /// Tells other processes that turns or jobs are worked on here.
    works: std::sync::Mutex<Option<File>>,
    journal: Journal,
}

impl Local {
    /// Lets others have the database to themselves.
    pub(crate) fn leave(&self) {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.works.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether other processes are told that turns or jobs are worked on here.
    pub(crate) fn is_at_work(&self) -> bool {
        self.works.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Notes that turns or jobs are worked on here, from the first one on.
    pub(crate) async fn work(&self) {
        let works = || self.works.lock().unwrap_or_else(PoisonError::into_inner);
        if works().is_some() {
            return;
        }
        let place = self.place.clone();
        // Where nothing can be noted, others wait for the turn's lease to run out.
        if let Ok(Ok(file)) = tokio::task::spawn_blocking(move || place.work()).await {
            *works() = Some(file);
        }
    }
}

/// How a database is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Write,
    /// Its folder is not writable. Without journals nothing can have been left out of the file,
    /// so it may be read as it is; with them SQLite must be able to read them.
    Read(Journals),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Journals {
    Present,
    None,
}

impl Access {
    fn of(place: &Place) -> Self {
        match (place.is_writable(), place.journals().iter().any(|journal| journal.exists())) {
            (true, _) => Self::Write,
            (false, true) => Self::Read(Journals::Present),
            (false, false) => Self::Read(Journals::None),
        }
    }

    fn uri(self, path: &Path) -> Result<String, StoreError> {
        let mode = match self {
            Self::Write => "mode=rw",
            Self::Read(Journals::Present) => "mode=ro",
            Self::Read(Journals::None) => "mode=ro&immutable=true",
        };
        uri(path, mode)
    }

    fn pragmas(self) -> &'static str {
        match self {
            Self::Write => PRAGMAS,
            Self::Read(_) => "",
        }
    }
}

pub(crate) async fn connect(path: &str, opening: Opening) -> Result<(Pool, Local), StoreError> {
    let mut place = Place::named(path)?;
    match opening {
        Opening::Create => {
            place.create()?;
            place = Place::named(path)?;
        }
        _ if !place.exists() => {
            return Err(StoreError::unavailable(
                format!("there is no database at {}", place.file.display()),
                "check the path, begin one: dossier index PATH, or bring a backup back: dossier \
                 maintain --restore",
            ));
        }
        _ => {}
    }
    place.check_length()?;
    let in_use = place.share()?;
    let access = match (opening, Access::of(&place)) {
        // As if it could not be written: SQLite would write a journal back, also into a file that
        // is damaged.
        (Opening::AsItIs, Access::Write) => Access::Read(Journals::Present),
        (_, access) => access,
    };
    let uri = access.uri(&place.file)?;
    let open = move || {
        let connection = sql::open(&uri)?;
        connection.execute_batch(access.pragmas())?;
        Ok(connection)
    };
    let first = first_connection(&open).await?;
    let pool = Pool::Sqlite(SqlitePool::new(first, CONNECTIONS, open));
    let local = Local {
        writing: Arc::new(Mutex::new(())),
        blobs: place.blobs(),
        place,
        access,
        in_use: std::sync::Mutex::new(in_use),
        works: std::sync::Mutex::default(),
        journal: Journal::default(),
    };
    Ok((pool, local))
}

/// The first to open a new file turns it to WAL, and SQLite does not wait for that.
async fn first_connection(
    open: &impl Fn() -> Result<rusqlite::Connection, sql::Error>,
) -> Result<rusqlite::Connection, StoreError> {
    let mut attempts = 0;
    loop {
        match open() {
            Err(error) if is_busy(&error) && attempts < 20 => {
                attempts += 1;
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            result => break Ok(result?),
        }
    }
}

/// A file as SQLite opens it, with what it may do to it.
fn uri(path: &Path, mode: &str) -> Result<String, StoreError> {
    Ok(format!("file:{}?{mode}", percent_encoded(path)?))
}

/// The path as it may stand in a URL.
fn percent_encoded(path: &Path) -> Result<String, StoreError> {
    let path = path
        .to_str()
        .ok_or_else(|| StoreError::invalid("database url", "the path is not UTF-8"))?;
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    Ok(encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_in_urls_with_all_their_characters() {
        let encoded = percent_encoded(Path::new("/a b/50%/ü.db")).unwrap();
        assert_eq!(encoded, "/a%20b/50%25/%C3%BC.db");
    }
}
