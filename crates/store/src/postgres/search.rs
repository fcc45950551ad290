//! Candidates by term from `tsvector` columns. Lexemes are our terms as they are; none of
//! PostgreSQL's own analysis takes part.

use crate::error::StoreError;
use crate::insert::Insert;
use crate::row::to_json;
use crate::sql::{self, Connection};
use dossier_core::id::{ChunkId, OwnerId};

/// Ids for new chunks; the sequence gives none of them to anyone else.
pub(crate) async fn new_chunk_ids(
    connection: &mut Connection,
    count: usize,
) -> Result<Vec<i64>, StoreError> {
    let rows = sql::query(
        "SELECT nextval(pg_get_serial_sequence('content_chunks', 'id')) AS id
         FROM generate_series(1, $1)",
    )
    .bind(count as i64)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| row.number("id")).collect()
}

pub(crate) async fn index(
    connection: &mut Connection,
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

/// The rows of each word's list.
pub(crate) async fn postings(
    connection: &mut Connection,
    words: &[String],
    limit: i64,
) -> Result<Vec<Vec<ChunkId>>, StoreError> {
    // All lists in one statement, each found by the index on its own: a lateral subquery keeps the
    // planner from joining them, and a sum from reading all chunks in their order until the limit
    // is reached, which it takes for quicker when it plans without knowing the limit.
    let rows = sql::query(
        "SELECT COALESCE(CAST(json_agg(found.id ORDER BY found.id) AS TEXT), '[]') AS ids
         FROM ROWS FROM (json_array_elements_text(CAST($1 AS json)))
                  WITH ORDINALITY AS list (word, number)
              LEFT JOIN LATERAL (
                  SELECT chunk_id AS id FROM retrieval_index
                  WHERE terms @@ CAST(list.word AS tsquery)
                  ORDER BY chunk_id + 0 LIMIT $2) AS found ON TRUE
         GROUP BY list.number ORDER BY list.number",
    )
    .bind(to_json(&words.iter().map(|word| quoted(word)).collect::<Vec<_>>())?)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let ids: Vec<Option<ChunkId>> = row.json("ids")?;
            Ok(ids.into_iter().flatten().collect())
        })
        .collect()
}

/// A word is quoted, so it cannot be taken for a part of the query's syntax.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\\', "\\\\").replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_in_the_query() {
        assert_eq!(quoted("s+b'\\c"), r"'s+b''\\c'");
    }
}
