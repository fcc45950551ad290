//! Large blobs in the folder `blobs` beside the database: a folder for each owner, a file for
//! each hash. A file is complete before its row is committed, and is removed after its row is
//! gone. Both happen while holding the right to write, so neither can undo the other.

use super::Local;
use super::backup::sync_folder;
use super::place::{create_private_folder, private_file};
use crate::error::{StoreError, full};
use crate::sql::{self, Connection};
use crate::store::Inner;
use crate::write;
use dossier_core::hash::ContentHash;
use dossier_core::id::OwnerId;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const UNFINISHED: &str = "new";

impl Local {
    pub(crate) async fn write_blob(
        &self,
        owner: &OwnerId,
        hash: &ContentHash,
        bytes: &[u8],
    ) -> Result<(), StoreError> {
        let path = self.path(owner, hash);
        let bytes = bytes.to_vec();
        blocking(move || write_file(&path, &bytes)).await
    }

    pub(crate) async fn read_blob(
        &self,
        owner: &OwnerId,
        hash: &ContentHash,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(owner, hash);
        blocking(move || match fs::read(path) {
            // Deleted since its row was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            result => result.map(Some),
        })
        .await
    }

    /// Removes files whose rows are gone. A crash before this leaves files that are swept away
    /// with the next backup.
    pub(crate) async fn remove_blobs(
        &self,
        inner: &Inner,
        owner: &OwnerId,
        hashes: &[ContentHash],
    ) -> Result<(), StoreError> {
        let mut exclusive = write::begin(inner, owner.as_str()).await?;
        for hash in hashes {
            // Another process may have stored the same content again meanwhile.
            if !has_row(&mut exclusive, &self.folder(owner), hash.as_str()).await? {
                let path = self.path(owner, hash);
                blocking(move || remove_file(&path)).await?;
            }
        }
        Ok(exclusive.commit().await?)
    }

    /// Removes what a crash left behind; how many files there were. It holds the right to write
    /// only when there is something to remove.
    pub(crate) async fn sweep_blobs(&self, inner: &Inner) -> Result<usize, StoreError> {
        let mut unnamed = Vec::new();
        let mut connection = inner.pool.apart().await?;
        for path in self.blob_files().await? {
            if !is_named(&mut connection, &path).await? {
                unnamed.push(path);
            }
        }
        drop(connection);
        if unnamed.is_empty() {
            return Ok(0);
        }
        let mut exclusive = write::begin(inner, "sweeping").await?;
        let mut swept = 0;
        for path in unnamed {
            // Its row may have been committed meanwhile.
            if !is_named(&mut exclusive, &path).await? {
                blocking(move || remove_file(&path)).await?;
                swept += 1;
            }
        }
        exclusive.commit().await?;
        Ok(swept)
    }

    /// Where a large blob lies.
    pub(crate) fn blob_path(&self, owner: &str, hash: &str) -> PathBuf {
        self.blobs.join(owner_folder(owner)).join(hash)
    }

    /// Every file in the folder of large blobs.
    pub(crate) async fn blob_files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let root = self.blobs.clone();
        blocking(move || list(&root)).await
    }

    fn folder(&self, owner: &OwnerId) -> PathBuf {
        self.blobs.join(owner_folder(owner.as_str()))
    }

    fn path(&self, owner: &OwnerId, hash: &ContentHash) -> PathBuf {
        self.folder(owner).join(hash.as_str())
    }
}

/// The name of an owner's folder: an owner's own name may hold characters that a file's cannot.
pub(super) fn owner_folder(owner: &str) -> String {
    ContentHash::of(owner).to_string()
}

/// Whether a file has a row.
async fn is_named(connection: &mut Connection, path: &Path) -> Result<bool, StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    has_row(connection, path.parent().unwrap_or(path), &name).await
}

/// Whether some owner with this folder has a row for the hash.
async fn has_row(
    connection: &mut Connection,
    folder: &Path,
    hash: &str,
) -> Result<bool, StoreError> {
    let rows = sql::query("SELECT owner FROM blobs WHERE hash = $1 AND content IS NULL")
        .bind(hash)
        .fetch_all(connection)
        .await?;
    for row in &rows {
        let owner: String = row.text("owner")?;
        if folder.ends_with(owner_folder(&owner)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        create_private_folder(folder)?;
    }
    // There is one writer, so one name is enough.
    let unfinished = path.with_file_name(UNFINISHED);
    let mut file = private_file().create(true).write(true).truncate(true).open(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(unfinished, path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// The files in all owners' folders.
pub(super) fn list(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let folders = match fs::read_dir(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(files),
        result => result?,
    };
    for folder in folders {
        let folder = folder?.path();
        if folder.is_dir() {
            for file in fs::read_dir(folder)? {
                files.push(file?.path());
            }
        }
    }
    Ok(files)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, StoreError> {
    let result = tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| StoreError::Other(Box::new(error)))?;
    result.map_err(|error| match error.kind() {
        io::ErrorKind::StorageFull => full(),
        _ => StoreError::unavailable(
            format!("the folder of large contents failed: {error}"),
            "check its permissions and the free disk space",
        ),
    })
}
