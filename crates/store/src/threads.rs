//! Threads: the rows of `conversations`. What is said in them stands in `messages`.

use crate::blocks;
use crate::chunks::{self, Removed};
use crate::error::{StoreError, check_text};
use crate::receipts;
use crate::row::{Row, text_list, to_json};
use crate::sql;
use crate::store::OwnerStore;
use crate::write::Write;
use crate::{answers, facts, projects};
use dossier_core::id::{MessageId, ProjectId, ThreadId};
use dossier_core::time::Timestamp;
use std::collections::HashMap;

/// What a summary was made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct MadeOf<'a> {
    pub messages: &'a [MessageId],
    /// The summary before it, if it goes on from that.
    pub summary: Option<&'a str>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    pub id: ThreadId,
    pub project: ProjectId,
    pub title: Option<String>,
    pub summary: Option<String>,
    /// What assembling remembers from turn to turn.
    pub context_state: serde_json::Value,
    /// Number of the newest round.
    pub round_count: i64,
    /// Where it was imported from and its id there; unique in its project.
    pub external_id: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Thread {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            project: row.text("project_id")?,
            title: row.optional_text("title")?,
            summary: row.optional_text("summary")?,
            context_state: row.json("context_state")?,
            round_count: row.number("round_count")?,
            external_id: row.optional_text("external_id")?,
            created_at: row.time("created_at")?,
            updated_at: row.time("updated_at")?,
        })
    }
}

impl OwnerStore {
    /// Fails with `Conflict` when an id is taken, with `NotFound` when the project is missing.
    pub async fn create_thread(&self, thread: &Thread) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        create(&mut write, thread).await?;
        write.commit().await
    }

    pub async fn thread(&self, id: &ThreadId) -> Result<Option<Thread>, StoreError> {
        let row = sql::query("SELECT * FROM visible_conversations WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.as_ref().map(Thread::read).transpose()
    }

    /// The thread of the project that was imported under this id.
    pub async fn thread_from(
        &self,
        project: &ProjectId,
        external_id: &str,
    ) -> Result<Option<Thread>, StoreError> {
        let row = sql::query(
            "SELECT * FROM visible_conversations
             WHERE owner = $1 AND project_id = $2 AND external_id = $3",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(external_id)
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.as_ref().map(Thread::read).transpose()
    }

    /// Threads of the project, the most recently used first.
    pub async fn threads(&self, project: &ProjectId) -> Result<Vec<Thread>, StoreError> {
        let rows =
            sql::query("SELECT * FROM visible_conversations WHERE owner = $1 AND project_id = $2")
                .bind(self.owner.as_str())
                .bind(project.as_str())
                .fetch_all(&mut *self.connection().await?)
                .await?;
        let mut threads = rows.iter().map(Thread::read).collect::<Result<Vec<_>, StoreError>>()?;
        threads.sort_by(|left, right| {
            right.updated_at.cmp(&left.updated_at).then_with(|| left.id.cmp(&right.id))
        });
        Ok(threads)
    }

    /// Those of these threads that are there.
    pub async fn threads_among(
        &self,
        threads: impl IntoIterator<Item = &ThreadId>,
    ) -> Result<HashMap<ThreadId, Thread>, StoreError> {
        let among = text_list(threads.into_iter().map(ThreadId::as_str))?;
        if among == "[]" {
            return Ok(HashMap::new());
        }
        let named = self.kind().text_among("id", "$2");
        let rows = sql::composed(format!(
            "SELECT * FROM visible_conversations WHERE owner = $1 AND {named}"
        ))
        .bind(self.owner.as_str())
        .bind(among)
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let named = |row| Thread::read(row).map(|thread| (thread.id.clone(), thread));
        rows.iter().map(named).collect()
    }

    pub async fn set_title(
        &self,
        id: &ThreadId,
        title: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        check_text("title", title)?;
        let mut write = self.write().await?;
        let updated = sql::query(
            "UPDATE conversations SET title = $1, updated_at = $2
             WHERE owner = $3 AND id = $4 AND hidden_at IS NULL",
        )
        .bind(title)
        .bind(now.as_millis())
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .execute(write.connection())
        .await?;
        if updated.rows_affected() == 0 {
            return Err(StoreError::not_found(format!("thread {id}")));
        }
        write.commit().await
    }

    /// Gives a thread its first title; whether it had none. One that somebody has given stays.
    pub async fn give_title(&self, id: &ThreadId, title: &str) -> Result<bool, StoreError> {
        check_text("title", title)?;
        let mut write = self.write().await?;
        let updated = sql::query(
            "UPDATE conversations SET title = $1
             WHERE owner = $2 AND id = $3 AND title IS NULL AND hidden_at IS NULL",
        )
        .bind(title)
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .execute(write.connection())
        .await?;
        write.commit().await?;
        Ok(updated.rows_affected() > 0)
    }

    /// Writes what assembling remembers of the thread: its summary and its state. Writes nothing,
    /// and says so, if something that the summary was made of has been deleted meanwhile.
    pub async fn set_context_state(
        &self,
        id: &ThreadId,
        summary: Option<&str>,
        state: &serde_json::Value,
        made_of: MadeOf<'_>,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let among = write.kind().text_among("id", "$3");
        let row = sql::composed(format!(
            "SELECT CAST(COUNT(*) AS BIGINT) AS there FROM conversation_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL AND {among}"
        ))
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .bind(text_list(made_of.messages.iter().map(MessageId::as_str))?)
        .fetch_one(write.connection())
        .await?;
        if row.number("there")?.unsigned_abs() < made_of.messages.len() as u64 {
            return Ok(false);
        }
        let updated = sql::query(
            "UPDATE conversations SET summary = $1, context_state = $2
             WHERE owner = $3 AND id = $4 AND hidden_at IS NULL
                 AND (CAST($5 AS TEXT) IS NULL OR summary = $5)",
        )
        .bind(summary)
        .bind(to_json(state)?)
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .bind(made_of.summary)
        .execute(write.connection())
        .await?;
        if updated.rows_affected() == 0 && made_of.summary.is_none() {
            return Err(StoreError::not_found(format!("thread {id}")));
        }
        write.commit().await?;
        Ok(updated.rows_affected() > 0)
    }

    /// Whether there was one to delete. Its messages, their index rows, its receipts and whatever
    /// other receipts quote of it go too.
    pub async fn delete_thread(&self, id: &ThreadId) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let deleted = delete(&mut write, id).await?;
        if deleted {
            answers::forget(&mut write).await?;
        }
        write.commit().await?;
        Ok(deleted)
    }
}

pub(crate) async fn delete(write: &mut Write, id: &ThreadId) -> Result<bool, StoreError> {
    let owner = write.owner.clone();
    let row = sql::query("SELECT project_id FROM conversations WHERE owner = $1 AND id = $2")
        .bind(owner.as_str())
        .bind(id.as_str())
        .fetch_optional(write.connection())
        .await?;
    let Some(row) = row else { return Ok(false) };
    let project: ProjectId = row.text("project_id")?;
    let rows = sql::query(
        "SELECT id FROM conversation_messages WHERE owner = $1 AND conversation_id = $2",
    )
    .bind(owner.as_str())
    .bind(id.as_str())
    .fetch_all(write.connection())
    .await?;
    let mut quoted = facts::remove(write, &project, "conversation_id", [id.as_str()]).await?;
    for row in &rows {
        quoted.insert(row.text("id")?);
    }
    quoted.insert(id.to_string());
    receipts::unquote(write, &project, &quoted).await?;
    chunks::remove(write, &project, Removed::Thread(id)).await?;
    let lists = sql::query(
        "SELECT hashes FROM block_lists WHERE owner = $1 AND receipt_id IN
             (SELECT id FROM receipts WHERE owner = $1 AND conversation_id = $2)",
    )
    .bind(owner.as_str())
    .bind(id.as_str())
    .fetch_all(write.connection())
    .await?;
    blocks::let_go(write, &lists)?;
    sql::query("DELETE FROM conversations WHERE owner = $1 AND id = $2")
        .bind(owner.as_str())
        .bind(id.as_str())
        .execute(write.connection())
        .await?;
    Ok(true)
}

pub(crate) async fn create(write: &mut Write, thread: &Thread) -> Result<(), StoreError> {
    for text in [&thread.title, &thread.summary, &thread.external_id].into_iter().flatten() {
        check_text("title, summary or external id", text)?;
    }
    projects::expect(write, &thread.project).await?;
    write.grown.threads = true;
    let owner = write.owner.clone();
    sql::query(
        "INSERT INTO conversations (owner, id, project_id, title, summary, context_state,
             round_count, external_id, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(owner.as_str())
    .bind(thread.id.as_str())
    .bind(thread.project.as_str())
    .bind(thread.title.as_deref())
    .bind(thread.summary.as_deref())
    .bind(to_json(&thread.context_state)?)
    .bind(thread.round_count)
    .bind(thread.external_id.as_deref())
    .bind(thread.created_at.as_millis())
    .bind(thread.updated_at.as_millis())
    .execute(write.connection())
    .await?;
    Ok(())
}

pub(crate) async fn project_of(
    write: &mut Write,
    id: &ThreadId,
) -> Result<Option<ProjectId>, StoreError> {
    let owner = write.owner.clone();
    let row =
        sql::query("SELECT project_id FROM visible_conversations WHERE owner = $1 AND id = $2")
            .bind(owner.as_str())
            .bind(id.as_str())
            .fetch_optional(write.connection())
            .await?;
    row.map(|row| row.text("project_id")).transpose()
}
