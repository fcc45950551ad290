//! Putting a backup in the place of a database. At every moment the database is either the old
//! one or the new one: the new one is complete and checked before it takes the other's name, and
//! the old one has a second name among the backups by then.

use super::backup::{self, BLOBS, DATABASE, Examined, examine_database};
use super::place::{Place, create_private_folder, in_use, with_suffix};
use super::uri;
use crate::error::{StoreError, is_busy};
use crate::migrate;
use crate::sql::{self, Connection};
use dossier_core::backup::{BackupName, Cause};
use dossier_core::time::Timestamp;
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
    /// Newer backups that cannot be used, each with the reason.
    pub passed_over: Vec<(PathBuf, String)>,
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
    let candidates = candidates(place, which)?;
    if let Some(folder) = place.file.parent() {
        create_private_folder(folder).map_err(|error| backup::failed(&error))?;
    }
    let _claim = place.claim()?;
    backup::tidy(place).map_err(|error| backup::failed(&error))?;
    let mut passed_over = Vec::new();
    for backup in candidates {
        let staged = match stage(place, &backup).await? {
            Ok(staged) => staged,
            Err(why) => {
                passed_over.push((backup, why));
                continue;
            }
        };
        let replaced = give_way(place, now).await?;
        let exchanged = exchange(place, &backup, &staged.file);
        exchanged.map_err(|error| backup::failed(&error))?;
        let name = backup.file_name().and_then(|name| BackupName::parse(name.to_str()?));
        let made_at = name.map(|name| name.at);
        return Ok(Restored { backup, made_at, passed_over, replaced, missing: staged.missing });
    }
    let each = passed_over
        .iter()
        .map(|(backup, why)| format!("the backup {} cannot be used: {why}", backup.display()));
    Err(StoreError::unavailable(
        each.collect::<Vec<_>>().join("; "),
        "choose another: dossier maintain --backups lists them",
    ))
}

/// The backup with this name or at this path; without one those that are whole by themselves,
/// newest first.
fn candidates(place: &Place, which: Option<&str>) -> Result<Vec<PathBuf>, StoreError> {
    let Some(which) = which else {
        let known = backup::list(place)?;
        let whole = known.iter().rev().filter(|name| name.cause != Cause::Replaced);
        let own: Vec<PathBuf> = whole.map(|name| place.backups().join(name.to_string())).collect();
        if own.is_empty() {
            return Err(StoreError::not_found(format!(
                "a backup in {}; name the folder of one: dossier maintain --restore FOLDER; it",
                place.backups().display()
            )));
        }
        return Ok(own);
    };
    let named = [place.backups().join(which), PathBuf::from(which)];
    let named = named.into_iter().find(|folder| folder.join(DATABASE).is_file());
    named.map(|folder| vec![folder]).ok_or_else(|| {
        StoreError::not_found(format!(
            "a backup {which} (dossier maintain --backups lists them); it"
        ))
    })
}

struct Staged {
    file: PathBuf,
    missing: usize,
}

/// Copies the backup's database beside the one it will replace, and checks it there; or tells why
/// it cannot be used.
async fn stage(place: &Place, backup: &Path) -> Result<Result<Staged, String>, StoreError> {
    let file = with_suffix(&place.file, "-restoring");
    let source = Place { file: backup.join(DATABASE) };
    if !source.file.is_file() {
        return Ok(Err("its database is missing".to_owned()));
    }
    copy_whole(&source, &Place { file: file.clone() }).map_err(|error| backup::failed(&error))?;
    let examined = examine_copy(&file, backup).await;
    match examined.and_then(|examined| Ok((migrate::check_known(examined.format)?, examined))) {
        Ok(((), examined)) => Ok(Ok(Staged { file, missing: examined.missing })),
        // A full disk or a file held by another says nothing about the backup.
        Err(error @ StoreError::Unavailable { .. }) => Err(error),
        Err(error) => {
            let _ = remove(&file);
            Ok(Err(match error {
                StoreError::Damaged { what } => format!("it is damaged: {what}"),
                // Whoever goes back to an earlier version wants one from before the change.
                StoreError::NewerFormat { .. } => "a newer version of dossier wrote it".to_owned(),
                error => error.to_string(),
            }))
        }
    }
}

/// Copies a database with its journal: one that was put aside may have changes in it.
fn copy_whole(source: &Place, copy: &Place) -> io::Result<()> {
    remove(&copy.file)?;
    for journal in copy.journals() {
        remove(&journal)?;
    }
    backup::copy(&source.file, &copy.file)?;
    let ([journal, _], [copied, _]) = (source.journals(), copy.journals());
    match journal.exists() {
        true => backup::copy(&journal, &copied),
        false => Ok(()),
    }
}

async fn examine_copy(file: &Path, backup: &Path) -> Result<Examined, StoreError> {
    let mut connection = Connection::Sqlite(sql::open(&uri(file, "mode=rw")?)?);
    let examined = examine_database(&mut connection, backup).await;
    // One file is exchanged at once, two are not.
    let merged = sql::script("PRAGMA journal_mode = DELETE").execute(&mut connection).await;
    drop(connection);
    let examined = examined?;
    merged?;
    Ok(examined)
}

/// Keeps the present database aside. It has its second name, its journal too, before anything is
/// done to it: SQLite may take the journal away even when it cannot make sense of the file.
async fn give_way(place: &Place, now: Timestamp) -> Result<Option<PathBuf>, StoreError> {
    let aside = keep_aside(place, now).map_err(|error| backup::failed(&error))?;
    match (settle_journal(place).await, &aside) {
        (Ok(Settled::Whole), Some(aside)) => {
            let kept = Place { file: aside.join(DATABASE) };
            // A copy has not become whole with the file it is a copy of.
            if backup::is_same_file(&kept.file, &place.file) {
                let [journal, _] = kept.journals();
                remove(&journal).map_err(|error| backup::failed(&error))?;
            }
        }
        (Err(error), aside) => {
            if let Some(aside) = aside {
                let _ = fs::remove_dir_all(aside);
            }
            return Err(error);
        }
        _ => {}
    }
    Ok(aside)
}

/// Whether all of a database stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Settled {
    Whole,
    /// What is in the journal belongs to it as well.
    WithJournal,
}

/// Writes the journal of the present database back into it, so that nothing hangs on the journal
/// when it goes. A database that is too damaged for that is kept aside with its journal.
async fn settle_journal(place: &Place) -> Result<Settled, StoreError> {
    if !place.exists() {
        return Ok(Settled::WithJournal);
    }
    let uri = uri(&place.file, "mode=rw")?;
    let settled = async {
        let mut connection = Connection::Sqlite(sql::open(&uri)?);
        // Refused while any other program has the file open, ours or not.
        sql::script("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE;")
            .execute(&mut connection)
            .await
    };
    match settled.await {
        Err(error) if is_busy(&error) => Err(in_use()),
        Err(_) => Ok(Settled::WithJournal),
        Ok(_) => Ok(Settled::Whole),
    }
}

/// Gives the present database, or the journal that is left of it, and its blobs a second name
/// among the backups.
fn keep_aside(place: &Place, now: Timestamp) -> io::Result<Option<PathBuf>> {
    let [journal, _] = place.journals();
    if !place.exists() && !journal.exists() {
        return Ok(None);
    }
    let name = BackupName { at: now, cause: Cause::Replaced };
    let folder = place.backups().join(name.to_string());
    create_private_folder(&folder)?;
    let kept = Place { file: folder.join(DATABASE) };
    let [kept_journal, _] = kept.journals();
    for (present, kept) in [(&place.file, &kept.file), (&journal, &kept_journal)] {
        if present.exists() {
            backup::link(present, kept)?;
        }
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
