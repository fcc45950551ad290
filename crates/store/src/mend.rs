//! Making derived things anew: the index of words, the statistics, and what vectors are left. All
//! of it happens in one transaction, so that whoever searches meanwhile sees the old index (SQLite)
//! or waits (PostgreSQL), and whoever stops it in the middle changes nothing.

use crate::error::StoreError;
use crate::reindex::reindex;
use crate::sql::{self, Connection};
use crate::sqlite::Removal;
use crate::store::{Backend, DatabaseKind, Inner, Store};
use crate::vectors::{LOG_LENGTH, MISSHAPEN};
use crate::{postgres, sqlite, write};

impl Store {
    /// Makes the index of words and all statistics anew from the chunks, of all owners, and
    /// removes vectors that no chunk can use. It needs nothing of the index that was there.
    /// Returns the number of chunks.
    pub async fn mend_index(&self) -> Result<u64, StoreError> {
        let inner = &*self.inner;
        let chunks = match remake(inner, Removal::Drop).await {
            // Pages of the old index may be beyond reading.
            Err(StoreError::Damaged { .. } | StoreError::Other(_))
                if inner.kind() == DatabaseKind::Sqlite =>
            {
                remake(inner, Removal::StrikeOut).await?
            }
            result => result?,
        };
        inner.progress.forget();
        if let Backend::Sqlite(_) = &inner.backend {
            // Pages that could not be given back go with the rest of the old file. When others
            // are writing, that can wait.
            let _ = sql::script("VACUUM").execute(&mut *inner.pool.apart().await?).await;
        }
        Ok(chunks)
    }
}

async fn remake(inner: &Inner, removal: Removal) -> Result<u64, StoreError> {
    let mut exclusive = write::begin(inner, "mending").await?;
    match inner.kind() {
        DatabaseKind::Sqlite => sqlite::recreate_index(&mut exclusive, removal).await?,
        DatabaseKind::Postgres => postgres::recreate_index(&mut exclusive).await?,
    }
    let chunks = reindex(&mut exclusive).await?;
    remove_useless_vectors(&mut exclusive).await?;
    exclusive.commit().await?;
    Ok(chunks)
}

/// Removes vectors that no chunk can use, and has every process load its indexes anew.
async fn remove_useless_vectors(connection: &mut Connection) -> Result<(), StoreError> {
    sql::script(format!(
        "DELETE FROM vectors WHERE {MISSHAPEN} OR NOT EXISTS (
             SELECT 1 FROM content_chunks WHERE content_chunks.owner = vectors.owner
                 AND content_chunks.content_hash = vectors.content_hash);
         DELETE FROM vector_segments; DELETE FROM vector_log;
         UPDATE owners SET revision = revision + 1, removals = removals + {LOG_LENGTH};"
    ))
    .execute(connection)
    .await?;
    Ok(())
}
