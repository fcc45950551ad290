//! The store and its owners' handles: opening by URL, connections, and which database it is.

use crate::cache::ChunkCache;
use crate::error::StoreError;
use crate::facts::Shelves;
use crate::sql::{self, Pool, Pooled};
use crate::totals::Totals;
use crate::vectors::{Indexes, Progress};
use crate::{migrate, postgres, sqlite};
use dossier_core::id::OwnerId;
use dossier_core::maxima::Maxima;
use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

/// Which of the two databases a store lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    Sqlite,
    Postgres,
}

impl DatabaseKind {
    /// Begins a transaction in which everything is read as it stands now.
    pub(crate) fn snapshot(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN",
            Self::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }

    /// A condition: the column is an element of a JSON array of strings. One parameter, however
    /// many elements, so the statement is prepared once. PostgreSQL uses its indexes for an array,
    /// but guesses badly about a subquery.
    pub(crate) fn text_among(self, column: &str, parameter: &str) -> String {
        match self {
            Self::Sqlite => format!("{column} IN (SELECT value FROM json_each({parameter}))"),
            Self::Postgres => format!(
                "{column} = ANY (ARRAY(
                     SELECT jsonb_array_elements_text(CAST({parameter} AS jsonb))))"
            ),
        }
    }

    /// A condition: the column is an element of a JSON array of row numbers, and the row belongs to
    /// the owner `$1`. The plus keeps SQLite from walking through all rows of the owner instead.
    pub(crate) fn own_among(self, number: &str, owner: &str, parameter: &str) -> String {
        match self {
            Self::Sqlite => {
                format!("{} AND +{owner} = $1", self.text_among(number, parameter))
            }
            Self::Postgres => format!(
                "{number} = ANY (ARRAY(SELECT CAST(
                     jsonb_array_elements_text(CAST({parameter} AS jsonb)) AS bigint)))
                 AND {owner} = $1"
            ),
        }
    }
}

/// What may be done to a database on opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// An SQLite file that is not there is made.
    Create,
    /// It has to be there, and is brought to this version's format.
    Existing,
    /// Nothing: it is only looked at.
    AsItIs,
}

/// A database of projects, threads, files and everything found in them. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) pool: Pool,
    pub(crate) backend: Backend,
    pub(crate) cache: ChunkCache,
    pub(crate) progress: Progress,
    pub(crate) indexes: Indexes,
    pub(crate) shelves: Shelves,
    pub(crate) owners: Owners,
    pub(crate) totals: Totals,
}

/// The owners that are sure to have a row, which is never taken away.
#[derive(Debug, Default)]
pub(crate) struct Owners(RwLock<HashSet<OwnerId>>);

impl Owners {
    pub(crate) fn holds(&self, owner: &OwnerId) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(owner)
    }

    pub(crate) fn add(&self, owner: &OwnerId) {
        if !self.holds(owner) {
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(owner.clone());
        }
    }
}

/// What only one of the databases needs to keep at hand.
#[derive(Debug)]
pub(crate) enum Backend {
    Sqlite(sqlite::Local),
    Postgres,
}

impl Store {
    /// Opens `sqlite:<path>` or `postgres://…`, and brings it to this version's format. A missing
    /// SQLite file is created, readable by its owner alone.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_as(url, Opening::Create).await
    }

    /// The same for whoever only wants to read: a missing SQLite file stays missing.
    pub async fn open_existing(url: &str) -> Result<Self, StoreError> {
        Self::open_as(url, Opening::Existing).await
    }

    /// The same for whoever looks what is wrong with it: nothing is changed, and a database of
    /// another format than this version's is refused.
    pub async fn open_as_it_is(url: &str) -> Result<Self, StoreError> {
        Self::open_as(url, Opening::AsItIs).await
    }

    async fn open_as(url: &str, opening: Opening) -> Result<Self, StoreError> {
        let (pool, backend) = if let Some(path) = url.strip_prefix("sqlite:") {
            let (pool, local) = sqlite::connect(path, opening).await?;
            (pool, Backend::Sqlite(local))
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            (postgres::connect(url).await?, Backend::Postgres)
        } else {
            return Err(StoreError::invalid(
                "database url",
                "neither SQLite nor PostgreSQL; write sqlite:<path> or postgres://…",
            ));
        };
        let inner = Inner {
            pool,
            backend,
            cache: ChunkCache::default(),
            progress: Progress::default(),
            indexes: Indexes::default(),
            shelves: Shelves::default(),
            owners: Owners::default(),
            totals: Totals::default(),
        };
        match opening {
            Opening::AsItIs => migrate::check_current(&inner).await?,
            _ => migrate::run(&inner).await?,
        }
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The handle on one owner's rows.
    pub fn owner(&self, owner: &OwnerId) -> OwnerStore {
        let maxima = Maxima::default();
        OwnerStore { inner: Arc::clone(&self.inner), owner: owner.clone(), maxima }
    }

    /// Everybody who has anything here.
    pub async fn owners(&self) -> Result<Vec<OwnerId>, StoreError> {
        let rows = sql::query("SELECT id FROM owners ORDER BY id")
            .fetch_all(&mut *self.inner.pool.acquire().await?)
            .await?;
        rows.iter().map(|row| row.text("id")).collect()
    }

    pub fn kind(&self) -> DatabaseKind {
        self.inner.kind()
    }

    /// Ends all connections; what was acknowledged is already safe without it.
    pub async fn close(&self) {
        self.inner.pool.close().await;
        if let Backend::Sqlite(local) = &self.inner.backend {
            local.leave();
        }
    }
}

impl Inner {
    pub(crate) fn kind(&self) -> DatabaseKind {
        match self.backend {
            Backend::Sqlite(_) => DatabaseKind::Sqlite,
            Backend::Postgres => DatabaseKind::Postgres,
        }
    }
}

/// One owner's rows, and no one else's. Cheap to clone.
#[derive(Debug, Clone)]
pub struct OwnerStore {
    pub(crate) inner: Arc<Inner>,
    pub(crate) owner: OwnerId,
    pub(crate) maxima: Maxima,
}

impl OwnerStore {
    pub fn owner(&self) -> &OwnerId {
        &self.owner
    }

    pub(crate) fn kind(&self) -> DatabaseKind {
        self.inner.kind()
    }

    /// A connection for a few short statements that read. It must be back before something is written.
    pub(crate) async fn connection(&self) -> Result<Pooled, StoreError> {
        Ok(self.inner.pool.acquire().await?)
    }

    /// A connection for reading what there may be very much of.
    pub(crate) async fn connection_apart(&self) -> Result<Pooled, StoreError> {
        Ok(self.inner.pool.apart().await?)
    }
}
