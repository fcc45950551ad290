//! Candidates by term. The databases only find which chunks hold a term; what the match is worth
//! is computed in `core`, so both agree.

use crate::error::StoreError;
use crate::row::to_json;
use crate::sql::{self, Connection};
use crate::store::{DatabaseKind, OwnerStore};
use crate::{postgres, sqlite};
use dossier_core::analyse::Profile;
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, OwnerId, ProjectId};
use dossier_core::rank::{Postings, Strength};

/// A longer term is not indexed: PostgreSQL's keys and lexemes have an end near 2,000 bytes.
const LONGEST_TERM: usize = 512;

/// Terms of one chunk beyond this are not indexed: PostgreSQL's end is at 1 MiB a row.
const MOST_BYTES: usize = 512 << 10;

/// Which of a chunk's terms are indexed and counted, and how much each says about the chunk.
pub(crate) fn indexed(profile: &Profile) -> impl Iterator<Item = (&str, Strength)> {
    profile
        .terms()
        .filter(|(term, _)| is_term(term))
        .scan(0, |bytes, (term, counts)| {
            *bytes += term.len() + PREFIX + 1;
            (*bytes <= MOST_BYTES).then_some((term, counts))
        })
        .map(|(term, counts)| (term, Strength::of(profile, counts)))
}

/// Whether both databases take this as one word. All the syntax of their queries consists of other
/// characters, and so do the marks before a term.
fn is_term(term: &str) -> bool {
    let word = |character: char| {
        character.is_ascii_lowercase()
            || character.is_ascii_digit()
            || character == '_'
            || !character.is_ascii()
    };
    !term.is_empty() && term.len() <= LONGEST_TERM && term.chars().all(word)
}

/// Characters before a term in the index: sixteen of the scope, and a mark.
const PREFIX: usize = 17;

/// What the terms of a project begin with in the index, and those of no other do: it names owner
/// and project in one, so the lists need no other filter.
pub(crate) fn scope(owner: &OwnerId, project: &ProjectId) -> String {
    let hash = ContentHash::of_parts([owner.as_str(), project.as_str()]);
    hash.as_str().get(..PREFIX - 1).unwrap_or_default().to_owned()
}

/// A term as it stands in the index.
pub(crate) fn word(scope: &str, strength: Strength, term: &str) -> String {
    let mark = match strength {
        Strength::Strong => '+',
        Strength::Weak => '-',
    };
    format!("{scope}{mark}{term}")
}

/// Adds the rows of some chunks to the index.
pub(crate) async fn index(
    connection: &mut Connection,
    owner: &OwnerId,
    project: &ProjectId,
    chunks: &[(i64, &Profile)],
) -> Result<(), StoreError> {
    let scope = scope(owner, project);
    let words = |profile: &Profile| {
        let words = indexed(profile).map(|(term, strength)| word(&scope, strength, term));
        words.collect::<Vec<_>>().join(" ")
    };
    let rows: Vec<(i64, String)> =
        chunks.iter().map(|(id, profile)| (*id, words(profile))).collect();
    match connection.kind() {
        DatabaseKind::Sqlite => sqlite::index(connection, &rows).await,
        DatabaseKind::Postgres => postgres::index(connection, owner, &rows).await,
    }
}

impl OwnerStore {
    /// Chunks of the messages that stand at most so many places from one of these in its thread;
    /// these themselves are among them.
    pub async fn neighbours(
        &self,
        chunks: &[ChunkId],
        reach: i64,
    ) -> Result<Vec<ChunkId>, StoreError> {
        let own = self.kind().own_among("id", "owner", "$2");
        let rows = sql::composed(format!(
            "SELECT content_chunks.id AS id
             FROM (SELECT DISTINCT message_id FROM content_chunks WHERE {own}) known
                 JOIN conversation_messages here
                     ON here.owner = $1 AND here.id = known.message_id
                 JOIN conversation_messages near
                     ON near.owner = $1 AND near.conversation_id = here.conversation_id
                         AND near.position BETWEEN here.position - $3 AND here.position + $3
                 JOIN content_chunks
                     ON content_chunks.owner = $1 AND content_chunks.message_id = near.id
             GROUP BY content_chunks.id ORDER BY content_chunks.id"
        ))
        .bind(self.owner.as_str())
        .bind(to_json(&chunks)?)
        .bind(reach)
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(|row| row.number("id").map(ChunkId)).collect()
    }

    /// The chunks of each list, by id; no more than so many of one.
    pub async fn postings(
        &self,
        project: &ProjectId,
        lists: Vec<Postings>,
        limit: usize,
    ) -> Result<Vec<(Postings, Vec<ChunkId>)>, StoreError> {
        let scope = scope(&self.owner, project);
        let lists: Vec<Postings> = lists.into_iter().filter(|list| is_term(&list.term)).collect();
        // In PostgreSQL two connections share the work, each with every other list, since some are far
        // longer.
        let dealt = |first: usize| -> Vec<String> {
            let every_other = lists.iter().skip(first).step_by(2);
            every_other.map(|list| word(&scope, list.strength, &list.term)).collect()
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let (even, odd) =
            tokio::try_join!(self.rows_of(dealt(0), limit), self.rows_of(dealt(1), limit))?;
        let (mut even, mut odd) = (even.into_iter(), odd.into_iter());
        let next = |(place, list)| {
            let rows = if place % 2 == 0 { even.next() } else { odd.next() };
            (list, rows.unwrap_or_default())
        };
        Ok(lists.into_iter().enumerate().map(next).collect())
    }

    async fn rows_of(
        &self,
        words: Vec<String>,
        limit: i64,
    ) -> Result<Vec<Vec<ChunkId>>, StoreError> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let connection = &mut *self.connection().await?;
        match self.kind() {
            DatabaseKind::Sqlite => sqlite::postings(connection, &words, limit).await,
            DatabaseKind::Postgres => postgres::postings(connection, &words, limit).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dossier_core::analyse::Field;

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
    fn a_scope_tells_owner_and_project_apart() {
        let scope = |owner: &str, project: &str| scope(&owner.into(), &project.into());
        assert_eq!(word(&scope("a", "b"), Strength::Weak, "run").len(), PREFIX + 3);
        assert_ne!(scope("a", "bc"), scope("ab", "c"));
    }

    #[test]
    fn what_no_database_could_hold_is_left_out_of_the_index() {
        let long = "x".repeat(LONGEST_TERM + 1);
        let terms = (0..200_000).map(|number| format!("t{number:06}")).chain([long]);
        let profile = Profile::of([(Field::Body, terms.collect())]);
        assert_eq!(indexed(&profile).count(), MOST_BYTES / (8 + PREFIX));
    }
}
