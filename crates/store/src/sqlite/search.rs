//! Candidates by term from FTS5. A row's text is its chunk's words, each in the list that it
//! belongs to; the tokenizer splits at spaces only, as far as our words are concerned.

use crate::error::StoreError;
use crate::insert::Insert;
use crate::sql::{self, Connection};
use dossier_core::id::ChunkId;

/// Ids for new chunks. Numbers are never used twice, and the caller is the only writer.
pub(crate) async fn new_chunk_ids(
    connection: &mut Connection,
    count: usize,
) -> Result<Vec<i64>, StoreError> {
    let row = sql::query("SELECT seq FROM sqlite_sequence WHERE name = 'content_chunks'")
        .fetch_optional(connection)
        .await?;
    let last = row.map_or(Ok(0), |row| row.number("seq"))?;
    Ok((last + 1..).take(count).collect())
}

pub(crate) async fn index(
    connection: &mut Connection,
    rows: &[(i64, String)],
) -> Result<(), StoreError> {
    Insert { into: "INSERT INTO retrieval_index (rowid, terms)", row: "(?, ?)", then: "" }
        .run(connection, rows, |query, (id, terms)| query.bind(*id).bind(terms.as_str()))
        .await
}

/// Lists that are read by one statement.
const TOGETHER: usize = 8;

/// The rows of each word's list, one list a row: what a row costs on its way here is more than what
/// it costs to find.
pub(crate) async fn postings(
    connection: &mut Connection,
    words: &[String],
    limit: i64,
) -> Result<Vec<Vec<ChunkId>>, StoreError> {
    let list = format!(
        "SELECT json_group_array(id) AS ids FROM (
             SELECT rowid AS id FROM retrieval_index WHERE retrieval_index MATCH ? LIMIT {limit})"
    );
    let mut lists = Vec::with_capacity(words.len());
    for words in words.chunks(TOGETHER) {
        let sql = vec![list.as_str(); words.len()].join(" UNION ALL ");
        let mut query = sql::composed(sql);
        for word in words {
            query = query.bind(quoted(word));
        }
        for row in query.fetch_all(&mut *connection).await? {
            lists.push(row.json("ids")?);
        }
    }
    Ok(lists)
}

/// A word is quoted, so it cannot be taken for a part of the query's syntax.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_in_the_query() {
        assert_eq!(quoted("s+b\"c"), r#""s+b""c""#);
    }
}
