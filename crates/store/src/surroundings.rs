//! What lies around an SQLite database: who may read it, and how much room is left. It is looked
//! at from outside, so that it can be told even of a database that does not open.

use crate::error::StoreError;
use crate::sqlite::Place;
use dossier_core::health::Surroundings;
use std::path::Path;

/// Looks around the database at this URL; `None` for PostgreSQL.
pub fn surroundings(url: &str) -> Result<Option<Surroundings>, StoreError> {
    let Some(path) = url.strip_prefix("sqlite:") else { return Ok(None) };
    let place = Place::named(path)?;
    let folder = place.file.parent().unwrap_or(Path::new("/"));
    let files = [place.file.clone(), place.blobs(), place.backups()].into_iter();
    let open_to_others = files
        .chain(place.journals())
        .filter(|path| mode(path).is_some_and(|mode| mode & 0o077 != 0))
        .map(|path| path.display().to_string())
        .collect();
    Ok(Some(Surroundings {
        folder: folder.display().to_string(),
        writable: place.is_writable(),
        writable_by_others: mode(folder).is_some_and(|mode| mode & 0o022 != 0),
        open_to_others,
        database_bytes: place.file.metadata().ok().map(|metadata| metadata.len()),
        free_bytes: free_bytes(folder),
    }))
}

#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(path.metadata().ok()?.permissions().mode())
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Option<u32> {
    None
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let room = rustix::fs::statvfs(folder).ok()?;
    Some(room.f_bavail.saturating_mul(room.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}
