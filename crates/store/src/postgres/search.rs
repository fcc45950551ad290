//! Candidates by term from `tsvector` columns. Lexemes are our terms as they are; none of
//! PostgreSQL's own analysis takes part.

use crate::error::StoreError;
use crate::insert::Insert;
use crate::row::Columns;
use dossier_core::id::{ChunkId, OwnerId};
use sqlx::AnyConnection;

/// Ids for new chunks; the sequence gives none of them to anyone else.
pub(crate) async fn new_chunk_ids(
    connection: &mut AnyConnection,
    count: usize,
) -> Result<Vec<i64>, StoreError> {
    let rows = sqlx::query(
        "SELECT nextval(pg_get_serial_sequence('content_chunks', 'id')) AS id
         FROM generate_series(1, $1)",
    )
    .bind(count as i64)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| row.number("id")).collect()
}

pub(crate) async fn index(
    connection: &mut AnyConnection,
    owner: &OwnerId,
    rows: &[(i64, String)],
) -> Result<(), StoreError> {
    Insert {
        into: "INSERT INTO retrieval_index (chunk_id, owner, terms)",
        row: "(?, ?, array_to_tsvector(string_to_array(?, ' ')))",
        then: "",
    }
    .run(connection, rows, |query, (id, terms)| {
        query.bind(*id).bind(owner.as_str()).bind(terms.as_str())
    })
    .await
}

/// The scope term names owner and project, so the query needs no other filter. Matches are
/// gathered before they are ordered: otherwise the planner may walk all chunks in the order of
/// their ids.
pub(crate) async fn matching(
    connection: &mut AnyConnection,
    scope: &str,
    terms: &[&str],
    limit: i64,
) -> Result<Vec<ChunkId>, StoreError> {
    let rows = sqlx::query(
        "WITH found AS MATERIALIZED (
             SELECT chunk_id AS id FROM retrieval_index WHERE terms @@ CAST($1 AS tsquery)
         )
         SELECT id FROM found ORDER BY id LIMIT $2",
    )
    .bind(expression(scope, terms))
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| row.number("id").map(ChunkId)).collect()
}

/// Every term is quoted, so none can be taken for a part of the query's syntax.
fn expression(scope: &str, terms: &[&str]) -> String {
    let quoted = |term: &str| format!("'{}'", term.replace('\\', "\\\\").replace('\'', "''"));
    let terms: Vec<String> = terms.iter().map(|term| quoted(term)).collect();
    format!("{} & ({})", quoted(scope), terms.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_quoted_in_the_query() {
        assert_eq!(expression("-s", &["a", "b'\\c"]), r"'-s' & ('a' | 'b''\\c')");
    }
}
