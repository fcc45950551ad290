//! What calls of models took: tokens, cost, and what was saved. One row a call, counted once.

use crate::error::StoreError;
use crate::row::Row;
use crate::sql;
use crate::store::{OwnerStore, Store};
use crate::write::Write;
use dossier_core::chat::Usage;
use dossier_core::id::{MessageId, ProjectId, ThreadId, UsageId};
use dossier_core::savings::Savings;
use dossier_core::time::Timestamp;

/// The component of replies that no model was called for.
pub const ANSWER_CACHE: &str = "answer_cache";

#[derive(Debug, Clone, PartialEq)]
pub struct UsageRow {
    pub id: UsageId,
    /// What the call was for: a turn, a title, a summary; [`ANSWER_CACHE`] where none was needed.
    pub component: String,
    /// The full name of the model.
    pub model: String,
    pub project: Option<ProjectId>,
    pub thread: Option<ThreadId>,
    pub message: Option<MessageId>,
    pub tokens: Usage,
    /// In millionths of a dollar, if the price is known.
    pub cost: Option<i64>,
    pub saved: Savings,
    pub created_at: Timestamp,
}

/// What usage is added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageBy {
    Day,
    Project,
    Thread,
    Model,
    Component,
}

impl UsageBy {
    pub(crate) fn column(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Project => "project_id",
            Self::Thread => "conversation_id",
            Self::Model => "model",
            Self::Component => "component",
        }
    }
}

/// Which usage is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsageFilter {
    /// The first and the last day, as in `2026-11-15`.
    pub from: Option<String>,
    pub to: Option<String>,
    pub project: Option<ProjectId>,
    pub thread: Option<ThreadId>,
}

/// Usage added up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UsageSum {
    /// The day, project, thread, model or component.
    pub key: String,
    pub calls: i64,
    pub input: i64,
    pub output: i64,
    pub cached_input: i64,
    pub cache_write: i64,
    pub reasoning: i64,
    /// In millionths of a dollar; calls without a known price are not in it.
    pub cost: i64,
    /// Calls whose price is not known.
    pub unpriced: i64,
    /// Tokens that were left out, and what that was worth: see [`Savings`].
    pub saved: i64,
    pub saved_net: i64,
    /// Replies that no model was called for.
    pub cache_hits: i64,
}

impl Store {
    /// What all owners together have spent since a day, in millionths of a dollar.
    pub async fn spent(&self, from: &str) -> Result<i64, StoreError> {
        // By owners, since that is how days are found.
        let row = sql::query(
            "SELECT CAST(COALESCE(SUM(cost), 0) AS BIGINT) AS cost FROM usage
             WHERE owner IN (SELECT id FROM owners) AND day >= $1",
        )
        .bind(from)
        .fetch_one(&mut *self.inner.pool.acquire().await?)
        .await?;
        row.number("cost")
    }
}

impl OwnerStore {
    /// Notes a call that belongs to no turn.
    pub async fn put_usage(&self, usage: &UsageRow) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        put(&mut write, usage).await?;
        write.commit().await
    }

    /// Usage added up, by keys in order.
    pub async fn usage(
        &self,
        by: UsageBy,
        filter: &UsageFilter,
    ) -> Result<Vec<UsageSum>, StoreError> {
        let column = by.column();
        let sum = |column: &str| format!("CAST(COALESCE(SUM({column}), 0) AS BIGINT) AS {column}");
        let sums = [
            "input",
            "output",
            "cached_input",
            "cache_write",
            "reasoning",
            "cost",
            "saved",
            "saved_net",
        ];
        let sql = format!(
            "SELECT COALESCE({column}, '') AS key,
                 CAST(COUNT(*) - COUNT(CASE WHEN component = '{ANSWER_CACHE}' THEN 1 END)
                     AS BIGINT) AS calls,
                 CAST(COUNT(CASE WHEN component = '{ANSWER_CACHE}' THEN 1 END)
                     AS BIGINT) AS cache_hits,
                 CAST(COUNT(*) - COUNT(cost) AS BIGINT) AS unpriced, {}
             FROM usage
             WHERE owner = $1 AND day >= $2 AND day <= $3
                 AND (CAST($4 AS TEXT) = '' OR project_id = $4)
                 AND (CAST($5 AS TEXT) = '' OR conversation_id = $5)
             GROUP BY COALESCE({column}, '') ORDER BY COALESCE({column}, '')",
            sums.map(sum).join(", ")
        );
        let rows = self.filtered(sql, filter).await?;
        rows.iter()
            .map(|row| {
                Ok(UsageSum {
                    key: row.text("key")?,
                    calls: row.number("calls")?,
                    input: row.number("input")?,
                    output: row.number("output")?,
                    cached_input: row.number("cached_input")?,
                    cache_write: row.number("cache_write")?,
                    reasoning: row.number("reasoning")?,
                    cost: row.number("cost")?,
                    unpriced: row.number("unpriced")?,
                    saved: row.number("saved")?,
                    saved_net: row.number("saved_net")?,
                    cache_hits: row.number("cache_hits")?,
                })
            })
            .collect()
    }

    /// Rows of a statement that names the owner `$1` and what a filter lets through: days `$2` to
    /// `$3`, the project `$4` and the thread `$5`, which are empty where all are wanted.
    pub(crate) async fn filtered(
        &self,
        sql: String,
        filter: &UsageFilter,
    ) -> Result<Vec<Row>, StoreError> {
        let rows = sql::composed(sql)
            .bind(self.owner.as_str())
            .bind(filter.from.as_deref().unwrap_or_default())
            .bind(filter.to.as_deref().unwrap_or("9999"))
            .bind(filter.project.as_ref().map_or("", ProjectId::as_str))
            .bind(filter.thread.as_ref().map_or("", ThreadId::as_str))
            .slowly()
            .fetch_all(&mut *self.connection_apart().await?)
            .await?;
        Ok(rows)
    }

    /// The input that calls for a thread took.
    pub async fn session_input(&self, thread: &ThreadId) -> Result<i64, StoreError> {
        let row = sql::query(
            "SELECT CAST(COALESCE(SUM(input), 0) AS BIGINT) AS input FROM usage
             WHERE owner = $1 AND conversation_id = $2",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .fetch_one(&mut *self.connection().await?)
        .await?;
        row.number("input")
    }
}

/// A condition: of `total` rows in order, `place` is that of the smallest value which so many in a
/// hundred do not exceed, for either number.
pub(crate) fn at_percent(one: u8, other: u8) -> String {
    format!("place IN ((total * {one} + 99) / 100, (total * {other} + 99) / 100)")
}

/// A call that is noted already is not counted again.
pub(crate) async fn put(write: &mut Write, usage: &UsageRow) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let tokens = usage.tokens;
    sql::query(
        "INSERT INTO usage (owner, id, day, component, model, project_id, conversation_id,
             message_id, input, output, cached_input, cache_write, reasoning, cost, saved,
             saved_net, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         ON CONFLICT DO NOTHING",
    )
    .bind(owner.as_str())
    .bind(usage.id.as_str())
    .bind(usage.created_at.date().to_string())
    .bind(usage.component.as_str())
    .bind(usage.model.as_str())
    .bind(usage.project.as_ref().map(ProjectId::as_str))
    .bind(usage.thread.as_ref().map(ThreadId::as_str))
    .bind(usage.message.as_ref().map(MessageId::as_str))
    .bind(i64::from(tokens.input))
    .bind(i64::from(tokens.output))
    .bind(i64::from(tokens.cached_input))
    .bind(i64::from(tokens.cache_write))
    .bind(i64::from(tokens.reasoning))
    .bind(usage.cost)
    .bind(usage.saved.gross)
    .bind(usage.saved.net)
    .bind(usage.created_at.as_millis())
    .execute(write.connection())
    .await?;
    Ok(())
}
