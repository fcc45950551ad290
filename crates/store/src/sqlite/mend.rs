//! The index of words taken away and made anew, whatever state it is in, and the file made small.

use crate::error::StoreError;
use crate::sql::{self, Connection};
use crate::store::Inner;
use crate::{migrate, write};

const INDEX: &str = "retrieval_index";

/// How the old index goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removal {
    /// With its pages, which must be readable for that.
    Drop,
    /// From the list of tables alone.
    StrikeOut,
}

/// Replaces the index of words by an empty one.
pub(crate) async fn recreate_index(
    connection: &mut Connection,
    removal: Removal,
) -> Result<(), StoreError> {
    match removal {
        Removal::Drop => {
            sql::script(format!("DROP TABLE IF EXISTS {INDEX}")).execute(&mut *connection).await?;
        }
        Removal::StrikeOut => strike_out(connection).await?,
    }
    let definition = migrate::sqlite_definition(INDEX)
        .ok_or_else(|| StoreError::Other("no migration defines the index of words".into()))?;
    // Fails when tables of a lost index are still there.
    sql::script(definition).execute(connection).await?;
    Ok(())
}

/// Takes the index out of the list of tables without touching its pages. They belong to nothing
/// then, and go when the file is written anew. FTS5 must not have been asked anything before in
/// the transaction, or it would want to read them.
async fn strike_out(connection: &mut Connection) -> Result<(), StoreError> {
    sql::script(format!(
        "PRAGMA writable_schema = ON;
         DELETE FROM sqlite_master
         WHERE tbl_name = '{INDEX}' AND type = 'table' OR tbl_name GLOB '{INDEX}_*';
         PRAGMA writable_schema = RESET;"
    ))
    .execute(connection)
    .await?;
    Ok(())
}

/// Has what this connection deletes overwritten, too.
pub(crate) async fn shred(connection: &mut Connection) -> Result<(), StoreError> {
    sql::script("PRAGMA secure_delete = ON").execute(connection).await?;
    Ok(())
}

/// Merges the index, so that what was deleted is gone from it, and writes the file anew when a
/// quarter of it is free.
pub(crate) async fn compact(inner: &Inner) -> Result<(), StoreError> {
    let mut exclusive = write::begin(inner, "compacting").await?;
    shred(&mut exclusive).await?;
    sql::script("INSERT INTO retrieval_index (retrieval_index) VALUES ('optimize')")
        .execute(&mut exclusive)
        .await?;
    exclusive.commit().await?;
    let mut connection = inner.pool.apart().await?;
    let row = sql::query(
        "SELECT (SELECT freelist_count FROM pragma_freelist_count) AS free,
             (SELECT page_count FROM pragma_page_count) AS pages",
    )
    .fetch_one(&mut connection)
    .await?;
    if row.number("free")? > row.number("pages")? / 4 {
        sql::script("VACUUM").execute(&mut connection).await?;
    }
    sql::script("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE);")
        .execute(&mut connection)
        .await?;
    Ok(())
}
