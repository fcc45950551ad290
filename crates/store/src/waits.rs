//! How long replies were waited for: from the dossier that a model was asked with to the reply as it
//! was stored. Replies whose receipt is gone are not in it.

use crate::error::StoreError;
use crate::store::OwnerStore;
use crate::usage::{UsageBy, UsageFilter, at_percent};

/// The waits for one day, project, thread, model or component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waits {
    pub key: String,
    pub replies: usize,
    /// In milliseconds: half of the replies came within it.
    pub median: i64,
    /// In milliseconds: nineteen of twenty replies came within it.
    pub p95: i64,
}

impl OwnerStore {
    /// How long replies were waited for, by keys in order.
    pub async fn waits(&self, by: UsageBy, filter: &UsageFilter) -> Result<Vec<Waits>, StoreError> {
        let column = by.column();
        let sql = format!(
            "SELECT key, wait, total FROM (
                 SELECT key, wait, COUNT(*) OVER (PARTITION BY key) AS total,
                     ROW_NUMBER() OVER (PARTITION BY key ORDER BY wait) AS place
                 FROM (
                     SELECT COALESCE(usage.{column}, '') AS key,
                         usage.created_at - receipts.created_at AS wait
                     FROM usage
                     JOIN receipts ON receipts.owner = usage.owner
                         AND receipts.message_id = usage.message_id
                     WHERE usage.owner = $1 AND usage.message_id IS NOT NULL
                         AND usage.day >= $2 AND usage.day <= $3
                         AND (CAST($4 AS TEXT) = '' OR usage.project_id = $4)
                         AND (CAST($5 AS TEXT) = '' OR usage.conversation_id = $5)
                 ) AS waits
             ) AS placed WHERE {} ORDER BY key, place",
            at_percent(50, 95)
        );
        let mut all: Vec<Waits> = Vec::new();
        for row in &self.filtered(sql, filter).await? {
            let (key, wait) = (row.text::<String>("key")?, row.number("wait")?.max(0));
            match all.last_mut().filter(|waits| waits.key == key) {
                Some(waits) => waits.p95 = wait,
                None => {
                    let replies = usize::try_from(row.number("total")?).unwrap_or(0);
                    all.push(Waits { key, replies, median: wait, p95: wait });
                }
            }
        }
        Ok(all)
    }
}
