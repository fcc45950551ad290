//! What only SQLite needs: the file and its folder, pragmas, one writer at a time, large blobs
//! beside the database, full text by FTS5 and an index of vectors in memory.

mod blobs;
mod search;

pub(crate) use search::{index, new_chunk_ids, postings};

use crate::error::{StoreError, is_busy};
use sqlx::AnyPool;
use sqlx::any::AnyPoolOptions;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::Mutex;

const CONNECTIONS: u32 = 5;

/// `page_size` and `journal_mode` are kept in the file, the others belong to the connection. A page
/// holds several chunks: in smaller ones half of the space would be lost. Reading
/// through a mapping saves a call for every page. A commit survives the
/// end of the process; with `NORMAL` the last ones may be lost when the power fails.
const PRAGMAS: &str =
    "PRAGMA busy_timeout = 5000; PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384;
    PRAGMA mmap_size = 1073741824;";

/// What a process keeps of an SQLite store beside its connections.
#[derive(Debug)]
pub(crate) struct Local {
    /// Held while writing, so that a process's writers queue in order.
    pub(crate) writing: Arc<Mutex<()>>,
    /// The folder of large blobs.
    blobs: PathBuf,
}

pub(crate) async fn connect(path: &str) -> Result<(AnyPool, Local), StoreError> {
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() || path.starts_with(':') || path.contains(['?', '#']) {
        return Err(StoreError::invalid("database url", "names no file; write sqlite:<path>"));
    }
    let path = create(Path::new(path)).map_err(|error| {
        StoreError::unavailable(
            format!("{path} cannot be opened: {error}"),
            "check that its folder exists and is writable",
        )
    })?;
    let url = format!("sqlite://{}?mode=rw", percent_encoded(&path)?);
    let options = || {
        AnyPoolOptions::new().max_connections(CONNECTIONS).after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::raw_sql(PRAGMAS).execute(connection).await?;
                Ok(())
            })
        })
    };
    // The first to open a new file turns it to WAL, and SQLite does not wait for that.
    let mut attempts = 0;
    let pool = loop {
        match options().connect(&url).await {
            Err(error) if is_busy(&error) && attempts < 20 => {
                attempts += 1;
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            result => break result?,
        }
    };
    let local = Local { writing: Arc::new(Mutex::new(())), blobs: path.with_file_name("blobs") };
    Ok((pool, local))
}

/// Makes the file and its folder if they are missing, for the owner's eyes only. Returns the
/// absolute path.
fn create(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    if let Some(folder) = path.parent() {
        create_private_folder(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&path)?;
    path.canonicalize()
}

fn create_private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
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
