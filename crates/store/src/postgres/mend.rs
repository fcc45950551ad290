//! The index of words emptied, or made again where it is missing.

use crate::error::StoreError;
use crate::migrate;
use crate::sql::{self, Connection};

/// Leaves an empty index. Until the transaction ends nobody else changes what it is made from, and
/// searches wait. Owners are locked first, as every writer does, so that neither waits for the
/// other.
pub(crate) async fn recreate_index(connection: &mut Connection) -> Result<(), StoreError> {
    sql::script(
        "LOCK TABLE owners, content_chunks, project_statistics, term_statistics IN EXCLUSIVE MODE",
    )
    .execute(&mut *connection)
    .await?;
    let missing = || StoreError::Other("no migration defines the index of words".into());
    let table = migrate::postgres_definition("TABLE retrieval_index").ok_or_else(missing)?;
    let index = migrate::postgres_definition("INDEX retrieval_index_terms").ok_or_else(missing)?;
    for definition in ["DROP TABLE IF EXISTS retrieval_index", table, index] {
        sql::script(definition).execute(&mut *connection).await?;
    }
    Ok(())
}
