//! What the index of words holds, by its own tables.

use crate::error::StoreError;
use crate::sql::{self, Connection};
use crate::verify::IndexContent;

pub(crate) async fn index_content(connection: &mut Connection) -> Result<IndexContent, StoreError> {
    let mut content = IndexContent::default();
    // Asked for first: a query that fails would end the transaction.
    let row = sql::query("SELECT CAST(to_regclass('retrieval_index') AS TEXT) AS name")
        .fetch_one(&mut *connection)
        .await?;
    if row.optional_text::<String>("name")?.is_none() {
        return Err(StoreError::not_found("the table of the index"));
    }
    let rows =
        sql::query("SELECT chunk_id FROM retrieval_index").fetch_all(&mut *connection).await?;
    for row in &rows {
        content.rows.insert(row.number("chunk_id")?);
    }
    let rows = sql::query(
        "SELECT word, CAST(ndoc AS BIGINT) AS documents
         FROM ts_stat('SELECT terms FROM retrieval_index')",
    )
    .fetch_all(connection)
    .await?;
    for row in &rows {
        content.terms.insert(row.text("word")?, row.number("documents")?.unsigned_abs());
    }
    Ok(content)
}
