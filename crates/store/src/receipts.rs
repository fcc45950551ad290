//! Receipts: what a model was given, and why. The blocks are blobs, stored once however many
//! receipts name them.

use crate::blocks;
use crate::error::StoreError;
use crate::row::{Row, text_list};
use crate::sql::{self, Connection};
use crate::squeeze::{restored, squeezed};
use crate::store::OwnerStore;
use crate::write::Write;
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, ProjectId, ReceiptId, ThreadId};
use dossier_core::receipt::Receipt;
use dossier_core::time::Timestamp;
use std::collections::HashSet;

#[derive(Debug, Clone, PartialEq)]
pub struct ReceiptRow {
    pub id: ReceiptId,
    pub thread: Option<ThreadId>,
    pub project: Option<ProjectId>,
    pub message: Option<MessageId>,
    /// The receipt itself, as JSON.
    pub body: String,
    /// The blocks in the order in which they were sent.
    pub blocks: Vec<ContentHash>,
    pub created_at: Timestamp,
}

impl OwnerStore {
    /// Stores a receipt with the contents of those blocks that may be new.
    pub async fn put_receipt(
        &self,
        receipt: &ReceiptRow,
        contents: &[(ContentHash, String)],
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        put(&mut write, receipt, contents).await?;
        write.commit().await
    }

    pub async fn receipt(&self, id: &ReceiptId) -> Result<Option<ReceiptRow>, StoreError> {
        let connection = &mut *self.connection().await?;
        let row = sql::query("SELECT * FROM visible_receipts WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        match row {
            Some(row) => self.read_receipt(connection, &row).await.map(Some),
            None => Ok(None),
        }
    }

    /// The receipt of a message: what its writer was given.
    pub async fn receipt_of(&self, message: &MessageId) -> Result<Option<ReceiptRow>, StoreError> {
        let connection = &mut *self.connection().await?;
        let row = sql::query(
            "SELECT * FROM receipts WHERE owner = $1 AND message_id = $2
             ORDER BY created_at DESC, id DESC LIMIT 1",
        )
        .bind(self.owner.as_str())
        .bind(message.as_str())
        .fetch_optional(&mut *connection)
        .await?;
        match row {
            Some(row) => self.read_receipt(connection, &row).await.map(Some),
            None => Ok(None),
        }
    }

    /// The ids of all receipts, or of those of one project, in the order of the ids.
    pub async fn receipt_ids(
        &self,
        project: Option<&ProjectId>,
    ) -> Result<Vec<ReceiptId>, StoreError> {
        let connection = &mut *self.connection_apart().await?;
        let rows = match project {
            None => {
                let all = sql::query("SELECT id FROM visible_receipts WHERE owner = $1");
                all.bind(self.owner.as_str()).fetch_all(connection).await?
            }
            Some(project) => {
                sql::query(
                    "SELECT id FROM visible_receipts WHERE owner = $1 AND (project_id = $2
                         OR conversation_id IN
                             (SELECT id FROM visible_conversations WHERE owner = $1 AND project_id = $2))",
                )
                .bind(self.owner.as_str())
                .bind(project.as_str())
                .fetch_all(connection)
                .await?
            }
        };
        let mut ids = rows
            .iter()
            .map(|row| row.text("id"))
            .collect::<Result<Vec<ReceiptId>, StoreError>>()?;
        ids.sort();
        Ok(ids)
    }

    /// What the newest receipt of the thread says, or the one that so many came after.
    pub async fn recent_receipt(
        &self,
        thread: &ThreadId,
        before: usize,
    ) -> Result<Option<String>, StoreError> {
        self.newest_body("TRUE", thread, before).await
    }

    /// The same among those that models of the thread's turns were asked with.
    pub async fn recent_sent_receipt(
        &self,
        thread: &ThreadId,
        before: usize,
    ) -> Result<Option<String>, StoreError> {
        let sent = "(message_id IS NOT NULL OR id IN
            (SELECT receipt_id FROM turn_replies JOIN turns
                 ON turns.owner = turn_replies.owner AND turns.id = turn_id
             WHERE turns.owner = $1 AND turns.conversation_id = $2))";
        self.newest_body(sent, thread, before).await
    }

    async fn newest_body(
        &self,
        condition: &'static str,
        thread: &ThreadId,
        before: usize,
    ) -> Result<Option<String>, StoreError> {
        let row = sql::composed(format!(
            "SELECT body FROM visible_receipts
             WHERE owner = $1 AND conversation_id = $2 AND {condition}
             ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $3"
        ))
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .bind(before as i64)
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.as_ref().map(body).transpose()
    }

    async fn read_receipt(
        &self,
        connection: &mut Connection,
        row: &Row,
    ) -> Result<ReceiptRow, StoreError> {
        let id: ReceiptId = row.text("id")?;
        let blocks = blocks::of_receipt(connection, &self.owner, &id).await?;
        Ok(ReceiptRow {
            id,
            thread: row.optional_text("conversation_id")?,
            project: row.optional_text("project_id")?,
            message: row.optional_text("message_id")?,
            body: body(row)?,
            blocks,
            created_at: row.time("created_at")?,
        })
    }
}

/// Stores a receipt with the contents of those blocks that may be new.
pub(crate) async fn put(
    write: &mut Write,
    receipt: &ReceiptRow,
    contents: &[(ContentHash, String)],
) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    sql::query(
        "INSERT INTO receipts
             (owner, id, conversation_id, project_id, message_id, body, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(owner.as_str())
    .bind(receipt.id.as_str())
    .bind(receipt.thread.as_ref().map(ThreadId::as_str))
    .bind(receipt.project.as_ref().map(ProjectId::as_str))
    .bind(receipt.message.as_ref().map(MessageId::as_str))
    .bind(packed(&receipt.body))
    .bind(receipt.created_at.as_millis())
    .execute(write.connection())
    .await?;
    blocks::put(write, &receipt.id, &receipt.blocks, contents).await
}

/// Stands before a body that was squeezed; no JSON begins so.
const SQUEEZED: u8 = 0;

/// A body as it is stored: it names every candidate, most of them alike.
fn packed(body: &str) -> Vec<u8> {
    match squeezed(body.as_bytes()) {
        Some(squeezed) => [&[SQUEEZED], squeezed.as_slice()].concat(),
        None => body.as_bytes().to_vec(),
    }
}

fn body(row: &Row) -> Result<String, StoreError> {
    let bytes: Vec<u8> = row.get_as("body")?;
    let bytes = match bytes.split_first() {
        Some((&SQUEEZED, squeezed)) => restored(squeezed)?,
        _ => bytes,
    };
    String::from_utf8(bytes).map_err(|error| StoreError::unreadable("body", error))
}

/// Deletes the receipts of the turns that these messages asked for or answered.
pub(crate) async fn forget_of(write: &mut Write, messages: &[MessageId]) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let names = text_list(messages.iter().map(MessageId::as_str))?;
    let own = write.kind().text_among("message_id", "$2");
    let asked = write.kind().text_among("turns.message_id", "$2");
    let rows = sql::composed(format!(
        "SELECT id FROM receipts WHERE owner = $1 AND {own}
         UNION
         SELECT receipt_id AS id FROM turn_replies JOIN turns
             ON turns.owner = turn_replies.owner AND turns.id = turn_id
         WHERE turn_replies.owner = $1 AND receipt_id IS NOT NULL AND {asked}"
    ))
    .bind(owner.as_str())
    .bind(names)
    .fetch_all(write.connection())
    .await?;
    for row in &rows {
        let id: ReceiptId = row.text("id")?;
        let lists =
            sql::query("SELECT hashes FROM block_lists WHERE owner = $1 AND receipt_id = $2")
                .bind(owner.as_str())
                .bind(id.as_str())
                .fetch_all(write.connection())
                .await?;
        blocks::let_go(write, &lists)?;
        sql::query("DELETE FROM receipts WHERE owner = $1 AND id = $2")
            .bind(owner.as_str())
            .bind(id.as_str())
            .execute(write.connection())
            .await?;
    }
    Ok(())
}

/// Removes the blocks that quote these files or messages from the project's receipts, which go on
/// naming them.
pub(crate) async fn unquote(
    write: &mut Write,
    project: &ProjectId,
    sources: &HashSet<String>,
) -> Result<(), StoreError> {
    let rows = sql::query("SELECT id, body FROM receipts WHERE owner = $1 AND project_id = $2")
        .bind(write.owner.clone().as_str())
        .bind(project.as_str())
        .fetch_all(write.connection())
        .await?;
    unquote_in(write, &rows, sources).await
}

/// The same in all receipts of the owner: what is quoted may have belonged to several projects.
pub(crate) async fn unquote_everywhere(
    write: &mut Write,
    sources: &HashSet<String>,
) -> Result<(), StoreError> {
    let rows = sql::query("SELECT id, body FROM receipts WHERE owner = $1")
        .bind(write.owner.clone().as_str())
        .fetch_all(write.connection())
        .await?;
    unquote_in(write, &rows, sources).await
}

async fn unquote_in(
    write: &mut Write,
    rows: &[Row],
    sources: &HashSet<String>,
) -> Result<(), StoreError> {
    for row in rows {
        // A body that is no receipt tells nothing of what it quotes.
        let Ok(receipt) = serde_json::from_str::<Receipt>(&body(row)?) else { continue };
        blocks::forget(write, row.get_as("id")?, &receipt, sources).await?;
    }
    Ok(())
}
