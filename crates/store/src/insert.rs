//! Many rows in few statements.

use crate::error::StoreError;
use crate::sql::{self, Connection, Query};
use crate::store::DatabaseKind;
use std::fmt::Write as _;

/// The largest group. Groups are powers of two, so a connection prepares seven statements for a
/// table and not one for every length of a list.
const LARGEST: usize = 64;

/// An INSERT of any number of rows.
pub(crate) struct Insert<'a> {
    /// `INSERT INTO table (columns)`.
    pub(crate) into: &'a str,
    /// One row of values, a question mark for each parameter.
    pub(crate) row: &'a str,
    /// What follows the values, such as `ON CONFLICT DO NOTHING`.
    pub(crate) then: &'a str,
}

impl Insert<'_> {
    pub(crate) async fn run<T>(
        &self,
        connection: &mut Connection,
        mut rows: &[T],
        bind: impl Fn(Query, &T) -> Query,
    ) -> Result<(), StoreError> {
        while !rows.is_empty() {
            let size = 1 << rows.len().min(LARGEST).ilog2();
            let (group, rest) = rows.split_at(size);
            let sql = self.sql(size, Marks::of(connection));
            let mut query = sql::composed(sql);
            for row in group {
                query = bind(query, row);
            }
            query.execute(&mut *connection).await?;
            rows = rest;
        }
        Ok(())
    }

    fn sql(&self, size: usize, marks: Marks) -> String {
        let mut sql = format!("{} VALUES ", self.into);
        let mut parameter = 0;
        for index in 0..size {
            if index > 0 {
                sql.push_str(", ");
            }
            for character in self.row.chars() {
                if character == '?' && marks == Marks::Numbered {
                    parameter += 1;
                    // Writing to a String cannot fail.
                    let _ = write!(sql, "${parameter}");
                } else {
                    sql.push(character);
                }
            }
        }
        sql.push(' ');
        sql.push_str(self.then);
        sql
    }
}

/// How parameters stand in the text. SQLite looks numbered ones up by name, one after the other,
/// which takes longer than the insertion when there are hundreds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marks {
    Numbered,
    Plain,
}

impl Marks {
    fn of(connection: &Connection) -> Self {
        match connection.kind() {
            DatabaseKind::Sqlite => Self::Plain,
            DatabaseKind::Postgres => Self::Numbered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_through_all_rows() {
        let insert = Insert { into: "INSERT INTO t (a, b)", row: "(?, f(?))", then: "" };
        assert_eq!(
            insert.sql(2, Marks::Numbered),
            "INSERT INTO t (a, b) VALUES ($1, f($2)), ($3, f($4)) "
        );
        assert_eq!(
            insert.sql(2, Marks::Plain),
            "INSERT INTO t (a, b) VALUES (?, f(?)), (?, f(?)) "
        );
    }
}
