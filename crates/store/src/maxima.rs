//! The most that an owner may keep, checked by every transaction before it is committed. One owner
//! has one writer at a time, so that no two can fill the last place together.
//!
//! The bytes are counted upwards only; when the maximum comes near, they are counted anew. What
//! is hidden counts until it is gone for good.

use crate::error::StoreError;
use crate::personas;
use crate::sql::{self, Connection};
use crate::store::OwnerStore;
use crate::write::Write;
use dossier_core::id::{OwnerId, ThreadId};
use dossier_core::maxima::{Maxima, Maximum};
use std::collections::BTreeSet;

/// What a transaction has added.
#[derive(Debug, Default)]
pub(crate) struct Grown {
    pub(crate) threads: bool,
    /// Or presets.
    pub(crate) personas: bool,
    /// Threads that got messages.
    pub(crate) messages: BTreeSet<ThreadId>,
    /// Bytes of contents, those that were there already too, and of messages.
    pub(crate) bytes: u64,
}

impl OwnerStore {
    /// The same handle with other maxima.
    pub fn within(self, maxima: Maxima) -> Self {
        Self { maxima, ..self }
    }

    /// Whether so many more threads, messages of one thread and bytes would be allowed, for who
    /// wants to know before the first of several transactions.
    pub async fn allow(&self, threads: u64, messages: u64, bytes: u64) -> Result<(), StoreError> {
        self.maxima.allow(Maximum::Messages, messages)?;
        let connection = &mut *self.connection().await?;
        if threads > 0 {
            let held = self::threads(connection, &self.owner).await?;
            self.maxima.allow(Maximum::Threads, held.saturating_add(threads))?;
        }
        if bytes > 0 {
            let held = self.held(connection).await?;
            self.maxima.allow(Maximum::Bytes, held.saturating_add(bytes))?;
        }
        Ok(())
    }

    async fn held(&self, connection: &mut Connection) -> Result<u64, StoreError> {
        let row = sql::query("SELECT content_bytes FROM owners WHERE id = $1")
            .bind(self.owner.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let counted = row.map_or(Ok(0), |row| row.number("content_bytes"))?.unsigned_abs();
        // Far from the end the count may be too high.
        match counted > self.maxima.bytes / 2 {
            true => bytes(connection, &self.owner).await,
            false => Ok(counted),
        }
    }
}

/// Refuses a transaction after which there would be too much.
pub(crate) async fn check(write: &mut Write) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let maxima = write.maxima;
    let Grown { threads: more, personas: more_personas, messages: longer, bytes: added } =
        std::mem::take(&mut write.grown);
    let connection = write.connection();
    if more_personas {
        let held = personas::count(connection, owner.as_str()).await?;
        maxima.allow(Maximum::Personas, held)?;
    }
    if more {
        maxima.allow(Maximum::Threads, threads(connection, &owner).await?)?;
    }
    for thread in &longer {
        // Each has a place of its own, so that there are no more of them than places.
        let places = "CAST(COALESCE(MAX(position) + 1, 0) AS BIGINT)";
        let most = messages(connection, &owner, thread, places).await?;
        if maxima.allow(Maximum::Messages, most).is_err() {
            let exact = messages(connection, &owner, thread, "COUNT(*)").await?;
            maxima.allow(Maximum::Messages, exact)?;
        }
    }
    if added == 0 {
        return Ok(());
    }
    let row = sql::query(
        "UPDATE owners SET content_bytes = content_bytes + $1 WHERE id = $2
         RETURNING content_bytes",
    )
    .bind(i64::try_from(added).unwrap_or(i64::MAX))
    .bind(owner.as_str())
    .fetch_one(&mut *connection)
    .await?;
    if maxima.allow(Maximum::Bytes, row.number("content_bytes")?.unsigned_abs()).is_ok() {
        return Ok(());
    }
    let exact = bytes(connection, &owner).await?;
    maxima.allow(Maximum::Bytes, exact)?;
    sql::query("UPDATE owners SET content_bytes = $1 WHERE id = $2")
        .bind(exact as i64)
        .bind(owner.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

/// The messages of a thread, counted so.
async fn messages(
    connection: &mut Connection,
    owner: &OwnerId,
    thread: &ThreadId,
    counted: &'static str,
) -> Result<u64, StoreError> {
    let row = sql::composed(format!(
        "SELECT {counted} AS messages FROM conversation_messages
         WHERE owner = $1 AND conversation_id = $2"
    ))
    .bind(owner.as_str())
    .bind(thread.as_str())
    .fetch_one(connection)
    .await?;
    row.number("messages").map(i64::unsigned_abs)
}

async fn threads(connection: &mut Connection, owner: &OwnerId) -> Result<u64, StoreError> {
    let row = sql::query("SELECT COUNT(*) AS threads FROM conversations WHERE owner = $1")
        .bind(owner.as_str())
        .fetch_one(connection)
        .await?;
    row.number("threads").map(i64::unsigned_abs)
}

/// The bytes of all contents and messages, counted anew.
async fn bytes(connection: &mut Connection, owner: &OwnerId) -> Result<u64, StoreError> {
    let row = sql::query(
        "SELECT CAST(COALESCE((SELECT SUM(size) FROM blobs WHERE owner = $1), 0)
             + COALESCE((SELECT SUM(octet_length(content)) FROM conversation_messages
                         WHERE owner = $1), 0) AS BIGINT) AS bytes",
    )
    .bind(owner.as_str())
    .fetch_one(connection)
    .await?;
    row.number("bytes").map(i64::unsigned_abs)
}
