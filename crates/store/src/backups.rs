//! Backups as callers see them. An SQLite store has them in a folder beside it; PostgreSQL has
//! its own tools, and no backups here.

use crate::error::StoreError;
use crate::sqlite::{self, Place, Restored, Turn};
use crate::store::{Backend, Store};
use dossier_core::backup::{BackupName, Cause, Retention, is_due};
use dossier_core::time::Timestamp;
use std::path::PathBuf;

/// A finished backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    pub name: BackupName,
    pub folder: PathBuf,
    /// Bytes of its database; large contents come on top, and share their room with the store's.
    pub bytes: u64,
}

/// The backups of a database, which need not be in a state to be opened.
#[derive(Debug, Clone)]
pub struct Backups {
    place: Place,
}

impl Backups {
    /// The backups of the database at this URL; `None` for PostgreSQL.
    pub fn of(url: &str) -> Result<Option<Self>, StoreError> {
        match url.strip_prefix("sqlite:") {
            Some(path) => Ok(Some(Self { place: Place::named(path)? })),
            None => Ok(None),
        }
    }

    /// Oldest first.
    pub fn list(&self) -> Result<Vec<Backup>, StoreError> {
        let names = sqlite::backups(&self.place)?;
        Ok(names.into_iter().map(|name| self.backup(name)).collect())
    }

    /// Puts a backup in the place of the database: the one with this name or at this path, or the
    /// newest that can be used. What was there is kept among the backups. Refused while the database is open.
    pub async fn restore(
        &self,
        which: Option<&str>,
        now: Timestamp,
    ) -> Result<Restored, StoreError> {
        sqlite::restore(&self.place, which, now).await
    }

    /// Reads a backup through and changes nothing: how many large contents it lacks, or what is
    /// wrong with it.
    pub async fn examine(&self, backup: &Backup) -> Result<usize, StoreError> {
        Ok(sqlite::examine_backup(&backup.folder).await?.missing)
    }

    fn backup(&self, name: BackupName) -> Backup {
        let folder = self.place.backups().join(name.to_string());
        let bytes = sqlite::backup_bytes(&folder);
        Backup { name, folder, bytes }
    }
}

impl Store {
    /// The store's backups; `None` on PostgreSQL.
    pub fn backups(&self) -> Option<Backups> {
        match &self.inner.backend {
            Backend::Sqlite(local) => Some(Backups { place: local.place.clone() }),
            Backend::Postgres => None,
        }
    }

    /// Makes a backup now. `None` on PostgreSQL, and when another process is making one that is due.
    pub async fn back_up(
        &self,
        cause: Cause,
        now: Timestamp,
    ) -> Result<Option<Backup>, StoreError> {
        let Some(backups) = self.backups() else { return Ok(None) };
        let name = BackupName { at: now, cause };
        // Who has asked for one waits for it.
        let turn = if cause == Cause::Asked { Turn::Wait } else { Turn::Skip };
        let made = sqlite::back_up(&self.inner.pool, &backups.place, name, turn).await?;
        Ok(made.map(|_| backups.backup(name)))
    }

    /// Whether the daily backup is due.
    pub fn is_backup_due(&self, retention: &Retention, now: Timestamp) -> Result<bool, StoreError> {
        match self.backups() {
            Some(backups) => Ok(is_due(&sqlite::backups(&backups.place)?, retention, now)),
            None => Ok(false),
        }
    }

    /// Removes the backups that are no longer wanted; how many there were.
    pub async fn rotate_backups(&self, retention: &Retention) -> Result<usize, StoreError> {
        match self.backups() {
            Some(backups) => sqlite::rotate(&backups.place, retention).await,
            None => Ok(0),
        }
    }
}
