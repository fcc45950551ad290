//! Statements, connections and their pool, the same for both databases. PostgreSQL is asked through
//! sqlx. SQLite runs in the thread that asks: most statements take less time than it would take to
//! hand them to another thread and be told of it.

mod connection;
mod pool;
mod query;
mod value;

pub(crate) use connection::{Connection, open};
pub(crate) use pool::{Pool, Pooled, SqlitePool, Transaction};
pub(crate) use query::{Query, composed, query, script};
pub(crate) use value::{Column, Value};

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Postgres(#[from] sqlx::Error),
    #[error("a row was expected, and there is none")]
    NoRow,
    #[error("all connections are in use")]
    NoConnection,
    #[error("the connections were closed")]
    Closed,
}

impl Error {
    /// What the database itself says: its code, and what it means by it.
    pub(crate) fn told(&self) -> Option<(String, &str)> {
        match self {
            Self::Sqlite(rusqlite::Error::SqliteFailure(error, message)) => {
                let message = message.as_deref().unwrap_or("no reason was given");
                Some((error.extended_code.to_string(), message))
            }
            Self::Sqlite(rusqlite::Error::SqlInputError { error, msg, .. }) => {
                Some((error.extended_code.to_string(), msg))
            }
            Self::Postgres(sqlx::Error::Database(error)) => {
                Some((error.code().unwrap_or_default().into_owned(), error.message()))
            }
            _ => None,
        }
    }
}
