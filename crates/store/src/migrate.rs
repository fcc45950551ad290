//! Bringing a database to this version's format. Each database has its own files of the same
//! names; the one row of `format` holds the newest that was applied. All of it happens in one
//! transaction that shuts out other processes opening the same database, and in SQLite a backup
//! comes first.

use crate::error::StoreError;
use crate::reindex::reindex;
use crate::sql::{self, Connection};
use crate::store::{Backend, DatabaseKind, Inner};
use crate::{sqlite, write};
use dossier_core::backup::Cause;

struct Migration {
    version: i64,
    sqlite: &'static str,
    postgres: &'static str,
    after: After,
}

/// What a migration's SQL cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    /// The index has another format and is to be filled anew.
    Reindex,
}

macro_rules! migration {
    ($version:literal, $name:literal) => {
        migration!($version, $name, After::Nothing)
    };
    ($version:literal, $name:literal, $after:expr) => {
        Migration {
            version: $version,
            sqlite: include_str!(concat!("../migrations/sqlite/", $version, "_", $name, ".sql")),
            postgres: include_str!(concat!(
                "../migrations/postgres/",
                $version,
                "_",
                $name,
                ".sql"
            )),
            after: $after,
        }
    };
}

const MIGRATIONS: [Migration; 32] = [
    migration!(20261115000001, "blobs"),
    migration!(20261115000002, "projects"),
    migration!(20261115000003, "conversations"),
    migration!(20261115000004, "chunks"),
    migration!(20261115000005, "vectors"),
    migration!(20261115000006, "receipts"),
    migration!(20261115000007, "jobs"),
    migration!(20261115000008, "scale", After::Reindex),
    migration!(20261115000009, "exchange"),
    migration!(20261115000010, "forgetting"),
    migration!(20261115000011, "turns"),
    migration!(20261115000012, "access"),
    migration!(20261115000013, "stories"),
    migration!(20261115000014, "factors"),
    migration!(20261115000015, "personas"),
    migration!(20261115000016, "consult"),
    migration!(20261115000017, "receipts_in_less_space"),
    migration!(20261115000018, "refs"),
    migration!(20261115000019, "facts"),
    migration!(20261115000020, "answers"),
    migration!(20261115000022, "hosted_volume"),
    migration!(20261115000023, "summaries"),
    migration!(20261115000024, "savings"),
    migration!(20261115000025, "assemblies"),
    migration!(20261115000026, "recent_refs"),
    migration!(20261115000027, "shared_refs"),
    migration!(20261115000028, "reply_headers"),
    migration!(20261115000029, "questions_learned"),
    migration!(20261118000030, "names_of_personas"),
    migration!(20261118000031, "selections"),
    migration!(20261118000032, "lists_of_blocks"),
    migration!(20261119000033, "turns_by_question"),
];

/// The newest format that this version knows.
pub(crate) fn known() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Refuses what a newer version has written.
pub(crate) fn check_known(found: i64) -> Result<(), StoreError> {
    let known = known();
    if found > known {
        return Err(StoreError::NewerFormat { found, known });
    }
    Ok(())
}

/// Refuses every other format than this version's, and changes nothing.
pub(crate) async fn check_current(inner: &Inner) -> Result<(), StoreError> {
    let found = version(&mut *inner.pool.acquire().await?).await?;
    check_known(found)?;
    match known() {
        known if found < known => Err(StoreError::OlderFormat { found, known }),
        _ => Ok(()),
    }
}

pub(crate) async fn run(inner: &Inner) -> Result<(), StoreError> {
    let known = known();
    // Most openings find nothing to do and need not wait for a writer.
    if let Ok(found) = version(&mut *inner.pool.acquire().await?).await
        && found == known
    {
        return Ok(());
    }
    let mut transaction = write::begin(inner, "migrations").await?;
    let connection: &mut Connection = &mut transaction;
    sql::script("CREATE TABLE IF NOT EXISTS format (version BIGINT NOT NULL)")
        .execute(&mut *connection)
        .await?;
    let found = version(connection).await?;
    check_known(found)?;
    if found == known {
        // Another process was quicker.
        return Ok(());
    }
    if found > 0 {
        back_up_first(inner).await?;
        if inner.kind() == DatabaseKind::Sqlite {
            // What a row held before it was written anew would stay in the file.
            sqlite::shred(connection).await?;
        }
    }
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > found) {
        let sql = match inner.kind() {
            DatabaseKind::Sqlite => migration.sqlite,
            DatabaseKind::Postgres => migration.postgres,
        };
        sql::script(sql).execute(&mut *connection).await?;
        if migration.after == After::Reindex {
            reindex(connection).await?;
        }
    }
    sql::query("DELETE FROM format").execute(&mut *connection).await?;
    sql::query("INSERT INTO format (version) VALUES ($1)")
        .bind(known)
        .execute(&mut *connection)
        .await?;
    Ok(transaction.commit().await?)
}

/// The statement by which the newest migration that does so makes this virtual table.
pub(crate) fn sqlite_definition(table: &str) -> Option<&'static str> {
    let begin = format!("CREATE VIRTUAL TABLE {table} ");
    MIGRATIONS.iter().rev().find_map(|migration| statement(migration.sqlite, &begin))
}

/// The same for a table or an index of PostgreSQL, such as `TABLE chunks`.
pub(crate) fn postgres_definition(what: &str) -> Option<&'static str> {
    let begin = format!("CREATE {what} ");
    MIGRATIONS.iter().rev().find_map(|migration| statement(migration.postgres, &begin))
}

/// The statement that begins so. None of ours holds a semicolon.
fn statement<'a>(sql: &'a str, begin: &str) -> Option<&'a str> {
    let start = sql.find(begin)?;
    let rest = sql.get(start..)?;
    rest.get(..=rest.find(';')?)
}

/// A backup of the database as it is; nobody else writes meanwhile. PostgreSQL changes formats in
/// the transaction too, and has its own backups.
async fn back_up_first(inner: &Inner) -> Result<(), StoreError> {
    let Backend::Sqlite(local) = &inner.backend else { return Ok(()) };
    let name = sqlite::name_now(Cause::Format);
    let made = sqlite::back_up(&inner.pool, &local.place, name, sqlite::Turn::Wait).await;
    made.map(drop).map_err(|error| {
        StoreError::unavailable(
            format!("the database keeps its older format, for no backup could be made: {error}"),
            "nothing was changed; mend this and run the command again",
        )
    })
}

/// The stored version; 0 when the table is empty.
async fn version(connection: &mut Connection) -> Result<i64, StoreError> {
    let row = sql::query("SELECT version FROM format").fetch_optional(connection).await?;
    row.map_or(Ok(0), |row| row.number("version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_stand_in_the_order_of_their_versions() {
        assert!(MIGRATIONS.is_sorted_by_key(|migration| migration.version));
    }
}
