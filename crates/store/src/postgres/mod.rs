//! What only PostgreSQL needs: connections, and full text by `tsvector`.

mod check;
mod mend;
mod search;

pub(crate) use check::index_content;
pub(crate) use mend::recreate_index;
pub(crate) use search::{index, new_chunk_ids, postings};

use crate::error::StoreError;
use crate::sql::{self, Pool};
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, Connection as _};
use std::time::Duration;

const CONNECTIONS: u32 = 20;

pub(crate) async fn connect(url: &str) -> Result<Pool, StoreError> {
    // The pool tries again until its time is up; a single connection tells at once what is wrong.
    sqlx::any::install_default_drivers();
    let first = AnyConnection::connect(url).await;
    let result = match first {
        Ok(first) => first.close().await,
        Err(error) => Err(error),
    };
    result.map_err(explained)?;
    let pool = AnyPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(Duration::from_secs(10))
        .connect(url)
        .await;
    pool.map(Pool::Postgres).map_err(explained)
}

/// The error without what a URL may hold: its text may repeat it, and with it a password.
fn explained(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Configuration(_) => StoreError::invalid(
            "database url",
            "is not understood; write postgres://user:password@host:port/database",
        ),
        error => sql::Error::from(error).into(),
    }
}
