//! Where the stories take place: an empty database for each, removed afterwards.

use anyhow::{Context, Result};
use dossier_core::id::OwnerId;
use dossier_store::{DatabaseKind, OwnerStore, Store};
use sqlx::{AssertSqlSafe, Connection, Row};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// Stamps each story out for both databases.
macro_rules! stories {
    ($($story:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $story() -> anyhow::Result<()> {
                crate::database::on_sqlite(super::$story).await
            })*
        }

        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $story() -> anyhow::Result<()> {
                crate::database::on_postgres(super::$story).await
            })*
        }
    };
}

/// A database of the story's own.
#[derive(Clone)]
pub struct Database {
    pub url: String,
    pub kind: DatabaseKind,
    pub folder: Arc<TempDir>,
}

impl Database {
    pub async fn store(&self) -> Result<Store> {
        Ok(Store::open(&self.url).await?)
    }

    /// The local owner's handle on a store of its own.
    pub async fn owner(&self) -> Result<OwnerStore> {
        Ok(self.store().await?.owner(&OwnerId::local()))
    }

    pub async fn raw(&self) -> Result<sqlx::AnyConnection> {
        sqlx::any::install_default_drivers();
        Ok(sqlx::AnyConnection::connect(&self.url.replace("sqlite:", "sqlite://")).await?)
    }

    pub async fn execute(&self, sql: &str) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut self.raw().await?).await?;
        Ok(())
    }

    pub async fn number(&self, sql: &str) -> Result<i64> {
        let row = sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut self.raw().await?).await?;
        Ok(row.try_get(0)?)
    }

    /// The number of rows in each table, and of large blobs beside the database.
    pub async fn row_counts(&self) -> Result<BTreeMap<String, i64>> {
        let names = match self.kind {
            // FTS5 keeps its own tables; `docsize` has a row for each indexed one.
            DatabaseKind::Sqlite => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                     AND name NOT IN ('retrieval_index', 'retrieval_index_data',
                         'retrieval_index_idx', 'retrieval_index_config')"
            }
            DatabaseKind::Postgres => {
                "SELECT CAST(table_name AS TEXT) FROM information_schema.tables
                 WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
            }
        };
        let mut connection = self.raw().await?;
        let mut counts = BTreeMap::new();
        for row in sqlx::query(names).fetch_all(&mut connection).await? {
            let name: String = row.try_get(0)?;
            let sql = format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {name}");
            let count = sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut connection).await?;
            counts.insert(name, count.try_get(0)?);
        }
        counts.insert("files of large blobs".to_owned(), self.large_blobs()?);
        Ok(counts)
    }

    pub fn large_blobs(&self) -> Result<i64> {
        let root = self.folder.path().join("blobs");
        let mut count = 0;
        if root.exists() {
            for owner in std::fs::read_dir(root)? {
                count += std::fs::read_dir(owner?.path())?.count() as i64;
            }
        }
        Ok(count)
    }
}

pub async fn on_sqlite<S, F>(story: S) -> Result<()>
where
    S: FnOnce(Database) -> F,
    F: Future<Output = Result<()>>,
{
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite:{}", folder.path().join("dossier.db").display());
    story(Database { url, kind: DatabaseKind::Sqlite, folder: Arc::new(folder) }).await
}

pub async fn on_postgres<S, F>(story: S) -> Result<()>
where
    S: FnOnce(Database) -> F,
    F: Future<Output = Result<()>> + Send + 'static,
{
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("DOSSIER_TEST_POSTGRES").ok().context(
        "DOSSIER_TEST_POSTGRES is not set: start it with scripts/postgres start, \
         and export the URL it prints",
    )?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("story_{}_{number}", std::process::id());
    let (base, _) = server.rsplit_once('/').context("the URL names no database")?;
    let database = Database {
        url: format!("{base}/{name}"),
        kind: DatabaseKind::Postgres,
        folder: Arc::new(tempfile::tempdir()?),
    };
    sqlx::any::install_default_drivers();
    let mut connection = sqlx::AnyConnection::connect(&server)
        .await
        .context("PostgreSQL does not answer: start it with scripts/postgres start")?;
    // One that a killed run has left behind may have the same name.
    let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
    for sql in [drop, format!("CREATE DATABASE {name}")] {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
    }
    // In a task of its own, so that the database is removed even when the story fails.
    let result = tokio::spawn(story(database)).await;
    let drop = format!("DROP DATABASE {name} WITH (FORCE)");
    sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut connection).await?;
    match result {
        Ok(result) => result,
        Err(failure) => std::panic::resume_unwind(failure.into_panic()),
    }
}
