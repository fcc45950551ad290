//! What can go wrong, sorted by what a caller can do about it. No message repeats a database URL,
//! since it may hold a password.

use crate::sql;
use dossier_core::maxima::Exceeded;
use std::error::Error as StdError;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    #[error("{what} does not exist")]
    NotFound { what: String },
    #[error("{what}")]
    Conflict { what: String },
    #[error("{field}: {why}")]
    Invalid { field: String, why: String },
    #[error(
        "the database has format {found}, newer than {known}, which this version of dossier \
         knows; update dossier, or go back to the newest backup that this version reads with \
         `dossier maintain --restore`"
    )]
    NewerFormat { found: i64, known: i64 },
    #[error(
        "the database has format {found}, older than {known}; every other command brings it to \
         that, after a backup"
    )]
    OlderFormat { found: i64, known: i64 },
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    #[error("{why}; {mend}")]
    Unavailable { why: String, mend: String },
    #[error(
        "the database is damaged: {what}; look closer with `dossier doctor`, or bring a backup \
         back with `dossier maintain --restore`"
    )]
    Damaged { what: String },
    #[error("the database failed: {0}")]
    Other(#[source] Box<dyn StdError + Send + Sync>),
}

impl StoreError {
    pub(crate) fn not_found(what: impl Into<String>) -> Self {
        Self::NotFound { what: what.into() }
    }

    pub(crate) fn invalid(field: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), why: why.into() }
    }

    pub(crate) fn unavailable(why: impl Into<String>, mend: impl Into<String>) -> Self {
        Self::Unavailable { why: why.into(), mend: mend.into() }
    }

    /// A row that says something this version cannot read.
    pub(crate) fn unreadable(
        column: &str,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self::Other(format!("column {column} is unreadable: {}", source.into()).into())
    }
}

impl From<sql::Error> for StoreError {
    fn from(error: sql::Error) -> Self {
        use sqlx::Error as Remote;
        let told = error.told().and_then(|(code, message)| by_code(&code, message));
        told.unwrap_or_else(|| match error {
            sql::Error::NoConnection | sql::Error::Postgres(Remote::PoolTimedOut) => {
                Self::unavailable(
                    "no connection to the database in time",
                    "check that it runs and try again, or lower the load",
                )
            }
            sql::Error::Closed | sql::Error::Postgres(Remote::PoolClosed) => {
                Self::unavailable("the store was closed", "open it again")
            }
            sql::Error::Postgres(Remote::Io(source)) => Self::unavailable(
                format!("the database does not answer: {source}"),
                "check that it runs and that its address is right",
            ),
            sql::Error::Postgres(Remote::Tls(source)) => Self::unavailable(
                format!("no safe connection to the database: {source}"),
                "check its certificate or its `sslmode`",
            ),
            error => Self::Other(Box::new(error)),
        })
    }
}

/// SQLite's codes are numbers of up to four digits, PostgreSQL's have five characters.
fn by_code(code: &str, message: &str) -> Option<StoreError> {
    let unavailable = |mend: &str| Some(StoreError::unavailable(message, mend));
    let taken = || {
        let what = format!("a row with this name exists already: {message}");
        Some(StoreError::Conflict { what })
    };
    let alone = || Some(StoreError::not_found("what this row belongs to"));
    match code {
        "1555" | "2067" | "23505" => return taken(),
        "787" | "23503" => return alone(),
        _ => {}
    }
    if let Some(primary) = sqlite_primary(code) {
        return match primary {
            5 | 6 => Some(StoreError::unavailable(
                "the database is locked by another process",
                "try again, or end the process that holds it",
            )),
            8 => unavailable("make the database file and its folder writable"),
            10 => Some(StoreError::unavailable(
                format!("the disk failed: {message}"),
                "check the free space and the state of the disk, then try again; what was \
                 acknowledged before is kept",
            )),
            11 | 26 => Some(StoreError::Damaged { what: message.to_owned() }),
            1 if message == "unsupported file format" || message.starts_with("no such table") => {
                Some(StoreError::Damaged { what: message.to_owned() })
            }
            13 => Some(full()),
            14 => unavailable("check that the folder of the database exists and can be entered"),
            _ => None,
        };
    }
    match code {
        // Nothing of such a transaction is kept, so it can be made again.
        "40001" | "40P01" | "55P03" => Some(StoreError::unavailable(
            format!("another writer was in the way, and this change was not made: {message}"),
            "try again; what was acknowledged before is kept",
        )),
        "22021" => Some(StoreError::invalid("text", "holds a character the database refuses")),
        "28P01" | "28000" => unavailable("check user and password of the database url"),
        "3D000" => unavailable("create the database first"),
        "42P01" => Some(StoreError::Damaged { what: message.to_owned() }),
        "53100" => Some(full()),
        "53300" => unavailable("raise max_connections or lower the number of servers"),
        "57P01" | "57P02" | "57P03" => unavailable("wait until the database is up and try again"),
        "0A000" | "58P01" | "42501" if message.contains("extension") => {
            unavailable("install pgvector and let a superuser run `create extension vector`")
        }
        _ => None,
    }
}

/// Nothing of a transaction that did not fit is kept, and everything before it is.
pub(crate) fn full() -> StoreError {
    StoreError::unavailable(
        "the disk is full, and this change was not made",
        "free some space and try again; what was acknowledged before is kept",
    )
}

/// The primary result code of SQLite, without what extends it.
fn sqlite_primary(code: &str) -> Option<u32> {
    if code.len() > 4 {
        return None;
    }
    code.parse::<u32>().ok().map(|code| code & 0xff)
}

/// Whether SQLite refused because another connection writes.
pub(crate) fn is_busy(error: &sql::Error) -> bool {
    let code = error.told().and_then(|(code, _)| sqlite_primary(&code));
    matches!(code, Some(5 | 6))
}

/// Text as both databases accept it: PostgreSQL refuses NUL, so the store does.
pub(crate) fn check_text(field: &str, text: &str) -> Result<(), StoreError> {
    if text.contains('\0') {
        return Err(StoreError::invalid(field, "holds a NUL character; remove it"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_database_is_unavailable_and_says_how_to_mend_it() {
        let error = by_code("517", "database is locked").unwrap();
        assert_eq!(
            error.to_string(),
            "the database is locked by another process; try again, or end the process that holds it"
        );
        assert!(by_code("1", "syntax error").is_none());
    }

    #[test]
    fn a_change_that_gave_way_to_another_can_be_made_again() {
        for (code, message) in [
            ("40P01", "deadlock detected"),
            ("40001", "could not serialize access due to concurrent update"),
        ] {
            assert_eq!(
                by_code(code, message).unwrap().to_string(),
                format!(
                    "another writer was in the way, and this change was not made: {message}; try \
                     again; what was acknowledged before is kept"
                )
            );
        }
    }

    #[test]
    fn text_with_nul_is_refused_by_name() {
        let error = check_text("content", "a\0b").unwrap_err();
        assert_eq!(error.to_string(), "content: holds a NUL character; remove it");
    }
}
