//! Backups of an SQLite store, each a folder of its own in the folder of backups: a copy of the
//! database and the large blobs it names, so that it can be moved anywhere and restored alone.
//!
//! Blobs are linked, not copied, where the file system can: their files are written once under
//! the hash of their content and never changed, so a link holds what a copy would, costs nothing,
//! and outlives the blob's own removal.
//!
//! A backup has its name only when it is whole, checked and on the disk.

use super::blobs::owner_folder;
use super::place::{Place, create_private_folder, private_file};
use super::{place, uri};
use crate::error::{StoreError, full};
use crate::sql::{self, Connection, Pool};
use dossier_core::backup::{BackupName, Cause, Retention, surplus};
use dossier_core::time::Timestamp;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The database inside a backup.
pub(crate) const DATABASE: &str = "dossier.db";
pub(crate) const BLOBS: &str = "blobs";
const UNFINISHED: &str = "unfinished";
const LOCK: &str = "lock";

/// How often a copy is begun anew when blobs came and went while it was made.
const ATTEMPTS: usize = 3;

/// What to do while another process makes a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Wait,
    Skip,
}

/// The finished backups in the folder, oldest first.
pub(crate) fn list(place: &Place) -> Result<Vec<BackupName>, StoreError> {
    let mut names = names(place)?;
    names.retain(|name| !is_the_store_itself(place, name));
    Ok(names)
}

/// Whether a name is all that an interrupted restoration left: the database is still in its
/// place, and what would have been kept of it is the same file, with the same journal if any.
fn is_the_store_itself(place: &Place, name: &BackupName) -> bool {
    let kept = Place { file: place.backups().join(name.to_string()).join(DATABASE) };
    let ([kept_journal, _], [journal, _]) = (kept.journals(), place.journals());
    name.cause == Cause::Replaced
        && is_same_file(&kept.file, &place.file)
        && (!kept_journal.exists() || is_same_file(&kept_journal, &journal))
}

#[cfg(unix)]
pub(crate) fn is_same_file(left: &Path, right: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (left.metadata(), right.metadata()) {
        (Ok(left), Ok(right)) => (left.dev(), left.ino()) == (right.dev(), right.ino()),
        _ => false,
    }
}

/// There the database is copied before it is replaced.
#[cfg(not(unix))]
pub(crate) fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}

/// Bytes of a backup's database.
pub(crate) fn bytes(folder: &Path) -> u64 {
    folder.join(DATABASE).metadata().map_or(0, |metadata| metadata.len())
}

/// Removes what interrupted backups and restorations left.
pub(crate) fn tidy(place: &Place) -> io::Result<()> {
    remove_unfinished(&place.backups())?;
    for name in names(place).unwrap_or_default() {
        if is_the_store_itself(place, &name) {
            fs::remove_dir_all(place.backups().join(name.to_string()))?;
        }
    }
    Ok(())
}

fn names(place: &Place) -> Result<Vec<BackupName>, StoreError> {
    let entries = match fs::read_dir(place.backups()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        result => result.map_err(|error| failed(&error))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| failed(&error))?;
        names.extend(entry.file_name().to_str().and_then(BackupName::parse));
    }
    names.sort();
    Ok(names)
}

/// Makes a backup; `None` when another process is about it and it is not this one's turn.
pub(crate) async fn make(
    pool: &Pool,
    place: &Place,
    name: BackupName,
    turn: Turn,
) -> Result<Option<PathBuf>, StoreError> {
    let Some(_lock) = lock(place, turn).await? else { return Ok(None) };
    let made = write(pool, place, name).await;
    if made.is_err() {
        // What a failed attempt leaves would only take room.
        let _ = remove_unfinished(&place.backups());
    }
    made.map(Some)
}

async fn write(pool: &Pool, place: &Place, name: BackupName) -> Result<PathBuf, StoreError> {
    for _ in 0..ATTEMPTS {
        let folder = begin(place)?;
        // Before the copy, so that what goes meanwhile is there, and after it for what came.
        link_all(&place.blobs(), &folder.join(BLOBS)).map_err(|error| failed(&error))?;
        copy_database(pool, &folder.join(DATABASE)).await?;
        link_all(&place.blobs(), &folder.join(BLOBS)).map_err(|error| failed(&error))?;
        let copy = examine(&folder).await?;
        if copy.missing > 0 && present(place, &copy.blobs) {
            continue;
        }
        drop_others(&folder.join(BLOBS), &copy.blobs).map_err(|error| failed(&error))?;
        return finish(place, &folder, name).map_err(|error| failed(&error));
    }
    Err(StoreError::unavailable(
        "large contents changed again and again while the backup was made",
        "try again when less is being written",
    ))
}

/// Removes the backups that are no longer wanted; how many there were.
pub(crate) async fn rotate(place: &Place, retention: &Retention) -> Result<usize, StoreError> {
    // Whoever makes one meanwhile will remove them.
    let Some(_turn) = lock(place, Turn::Skip).await? else { return Ok(0) };
    let names = list(place)?;
    let gone = surplus(&names, retention);
    for name in &gone {
        // Renamed first: what is left of an interrupted removal is no backup any more.
        let unfinished = place.backups().join(UNFINISHED);
        let removed = remove_unfinished(&place.backups())
            .and_then(|()| fs::rename(place.backups().join(name.to_string()), &unfinished))
            .and_then(|()| fs::remove_dir_all(&unfinished));
        removed.map_err(|error| failed(&error))?;
    }
    Ok(gone.len())
}

async fn lock(place: &Place, turn: Turn) -> Result<Option<File>, StoreError> {
    let path = place.backups().join(LOCK);
    let opened = create_private_folder(&place.backups())
        .and_then(|()| private_file().read(true).append(true).create(true).open(path));
    let file = opened.map_err(|error| failed(&error))?;
    match (file.try_lock(), turn) {
        (Ok(()), _) => Ok(Some(file)),
        (Err(TryLockError::WouldBlock), Turn::Skip) => Ok(None),
        (Err(TryLockError::WouldBlock), Turn::Wait) => {
            let waiting = tokio::task::spawn_blocking(move || file.lock().map(|()| file));
            let file = waiting.await.map_err(|error| StoreError::Other(Box::new(error)))?;
            file.map(Some).map_err(|error| failed(&error))
        }
        (Err(TryLockError::Error(error)), _) => Err(failed(&error)),
    }
}

fn begin(place: &Place) -> Result<PathBuf, StoreError> {
    let begun = tidy(place);
    let folder = place.backups().join(UNFINISHED);
    begun.and_then(|()| create_private_folder(&folder)).map_err(|error| failed(&error))?;
    Ok(folder)
}

fn remove_unfinished(backups: &Path) -> io::Result<()> {
    match fs::remove_dir_all(backups.join(UNFINISHED)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// A copy of the database as it stands at one moment; others go on writing meanwhile.
async fn copy_database(pool: &Pool, to: &Path) -> Result<(), StoreError> {
    // Created first, so that it is never readable by others.
    let file = private_file().write(true).create_new(true).open(to);
    file.map_err(|error| failed(&error))?;
    let path = to
        .to_str()
        .ok_or_else(|| StoreError::invalid("database url", "the path is not UTF-8"))?
        .replace('\'', "''");
    let mut connection = pool.apart().await?;
    sql::script(format!("VACUUM INTO '{path}'")).execute(&mut connection).await?;
    File::open(to).and_then(|file| file.sync_all()).map_err(|error| failed(&error))
}

/// What a backup holds.
#[derive(Debug)]
pub(crate) struct Examined {
    pub(crate) format: i64,
    /// The large blobs its database names, each as owner's folder and hash.
    pub(crate) blobs: Vec<(String, String)>,
    /// How many of them are not there.
    pub(crate) missing: usize,
}

/// Reads a backup from its first page to its last; an error when it is damaged.
pub(crate) async fn examine(folder: &Path) -> Result<Examined, StoreError> {
    let path = folder.join(DATABASE);
    let opened = sql::open(&uri(&path, "mode=ro&immutable=true")?)?;
    examine_database(&mut Connection::Sqlite(opened), folder).await
}

pub(crate) async fn examine_database(
    connection: &mut Connection,
    folder: &Path,
) -> Result<Examined, StoreError> {
    let row = sql::query("SELECT quick_check AS answer FROM pragma_quick_check LIMIT 1")
        .slowly()
        .fetch_one(&mut *connection)
        .await?;
    let answer: String = row.text("answer")?;
    if answer != "ok" {
        return Err(StoreError::Damaged { what: answer });
    }
    let row = sql::query("SELECT version FROM format").fetch_one(&mut *connection).await?;
    let format = row.number("version")?;
    let rows = sql::query("SELECT owner, hash FROM blobs WHERE content IS NULL")
        .fetch_all(&mut *connection)
        .await?;
    let mut blobs = Vec::with_capacity(rows.len());
    for row in &rows {
        let owner: String = row.text("owner")?;
        blobs.push((owner_folder(&owner), row.text("hash")?));
    }
    let root = folder.join(BLOBS);
    let missing =
        blobs.iter().filter(|(owner, hash)| !root.join(owner).join(hash).exists()).count();
    Ok(Examined { format, blobs, missing })
}

/// Whether the store still has all of these; otherwise a second attempt would miss them too, and
/// a backup without them is better than none.
fn present(place: &Place, blobs: &[(String, String)]) -> bool {
    let root = place.blobs();
    blobs.iter().all(|(owner, hash)| root.join(owner).join(hash).exists())
}

/// Links or copies every blob of one folder into another, and has the names on the disk.
pub(crate) fn link_all(from: &Path, to: &Path) -> io::Result<()> {
    let owners = match fs::read_dir(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        result => result?,
    };
    for owner in owners {
        let owner = owner?;
        let folder = to.join(owner.file_name());
        create_private_folder(&folder)?;
        for blob in fs::read_dir(owner.path())? {
            let blob = blob?;
            // Half a blob has no hash for a name.
            if blob.file_name().len() == 64 {
                link(&blob.path(), &folder.join(blob.file_name()))?;
            }
        }
        sync_folder(&folder)?;
    }
    match to.exists() {
        true => sync_folder(to),
        false => Ok(()),
    }
}

/// A second name for a file, or a copy of it where there can be no second name. What has the
/// name already, or is gone meanwhile, is left alone.
pub(crate) fn link(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error)
            if [io::ErrorKind::AlreadyExists, io::ErrorKind::NotFound].contains(&error.kind()) =>
        {
            Ok(())
        }
        Err(_) => copy(from, to),
        Ok(()) => Ok(()),
    }
}

/// A copy that is on the disk before it has its name.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let unfinished = place::with_suffix(to, "-new");
    let mut source = File::open(from)?;
    let mut target = private_file().write(true).create(true).truncate(true).open(&unfinished)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()?;
    fs::rename(unfinished, to)
}

/// Removes linked blobs that the copied database does not name.
fn drop_others(root: &Path, wanted: &[(String, String)]) -> io::Result<()> {
    let wanted: std::collections::HashSet<PathBuf> =
        wanted.iter().map(|(owner, hash)| root.join(owner).join(hash)).collect();
    for path in super::blobs::list(root)? {
        if !wanted.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn finish(place: &Place, folder: &Path, name: BackupName) -> io::Result<PathBuf> {
    let finished = place.backups().join(name.to_string());
    sync_folder(folder)?;
    fs::rename(folder, &finished)?;
    sync_folder(&place.backups())?;
    Ok(finished)
}

/// A new name is on the disk when its folder is.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

pub(crate) fn failed(error: &io::Error) -> StoreError {
    match error.kind() {
        io::ErrorKind::StorageFull => full(),
        _ => StoreError::unavailable(
            format!("the folder of backups failed: {error}"),
            "check its permissions and the free disk space",
        ),
    }
}

/// A name for a backup that is made without being asked for, when there is no request to take the
/// time from.
pub(crate) fn name_now(cause: Cause) -> BackupName {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let millis = since.map_or(0, |since| since.as_millis());
    let at = Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
    BackupName { at, cause }
}
