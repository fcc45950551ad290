//! How many tokens a thread has, of which only what was said since the last time is added up. What
//! was counted holds until chunks of the owner are removed, by whichever process: the database
//! counts removals.

use crate::error::StoreError;
use crate::sql;
use crate::store::OwnerStore;
use dossier_core::chunk::draft;
use dossier_core::id::{OwnerId, ThreadId};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The threads that are held; with more, all are counted anew.
const MOST: usize = 4_096;

/// What was said in a thread from a position on. What was said just now has no chunk yet.
const SAID_SINCE: &str = "SELECT removals, position, CAST(tokens AS BIGINT) AS tokens,
        CASE WHEN tokens IS NULL THEN said.content END AS uncounted
    FROM (SELECT COALESCE((SELECT removals FROM owners WHERE id = $1), 0) AS removals) AS changed
    LEFT JOIN conversation_messages AS said
        ON said.owner = $1 AND conversation_id = $2 AND position >= $3
    LEFT JOIN content_chunks AS chunk ON chunk.owner = $1 AND message_id = said.id
    ORDER BY position";

/// The totals that are known.
#[derive(Debug, Default)]
pub(crate) struct Totals(Mutex<HashMap<(OwnerId, ThreadId), Total>>);

/// What all messages before a position come to.
#[derive(Debug, Clone, Copy, Default)]
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
        let since = self.said_since(thread, known.unwrap_or_default()).await?;
        let (total, beyond) = match known {
            Some(known) if known.removals != since.0.removals => {
                self.said_since(thread, Total::default()).await?
            }
            _ => since,
        };
        self.inner.totals.put(key, total);
        Ok((total.tokens + beyond).unsigned_abs())
    }

    /// The total as it stands now, up to the first message that has no chunk yet, and what comes
    /// after that.
    async fn said_since(
        &self,
        thread: &ThreadId,
        known: Total,
    ) -> Result<(Total, i64), StoreError> {
        let rows = sql::query(SAID_SINCE)
            .bind(self.owner.as_str())
            .bind(thread.as_str())
            .bind(known.next)
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let (mut total, mut beyond) = (known, 0);
        for row in &rows {
            total.removals = row.number("removals")?;
            let Some(position) = row.get_as::<Option<i64>>("position")? else { continue };
            let counted: Option<i64> = row.get_as("tokens")?;
            let uncounted = row.get_as::<Option<&str>>("uncounted")?.unwrap_or_default();
            let tokens = counted.unwrap_or_else(|| draft::STORED.count(uncounted).into());
            if beyond == 0 && uncounted.trim().is_empty() {
                total = Total { tokens: total.tokens + tokens, next: position + 1, ..total };
            } else {
                beyond += tokens;
            }
        }
        Ok((total, beyond))
    }
}

#[cfg(test)]
mod tests {
    use super::SAID_SINCE;
    use crate::sql;
    use crate::store::Store;

    #[tokio::test]
    async fn a_thread_is_added_up_without_a_look_at_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("dossier.db").display());
        let store = Store::open(&url).await.unwrap();
        let mut connection = store.inner.pool.acquire().await.unwrap();
        let plan = sql::composed(format!("EXPLAIN QUERY PLAN {SAID_SINCE}"))
            .bind("owner")
            .bind("thread")
            .bind(0_i64)
            .fetch_all(&mut connection)
            .await
            .unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.text("detail").unwrap()).collect();
        for (table, by) in [
            ("said", "(owner=? AND conversation_id=? AND position>?)"),
            ("chunk", "(owner=? AND message_id=?)"),
        ] {
            let searched = |step: &&String| step.starts_with(&format!("SEARCH {table} "));
            assert!(steps.iter().find(searched).unwrap().contains(by), "{steps:?}");
        }
    }
}
