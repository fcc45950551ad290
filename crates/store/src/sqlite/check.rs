//! What only SQLite can say about itself: whether its pages are whole, and what its index of
//! words holds.

use crate::error::StoreError;
use crate::sql::{self, Connection};
use crate::verify::IndexContent;
use std::collections::HashMap;

/// Gives the connection a view of the terms of the index. Outside of a transaction, since it may
/// be that there is no index to look at.
pub(crate) async fn prepare_vocabulary(connection: &mut Connection) -> Result<(), StoreError> {
    sql::script(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.index_terms
         USING fts5vocab('main', 'retrieval_index', 'row')",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// What is wrong with the pages, and how many rows point to rows that are not there.
pub(crate) async fn integrity(
    connection: &mut Connection,
) -> Result<(Vec<String>, u64), StoreError> {
    // FTS5 forgets what it knows of older snapshots when it is asked something, but not when it is
    // checked, and would take the difference for damage.
    let asked = "SELECT COUNT(*) FROM retrieval_index WHERE retrieval_index MATCH '\"-\"'";
    let _ = sql::query(asked).fetch_one(&mut *connection).await;
    let mut damage = Vec::new();
    let rows = sql::query("SELECT integrity_check AS line FROM pragma_integrity_check")
        .slowly()
        .fetch_all(&mut *connection)
        .await;
    match rows {
        Ok(rows) => {
            let trees = trees_of_index(connection).await?;
            for row in &rows {
                let lines: String = row.text("line")?;
                let complaints =
                    lines.lines().filter(|line| *line != "ok" && !line.starts_with("***"));
                damage.extend(complaints.map(|line| named(line, &trees)));
            }
        }
        // An index that cannot even be opened ends the check before it has begun.
        Err(error) => {
            let Some((_, message)) = error.told() else { return Err(error.into()) };
            damage = table_by_table(connection).await?;
            damage.push(format!("retrieval_index: {message}"));
        }
    }
    let row = sql::query("SELECT COUNT(*) AS strays FROM pragma_foreign_key_check")
        .slowly()
        .fetch_one(connection)
        .await?;
    Ok((damage, row.number("strays")?.unsigned_abs()))
}

/// What is wrong with each table by itself, but for the index.
async fn table_by_table(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let tables = sql::query(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut damage = Vec::new();
    for table in &tables {
        let name: String = table.text("name")?;
        let rows = sql::query("SELECT integrity_check AS line FROM pragma_integrity_check($1)")
            .bind(name.as_str())
            .slowly()
            .fetch_all(&mut *connection)
            .await;
        match rows {
            Ok(rows) => {
                for row in &rows {
                    let line: String = row.text("line")?;
                    damage.extend((line != "ok").then(|| format!("{name}: {line}")));
                }
            }
            Err(error) => damage.push(format!("{name}: {error}")),
        }
    }
    Ok(damage)
}

/// The tables of the index, by the number of the tree that each is.
async fn trees_of_index(connection: &mut Connection) -> Result<HashMap<i64, String>, StoreError> {
    let rows = sql::query(
        "SELECT rootpage, name FROM sqlite_master WHERE tbl_name GLOB 'retrieval_index_*'",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((row.number("rootpage")?, row.text("name")?))).collect()
}

/// SQLite tells a damaged tree by its number alone; whether it is one of the index matters.
fn named(line: &str, trees: &HashMap<i64, String>) -> String {
    let number = line.strip_prefix("Tree ").and_then(|rest| rest.split(' ').next());
    let name = number.and_then(|number| trees.get(&number.parse().ok()?));
    match name {
        Some(name) => format!("{name}: {line}"),
        None => line.to_owned(),
    }
}

pub(crate) async fn index_content(connection: &mut Connection) -> Result<IndexContent, StoreError> {
    let mut content = IndexContent::default();
    let rows =
        sql::query("SELECT id FROM retrieval_index_docsize").fetch_all(&mut *connection).await?;
    for row in &rows {
        content.rows.insert(row.number("id")?);
    }
    let rows = sql::query("SELECT term, doc FROM temp.index_terms")
        .slowly()
        .fetch_all(&mut *connection)
        .await?;
    for row in &rows {
        content.terms.insert(row.text("term")?, row.number("doc")?.unsigned_abs());
    }
    Ok(content)
}
