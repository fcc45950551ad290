//! Messages: written once, never rewritten. Deleting one empties it, takes it out of the index
//! and leaves a mark in its place.

use crate::chunks::{self, Removed};
use crate::error::{StoreError, check_text};
use crate::insert::Insert;
use crate::row::Columns;
use crate::store::OwnerStore;
use crate::threads::project_of;
use dossier_core::chunk::{Draft, Origin};
use dossier_core::id::{MessageId, ThreadId};
use dossier_core::message::{Message, Role, Speaker};
use dossier_core::time::Timestamp;
use sqlx::any::AnyRow;
use std::collections::BTreeSet;

fn read(row: &AnyRow) -> Result<Message, StoreError> {
    let role: String = row.text("role")?;
    let role = Role::parse(&role)
        .ok_or_else(|| StoreError::unreadable("role", format!("`{role}` is no role")))?;
    Ok(Message {
        id: row.text("id")?,
        thread: row.text("conversation_id")?,
        parent: row.optional_text("parent_id")?,
        position: row.number("position")?,
        round: row.number("round_number")?,
        speaker: Speaker { role, name: row.optional_text("name")? },
        section: row.optional_text("section")?,
        content: row.text("content")?,
        external_id: row.optional_text("external_id")?,
        created_at: row.time("created_at")?,
    })
}

impl OwnerStore {
    /// Adds messages with their chunks. Fails with `Conflict` when a position is taken, so two
    /// writers of one thread cannot both believe they were next.
    pub async fn append_messages(
        &self,
        thread: &ThreadId,
        messages: &[Message],
        chunks: &[Draft],
    ) -> Result<(), StoreError> {
        let ids: BTreeSet<&MessageId> = messages.iter().map(|message| &message.id).collect();
        for message in messages {
            check_text("content", &message.content)?;
            if message.thread != *thread {
                return Err(StoreError::invalid("messages", "belong to another thread"));
            }
        }
        let known =
            |draft: &Draft| matches!(&draft.origin, Origin::Message(id) if ids.contains(id));
        if !chunks.iter().all(known) {
            return Err(StoreError::invalid("chunks", "belong to other messages"));
        }
        let Some(newest) = messages.iter().map(|message| message.created_at).max() else {
            return Ok(());
        };
        let rounds = messages.iter().map(|message| message.round).max().unwrap_or(0);
        let mut write = self.write().await?;
        let project = project_of(&mut write, thread)
            .await?
            .ok_or_else(|| StoreError::not_found(format!("thread {thread}")))?;
        let owner = self.owner.as_str();
        Insert {
            into: "INSERT INTO conversation_messages (owner, id, conversation_id, parent_id,
                       position, round_number, role, name, section, content, external_id,
                       created_at)",
            row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            then: "",
        }
        .run(write.connection(), messages, |query, message| {
            query
                .bind(owner)
                .bind(message.id.as_str())
                .bind(message.thread.as_str())
                .bind(message.parent.as_ref().map(MessageId::as_str))
                .bind(message.position)
                .bind(message.round)
                .bind(message.speaker.role.as_str())
                .bind(message.speaker.name.as_deref())
                .bind(message.section.as_deref())
                .bind(message.content.as_str())
                .bind(message.external_id.as_deref())
                .bind(message.created_at.as_millis())
        })
        .await?;
        sqlx::query(
            "UPDATE conversations SET
                 round_count = CASE WHEN round_count < $1 THEN $1 ELSE round_count END,
                 updated_at = CASE WHEN updated_at < $2 THEN $2 ELSE updated_at END
             WHERE owner = $3 AND id = $4",
        )
        .bind(rounds)
        .bind(newest.as_millis())
        .bind(owner)
        .bind(thread.as_str())
        .execute(write.connection())
        .await?;
        chunks::add(&mut write, &project, &chunks.iter().collect::<Vec<_>>()).await?;
        write.commit().await
    }

    /// The thread's messages in the order in which they were written, without deleted ones.
    pub async fn messages(&self, thread: &ThreadId) -> Result<Vec<Message>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM conversation_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL
             ORDER BY position",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(read).collect()
    }

    /// The last messages of the thread, the oldest of them first.
    pub async fn recent_messages(
        &self,
        thread: &ThreadId,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM conversation_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL
             ORDER BY position DESC LIMIT $3",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().rev().map(read).collect()
    }

    /// The position after the thread's last message, deleted ones included.
    pub async fn next_position(&self, thread: &ThreadId) -> Result<i64, StoreError> {
        let row = sqlx::query(
            "SELECT CAST(COALESCE(MAX(position) + 1, 0) AS BIGINT) AS next
             FROM conversation_messages WHERE owner = $1 AND conversation_id = $2",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .fetch_one(&mut *self.connection().await?)
        .await?;
        row.number("next")
    }

    pub async fn message(&self, id: &MessageId) -> Result<Option<Message>, StoreError> {
        let row = sqlx::query(
            "SELECT * FROM conversation_messages
             WHERE owner = $1 AND id = $2 AND deleted_at IS NULL",
        )
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.as_ref().map(read).transpose()
    }

    /// Empties and marks a message; whether there was one. `reindexed` are the new chunks of
    /// neighbours that quoted its words.
    pub async fn delete_message(
        &self,
        id: &MessageId,
        reindexed: &[Draft],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let row = sqlx::query(
            "UPDATE conversation_messages
             SET content = '', name = NULL, section = NULL, external_id = NULL,
                 metadata = '{}', deleted_at = $1
             WHERE owner = $2 AND id = $3 AND deleted_at IS NULL
             RETURNING conversation_id",
        )
        .bind(now.as_millis())
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .fetch_optional(write.connection())
        .await?;
        let Some(row) = row else { return Ok(false) };
        let thread: ThreadId = row.text("conversation_id")?;
        let project = project_of(&mut write, &thread)
            .await?
            .ok_or_else(|| StoreError::not_found(format!("thread {thread}")))?;
        chunks::remove(&mut write, &project, Removed::Messages(std::slice::from_ref(id))).await?;
        let neighbours: BTreeSet<Origin> =
            reindexed.iter().map(|draft| draft.origin.clone()).collect();
        if neighbours.contains(&Origin::Message(id.clone())) {
            return Err(StoreError::invalid("reindexed", "names the deleted message itself"));
        }
        let neighbours: Vec<Origin> = neighbours.into_iter().collect();
        chunks::replace(&mut write, &project, &neighbours, reindexed).await?;
        write.commit().await?;
        Ok(true)
    }
}
