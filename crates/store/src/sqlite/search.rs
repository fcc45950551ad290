//! Candidates by term from FTS5. A row's text is its scope term and its distinct terms; the
//! tokenizer splits at spaces only, as far as our terms are concerned.

use crate::error::StoreError;
use crate::insert::Insert;
use crate::row::Columns;
use dossier_core::id::ChunkId;
use sqlx::AnyConnection;

/// Ids for new chunks. Numbers are never used twice, and the caller is the only writer.
pub(crate) async fn new_chunk_ids(
    connection: &mut AnyConnection,
    count: usize,
) -> Result<Vec<i64>, StoreError> {
    let row = sqlx::query("SELECT seq FROM sqlite_sequence WHERE name = 'content_chunks'")
        .fetch_optional(connection)
        .await?;
    let last = row.map_or(Ok(0), |row| row.number("seq"))?;
    Ok((last + 1..).take(count).collect())
}

pub(crate) async fn index(
    connection: &mut AnyConnection,
    rows: &[(i64, String)],
) -> Result<(), StoreError> {
    Insert { into: "INSERT INTO retrieval_index (rowid, terms)", row: "(?, ?)", then: "" }
        .run(connection, rows, |query, (id, terms)| query.bind(*id).bind(terms.as_str()))
        .await
}

/// The scope term names owner and project, so the query needs no other filter.
pub(crate) async fn matching(
    connection: &mut AnyConnection,
    scope: &str,
    terms: &[&str],
    limit: i64,
) -> Result<Vec<ChunkId>, StoreError> {
    // One row for all: what a row costs on its way here is more than what it costs to find.
    let row = sqlx::query(
        "SELECT json_group_array(id) AS ids FROM (
             SELECT rowid AS id FROM retrieval_index WHERE retrieval_index MATCH $1
             ORDER BY rowid LIMIT $2)",
    )
    .bind(expression(scope, terms))
    .bind(limit)
    .fetch_one(connection)
    .await?;
    row.json("ids")
}

/// Every term is quoted, so none can be taken for a part of the query's syntax.
fn expression(scope: &str, terms: &[&str]) -> String {
    let quoted = |term: &str| format!("\"{}\"", term.replace('"', "\"\""));
    let terms: Vec<String> = terms.iter().map(|term| quoted(term)).collect();
    format!("{} AND ({})", quoted(scope), terms.join(" OR "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_quoted_in_the_query() {
        assert_eq!(expression("-s", &["a", "b\"c"]), r#""-s" AND ("a" OR "b""c")"#);
    }
}
