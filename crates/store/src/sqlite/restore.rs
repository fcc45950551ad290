//! Putting a backup in the place of a database. At every moment the database is either the old
//! one or the new one: the new one is complete and checked before it takes the other's name, and
//! the old one has a second name among the backups by then.

use super::backup::{self, BLOBS, DATABASE, examine_database};
use super::percent_encoded;
use super::place::{Place, create_private_folder, in_use, with_suffix};
use crate::error::{StoreError, is_busy};
use crate::migrate;
use dossier_core::backup::{BackupName, Cause};
use dossier_core::time::Timestamp;
use sqlx::{AnyConnection, Connection as _};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What came of restoring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The backup that is now the database.
    pub backup: PathBuf,
    /// When it was made, if its name says so.
    pub made_at: Option<Timestamp>,
    /// Where the database that was there before is kept.
    pub replaced: Option<PathBuf>,
    /// Large contents that the backup names but does not hold.
    pub missing: usize,
}

pub(crate) async fn restore(
    place: &Place,
    which: Option<&str>,
    now: Timestamp,
) -> Result<Restored, StoreError> {
    sqlx::any::install_default_drivers();
    let backup = chosen(place, which)?;
    let made_at =
        backup.file_name().and_then(|name| BackupName::parse(name.to_str()?)).map(|name| name.at);
    if let Some(folder) = place.file.parent() {
        create_private_folder(folder).map_err(|error| backup::failed(&error))?;
    }
    let _claim = place.claim()?;
    backup::tidy(place).map_err(|error| backup::failed(&error))?;
    let staged = stage(place, &backup).await?;
    settle_journal(place).await?;
    let replaced = keep_aside(place, now).map_err(|error| backup::failed(&error))?;
    let exchanged = exchange(place, &backup, &staged.file);
    exchanged.map_err(|error| backup::failed(&error))?;
    Ok(Restored { backup, made_at, replaced, missing: staged.missing })
}

/// The backup with this name or at this path; the newest that is whole by itself without one.
fn chosen(place: &Place, which: Option<&str>) -> Result<PathBuf, StoreError> {
    let known = backup::list(place)?;
    let own = |name: &BackupName| place.backups().join(name.to_string());
    let Some(which) = which else {
        let newest = known.iter().rev().find(|name| name.cause != Cause::Replaced);
        return newest.map(own).ok_or_else(|| {
            StoreError::not_found(format!(
                "a backup in {}; name the folder of one: dossier maintain --restore FOLDER; it",
                place.backups().display()
            ))
        });
    };
    let candidates = [place.backups().join(which), PathBuf::from(which)];
    candidates.into_iter().find(|folder| folder.join(DATABASE).is_file()).ok_or_else(|| {
        StoreError::not_found(format!(
            "a backup {which} (dossier maintain --backups lists them); it"
        ))
    })
}

struct Staged {
    file: PathBuf,
    missing: usize,
}

/// Copies the backup's database beside the one it will replace, and checks it there.
async fn stage(place: &Place, backup: &Path) -> Result<Staged, StoreError> {
    let file = with_suffix(&place.file, "-restoring");
    let stage = Place { file: file.clone() };
    remove(&file).map_err(|error| backup::failed(&error))?;
    for journal in stage.journals() {
        remove(&journal).map_err(|error| backup::failed(&error))?;
    }
    let source = Place { file: backup.join(DATABASE) };
    backup::copy(&source.file, &file).map_err(|error| backup::failed(&error))?;
    // A database that was put aside may have changes in its journal.
    let [journal, _] = source.journals();
    if journal.exists() {
        let [copied, _] = stage.journals();
        backup::copy(&journal, &copied).map_err(|error| backup::failed(&error))?;
    }
    let url = format!("sqlite://{}?mode=rw", percent_encoded(&file)?);
    let mut connection = AnyConnection::connect(&url).await?;
    let examined = examine_database(&mut connection, backup).await;
    // One file is exchanged at once, two are not.
    let merged = sqlx::raw_sql("PRAGMA journal_mode = DELETE").execute(&mut connection).await;
    connection.close().await?;
    let examined = match (examined, merged) {
        (Ok(examined), Ok(_)) => examined,
        (examined, merged) => {
            let _ = remove(&file);
            let error = examined.err().or(merged.err().map(StoreError::from));
            let what = error.map_or_else(String::new, |error| error.to_string());
            return Err(StoreError::unavailable(
                format!("the backup {} cannot be used: {what}", backup.display()),
                "choose another: dossier maintain --backups lists them",
            ));
        }
    };
    migrate::check_known(examined.format)?;
    Ok(Staged { file, missing: examined.missing })
}

/// Writes the journal of the present database back into it, so that nothing hangs on the journal
/// when it goes. A database that is too damaged for that is kept aside with its journal.
async fn settle_journal(place: &Place) -> Result<(), StoreError> {
    if !place.exists() {
        return Ok(());
    }
    let url = format!("sqlite://{}?mode=rw", percent_encoded(&place.file)?);
    let settled = async {
        let mut connection = AnyConnection::connect(&url).await?;
        // Refused while any other program has the file open, ours or not.
        let settled = sqlx::raw_sql("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE;")
            .execute(&mut connection)
            .await;
        connection.close().await?;
        settled
    };
    match settled.await {
        Err(error) if is_busy(&error) => Err(in_use()),
        _ => Ok(()),
    }
}

/// Gives the present database and its blobs a second name among the backups.
fn keep_aside(place: &Place, now: Timestamp) -> io::Result<Option<PathBuf>> {
    if !place.exists() {
        return Ok(None);
    }
    let name = BackupName { at: now, cause: Cause::Replaced };
    let folder = place.backups().join(name.to_string());
    create_private_folder(&folder)?;
    backup::link(&place.file, &folder.join(DATABASE))?;
    let [journal, _] = place.journals();
    if journal.exists() {
        let [kept, _] = Place { file: folder.join(DATABASE) }.journals();
        backup::link(&journal, &kept)?;
    }
    backup::link_all(&place.blobs(), &folder.join(BLOBS))?;
    backup::sync_folder(&folder)?;
    backup::sync_folder(&place.backups())?;
    Ok(Some(folder))
}

fn exchange(place: &Place, backup: &Path, staged: &Path) -> io::Result<()> {
    // Blobs are told by their content, so more of them than are named do no harm.
    backup::link_all(&backup.join(BLOBS), &place.blobs())?;
    // A journal of another database must never meet the new one.
    for journal in place.journals() {
        remove(&journal)?;
    }
    fs::rename(staged, &place.file)?;
    match place.file.parent() {
        Some(folder) => backup::sync_folder(folder),
        None => Ok(()),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
