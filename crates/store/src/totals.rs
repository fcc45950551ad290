//! How many tokens a thread has, of which only what was said since the last time is added up. What
//! was counted holds until chunks of the owner are removed, by whichever process: the database
//! counts removals.

use crate::error::StoreError;
use crate::sql;
use crate::store::OwnerStore;
use dossier_core::id::{OwnerId, ThreadId};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The threads that are held; with more, all are counted anew.
const MOST: usize = 4_096;

/// A cross join is taken in its order: SQLite would begin with all chunks of the owner.
const TOKENS_SINCE: &str = "SELECT CAST(COALESCE(SUM(tokens), 0) AS BIGINT) AS tokens,
        CAST(COALESCE(MAX(position) + 1, $3) AS BIGINT) AS next,
        COALESCE((SELECT removals FROM owners WHERE id = $1), 0) AS removals
    FROM conversation_messages CROSS JOIN content_chunks
    WHERE conversation_messages.owner = $1 AND conversation_id = $2 AND position >= $3
        AND content_chunks.owner = $1 AND content_chunks.message_id = conversation_messages.id";

/// The totals that are known.
#[derive(Debug, Default)]
pub(crate) struct Totals(Mutex<HashMap<(OwnerId, ThreadId), Total>>);

/// What all messages before a position come to.
#[derive(Debug, Clone, Copy)]
struct Total {
    tokens: i64,
    next: i64,
    removals: i64,
}

impl Totals {
    fn get(&self, key: &(OwnerId, ThreadId)) -> Option<Total> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied()
    }

    fn put(&self, key: (OwnerId, ThreadId), total: Total) {
        let mut totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if totals.len() >= MOST {
            totals.clear();
        }
        totals.insert(key, total);
    }
}

impl OwnerStore {
    /// Tokens of all that was said in a thread.
    pub async fn thread_tokens(&self, thread: &ThreadId) -> Result<u64, StoreError> {
        let key = (self.owner.clone(), thread.clone());
        let known = self.inner.totals.get(&key);
        let since = self.tokens_since(thread, known.map_or(0, |known| known.next)).await?;
        let total = match known {
            None => since,
            Some(known) if known.removals == since.removals => {
                Total { tokens: known.tokens + since.tokens, ..since }
            }
            Some(_) => self.tokens_since(thread, 0).await?,
        };
        self.inner.totals.put(key, total);
        Ok(total.tokens.unsigned_abs())
    }

    async fn tokens_since(&self, thread: &ThreadId, next: i64) -> Result<Total, StoreError> {
        let row = sql::query(TOKENS_SINCE)
            .bind(self.owner.as_str())
            .bind(thread.as_str())
            .bind(next)
            .fetch_one(&mut *self.connection().await?)
            .await?;
        Ok(Total {
            tokens: row.number("tokens")?,
            next: row.number("next")?,
            removals: row.number("removals")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::TOKENS_SINCE;
    use crate::sql;
    use crate::store::Store;

    #[tokio::test]
    async fn a_thread_is_added_up_without_a_look_at_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("dossier.db").display());
        let store = Store::open(&url).await.unwrap();
        let mut connection = store.inner.pool.acquire().await.unwrap();
        let plan = sql::composed(format!("EXPLAIN QUERY PLAN {TOKENS_SINCE}"))
            .bind("owner")
            .bind("thread")
            .bind(0_i64)
            .fetch_all(&mut connection)
            .await
            .unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.text("detail").unwrap()).collect();
        let searched = |step: usize, table: &str, by: &str| {
            steps[step].starts_with(&format!("SEARCH {table} ")) && steps[step].ends_with(by)
        };
        let by_place = "(owner=? AND conversation_id=? AND position>?)";
        assert!(
            searched(0, "conversation_messages", by_place)
                && searched(1, "content_chunks", "(owner=? AND message_id=?)"),
            "{steps:?}"
        );
    }
}
