//! How long replies were waited for: from the dossier that a model was asked with to the reply as it
//! was stored. Replies whose receipt is gone are not in it.

use crate::error::StoreError;
use crate::row::Columns;
use crate::store::OwnerStore;
use crate::usage::{UsageBy, UsageFilter};
use dossier_core::id::{ProjectId, ThreadId};
use sqlx::AssertSqlSafe;

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

impl Waits {
    /// Of waits in order; none of no waits.
    fn of(key: String, sorted: &[i64]) -> Option<Self> {
        // The smallest wait that so many in a hundred do not exceed.
        let within = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100);
            sorted.get(rank.saturating_sub(1)).copied()
        };
        Some(Self { key, replies: sorted.len(), median: within(50)?, p95: within(95)? })
    }
}

impl OwnerStore {
    /// How long replies were waited for, by keys in order.
    pub async fn waits(&self, by: UsageBy, filter: &UsageFilter) -> Result<Vec<Waits>, StoreError> {
        let column = by.column();
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT COALESCE(usage.{column}, '') AS key,
                 usage.created_at - receipts.created_at AS wait
             FROM usage
             JOIN receipts
                 ON receipts.owner = usage.owner AND receipts.message_id = usage.message_id
             WHERE usage.owner = $1 AND usage.message_id IS NOT NULL
                 AND usage.day >= $2 AND usage.day <= $3
                 AND (CAST($4 AS TEXT) = '' OR usage.project_id = $4)
                 AND (CAST($5 AS TEXT) = '' OR usage.conversation_id = $5)
             ORDER BY COALESCE(usage.{column}, ''), usage.created_at - receipts.created_at"
        )))
        .bind(self.owner.as_str())
        .bind(filter.from.as_deref().unwrap_or_default())
        .bind(filter.to.as_deref().unwrap_or("9999"))
        .bind(filter.project.as_ref().map_or("", ProjectId::as_str))
        .bind(filter.thread.as_ref().map_or("", ThreadId::as_str))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let rows = rows
            .iter()
            .map(|row| Ok((row.text::<String>("key")?, row.number("wait")?.max(0))))
            .collect::<Result<Vec<_>, StoreError>>()?;
        let groups = rows.chunk_by(|(one, _), (other, _)| one == other);
        let waits = groups.filter_map(|group| {
            let sorted: Vec<i64> = group.iter().map(|(_, wait)| *wait).collect();
            Waits::of(group.first()?.0.clone(), &sorted)
        });
        Ok(waits.collect())
    }
}
