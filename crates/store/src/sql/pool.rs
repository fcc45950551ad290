//! Connections that are kept open. One that comes back in the middle of a transaction has given it
//! up.

use super::connection::{Connection, begin_now};
use super::{Error, query};
use sqlx::{AnyPool, SqlSafeStr as _};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long to wait for a connection that others use.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
pub(crate) enum Pool {
    Sqlite(SqlitePool),
    Postgres(AnyPool),
}

impl Pool {
    pub(crate) async fn acquire(&self) -> Result<Pooled, Error> {
        match self {
            Self::Sqlite(pool) => pool.acquire(Use::Reading).await,
            Self::Postgres(pool) => {
                let connection = Connection::Postgres(pool.acquire().await?);
                Ok(Pooled { connection, home: None })
            }
        }
    }

    /// Begins a transaction that writes, by a statement.
    pub(crate) async fn begin(&self, statement: &'static str) -> Result<Transaction, Error> {
        let pooled = match self {
            Self::Sqlite(pool) => pool.acquire(Use::Writing).await?,
            Self::Postgres(_) => self.acquire().await?,
        };
        pooled.begin(statement).await
    }

    /// Waits for all connections to come back and closes them; nobody gets one any more.
    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

type Open = dyn Fn() -> Result<rusqlite::Connection, Error> + Send + Sync;

/// Connections to one SQLite file.
#[derive(Clone)]
pub(crate) struct SqlitePool {
    open: Arc<Open>,
    most: u32,
    places: Arc<Semaphore>,
    idle: Arc<Idle>,
}

#[derive(Debug, Default)]
struct Idle(Mutex<Kept>);

/// What a connection is wanted for. A connection that others have written beside has to read its
/// pages anew, so one writes all the time and finds them as it left them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Reading,
    Writing,
}

#[derive(Debug, Default)]
struct Kept {
    readers: Vec<rusqlite::Connection>,
    writer: Option<rusqlite::Connection>,
    is_closed: bool,
}

impl Kept {
    fn take(&mut self, wanted: Use) -> Option<rusqlite::Connection> {
        match wanted {
            Use::Reading => self.readers.pop(),
            Use::Writing => self.writer.take().or_else(|| self.readers.pop()),
        }
    }

    fn keep(&mut self, connection: rusqlite::Connection, used: Use) {
        match used {
            Use::Writing if self.writer.is_none() => self.writer = Some(connection),
            _ => self.readers.push(connection),
        }
    }
}

impl Idle {
    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for SqlitePool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SqlitePool").field("most", &self.most).finish_non_exhaustive()
    }
}

impl SqlitePool {
    /// So many connections at most, the first of which is there.
    pub(crate) fn new(
        first: rusqlite::Connection,
        most: u32,
        open: impl Fn() -> Result<rusqlite::Connection, Error> + Send + Sync + 'static,
    ) -> Self {
        let pool = Self {
            open: Arc::new(open),
            most,
            places: Arc::new(Semaphore::new(most as usize)),
            idle: Arc::default(),
        };
        pool.idle.kept().readers.push(first);
        pool
    }

    async fn acquire(&self, wanted: Use) -> Result<Pooled, Error> {
        if self.idle.kept().is_closed {
            return Err(Error::Closed);
        }
        let place = Arc::clone(&self.places).acquire_owned();
        let place = match tokio::time::timeout(PATIENCE, place).await {
            Ok(Ok(place)) => place,
            Ok(Err(_)) => return Err(Error::Closed),
            Err(_) => return Err(Error::NoConnection),
        };
        let idle = self.idle.kept().take(wanted);
        let connection = match idle {
            Some(connection) => connection,
            None => (self.open)()?,
        };
        let home = Home { idle: Arc::clone(&self.idle), used: wanted, _place: place };
        Ok(Pooled { connection: Connection::Sqlite(connection), home: Some(home) })
    }

    async fn close(&self) {
        self.idle.kept().is_closed = true;
        // They are all there when each place is free.
        let all = self.places.acquire_many(self.most).await;
        self.places.close();
        drop(all);
        let mut kept = self.idle.kept();
        kept.readers.clear();
        kept.writer = None;
    }
}

/// Where a connection goes back to.
#[derive(Debug)]
struct Home {
    idle: Arc<Idle>,
    used: Use,
    _place: OwnedSemaphorePermit,
}

/// A connection on loan.
#[derive(Debug)]
pub(crate) struct Pooled {
    connection: Connection,
    /// None where the connection knows it itself.
    home: Option<Home>,
}

impl Pooled {
    /// Begins a transaction by a statement.
    pub(crate) async fn begin(mut self, statement: &'static str) -> Result<Transaction, Error> {
        match std::mem::replace(&mut self.connection, Connection::Closed) {
            Connection::Sqlite(connection) => {
                let begun = begin_now(&connection, statement);
                self.connection = Connection::Sqlite(connection);
                begun?;
            }
            Connection::Postgres(connection) => {
                let begun =
                    sqlx::Transaction::begin(connection, Some(statement.into_sql_str())).await?;
                self.connection = Connection::InTransaction(begun);
            }
            Connection::InTransaction(_) | Connection::Closed => return Err(Error::Closed),
        }
        Ok(Transaction(self))
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let Some(home) = &self.home else { return };
        let connection = std::mem::replace(&mut self.connection, Connection::Closed);
        let Connection::Sqlite(connection) = connection else { return };
        // A full disk may have ended the transaction already.
        if !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err() {
            return;
        }
        let mut kept = home.idle.kept();
        if !kept.is_closed {
            kept.keep(connection, home.used);
        }
    }
}

impl Deref for Pooled {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Pooled {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

/// A transaction, undone unless it is committed.
#[derive(Debug)]
pub(crate) struct Transaction(Pooled);

impl Transaction {
    pub(crate) async fn commit(mut self) -> Result<(), Error> {
        match std::mem::replace(&mut self.0.connection, Connection::Closed) {
            Connection::InTransaction(transaction) => Ok(transaction.commit().await?),
            connection => {
                self.0.connection = connection;
                query("COMMIT").execute(&mut self.0).await?;
                Ok(())
            }
        }
    }

    pub(crate) async fn rollback(mut self) -> Result<(), Error> {
        match std::mem::replace(&mut self.0.connection, Connection::Closed) {
            Connection::InTransaction(transaction) => Ok(transaction.rollback().await?),
            connection => {
                // What goes back to its pool is undone.
                self.0.connection = connection;
                Ok(())
            }
        }
    }
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}
