//! What keeps a store in shape from day to day: receipts that nobody will ask for again, files
//! that a crash left behind, and room that deleted things still take.

use crate::blocks;
use crate::error::StoreError;
use crate::sql;
use crate::sqlite;
use crate::store::{Backend, OwnerStore, Store};
use dossier_core::time::Timestamp;

impl Store {
    /// Removes files of large contents that no row names; how many there were.
    pub async fn sweep_contents(&self) -> Result<usize, StoreError> {
        match &self.inner.backend {
            Backend::Sqlite(local) => local.sweep_blobs(&self.inner).await,
            Backend::Postgres => Ok(0),
        }
    }

    /// Takes deleted terms out of the index for good, and gives back the room of deleted rows.
    /// PostgreSQL does this by itself.
    pub async fn compact(&self) -> Result<(), StoreError> {
        match &self.inner.backend {
            Backend::Sqlite(_) => sqlite::compact(&self.inner).await,
            Backend::Postgres => Ok(()),
        }
    }
}

impl OwnerStore {
    /// Removes receipts that were made before this and belong to no message; how many there were.
    pub async fn expire_receipts(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut write = self.write().await?;
        let lists = sql::query(
            "SELECT hashes FROM block_lists WHERE owner = $1 AND receipt_id IN
                 (SELECT id FROM receipts
                  WHERE owner = $1 AND message_id IS NULL AND created_at < $2)",
        )
        .bind(self.owner.as_str())
        .bind(before.as_millis())
        .fetch_all(write.connection())
        .await?;
        blocks::let_go(&mut write, &lists)?;
        let deleted = sql::query(
            "DELETE FROM receipts WHERE owner = $1 AND message_id IS NULL AND created_at < $2",
        )
        .bind(self.owner.as_str())
        .bind(before.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await?;
        Ok(deleted.rows_affected())
    }
}
