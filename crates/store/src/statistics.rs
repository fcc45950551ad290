//! How many chunks of a project hold a term, exactly. The counts are changed by the transactions
//! that add and remove chunks, once per transaction and in the order of the terms.

use crate::error::StoreError;
use crate::row::{text_list, to_json};
use crate::search::indexed;
use crate::sql::{self, Connection};
use crate::store::{DatabaseKind, OwnerStore};
use crate::write::Write;
use dossier_core::analyse::Profile;
use dossier_core::id::{OwnerId, ProjectId};
use dossier_core::rank::{Statistics, Strength};
use std::collections::{BTreeMap, HashMap};

/// By how much a project's counts change.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) documents: i64,
    pub(crate) words: i64,
    /// In how many chunks each term stands, and in how many of these it is strong.
    pub(crate) terms: HashMap<String, (i64, i64)>,
}

impl Changes {
    pub(crate) fn add(&mut self, words: i64, profile: &Profile) {
        self.count(1, words, profile);
    }

    pub(crate) fn remove(&mut self, words: i64, profile: &Profile) {
        self.count(-1, -words, profile);
    }

    fn count(&mut self, sign: i64, words: i64, profile: &Profile) {
        self.documents += sign;
        self.words += words;
        for (term, strength) in indexed(profile) {
            let strong = if strength == Strength::Strong { sign } else { 0 };
            match self.terms.get_mut(term) {
                Some(counts) => *counts = (counts.0 + sign, counts.1 + strong),
                None => {
                    self.terms.insert(term.to_owned(), (sign, strong));
                }
            }
        }
    }
}

/// Writes the changes a transaction gathered.
pub(crate) async fn settle(write: &mut Write) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    for (project, changes) in std::mem::take(&mut write.changes) {
        apply(write.connection(), &owner, &project, changes).await?;
    }
    Ok(())
}

/// Changes a project's counts. All terms go as one JSON object, in order: a batch of files changes
/// tens of thousands.
pub(crate) async fn apply(
    connection: &mut Connection,
    owner: &OwnerId,
    project: &ProjectId,
    mut changes: Changes,
) -> Result<(), StoreError> {
    sql::query(
        "UPDATE project_statistics SET documents = documents + $1, words = words + $2
         WHERE owner = $3 AND project_id = $4",
    )
    .bind(changes.documents)
    .bind(changes.words)
    .bind(owner.as_str())
    .bind(project.as_str())
    .execute(&mut *connection)
    .await?;
    changes.terms.retain(|_, change| *change != (0, 0));
    if changes.terms.is_empty() {
        return Ok(());
    }
    let terms: BTreeMap<&String, &(i64, i64)> = changes.terms.iter().collect();
    let kind = connection.kind();
    let entries = match kind {
        DatabaseKind::Sqlite => {
            "SELECT $1, $2, key, value ->> 0, value ->> 1 FROM json_each($3) WHERE TRUE"
        }
        DatabaseKind::Postgres => {
            "SELECT $1, $2, key, CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT)
             FROM json_each(CAST($3 AS json))"
        }
    };
    sql::composed(format!(
        "INSERT INTO term_statistics (owner, project_id, term, documents, strong) {entries}
         ON CONFLICT (owner, project_id, term) DO UPDATE
         SET documents = term_statistics.documents + excluded.documents,
             strong = term_statistics.strong + excluded.strong"
    ))
    .bind(owner.as_str())
    .bind(project.as_str())
    .bind(to_json(&terms)?)
    .execute(&mut *connection)
    .await?;
    let lowered: Vec<&str> =
        terms.iter().filter(|(_, change)| change.0 < 0).map(|(term, _)| term.as_str()).collect();
    if lowered.is_empty() {
        return Ok(());
    }
    let list = kind.text_among("term", "$3");
    sql::composed(format!(
        "DELETE FROM term_statistics
         WHERE owner = $1 AND project_id = $2 AND documents <= 0 AND {list}"
    ))
    .bind(owner.as_str())
    .bind(project.as_str())
    .bind(text_list(lowered)?)
    .execute(connection)
    .await?;
    Ok(())
}

impl OwnerStore {
    /// The project's counts; zero for a project that does not exist or is hidden.
    pub async fn statistics(
        &self,
        project: &ProjectId,
        terms: &[String],
    ) -> Result<Statistics, StoreError> {
        // One statement sees one state, so that no term is in more chunks than there are. What has no
        // term is the whole project.
        let list = self.kind().text_among("term", "$3");
        let rows = sql::composed(format!(
            "SELECT '' AS term, documents, words FROM project_statistics
             WHERE owner = $1 AND project_id = $2
                 AND EXISTS (SELECT 1 FROM visible_projects WHERE owner = $1 AND id = $2)
             UNION ALL
             SELECT term, documents, strong FROM term_statistics
             WHERE owner = $1 AND project_id = $2 AND {list}"
        ))
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(text_list(terms.iter().map(String::as_str).filter(|term| !term.is_empty()))?)
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let mut whole = None;
        let (mut frequency, mut strong) = (BTreeMap::new(), BTreeMap::new());
        for row in &rows {
            let term: String = row.text("term")?;
            let documents = row.number("documents")?.unsigned_abs();
            let second = row.number("words")?.unsigned_abs();
            if term.is_empty() {
                whole = Some((documents, second));
                continue;
            }
            if second > 0 {
                strong.insert(term.clone(), second);
            }
            frequency.insert(term, documents);
        }
        let Some((documents, total_length)) = whole else { return Ok(Statistics::default()) };
        Ok(Statistics { documents, total_length, frequency, strong })
    }
}
