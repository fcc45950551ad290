//! Connections that are kept open. One that comes back in the middle of a transaction has given it
//! up.

use super::connection::{Connection, begin_now};
use super::{Error, query};
use sqlx::{AnyPool, SqlSafeStr as _};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// How long to wait for a connection that others use.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
pub(crate) enum Pool {
    Sqlite(SqlitePool),
    Postgres(AnyPool),
}

impl Pool {
    /// A connection for something short: in SQLite the one that writes, if it is free. Whoever has
    /// it must not begin to write before it is back.
    pub(crate) async fn acquire(&self) -> Result<Pooled, Error> {
        if let Self::Sqlite(pool) = self
            && let Some(writer) = pool.free_writer()
        {
            return writer;
        }
        self.apart().await
    }

    /// A connection for what may take long: no writer waits for it.
    pub(crate) async fn apart(&self) -> Result<Pooled, Error> {
        match self {
            Self::Sqlite(pool) => pool.reader().await,
            Self::Postgres(pool) => {
                let connection = Connection::Postgres(pool.acquire().await?);
                Ok(Pooled { connection, home: Home::Own })
            }
        }
    }

    /// Begins a transaction that writes, by a statement.
    pub(crate) async fn begin(&self, statement: &'static str) -> Result<Transaction, Error> {
        let pooled = match self {
            Self::Sqlite(pool) => pool.writer().await?,
            Self::Postgres(_) => self.apart().await?,
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

/// Connections to one SQLite file. One of them does all the writing, and reads as well while it does
/// not write: a connection beside which another has written must read its pages anew.
#[derive(Clone)]
pub(crate) struct SqlitePool {
    open: Arc<Open>,
    most: u32,
    writer: Arc<Mutex<Option<rusqlite::Connection>>>,
    places: Arc<Semaphore>,
    readers: Arc<Readers>,
}

/// The others, while nobody has them.
#[derive(Debug, Default)]
struct Readers(std::sync::Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    connections: Vec<rusqlite::Connection>,
    is_closed: bool,
}

impl Readers {
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
    /// One that writes, which is there, and so many others at most.
    pub(crate) fn new(
        first: rusqlite::Connection,
        most: u32,
        open: impl Fn() -> Result<rusqlite::Connection, Error> + Send + Sync + 'static,
    ) -> Self {
        Self {
            open: Arc::new(open),
            most,
            writer: Arc::new(Mutex::new(Some(first))),
            places: Arc::new(Semaphore::new(most as usize)),
            readers: Arc::default(),
        }
    }

    async fn reader(&self) -> Result<Pooled, Error> {
        let place = Arc::clone(&self.places).acquire_owned();
        let place = in_time(place).await?.map_err(|_| Error::Closed)?;
        let idle = {
            let mut kept = self.readers.kept();
            if kept.is_closed {
                return Err(Error::Closed);
            }
            kept.connections.pop()
        };
        let home = Home::Reader(Arc::clone(&self.readers), place);
        self.lent(idle, home)
    }

    /// The one that writes, if nobody has it or waits for it.
    fn free_writer(&self) -> Option<Result<Pooled, Error>> {
        let place = Arc::clone(&self.writer).try_lock_owned().ok()?;
        Some(self.taken(place))
    }

    async fn writer(&self) -> Result<Pooled, Error> {
        self.taken(in_time(Arc::clone(&self.writer).lock_owned()).await?)
    }

    fn taken(&self, mut place: WriterPlace) -> Result<Pooled, Error> {
        if self.readers.kept().is_closed {
            return Err(Error::Closed);
        }
        self.lent(place.take(), Home::Writer(place))
    }

    fn lent(&self, kept: Option<rusqlite::Connection>, home: Home) -> Result<Pooled, Error> {
        let connection = kept.map_or_else(|| (self.open)(), Ok)?;
        Ok(Pooled { connection: Connection::Sqlite(connection), home })
    }

    async fn close(&self) {
        self.readers.kept().is_closed = true;
        // They are all there when each place is free.
        let all = self.places.acquire_many(self.most).await;
        self.places.close();
        drop(all);
        self.readers.kept().connections.clear();
        *self.writer.lock().await = None;
    }
}

async fn in_time<T>(place: impl Future<Output = T>) -> Result<T, Error> {
    tokio::time::timeout(PATIENCE, place).await.map_err(|_| Error::NoConnection)
}

type WriterPlace = OwnedMutexGuard<Option<rusqlite::Connection>>;

/// Where a connection goes back to.
#[derive(Debug)]
enum Home {
    Writer(WriterPlace),
    Reader(Arc<Readers>, #[expect(dead_code, reason = "held")] OwnedSemaphorePermit),
    /// It knows that itself.
    Own,
}

/// A connection on loan.
#[derive(Debug)]
pub(crate) struct Pooled {
    connection: Connection,
    home: Home,
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
        let connection = std::mem::replace(&mut self.connection, Connection::Closed);
        let Connection::Sqlite(connection) = connection else { return };
        // A full disk may have ended the transaction already.
        if !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err() {
            return;
        }
        match &mut self.home {
            Home::Writer(place) => **place = Some(connection),
            Home::Reader(readers, _) => {
                let mut kept = readers.kept();
                if !kept.is_closed {
                    kept.connections.push(connection);
                }
            }
            Home::Own => {}
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::ready;

    fn pool(folder: &tempfile::TempDir) -> Pool {
        let file = folder.path().join("pool.db");
        std::fs::File::create(&file).unwrap();
        let uri = format!("file:{}", file.display());
        let open = move || {
            let connection = super::super::open(&uri)?;
            connection
                .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (n)")?;
            Ok(connection)
        };
        Pool::Sqlite(SqlitePool::new(open().unwrap(), 2, open))
    }

    async fn rows(connection: &mut Connection) -> usize {
        query("SELECT n FROM t").fetch_all(connection).await.unwrap().len()
    }

    #[tokio::test]
    async fn while_somebody_writes_others_read_what_was_there_before() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&folder);
        let mut writing = pool.begin("BEGIN IMMEDIATE").await.unwrap();
        query("INSERT INTO t VALUES (1)").execute(&mut writing).await.unwrap();
        let mut reading = pool.acquire().await.unwrap();
        assert_eq!(rows(&mut reading).await, 0);
        drop(reading);
        writing.commit().await.unwrap();
        assert_eq!(rows(&mut pool.acquire().await.unwrap()).await, 1);
    }

    #[tokio::test]
    async fn a_writer_waits_for_a_short_read_and_for_no_long_one() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&folder);
        let mut long = pool.apart().await.unwrap();
        let short = pool.acquire().await.unwrap();
        let mut begin = Box::pin(pool.begin("BEGIN IMMEDIATE"));
        let waits = tokio::select! { biased; _ = &mut begin => false, () = ready(()) => true };
        assert!(waits);
        drop(short);
        let mut writing = begin.await.unwrap();
        query("INSERT INTO t VALUES (1)").execute(&mut writing).await.unwrap();
        writing.commit().await.unwrap();
        assert_eq!(rows(&mut long).await, 1);
    }

    #[tokio::test]
    async fn what_was_not_committed_is_undone_before_its_connection_is_used_again() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&folder);
        let mut writing = pool.begin("BEGIN IMMEDIATE").await.unwrap();
        query("INSERT INTO t VALUES (1)").execute(&mut writing).await.unwrap();
        drop(writing);
        assert_eq!(rows(&mut pool.acquire().await.unwrap()).await, 0);
    }

    #[tokio::test]
    async fn nobody_gets_a_connection_that_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&folder);
        pool.close().await;
        for connection in [pool.acquire().await, pool.apart().await] {
            assert!(matches!(connection, Err(Error::Closed)));
        }
        assert!(matches!(pool.begin("BEGIN IMMEDIATE").await, Err(Error::Closed)));
    }
}
