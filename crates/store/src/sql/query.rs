//! A statement with its parameters, and what comes of it.

use super::connection::Connection;
use super::value::{Parameter, Value};
use super::{Error, connection};
use crate::row::Row;
use sqlx::AssertSqlSafe;
use sqlx::any::AnyArguments;
use std::borrow::Cow;

/// A statement, and what stands in its parameters.
#[derive(Debug)]
pub(crate) struct Query {
    sql: Cow<'static, str>,
    values: Vec<Value>,
    pace: Pace,
}

/// How long a statement may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Quick,
    Slow,
}

impl Pace {
    fn run<T>(self, work: impl FnOnce() -> T) -> T {
        match self {
            Self::Quick => work(),
            Self::Slow => connection::unhurried(work),
        }
    }
}

/// A statement as it stands in the code.
pub(crate) fn query(sql: &'static str) -> Query {
    Query { sql: Cow::Borrowed(sql), values: Vec::new(), pace: Pace::Quick }
}

/// A statement put together of such, and of nothing that a caller has said: that belongs into its
/// parameters.
pub(crate) fn composed(sql: String) -> Query {
    Query { sql: Cow::Owned(sql), values: Vec::new(), pace: Pace::Quick }
}

/// Several statements without parameters or results, or one that may take long.
pub(crate) fn script(sql: impl Into<Cow<'static, str>>) -> Script {
    Script { sql: sql.into() }
}

/// How many rows a statement has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Done(u64);

impl Done {
    pub(crate) fn rows_affected(self) -> u64 {
        self.0
    }
}

impl Query {
    pub(crate) fn bind(mut self, value: impl Parameter) -> Self {
        self.values.push(value.value());
        self
    }

    /// The same for a statement that may look at everything there is.
    pub(crate) fn slowly(self) -> Self {
        Self { pace: Pace::Slow, ..self }
    }

    pub(crate) async fn fetch_all(self, connection: &mut Connection) -> Result<Vec<Row>, Error> {
        match connection {
            Connection::Sqlite(local) => {
                // Nothing else here gives others a turn.
                tokio::task::consume_budget().await;
                self.pace.run(|| connection::rows(local, &self.sql, &self.values, usize::MAX))
            }
            remote => {
                let rows = self.asked().fetch_all(remote.remote()?).await?;
                Ok(rows.into_iter().map(Row::Remote).collect())
            }
        }
    }

    pub(crate) async fn fetch_optional(
        self,
        connection: &mut Connection,
    ) -> Result<Option<Row>, Error> {
        match connection {
            Connection::Sqlite(local) => {
                tokio::task::consume_budget().await;
                let rows = || connection::rows(local, &self.sql, &self.values, 1);
                Ok(self.pace.run(rows)?.pop())
            }
            remote => {
                let row = self.asked().fetch_optional(remote.remote()?).await?;
                Ok(row.map(Row::Remote))
            }
        }
    }

    pub(crate) async fn fetch_one(self, connection: &mut Connection) -> Result<Row, Error> {
        self.fetch_optional(connection).await?.ok_or(Error::NoRow)
    }

    pub(crate) async fn execute(self, connection: &mut Connection) -> Result<Done, Error> {
        match connection {
            Connection::Sqlite(local) => {
                tokio::task::consume_budget().await;
                self.pace.run(|| connection::execute(local, &self.sql, &self.values)).map(Done)
            }
            remote => Ok(Done(self.asked().execute(remote.remote()?).await?.rows_affected())),
        }
    }

    fn asked(self) -> sqlx::query::Query<'static, sqlx::Any, AnyArguments> {
        let query = match self.sql {
            Cow::Borrowed(sql) => sqlx::query(sql),
            Cow::Owned(sql) => sqlx::query(AssertSqlSafe(sql)),
        };
        self.values.into_iter().fold(query, |query, value| value.bound(query))
    }
}

/// Statements that are run one after the other.
#[derive(Debug)]
pub(crate) struct Script {
    sql: Cow<'static, str>,
}

impl Script {
    pub(crate) async fn execute(self, connection: &mut Connection) -> Result<(), Error> {
        match connection {
            Connection::Sqlite(local) => {
                Ok(connection::unhurried(|| local.execute_batch(&self.sql))?)
            }
            remote => {
                let script = sqlx::raw_sql(AssertSqlSafe(self.sql.into_owned()));
                script.execute(remote.remote()?).await?;
                Ok(())
            }
        }
    }
}
