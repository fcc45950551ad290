//! Replies that are kept so that a request which comes again under the same key is not done twice.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::hash::ContentHash;
use dossier_core::time::Timestamp;
use dossier_store::{KeptReply, Reservation};

/// How long a reply is kept.
const KEPT: i64 = 24 * 3_600_000;
/// After this a request that has no reply was cut off with its process. It is longer than any request
/// may take: a turn waits for its models for half an hour.
const LOST: i64 = 45 * 60_000;

impl Workspace {
    /// Asks for the right to answer a request, known by its key and its hash.
    pub async fn reserve_reply(
        &self,
        key: &str,
        request: &ContentHash,
        now: Timestamp,
    ) -> Result<Reservation, EngineError> {
        Ok(self.store.reserve_reply(key, request, earlier(now, LOST), now).await?)
    }

    pub async fn keep_reply(&self, key: &str, reply: &KeptReply) -> Result<(), EngineError> {
        Ok(self.store.keep_reply(key, reply).await?)
    }

    /// Notes that a request was done whose reply is too large to be kept.
    pub async fn drop_reply(&self, key: &str, status: u16) -> Result<(), EngineError> {
        Ok(self.store.drop_reply(key, status).await?)
    }

    /// Gives a key back whose request was not done.
    pub async fn release_reply(&self, key: &str) -> Result<(), EngineError> {
        Ok(self.store.release_reply(key).await?)
    }

    /// Forgets replies past their time.
    pub async fn expire_replies(&self, now: Timestamp) -> Result<u64, EngineError> {
        Ok(self.store.expire_replies(earlier(now, KEPT)).await?)
    }
}

fn earlier(now: Timestamp, millis: i64) -> Timestamp {
    Timestamp::from_millis(now.as_millis().saturating_sub(millis))
}
