//! Candidates by term. The databases only find which chunks hold a term; what the match is worth
//! is computed in `core`, so both agree.

use crate::error::StoreError;
use crate::row::{Columns, to_json};
use crate::store::{Backend, OwnerStore};
use crate::{postgres, sqlite};
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, OwnerId, ProjectId};
use sqlx::AssertSqlSafe;

/// A longer term is not indexed: PostgreSQL's keys and lexemes have an end near 2,000 bytes.
const LONGEST_TERM: usize = 512;

/// Terms of one chunk beyond this are not indexed: PostgreSQL's end is at 1 MiB a row.
const MOST_BYTES: usize = 512 << 10;

/// Which of a chunk's terms are indexed and counted.
pub(crate) fn indexed<'a>(terms: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    terms.filter(|term| is_term(term)).scan(0, |bytes, term| {
        *bytes += term.len() + 1;
        (*bytes <= MOST_BYTES).then_some(term)
    })
}

/// Whether both databases take this as one word. All the syntax of their queries, the scope
/// term's hyphen included, consists of other characters.
fn is_term(term: &str) -> bool {
    let word = |character: char| {
        character.is_ascii_lowercase()
            || character.is_ascii_digit()
            || character == '_'
            || !character.is_ascii()
    };
    !term.is_empty() && term.len() <= LONGEST_TERM && term.chars().all(word)
}

/// The term that stands in every indexed row of a project and in no other.
pub(crate) fn scope(owner: &OwnerId, project: &ProjectId) -> String {
    let hash = ContentHash::of_parts([owner.as_str(), project.as_str()]);
    format!("-{}", hash.as_str().get(..16).unwrap_or_default())
}

impl OwnerStore {
    /// Chunks of the messages that stand at most so many places from one of these in its thread;
    /// these themselves are among them.
    pub async fn neighbours(
        &self,
        chunks: &[ChunkId],
        reach: i64,
    ) -> Result<Vec<ChunkId>, StoreError> {
        let list = self.kind().number_among("id", "$2");
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT content_chunks.id AS id
             FROM (SELECT DISTINCT message_id FROM content_chunks WHERE owner = $1 AND {list}) known
                 JOIN conversation_messages here
                     ON here.owner = $1 AND here.id = known.message_id
                 JOIN conversation_messages near
                     ON near.owner = $1 AND near.conversation_id = here.conversation_id
                         AND near.position BETWEEN here.position - $3 AND here.position + $3
                 JOIN content_chunks
                     ON content_chunks.owner = $1 AND content_chunks.message_id = near.id
             GROUP BY content_chunks.id ORDER BY content_chunks.id"
        )))
        .bind(self.owner.as_str())
        .bind(to_json(&chunks)?)
        .bind(reach)
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(|row| row.number("id").map(ChunkId)).collect()
    }

    /// Chunks of the project that hold at least one of the terms, by id.
    pub async fn matching(
        &self,
        project: &ProjectId,
        terms: &[String],
        limit: usize,
    ) -> Result<Vec<ChunkId>, StoreError> {
        let terms: Vec<&str> =
            terms.iter().map(String::as_str).filter(|term| is_term(term)).collect();
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let scope = scope(&self.owner, project);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let connection = &mut *self.connection().await?;
        match self.inner.backend {
            Backend::Sqlite(_) => sqlite::matching(connection, &scope, &terms, limit).await,
            Backend::Postgres => postgres::matching(connection, &scope, &terms, limit).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_terms() {
        for term in ["run", "http2", "snake_case", "größe", "数据"] {
            assert!(is_term(term), "{term}");
        }
        for term in ["", "a b", "a\"b", "near(", "-0123456789abcdef", "x*", "a:b", "a'b", "AND"] {
            assert!(!is_term(term), "{term}");
        }
    }

    #[test]
    fn a_scope_term_tells_owner_and_project_apart() {
        let scope = |owner: &str, project: &str| scope(&owner.into(), &project.into());
        assert_eq!(scope("a", "b").len(), 17);
        assert_ne!(scope("a", "bc"), scope("ab", "c"));
    }

    #[test]
    fn what_no_database_could_hold_is_left_out_of_the_index() {
        let long = "x".repeat(LONGEST_TERM + 1);
        let many: Vec<String> = (0..200_000).map(|number| format!("t{number:06}")).collect();
        let terms = many.iter().map(String::as_str).chain([long.as_str()]);
        assert_eq!(indexed(terms).count(), MOST_BYTES / 8);
    }
}
