//! One connection. SQLite's runs what it is told where it is told.

use super::Error;
use super::value::Value;
use crate::row::Row;
use crate::store::DatabaseKind;
use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, OpenFlags};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Handle, RuntimeFlavor};

/// How long a statement waits for another process, in this thread.
const PATIENCE: Duration = Duration::from_secs(5);

/// The statements that a connection keeps prepared.
const PREPARED: usize = 200;

#[derive(Debug)]
pub(crate) enum Connection {
    Sqlite(rusqlite::Connection),
    Postgres(PoolConnection<Any>),
    /// PostgreSQL's, in a transaction, which is undone when it is dropped.
    InTransaction(sqlx::Transaction<'static, Any>),
    /// What is left of one that has gone back to its pool.
    Closed,
}

impl Connection {
    pub(crate) fn kind(&self) -> DatabaseKind {
        match self {
            Self::Sqlite(_) | Self::Closed => DatabaseKind::Sqlite,
            Self::Postgres(_) | Self::InTransaction(_) => DatabaseKind::Postgres,
        }
    }

    /// The connection to a server.
    pub(super) fn remote(&mut self) -> Result<&mut AnyConnection, Error> {
        match self {
            Self::Sqlite(_) | Self::Closed => Err(Error::Closed),
            Self::Postgres(connection) => Ok(connection),
            Self::InTransaction(transaction) => Ok(transaction),
        }
    }
}

/// Opens an SQLite file by its URI.
pub(crate) fn open(uri: &str) -> Result<rusqlite::Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = rusqlite::Connection::open_with_flags(uri, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // Otherwise a statement is planned anew whenever another number stands behind its LIMIT.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(PREPARED);
    Ok(connection)
}

/// Begins a transaction, or fails at once where another process is in the way: whoever wants to
/// wait for it should not do so in this thread.
pub(crate) fn begin_now(connection: &rusqlite::Connection, statement: &str) -> Result<(), Error> {
    connection.busy_timeout(Duration::ZERO)?;
    let begun = execute(connection, statement, &[]);
    connection.busy_timeout(PATIENCE)?;
    begun.map(drop)
}

/// Does what may take long. Where the runtime has other threads, they take over what this one was
/// to do.
pub(super) fn unhurried<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// The first rows of a result, so many at most.
pub(super) fn rows(
    connection: &rusqlite::Connection,
    sql: &str,
    values: &[Value],
    most: usize,
) -> Result<Vec<Row>, Error> {
    let mut statement = prepared(connection, sql, values)?;
    let names: Arc<[Box<str>]> = statement.column_names().into_iter().map(Box::from).collect();
    let mut read = Vec::new();
    let mut rows = statement.raw_query();
    while read.len() < most
        && let Some(row) = rows.next()?
    {
        let values: Result<Vec<Value>, rusqlite::Error> = (0..names.len())
            .map(|column| {
                let value = row.get_ref(column)?;
                Value::read(value).map_err(|error| rusqlite::Error::Utf8Error(column, error))
            })
            .collect();
        read.push(Row::Local { names: Arc::clone(&names), values: values? });
    }
    Ok(read)
}

/// How many rows a statement has changed.
pub(super) fn execute(
    connection: &rusqlite::Connection,
    sql: &str,
    values: &[Value],
) -> Result<u64, Error> {
    let mut statement = prepared(connection, sql, values)?;
    let mut rows = statement.raw_query();
    while rows.next()?.is_some() {}
    drop(rows);
    Ok(connection.changes())
}

fn prepared<'c>(
    connection: &'c rusqlite::Connection,
    sql: &str,
    values: &[Value],
) -> Result<CachedStatement<'c>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    for place in 1..=statement.parameter_count() {
        // SQLite takes `$2` for a name, and counts it where it first stands.
        let named = statement.parameter_name(place).and_then(|name| name[1..].parse().ok());
        let Some(value) = values.get(named.unwrap_or(place) - 1) else {
            return Err(rusqlite::Error::InvalidParameterCount(place, values.len()).into());
        };
        statement.raw_bind_parameter(place, value)?;
    }
    Ok(statement)
}
