//! Keeping a store in shape: what is due is done, in an order in which a backup comes before
//! anything is removed for good.

use crate::error::EngineError;
use crate::index::Progress;
use crate::mint;
use crate::workspace::Engine;
use dossier_core::backup::{Cause, Retention};
use dossier_core::time::Timestamp;
use dossier_store::{Backup, StoreError};

/// What is said of backups of PostgreSQL.
pub(crate) const BY_ITS_OWN_TOOLS: &str = "PostgreSQL is backed up with its own tools, such as \
    pg_dump, or as a portable copy with dossier export --all";

const DAY: i64 = 24 * 3_600_000;

/// How long things are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeping {
    pub backups: Retention,
    /// Days after which a receipt that belongs to no message goes.
    pub receipt_days: u32,
    /// Days for which a persona that has expired can be brought back.
    pub grace_days: u32,
}

impl Default for Keeping {
    fn default() -> Self {
        Self { backups: Retention::default(), receipt_days: 30, grace_days: 7 }
    }
}

/// Whether to make a backup that is not due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupWhen {
    Due,
    Now,
}

/// What was done.
#[derive(Debug, Default)]
pub struct Maintained {
    pub backup: Option<Backup>,
    /// Why there is no backup, though there should be one.
    pub backup_problem: Option<String>,
    /// Old backups that went.
    pub rotated: usize,
    /// Chunks that got their vectors.
    pub embedded: usize,
    pub embedding_problem: Option<String>,
    /// Jobs that were due and are done, or were tried.
    pub jobs: usize,
    pub jobs_problem: Option<String>,
    /// Receipts that went.
    pub receipts: u64,
    /// Refs whose time was over.
    pub refs: u64,
    /// Kept answers whose time was over.
    pub answers: u64,
    /// Files of large contents that belonged to nothing.
    pub swept: usize,
    /// Why room that could be free is not; the next run tries again.
    pub left_for_later: Option<String>,
    /// Hidden projects, threads and files whose time was over, and which went for good.
    pub purged: u64,
    pub purge_problem: Option<String>,
    /// Personas whose time was over, and which are hidden now.
    pub expired: u64,
    /// Whether some of them wait for a backup.
    pub purge_waits: bool,
}

impl Engine {
    /// Makes a backup if it is time, rotates, and deletes for good what was hidden long enough ago,
    /// whoever's it is. A failure is told and costs nothing else.
    pub async fn back_up(&self, keeping: &Keeping, when: BackupWhen, now: Timestamp) -> Maintained {
        let mut done = Maintained::default();
        match self.try_back_up(keeping, when, now).await {
            Ok(made) => done.backup = made,
            Err(error) => done.backup_problem = Some(error.to_string()),
        }
        if done.backup.is_some()
            && let Err(error) = self.clear_away(keeping, &mut done).await
        {
            done.left_for_later = Some(error.to_string());
        }
        if done.backup_problem.is_none()
            && let Err(error) = self.purge(now, &mut done).await
        {
            done.purge_problem = Some(error.to_string());
        }
        if let Err(error) = self.hide_expired(keeping, now, &mut done).await {
            done.purge_problem.get_or_insert(error.to_string());
        }
        done
    }

    /// Hides the personas whose time is over, whoever's they are; they can be brought back like
    /// everything that was hidden.
    async fn hide_expired(
        &self,
        keeping: &Keeping,
        now: Timestamp,
        done: &mut Maintained,
    ) -> Result<(), EngineError> {
        for owner in self.owners().await? {
            done.expired += self.owner(&owner).hide_expired(keeping.grace_days, now).await?;
        }
        Ok(())
    }

    async fn try_back_up(
        &self,
        keeping: &Keeping,
        when: BackupWhen,
        now: Timestamp,
    ) -> Result<Option<Backup>, EngineError> {
        let cause = match when {
            BackupWhen::Now if self.store.backups().is_none() => {
                return Err(EngineError::Invalid(BY_ITS_OWN_TOOLS.to_owned()));
            }
            BackupWhen::Now => Cause::Asked,
            BackupWhen::Due if self.store.is_backup_due(&keeping.backups, now)? => Cause::Daily,
            BackupWhen::Due if keeping.backups.days > 0 && self.waits(now).await? => Cause::Daily,
            BackupWhen::Due => return Ok(None),
        };
        Ok(self.store.back_up(cause, now).await?)
    }

    /// Removes what a new backup makes superfluous.
    async fn clear_away(
        &self,
        keeping: &Keeping,
        done: &mut Maintained,
    ) -> Result<(), EngineError> {
        done.rotated = self.store.rotate_backups(&keeping.backups).await?;
        done.swept = self.store.sweep_contents().await?;
        Ok(())
    }

    /// Whether something is to go for good of which no backup has been made since it was hidden.
    async fn waits(&self, now: Timestamp) -> Result<bool, EngineError> {
        let mut last = None;
        for owner in self.owners().await? {
            last = last.max(self.store.owner(&owner).overdue(now).await?);
        }
        Ok(match (last, self.purge_before(now)?) {
            (Some(last), Some(before)) => last >= before,
            (last, _) => last.is_some(),
        })
    }

    /// What was hidden before this moment may go: it is in a backup that was made after it was
    /// hidden. PostgreSQL is backed up by others, who are not waited for.
    fn purge_before(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let Some(backups) = self.store.backups() else {
            return Ok(Some(Timestamp::from_millis(now.as_millis().saturating_add(1))));
        };
        let made = backups.list()?.into_iter().map(|backup| backup.name);
        Ok(made.filter(|name| name.cause != Cause::Replaced).map(|name| name.at).max())
    }

    async fn purge(&self, now: Timestamp, done: &mut Maintained) -> Result<(), EngineError> {
        for owner in self.owners().await? {
            let store = self.store.owner(&owner);
            if store.overdue(now).await?.is_some()
                && let Some(before) = self.purge_before(now)?
            {
                done.purged += store.purge(before, now).await?;
            }
        }
        done.purge_waits = self.waits(now).await?;
        Ok(())
    }

    /// Whether there are backups; none are known of PostgreSQL.
    pub fn has_backups(&self) -> Result<bool, EngineError> {
        Ok(match self.store.backups() {
            Some(backups) => !backups.list()?.is_empty(),
            None => false,
        })
    }

    /// Takes the words of what was deleted out of the index for good.
    pub async fn compact(&self) -> Result<(), EngineError> {
        Ok(self.store.compact().await?)
    }

    /// Removes what is past its time, whoever's it is: receipts of no message, refs, kept answers.
    pub async fn sweep(
        &self,
        keeping: &Keeping,
        now: Timestamp,
        done: &mut Maintained,
    ) -> Result<(), EngineError> {
        let age = i64::from(keeping.receipt_days).saturating_mul(DAY);
        let before = Timestamp::from_millis(now.as_millis().saturating_sub(age));
        for owner in self.owners().await? {
            let store = self.store.owner(&owner);
            done.receipts += store.expire_receipts(before).await?;
            done.refs += store.expire_refs(now).await?;
            done.answers += store.expire_answers(now).await?;
        }
        done.swept += self.store.sweep_contents().await?;
        Ok(())
    }

    /// Does everything that waits, whoever's it is: a backup, hidden things and others past their
    /// time, turns that were interrupted, jobs, vectors, and room that deleted things still take.
    /// Nothing is removed after a backup that failed.
    pub async fn maintain(
        &self,
        keeping: &Keeping,
        when: BackupWhen,
        progress: &dyn Progress,
        now: Timestamp,
    ) -> Result<Maintained, EngineError> {
        let mut done = self.back_up(keeping, when, now).await;
        if done.backup_problem.is_none() {
            self.sweep(keeping, now, &mut done).await?;
        }
        self.recover_turns(mint::now()).await?;
        for owner in self.owners().await? {
            let workspace = self.owner(&owner);
            match workspace.work_off().await {
                Ok(jobs) => done.jobs += jobs,
                Err(error) => done.jobs_problem = Some(error.to_string()),
            }
            for project in workspace.projects().await? {
                let vectors = workspace.embed_pending(&project.id, progress).await?;
                done.embedded += vectors.embedded;
                done.embedding_problem = done.embedding_problem.or(vectors.problem);
            }
        }
        match self.store.compact().await {
            // Someone else writes, or the disk is too full for a copy.
            Err(error @ StoreError::Unavailable { .. }) => {
                done.left_for_later.get_or_insert(error.to_string());
            }
            compacted => compacted?,
        }
        Ok(done)
    }

    /// Makes the index of words and the statistics of the whole store anew.
    pub async fn mend_index(&self) -> Result<u64, EngineError> {
        Ok(self.store.mend_index().await?)
    }
}
