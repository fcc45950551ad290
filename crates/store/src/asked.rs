//! What became of a thread's questions: each model that was asked, with its turn and what it took,
//! read at once.

use crate::error::StoreError;
use crate::sql;
use crate::store::OwnerStore;
use crate::turns::Reply;
use dossier_core::id::{MessageId, ThreadId, TurnId};
use dossier_core::sameness::Cached;
use serde::Deserialize;

/// A model that was asked in a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub turn: TurnId,
    pub question: MessageId,
    pub reply: Reply,
    /// Tokens of all calls that the reply took.
    pub input: i64,
    pub output: i64,
    pub cached_input: i64,
    /// In millionths of a dollar, if the price is known.
    pub cost: Option<i64>,
    /// The kept answer that the reply is.
    pub cached: Option<Cached>,
}

impl OwnerStore {
    /// Every model that was asked in a thread, by turns, in the order asked for.
    pub async fn asked(&self, thread: &ThreadId) -> Result<Vec<Asked>, StoreError> {
        let rows = sql::query(
            "SELECT turns.message_id AS question, turn_replies.turn_id, turn_replies.model,
                 turn_replies.state, turn_replies.receipt_id, turn_replies.message_id,
                 turn_replies.error,
                 CAST(COALESCE(SUM(usage.input), 0) AS BIGINT) AS input,
                 CAST(COALESCE(SUM(usage.output), 0) AS BIGINT) AS output,
                 CAST(COALESCE(SUM(usage.cached_input), 0) AS BIGINT) AS cached_input,
                 CAST(SUM(usage.cost) AS BIGINT) AS cost, said.metadata
             FROM turns
             JOIN turn_replies
                 ON turn_replies.owner = turns.owner AND turn_replies.turn_id = turns.id
             LEFT JOIN usage
                 ON usage.owner = turn_replies.owner
                 AND usage.message_id = turn_replies.message_id
             LEFT JOIN conversation_messages AS said
                 ON said.owner = turn_replies.owner AND said.id = turn_replies.message_id
             WHERE turns.owner = $1 AND turns.conversation_id = $2
             GROUP BY turns.created_at, turns.message_id, turn_replies.turn_id,
                 turn_replies.ordinal, turn_replies.model, turn_replies.state,
                 turn_replies.receipt_id, turn_replies.message_id, turn_replies.error,
                 said.metadata
             ORDER BY turns.created_at, turn_replies.turn_id, turn_replies.ordinal",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter()
            .map(|row| {
                let metadata: Option<String> = row.optional_text("metadata")?;
                Ok(Asked {
                    turn: row.text("turn_id")?,
                    question: row.text("question")?,
                    reply: Reply::read(row)?,
                    input: row.number("input")?,
                    output: row.number("output")?,
                    cached_input: row.number("cached_input")?,
                    cost: row.get_as("cost")?,
                    cached: metadata.as_deref().and_then(cached),
                })
            })
            .collect()
    }
}

/// The kept answer that a reply says to be.
fn cached(metadata: &str) -> Option<Cached> {
    #[derive(Deserialize)]
    struct Metadata {
        cached: Option<Cached>,
    }
    serde_json::from_str::<Metadata>(metadata).ok()?.cached
}
