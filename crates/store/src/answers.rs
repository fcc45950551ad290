//! Answers that were kept to be given again.
//!
//! Invariant: a row holds no text of its own. Question and answer are messages, so what is hidden
//! or deleted cannot be given again; and whenever anything is, the owner's answers go, for they may
//! have been made from it.

use crate::error::StoreError;
use crate::row::{Row, to_json};
use crate::sql;
use crate::store::OwnerStore;
use crate::turns::{self, NewReply};
use crate::usage::ANSWER_CACHE;
use crate::write::Write;
use dossier_core::chat::Usage;
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, MessageId, ProjectId, TurnId};
use dossier_core::sameness::{Evidence, LONGEST_GRACE, Signature};
use dossier_core::time::Timestamp;
use serde::Deserialize as _;
use std::collections::BTreeSet;

/// An answer that may be given again, and what it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerRow {
    /// The hash of the question's form and of the signature.
    pub key: ContentHash,
    pub project: ProjectId,
    pub question: MessageId,
    pub answer: MessageId,
    /// The full name of the model.
    pub model: String,
    pub signature: Signature,
    pub evidence: Evidence,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A kept answer with what was asked and said.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptAnswer {
    pub row: AnswerRow,
    pub question: String,
    pub answer: String,
    /// What it took to make it, if the provider told.
    pub usage: Option<Usage>,
    pub hit_count: i64,
    pub last_hit_at: Option<Timestamp>,
}

impl KeptAnswer {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let metadata: serde_json::Value = row.json("metadata")?;
        Ok(Self {
            row: AnswerRow {
                key: ContentHash::from_stored(row.text("cache_key")?),
                project: row.text("project_id")?,
                question: row.text("question_id")?,
                answer: row.text("answer_id")?,
                model: row.text("model")?,
                signature: Signature::from_stored(row.text("context_signature")?),
                evidence: row.json("used_refs")?,
                created_at: row.time("created_at")?,
                expires_at: row.time("ttl_expires_at")?,
            },
            question: row.text("question")?,
            answer: row.text("answer")?,
            usage: metadata.get("usage").and_then(|usage| Usage::deserialize(usage).ok()),
            hit_count: row.number("hit_count")?,
            last_hit_at: row.get_as::<Option<i64>>("last_hit_at")?.map(Timestamp::from_millis),
        })
    }
}

impl OwnerStore {
    /// The answer that is kept under this name, however old it is.
    pub async fn kept_answer(
        &self,
        project: &ProjectId,
        key: &ContentHash,
    ) -> Result<Option<KeptAnswer>, StoreError> {
        let row = sql::query(
            "SELECT kept.*, asked.content AS question, said.content AS answer,
                 said.metadata AS metadata
             FROM semantic_cache AS kept
             JOIN visible_messages AS asked
                 ON asked.owner = kept.owner AND asked.id = kept.question_id
             JOIN visible_messages AS said
                 ON said.owner = kept.owner AND said.id = kept.answer_id
             WHERE kept.owner = $1 AND kept.project_id = $2 AND kept.cache_key = $3
                 AND asked.deleted_at IS NULL AND said.deleted_at IS NULL",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(key.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.as_ref().map(KeptAnswer::read).transpose()
    }

    /// Stores a reply, as `reply_given` does, and keeps it to be given again. Of more than so many
    /// answers, those go that were kept or given again longest ago.
    pub async fn reply_kept(
        &self,
        reply: NewReply<'_>,
        answer: &AnswerRow,
        most: usize,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let given = turns::give(&mut write, reply).await?;
        if given {
            keep(&mut write, answer).await?;
            keep_at_most(&mut write, most, &answer.key).await?;
            write.commit().await?;
        }
        Ok(given)
    }

    /// Stores a reply that is a kept answer, and counts that it was given again.
    pub async fn reply_repeated(
        &self,
        reply: NewReply<'_>,
        key: &ContentHash,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let given = turns::give(&mut write, reply).await?;
        if given {
            sql::query(
                "UPDATE semantic_cache SET hit_count = hit_count + 1, last_hit_at = $1
                 WHERE owner = $2 AND cache_key = $3",
            )
            .bind(now.as_millis())
            .bind(self.owner.as_str())
            .bind(key.as_str())
            .execute(write.connection())
            .await?;
            write.commit().await?;
        }
        Ok(given)
    }

    /// Whether all replies of a turn are kept answers, so that no model was asked in it.
    pub async fn was_repeated(&self, turn: &TurnId) -> Result<bool, StoreError> {
        let row = sql::query(
            "SELECT CAST(COUNT(*) AS BIGINT) AS replies,
                 CAST(COUNT(CASE WHEN usage.component = $3 THEN 1 END) AS BIGINT) AS repeated
             FROM turn_replies
             LEFT JOIN usage
                 ON usage.owner = turn_replies.owner
                 AND usage.message_id = turn_replies.message_id
             WHERE turn_replies.owner = $1 AND turn_replies.turn_id = $2
                 AND turn_replies.state = 'replied'",
        )
        .bind(self.owner.as_str())
        .bind(turn.as_str())
        .bind(ANSWER_CACHE)
        .fetch_one(&mut *self.connection().await?)
        .await?;
        let (replies, repeated) = (row.number("replies")?, row.number("repeated")?);
        Ok(replies > 0 && replies == repeated)
    }

    /// Deletes the answers that cannot even stand in for a model any more; how many there were.
    pub async fn expire_answers(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut write = self.write().await?;
        let expired = sql::query(
            "DELETE FROM semantic_cache WHERE owner = $1 AND ttl_expires_at <= $2
                 AND ttl_expires_at + CASE WHEN ttl_expires_at - created_at < $3
                     THEN ttl_expires_at - created_at ELSE $3 END <= $2",
        )
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .bind(LONGEST_GRACE * 1_000)
        .execute(write.connection())
        .await?;
        write.commit().await?;
        Ok(expired.rows_affected())
    }

    /// The newest chunk there is, or was: every one that is added from now on has a higher number.
    pub async fn newest_chunk(&self) -> Result<ChunkId, StoreError> {
        let row = sql::query("SELECT newest_chunk FROM owners WHERE id = $1")
            .bind(self.owner.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        Ok(ChunkId(row.map_or(Ok(0), |row| row.number("newest_chunk"))?))
    }

    /// Whether the project has all of these chunks.
    pub async fn has_chunks(
        &self,
        project: &ProjectId,
        chunks: &BTreeSet<ChunkId>,
    ) -> Result<bool, StoreError> {
        let among = self.kind().own_among("id", "owner", "$3");
        let row = sql::composed(format!(
            "SELECT CAST(COUNT(*) AS BIGINT) AS there FROM content_chunks
             WHERE {among} AND project_id = $2"
        ))
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(to_json(chunks)?)
        .fetch_one(&mut *self.connection().await?)
        .await?;
        Ok(row.number("there")? == chunks.len() as i64)
    }
}

/// Of two answers to one question, the later is kept.
async fn keep(write: &mut Write, answer: &AnswerRow) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    sql::query(
        "INSERT INTO semantic_cache (owner, cache_key, project_id, question_id, answer_id, model,
             context_signature, used_refs, created_at, ttl_expires_at, hit_count, last_hit_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, NULL)
         ON CONFLICT (owner, cache_key) DO UPDATE SET
             project_id = excluded.project_id, question_id = excluded.question_id,
             answer_id = excluded.answer_id, model = excluded.model,
             context_signature = excluded.context_signature, used_refs = excluded.used_refs,
             created_at = excluded.created_at, ttl_expires_at = excluded.ttl_expires_at,
             hit_count = 0, last_hit_at = NULL",
    )
    .bind(owner.as_str())
    .bind(answer.key.as_str())
    .bind(answer.project.as_str())
    .bind(answer.question.as_str())
    .bind(answer.answer.as_str())
    .bind(answer.model.as_str())
    .bind(answer.signature.as_str())
    .bind(to_json(&answer.evidence)?)
    .bind(answer.created_at.as_millis())
    .bind(answer.expires_at.as_millis())
    .execute(write.connection())
    .await?;
    Ok(())
}

/// Lets the answers go that are too many: never the new one, and first those that nobody asked for
/// longest.
async fn keep_at_most(write: &mut Write, most: usize, new: &ContentHash) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let row =
        sql::query("SELECT CAST(COUNT(*) AS BIGINT) AS kept FROM semantic_cache WHERE owner = $1")
            .bind(owner.as_str())
            .fetch_one(write.connection())
            .await?;
    let excess = row.number("kept")? - i64::try_from(most).unwrap_or(i64::MAX);
    if excess <= 0 {
        return Ok(());
    }
    sql::query(
        "DELETE FROM semantic_cache WHERE owner = $1 AND cache_key IN (
             SELECT cache_key FROM semantic_cache WHERE owner = $1 AND cache_key <> $2
             ORDER BY COALESCE(last_hit_at, created_at), cache_key LIMIT $3)",
    )
    .bind(owner.as_str())
    .bind(new.as_str())
    .bind(excess)
    .execute(write.connection())
    .await?;
    Ok(())
}

/// Lets go of all answers of the owner.
pub(crate) async fn forget(write: &mut Write) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    sql::query("DELETE FROM semantic_cache WHERE owner = $1")
        .bind(owner.as_str())
        .execute(write.connection())
        .await?;
    Ok(())
}
