//! Write transactions. One owner has one writer at a time, in both databases: so what a
//! transaction leaves unused can be removed in it, statistics stay exact, and nothing deadlocks.
//!
//! A [`Write`] gathers what its statements add to and take from the index. Committing settles
//! statistics, removes vectors and blobs that lost their last user and refuses what would be too
//! much, so no method can forget to.

use crate::error::{StoreError, is_busy};
use crate::maxima::{self, Grown};
use crate::sql::{self, Connection, Transaction};
use crate::statistics::Changes;
use crate::store::{Backend, DatabaseKind, Inner, OwnerStore};
use crate::{blobs, blocks, sqlite, statistics, vectors};
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, OwnerId, ProjectId};
use dossier_core::maxima::Maxima;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::OwnedMutexGuard;

/// How long another process that writes to the same SQLite file is waited for, and the shortest and
/// the longest pause between two attempts.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

/// A transaction that holds the right to write.
pub(crate) struct Exclusive {
    transaction: Transaction,
    /// Writers of one process queue here: SQLite's own waiting is polling and unfair.
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Exclusive {
    pub(crate) async fn commit(self) -> Result<(), sql::Error> {
        self.transaction.commit().await
    }

    async fn rollback(self) -> Result<(), sql::Error> {
        self.transaction.rollback().await
    }
}

impl Deref for Exclusive {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.transaction
    }
}

impl DerefMut for Exclusive {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.transaction
    }
}

/// Begins a transaction that shuts out other writers: of the whole file in SQLite, of what goes
/// by the same `name` in PostgreSQL.
pub(crate) async fn begin(inner: &Inner, name: &str) -> Result<Exclusive, StoreError> {
    match &inner.backend {
        Backend::Sqlite(local) if local.access != sqlite::Access::Write => {
            Err(StoreError::unavailable(
                format!("{} can only be read", local.place.file.display()),
                "make the file and its folder writable for you",
            ))
        }
        Backend::Sqlite(local) => {
            let turn = Arc::clone(&local.writing).lock_owned().await;
            let [mut pause, longest] = PAUSES;
            let began = Instant::now();
            let transaction = loop {
                match inner.pool.begin("BEGIN IMMEDIATE").await {
                    Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => {
                        tokio::time::sleep(pause).await;
                        pause = longest.min(pause * 2);
                    }
                    result => break result?,
                }
            };
            Ok(Exclusive { transaction, _turn: Some(turn) })
        }
        Backend::Postgres => {
            let mut transaction = inner.pool.begin("BEGIN").await?;
            sql::query("SELECT CAST(pg_advisory_xact_lock(hashtextextended($1, 0)) AS text)")
                .bind(name)
                .execute(&mut transaction)
                .await?;
            Ok(Exclusive { transaction, _turn: None })
        }
    }
}

/// A write transaction of one owner.
pub(crate) struct Write {
    inner: Arc<Inner>,
    pub(crate) owner: OwnerId,
    exclusive: Exclusive,
    /// Changes of the projects' statistics.
    pub(crate) changes: BTreeMap<ProjectId, Changes>,
    pub(crate) removed: BTreeMap<ProjectId, Vec<(ChunkId, ContentHash)>>,
    pub(crate) vectors_added: bool,
    /// Hashes of removed chunks: their vectors may have lost their last user.
    pub(crate) loose_vectors: BTreeSet<ContentHash>,
    /// Blocks that a receipt has lost: no other may show them.
    pub(crate) hidden_blocks: BTreeSet<[u8; 32]>,
    /// Blobs that a removed row used.
    pub(crate) loose_blobs: BTreeSet<ContentHash>,
    pub(crate) maxima: Maxima,
    pub(crate) grown: Grown,
    /// Contents that were written outside the database.
    pub(crate) outside: Vec<ContentHash>,
}

impl OwnerStore {
    pub(crate) async fn write(&self) -> Result<Write, StoreError> {
        let mut exclusive = begin(&self.inner, &format!("owner {}", self.owner)).await?;
        if !self.inner.owners.holds(&self.owner) {
            sql::query("INSERT INTO owners (id) VALUES ($1) ON CONFLICT DO NOTHING")
                .bind(self.owner.as_str())
                .execute(&mut exclusive)
                .await?;
        }
        Ok(Write {
            inner: Arc::clone(&self.inner),
            owner: self.owner.clone(),
            exclusive,
            changes: BTreeMap::new(),
            removed: BTreeMap::new(),
            vectors_added: false,
            loose_vectors: BTreeSet::new(),
            hidden_blocks: BTreeSet::new(),
            loose_blobs: BTreeSet::new(),
            maxima: self.maxima,
            grown: Grown::default(),
            outside: Vec::new(),
        })
    }
}

impl Write {
    pub(crate) fn kind(&self) -> DatabaseKind {
        self.inner.kind()
    }

    pub(crate) fn backend(&self) -> &Backend {
        &self.inner.backend
    }

    pub(crate) fn connection(&mut self) -> &mut Connection {
        &mut self.exclusive
    }

    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        vectors::note_changes(&mut self).await?;
        statistics::settle(&mut self).await?;
        vectors::collect(&mut self).await?;
        blocks::collect(&mut self).await?;
        let mut outside = blobs::collect(&mut self).await?;
        let allowed = maxima::check(&mut self).await;
        let Self { inner, owner, exclusive, removed, outside: written, .. } = self;
        match allowed {
            Ok(()) => {
                exclusive.commit().await?;
                sqlite::committed(&inner);
                inner.owners.add(&owner);
                inner.cache.evict(removed.values().flatten().map(|(chunk, _)| chunk));
            }
            Err(_) => {
                exclusive.rollback().await?;
                outside = written;
            }
        }
        if let Backend::Sqlite(local) = &inner.backend
            && !outside.is_empty()
        {
            // The transaction is over; files that stay behind are swept with the next backup.
            let _ = local.remove_blobs(&inner, &owner, &outside).await;
        }
        allowed
    }
}
