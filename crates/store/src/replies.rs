//! Replies that are kept for a while, so that a request which comes again under the same key gets
//! the first one's reply and is not done twice.
//!
//! Invariant: no kept reply quotes what was hidden or deleted after it was given. Which replies
//! would is not known (an export has no ids in it), so all of the owner's lose their texts.

use crate::error::{StoreError, check_text};
use crate::row::{Row, to_json};
use crate::sql;
use crate::store::OwnerStore;
use crate::write::Write;
use dossier_core::hash::ContentHash;
use dossier_core::time::Timestamp;

/// What a request was answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptReply {
    pub status: u16,
    pub media_type: String,
    /// Names and values of headers that tell something of the reply.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// What came of asking to answer a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reservation {
    /// It is new, or the first was lost: it is to be done now.
    Granted,
    /// It was answered before.
    Kept(KeptReply),
    /// It was answered before, with something that is not kept, or of which a part was forgotten
    /// since.
    Forgotten,
    /// The first is still under way.
    UnderWay,
    /// The key was used for another request.
    OtherRequest,
}

impl OwnerStore {
    /// Takes the right to answer the request with this key and this hash. What was begun before
    /// `lost_before` and not ended is taken for lost.
    pub async fn reserve_reply(
        &self,
        key: &str,
        request: &ContentHash,
        lost_before: Timestamp,
        now: Timestamp,
    ) -> Result<Reservation, StoreError> {
        check_text("key", key)?;
        let mut write = self.write().await?;
        let row = sql::query("SELECT * FROM kept_replies WHERE owner = $1 AND key = $2")
            .bind(self.owner.as_str())
            .bind(key)
            .fetch_optional(write.connection())
            .await?;
        if let Some(row) = &row
            && let Some(reservation) = known(row, request, lost_before)?
        {
            return Ok(reservation);
        }
        sql::query(
            "INSERT INTO kept_replies (owner, key, request, created_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (owner, key) DO UPDATE
             SET request = excluded.request, created_at = excluded.created_at, forgotten = 0",
        )
        .bind(self.owner.as_str())
        .bind(key)
        .bind(request.as_str())
        .bind(now.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await?;
        Ok(Reservation::Granted)
    }

    /// Keeps the reply to a request that was granted.
    pub async fn keep_reply(&self, key: &str, reply: &KeptReply) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sql::query(
            "UPDATE kept_replies SET status = $1, media_type = $2, headers = $3,
                 body = CASE WHEN forgotten = 0 THEN $4 END
             WHERE owner = $5 AND key = $6",
        )
        .bind(i64::from(reply.status))
        .bind(reply.media_type.as_str())
        .bind(to_json(&reply.headers)?)
        .bind(reply.body.as_str())
        .bind(self.owner.as_str())
        .bind(key)
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// Notes that a request was done whose reply is not kept.
    pub async fn drop_reply(&self, key: &str, status: u16) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sql::query(
            "UPDATE kept_replies SET status = $1, body = NULL, forgotten = 1
             WHERE owner = $2 AND key = $3",
        )
        .bind(i64::from(status))
        .bind(self.owner.as_str())
        .bind(key)
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// Gives a key back whose request was not done.
    pub async fn release_reply(&self, key: &str) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sql::query("DELETE FROM kept_replies WHERE owner = $1 AND key = $2 AND status IS NULL")
            .bind(self.owner.as_str())
            .bind(key)
            .execute(write.connection())
            .await?;
        write.commit().await
    }

    /// How many replies from before a moment went.
    pub async fn expire_replies(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut write = self.write().await?;
        let expired = sql::query("DELETE FROM kept_replies WHERE owner = $1 AND created_at < $2")
            .bind(self.owner.as_str())
            .bind(before.as_millis())
            .execute(write.connection())
            .await?;
        write.commit().await?;
        Ok(expired.rows_affected())
    }
}

/// Takes the texts out of the owner's replies, also of those that are still to come.
pub(crate) async fn forget(write: &mut Write) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    sql::query("UPDATE kept_replies SET body = NULL, forgotten = 1 WHERE owner = $1")
        .bind(owner.as_str())
        .execute(write.connection())
        .await?;
    Ok(())
}

/// What a row says about a request; nothing when the row was left behind.
fn known(
    row: &Row,
    request: &ContentHash,
    lost_before: Timestamp,
) -> Result<Option<Reservation>, StoreError> {
    let status = row.get_as::<Option<i64>>("status")?;
    if status.is_none() && row.time("created_at")? < lost_before {
        return Ok(None);
    }
    if row.text::<String>("request")? != request.as_str() {
        return Ok(Some(Reservation::OtherRequest));
    }
    let Some(status) = status else { return Ok(Some(Reservation::UnderWay)) };
    if row.number("forgotten")? != 0 {
        return Ok(Some(Reservation::Forgotten));
    }
    Ok(Some(Reservation::Kept(KeptReply {
        status: u16::try_from(status).map_err(|error| StoreError::unreadable("status", error))?,
        media_type: row.text("media_type")?,
        headers: row.json("headers")?,
        body: row.text("body")?,
    })))
}
