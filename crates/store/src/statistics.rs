//! How many chunks of a project hold a term, exactly. The counts are changed by the transactions
//! that add and remove chunks, once per transaction and in the order of the terms.

use crate::error::StoreError;
use crate::row::{Columns, text_list, to_json};
use crate::search::indexed;
use crate::store::{DatabaseKind, OwnerStore};
use crate::write::Write;
use dossier_core::id::ProjectId;
use dossier_core::rank::Statistics;
use sqlx::AssertSqlSafe;
use std::collections::{BTreeMap, HashMap};

/// By how much a project's counts change.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    documents: i64,
    words: i64,
    terms: HashMap<String, i64>,
}

impl Changes {
    pub(crate) fn add<'a>(&mut self, words: i64, terms: impl Iterator<Item = &'a str>) {
        self.count(1, words, terms);
    }

    pub(crate) fn remove<'a>(&mut self, words: i64, terms: impl Iterator<Item = &'a str>) {
        self.count(-1, -words, terms);
    }

    fn count<'a>(&mut self, sign: i64, words: i64, terms: impl Iterator<Item = &'a str>) {
        self.documents += sign;
        self.words += words;
        for term in indexed(terms) {
            match self.terms.get_mut(term) {
                Some(count) => *count += sign,
                None => {
                    self.terms.insert(term.to_owned(), sign);
                }
            }
        }
    }
}

/// Writes the changes a transaction gathered.
pub(crate) async fn settle(write: &mut Write) -> Result<(), StoreError> {
    for (project, mut changes) in std::mem::take(&mut write.changes) {
        changes.terms.retain(|_, change| *change != 0);
        let owner = write.owner.clone();
        sqlx::query(
            "UPDATE project_statistics SET documents = documents + $1, words = words + $2
             WHERE owner = $3 AND project_id = $4",
        )
        .bind(changes.documents)
        .bind(changes.words)
        .bind(owner.as_str())
        .bind(project.as_str())
        .execute(write.connection())
        .await?;
        settle_terms(write, &project, changes.terms.into_iter().collect()).await?;
    }
    Ok(())
}

/// All terms go as one JSON object, in order: a batch of files changes tens of thousands.
async fn settle_terms(
    write: &mut Write,
    project: &ProjectId,
    terms: BTreeMap<String, i64>,
) -> Result<(), StoreError> {
    if terms.is_empty() {
        return Ok(());
    }
    let owner = write.owner.clone();
    let entries = match write.kind() {
        DatabaseKind::Sqlite => "SELECT $1, $2, key, value FROM json_each($3) WHERE TRUE",
        DatabaseKind::Postgres => {
            "SELECT $1, $2, key, CAST(value AS BIGINT) FROM json_each_text(CAST($3 AS json))"
        }
    };
    sqlx::query(AssertSqlSafe(format!(
        "INSERT INTO term_statistics (owner, project_id, term, documents) {entries}
         ON CONFLICT (owner, project_id, term) DO UPDATE
         SET documents = term_statistics.documents + excluded.documents"
    )))
    .bind(owner.as_str())
    .bind(project.as_str())
    .bind(to_json(&terms)?)
    .execute(write.connection())
    .await?;
    let lowered: Vec<&str> =
        terms.iter().filter(|(_, change)| **change < 0).map(|(term, _)| term.as_str()).collect();
    if lowered.is_empty() {
        return Ok(());
    }
    let list = write.kind().text_among("term", "$3");
    sqlx::query(AssertSqlSafe(format!(
        "DELETE FROM term_statistics
         WHERE owner = $1 AND project_id = $2 AND documents <= 0 AND {list}"
    )))
    .bind(owner.as_str())
    .bind(project.as_str())
    .bind(text_list(lowered)?)
    .execute(write.connection())
    .await?;
    Ok(())
}

impl OwnerStore {
    /// The project's counts; zero for a project that does not exist.
    pub async fn statistics(
        &self,
        project: &ProjectId,
        terms: &[String],
    ) -> Result<Statistics, StoreError> {
        // One snapshot, so that no term is in more chunks than there are.
        let mut connection = self.inner.pool.begin().await?;
        let whole = sqlx::query(
            "SELECT documents, words FROM project_statistics WHERE owner = $1 AND project_id = $2",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .fetch_optional(&mut *connection)
        .await?;
        let Some(whole) = whole else {
            return Ok(Statistics::default());
        };
        let list = self.kind().text_among("term", "$3");
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT term, documents FROM term_statistics
             WHERE owner = $1 AND project_id = $2 AND {list}"
        )))
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(text_list(terms.iter().map(String::as_str))?)
        .fetch_all(&mut *connection)
        .await?;
        let frequency = rows
            .iter()
            .map(|row| Ok((row.text("term")?, row.number("documents")?.unsigned_abs())))
            .collect::<Result<_, StoreError>>()?;
        Ok(Statistics {
            documents: whole.number("documents")?.unsigned_abs(),
            total_length: whole.number("words")?.unsigned_abs(),
            frequency,
        })
    }
}
