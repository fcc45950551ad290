//! Messages: written once, never rewritten. Deleting one empties it, takes it out of the index
//! and leaves a mark in its place.

use crate::chunks::{self, Removed};
use crate::error::{StoreError, check_text};
use crate::files::{self, FileRecord};
use crate::insert::Insert;
use crate::row::{Row, text_list, to_json};
use crate::sql::{self, Connection};
use crate::store::OwnerStore;
use crate::threads::{self, Thread, project_of};
use crate::write::Write;
use crate::{answers, facts, receipts, replies};
use dossier_core::chunk::{Draft, Origin};
use dossier_core::id::{MessageId, OwnerId, ProjectId, ThreadId};
use dossier_core::message::{Message, Role, Speaker};
use dossier_core::time::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What makes a message.
const COLUMNS: &str = "id, conversation_id, parent_id, position, round_number, role, name,
    section, content, external_id, created_at";

pub(crate) fn read(row: &Row) -> Result<Message, StoreError> {
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

/// A message with what only the store keeps of it.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageRow {
    /// Emptied when it was deleted.
    pub message: Message,
    pub metadata: serde_json::Value,
    pub deleted_at: Option<Timestamp>,
}

impl MessageRow {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            message: read(row)?,
            metadata: row.json("metadata")?,
            deleted_at: row.get_as::<Option<i64>>("deleted_at")?.map(Timestamp::from_millis),
        })
    }
}

/// A thread from outside, with everything that comes with it.
#[derive(Debug, Clone, Copy)]
pub struct ThreadImport<'a> {
    pub thread: &'a Thread,
    pub messages: &'a [Message],
    pub chunks: &'a [Draft],
    /// Files that its messages name, with their contents and chunks.
    pub files: &'a [(FileRecord, String, Vec<Draft>)],
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
        let mut write = self.write().await?;
        append(&mut write, thread, &without_more(messages), chunks).await?;
        write.commit().await
    }

    /// Writes a new thread and all that comes with it, or nothing of it.
    pub async fn create_imported(&self, import: ThreadImport<'_>) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        threads::create(&mut write, import.thread).await?;
        imported(&mut write, import).await?;
        write.commit().await
    }

    /// Writes a new thread with messages as they stand elsewhere, or nothing of it.
    pub async fn create_with(
        &self,
        thread: &Thread,
        rows: &[MessageRow],
        chunks: &[Draft],
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        threads::create(&mut write, thread).await?;
        let rows: Vec<_> = rows.iter().map(Cow::Borrowed).collect();
        append(&mut write, &thread.id, &rows, chunks).await?;
        write.commit().await
    }

    /// Adds to a thread what a newer export has, or nothing of it.
    pub async fn extend_imported(&self, import: ThreadImport<'_>) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        imported(&mut write, import).await?;
        write.commit().await
    }

    /// Writes messages as they were kept elsewhere, deleted ones too.
    pub async fn restore_messages(
        &self,
        thread: &ThreadId,
        rows: &[MessageRow],
        chunks: &[Draft],
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        append(&mut write, thread, &rows.iter().map(Cow::Borrowed).collect::<Vec<_>>(), chunks)
            .await?;
        write.commit().await
    }

    /// Those of a thread's messages that were not deleted, also where it is hidden, in order.
    pub async fn said(&self, ids: &[&MessageId]) -> Result<Vec<Message>, StoreError> {
        let among = self.kind().text_among("id", "$2");
        let rows = sql::composed(format!(
            "SELECT {COLUMNS} FROM conversation_messages
             WHERE owner = $1 AND deleted_at IS NULL AND {among} ORDER BY position"
        ))
        .bind(self.owner.as_str())
        .bind(text_list(ids.iter().map(|id| id.as_str()))?)
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(read).collect()
    }

    /// Messages of the thread from a position on, deleted ones too.
    pub async fn message_rows(
        &self,
        thread: &ThreadId,
        from: i64,
        limit: usize,
    ) -> Result<Vec<MessageRow>, StoreError> {
        let rows = sql::query(
            "SELECT * FROM visible_messages
             WHERE owner = $1 AND conversation_id = $2 AND position >= $3
             ORDER BY position LIMIT $4",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .bind(from)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(MessageRow::read).collect()
    }

    /// A message with what the store keeps of it, unless it was deleted.
    pub async fn message_row(&self, id: &MessageId) -> Result<Option<MessageRow>, StoreError> {
        let row = sql::query(
            "SELECT * FROM visible_messages
             WHERE owner = $1 AND id = $2 AND deleted_at IS NULL",
        )
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.as_ref().map(MessageRow::read).transpose()
    }

    /// The thread's messages in the order in which they were written, without deleted ones.
    pub async fn messages(&self, thread: &ThreadId) -> Result<Vec<Message>, StoreError> {
        let rows = sql::query(
            "SELECT * FROM visible_messages
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
        let rows = sql::composed(format!(
            "SELECT {COLUMNS} FROM visible_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL
             ORDER BY position DESC LIMIT $3"
        ))
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().rev().map(read).collect()
    }

    /// The position after the thread's last message, deleted ones included.
    pub async fn next_position(&self, thread: &ThreadId) -> Result<i64, StoreError> {
        end_of(&mut *self.connection().await?, &self.owner, thread).await
    }

    pub async fn message(&self, id: &MessageId) -> Result<Option<Message>, StoreError> {
        Ok(self.message_row(id).await?.map(|row| row.message))
    }

    /// How many messages of the thread there are, without deleted ones.
    pub async fn message_count(&self, thread: &ThreadId) -> Result<u64, StoreError> {
        let row = sql::query(
            "SELECT COUNT(*) AS messages FROM visible_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .fetch_one(&mut *self.connection().await?)
        .await?;
        row.number("messages").map(i64::unsigned_abs)
    }

    /// So many messages of the thread after the first so many, without deleted ones.
    pub async fn message_page(
        &self,
        thread: &ThreadId,
        order: Order,
        start: usize,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        let direction = match order {
            Order::NewestFirst => "DESC",
            Order::OldestFirst => "ASC",
        };
        let rows = sql::composed(format!(
            "SELECT * FROM visible_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL
             ORDER BY position {direction} LIMIT $3 OFFSET $4"
        ))
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .bind(i64::try_from(start).unwrap_or(i64::MAX))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(read).collect()
    }

    /// So many messages of the thread beyond a position, without deleted ones.
    pub async fn messages_after(
        &self,
        thread: &ThreadId,
        order: Order,
        after: Option<i64>,
        limit: usize,
    ) -> Result<Vec<Message>, StoreError> {
        let (beyond, start) = match order {
            Order::NewestFirst => ("position < $3 ORDER BY position DESC", i64::MAX),
            Order::OldestFirst => ("position > $3 ORDER BY position ASC", -1),
        };
        let rows = sql::composed(format!(
            "SELECT * FROM visible_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL AND {beyond}
             LIMIT $4"
        ))
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .bind(after.unwrap_or(start))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(read).collect()
    }

    /// What was stored of the thread's user in the same moment as a message, right before it: a client
    /// that tells a whole conversation tells it at once.
    pub async fn told_with(&self, message: &Message) -> Result<Vec<Message>, StoreError> {
        let rows = sql::query(
            "SELECT * FROM visible_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL
                 AND position < $4 AND role = $5
                 AND position > COALESCE((SELECT position FROM conversation_messages
                     WHERE owner = $1 AND conversation_id = $2 AND position < $4
                         AND created_at <> $3
                     ORDER BY position DESC LIMIT 1), -1)
             ORDER BY position",
        )
        .bind(self.owner.as_str())
        .bind(message.thread.as_str())
        .bind(message.created_at.as_millis())
        .bind(message.position)
        .bind(Role::User.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(read).collect()
    }

    /// Empties and marks a message; whether there was one. `reindexed` are the new chunks of
    /// neighbours that quoted its words.
    pub async fn delete_message(
        &self,
        id: &MessageId,
        reindexed: &[Draft],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let row = sql::query(
            "SELECT conversation_id FROM conversation_messages WHERE owner = $1 AND id = $2",
        )
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        let Some(row) = row else { return Ok(false) };
        let thread: ThreadId = row.text("conversation_id")?;
        let ids = std::slice::from_ref(id);
        Ok(self.delete_messages(&thread, ids, reindexed, now).await? > 0)
    }

    /// Empties and marks messages of a thread, or none of them; how many there were. What receipts
    /// quote of them goes, and the receipts of their own turns go whole.
    pub async fn delete_messages(
        &self,
        thread: &ThreadId,
        ids: &[MessageId],
        reindexed: &[Draft],
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut write = self.shredding().await?;
        let project = project_of(&mut write, thread)
            .await?
            .ok_or_else(|| StoreError::not_found(format!("thread {thread}")))?;
        let among = self.kind().text_among("id", "$4");
        let rows = sql::composed(format!(
            "UPDATE conversation_messages
             SET content = '', name = NULL, section = NULL, external_id = NULL,
                 metadata = '{{}}', deleted_at = $1
             WHERE owner = $2 AND conversation_id = $3 AND deleted_at IS NULL AND {among}
             RETURNING id"
        ))
        .bind(now.as_millis())
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .bind(text_list(ids.iter().map(MessageId::as_str))?)
        .fetch_all(write.connection())
        .await?;
        let deleted = rows
            .iter()
            .map(|row| row.text("id"))
            .collect::<Result<Vec<MessageId>, StoreError>>()?;
        if deleted.is_empty() {
            return Ok(0);
        }
        let neighbours: BTreeSet<Origin> =
            reindexed.iter().map(|draft| draft.origin.clone()).collect();
        if deleted.iter().any(|id| neighbours.contains(&Origin::Message(id.clone()))) {
            return Err(StoreError::invalid("reindexed", "names a deleted message itself"));
        }
        replies::forget(&mut write).await?;
        answers::forget(&mut write).await?;
        receipts::forget_of(&mut write, &deleted).await?;
        let ids = deleted.iter().map(MessageId::as_str);
        let mut named = facts::remove(&mut write, &project, "message_id", ids).await?;
        named.extend(deleted.iter().map(ToString::to_string));
        // A summary may say what they said.
        sql::query("UPDATE conversations SET summary = NULL WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(thread.as_str())
            .execute(write.connection())
            .await?;
        named.insert(thread.to_string());
        receipts::unquote(&mut write, &project, &named).await?;
        chunks::remove(&mut write, &project, Removed::Messages(&deleted)).await?;
        let neighbours: Vec<Origin> = neighbours.into_iter().collect();
        chunks::replace(&mut write, &project, &neighbours, reindexed).await?;
        write.commit().await?;
        Ok(deleted.len() as u64)
    }
}

/// The position after a thread's last message, deleted ones included.
pub(crate) async fn end_of(
    connection: &mut Connection,
    owner: &OwnerId,
    thread: &ThreadId,
) -> Result<i64, StoreError> {
    let row = sql::query(
        "SELECT CAST(COALESCE(MAX(position) + 1, 0) AS BIGINT) AS next
         FROM visible_messages WHERE owner = $1 AND conversation_id = $2",
    )
    .bind(owner.as_str())
    .bind(thread.as_str())
    .fetch_one(connection)
    .await?;
    row.number("next")
}

/// In which order messages are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    NewestFirst,
    OldestFirst,
}

/// Messages of which nothing more is known.
fn without_more(messages: &[Message]) -> Vec<Cow<'_, MessageRow>> {
    let row = |message: &Message| MessageRow {
        message: message.clone(),
        metadata: serde_json::json!({}),
        deleted_at: None,
    };
    messages.iter().map(row).map(Cow::Owned).collect()
}

async fn imported(write: &mut Write, import: ThreadImport<'_>) -> Result<(), StoreError> {
    let ThreadImport { thread, messages, chunks, files } = import;
    append(write, &thread.id, &without_more(messages), chunks).await?;
    let files: Vec<_> = files
        .iter()
        .map(|(file, content, chunks)| (file, content.as_bytes(), chunks.as_slice()))
        .collect();
    files::put(write, &thread.project, &files).await
}

pub(crate) async fn append(
    write: &mut Write,
    thread: &ThreadId,
    rows: &[Cow<'_, MessageRow>],
    chunks: &[Draft],
) -> Result<(), StoreError> {
    let ids: BTreeSet<&MessageId> = rows.iter().map(|row| &row.message.id).collect();
    for row in rows {
        check_text("content", &row.message.content)?;
        if row.message.thread != *thread {
            return Err(StoreError::invalid("messages", "belong to another thread"));
        }
        if !(0..i64::MAX).contains(&row.message.position) {
            return Err(StoreError::invalid("messages", "one has a place that there is not"));
        }
    }
    let known = |draft: &Draft| matches!(&draft.origin, Origin::Message(id) if ids.contains(id));
    if !chunks.iter().all(known) {
        return Err(StoreError::invalid("chunks", "belong to other messages"));
    }
    let Some(newest) = rows.iter().map(|row| row.message.created_at).max() else {
        return Ok(());
    };
    let rounds = rows.iter().map(|row| row.message.round).max().unwrap_or(0);
    let project = project_of(write, thread)
        .await?
        .ok_or_else(|| StoreError::not_found(format!("thread {thread}")))?;
    write.grown.messages.insert(thread.clone());
    write.grown.bytes += rows.iter().map(|row| row.message.content.len() as u64).sum::<u64>();
    insert(write, rows).await?;
    let owner = write.owner.clone();
    sql::query(
        "UPDATE conversations SET
             round_count = CASE WHEN round_count < $1 THEN $1 ELSE round_count END,
             updated_at = CASE WHEN updated_at < $2 THEN $2 ELSE updated_at END
         WHERE owner = $3 AND id = $4",
    )
    .bind(rounds)
    .bind(newest.as_millis())
    .bind(owner.as_str())
    .bind(thread.as_str())
    .execute(write.connection())
    .await?;
    chunks::add(write, &project, &chunks.iter().collect::<Vec<_>>()).await
}

/// Adds the chunks of messages of a thread, as far as they have none. Nobody finds what is hidden: of
/// a hidden thread none are added. Fails with `Conflict` when one of `said`, the messages whose words
/// the chunks hold, was deleted meanwhile.
pub(crate) async fn index(
    write: &mut Write,
    thread: &ThreadId,
    said: &[MessageId],
    chunks: &[Draft],
) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let project = sql::query(
        "SELECT project_id FROM conversations WHERE owner = $1 AND id = $2 AND hidden_at IS NULL",
    )
    .bind(owner.as_str())
    .bind(thread.as_str())
    .fetch_optional(write.connection())
    .await?;
    let Some(project) = project else { return Ok(()) };
    let among = write.kind().text_among("id", "$2");
    let rows = sql::composed(format!(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM content_chunks
                 WHERE content_chunks.owner = $1 AND message_id = conversation_messages.id)
             THEN id ELSE '' END AS found
         FROM conversation_messages WHERE owner = $1 AND deleted_at IS NULL AND {among}"
    ))
    .bind(owner.as_str())
    .bind(text_list(said.iter().map(MessageId::as_str))?)
    .fetch_all(write.connection())
    .await?;
    if rows.len() != said.len() {
        return Err(StoreError::Conflict { what: "what was said in the turn".to_owned() });
    }
    let found: BTreeSet<&str> =
        rows.iter().map(|row| row.get_as("found")).collect::<Result<_, _>>()?;
    let new = chunks.iter().filter(|draft| !found.contains(draft.origin.as_str()));
    let project: ProjectId = project.text("project_id")?;
    chunks::add(write, &project, &new.collect::<Vec<_>>()).await
}

async fn insert(write: &mut Write, rows: &[Cow<'_, MessageRow>]) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let rows = rows
        .iter()
        .map(|row| Ok((&row.message, to_json(&row.metadata)?, row.deleted_at)))
        .collect::<Result<Vec<_>, StoreError>>()?;
    Insert {
        into: "INSERT INTO conversation_messages (owner, id, conversation_id, parent_id,
                   position, round_number, role, name, section, content, external_id,
                   metadata, created_at, deleted_at)",
        row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        then: "",
    }
    .run(write.connection(), &rows, |query, (message, metadata, deleted_at)| {
        query
            .bind(owner.as_str())
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
            .bind(metadata.as_str())
            .bind(message.created_at.as_millis())
            .bind(deleted_at.map(Timestamp::as_millis))
    })
    .await
}
