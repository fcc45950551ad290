//! What only PostgreSQL needs: connections, full text by `tsvector`, and vectors by pgvector.

mod search;
mod vectors;

pub(crate) use search::{index, matching, new_chunk_ids};
pub(crate) use vectors::{literal, nearest, similarities, with_vectors};

use crate::error::StoreError;
use sqlx::AnyPool;
use sqlx::any::AnyPoolOptions;
use std::time::Duration;

const CONNECTIONS: u32 = 20;

pub(crate) async fn connect(url: &str) -> Result<AnyPool, StoreError> {
    let result = AnyPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(Duration::from_secs(10))
        .connect(url)
        .await;
    result.map_err(|error| match error {
        // Its text may repeat the URL, and with it a password.
        sqlx::Error::Configuration(_) => StoreError::invalid(
            "database url",
            "is not understood; write postgres://user:password@host:port/database",
        ),
        error => error.into(),
    })
}
