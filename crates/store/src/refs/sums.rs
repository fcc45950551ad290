//! What refs come to: added up by kind and day, what compressing made of them, and what their
//! summaries took.

use super::sharing::belongs_to;
use super::{RefRow, SEEN, read, summary_job};
use crate::error::StoreError;
use crate::row::Row;
use crate::sql;
use crate::store::{DatabaseKind, OwnerStore};
use dossier_core::hash::ContentHash;
use dossier_core::id::ProjectId;
use dossier_core::refs::Kind;
use dossier_core::time::Timestamp;

/// Refs added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RefSums {
    pub count: u64,
    pub tokens: u64,
    pub compressed_tokens: u64,
    pub accesses: u64,
}

/// What refs are added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefsBy {
    Kind,
    /// On which they were first stored.
    Day,
}

/// Refs of one kind, or of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefSum {
    pub key: String,
    pub count: u64,
    pub tokens: u64,
    /// Of what is shown of them in short, which is never more.
    pub compressed_tokens: u64,
}

/// What was compressed, of one kind of content and with one outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompressedSum {
    pub kind: String,
    pub outcome: String,
    pub count: u64,
    pub tokens_before: u64,
    pub tokens_after: u64,
}

/// A summary that a model wrote, with what that took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summarised {
    pub kind: Kind,
    pub hash: ContentHash,
    pub model: String,
    pub summary: String,
    /// Of what would be shown without it.
    pub compressed_tokens: u32,
    /// How often it was shown, or spared another call.
    pub uses: u64,
    /// Over all attempts.
    pub tokens: u64,
    /// In millionths of a dollar, if the price is known.
    pub cost: Option<i64>,
}

/// In milliseconds.
const DAY: i64 = 86_400_000;

/// A day by its number since 1970, as it is written.
fn day(number: &str) -> String {
    let begin = number.parse::<i64>().unwrap_or_default().saturating_mul(DAY);
    Timestamp::from_millis(begin).to_string().chars().take("2026-11-15".len()).collect()
}

impl OwnerStore {
    /// What refs come to that were first stored at a moment or later, of a project or of all.
    pub async fn ref_sums_by(
        &self,
        by: RefsBy,
        since: Timestamp,
        project: Option<&ProjectId>,
        now: Timestamp,
    ) -> Result<Vec<RefSum>, StoreError> {
        let key = match by {
            RefsBy::Kind => "kind".to_owned(),
            RefsBy::Day => format!("CAST(created_at / {DAY} AS TEXT)"),
        };
        let rows = sql::composed(format!(
            "SELECT {key} AS key, CAST(COUNT(*) AS BIGINT) AS refs,
                 CAST(SUM(tokens) AS BIGINT) AS tokens,
                 CAST(SUM(CASE WHEN compressed_tokens < tokens THEN compressed_tokens
                     ELSE tokens END) AS BIGINT) AS compressed
             FROM cas_refs WHERE {SEEN} AND created_at >= $3
                 AND (CAST($4 AS TEXT) = '' OR {})
             GROUP BY {key} ORDER BY {key}",
            belongs_to("$4"),
        ))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .bind(since.as_millis())
        .bind(project.map_or("", ProjectId::as_str))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let sum = |row: &Row| {
            let count =
                |column| Ok::<_, StoreError>(u64::try_from(row.number(column)?).unwrap_or(0));
            let key: String = row.text("key")?;
            Ok(RefSum {
                key: if by == RefsBy::Day { day(&key) } else { key },
                count: count("refs")?,
                tokens: count("tokens")?,
                compressed_tokens: count("compressed")?,
            })
        };
        rows.iter().map(sum).collect()
    }

    /// What the refs come to together, by their kinds.
    pub async fn ref_sums(&self, now: Timestamp) -> Result<Vec<(String, RefSums)>, StoreError> {
        let sum = |column: &str, name: &str| {
            format!("CAST(COALESCE(SUM({column}), 0) AS BIGINT) AS {name}")
        };
        let rows = sql::composed(format!(
            "SELECT kind, CAST(COUNT(*) AS BIGINT) AS refs, {}, {}, {} FROM cas_refs WHERE {SEEN}
             GROUP BY kind ORDER BY kind",
            sum("tokens", "tokens"),
            sum("compressed_tokens", "compressed"),
            sum("access_count", "accesses"),
        ))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let read = |row: &Row| {
            let count =
                |column| Ok::<_, StoreError>(u64::try_from(row.number(column)?).unwrap_or(0));
            let sums = RefSums {
                count: count("refs")?,
                tokens: count("tokens")?,
                compressed_tokens: count("compressed")?,
                accesses: count("accesses")?,
            };
            Ok((row.text("kind")?, sums))
        };
        rows.iter().map(read).collect()
    }

    /// What was compressed, as it stands in the refs, by the kind of content and what came of it.
    pub async fn compressed_sums(&self, now: Timestamp) -> Result<Vec<CompressedSum>, StoreError> {
        let part = |name: &str| match self.kind() {
            DatabaseKind::Sqlite => format!("json_extract(source_meta, '$.audit.{name}')"),
            // Not as jsonb, which refuses some texts that JSON can hold.
            DatabaseKind::Postgres => {
                format!("(CAST(source_meta AS json) -> 'audit' ->> '{name}')")
            }
        };
        let (kind, outcome) = (part("kind"), part("outcome"));
        let sum = |name: &str| format!("CAST(SUM(CAST({} AS BIGINT)) AS BIGINT)", part(name));
        let rows = sql::composed(format!(
            "SELECT {kind} AS kind, {outcome} AS outcome, CAST(COUNT(*) AS BIGINT) AS refs,
                 {} AS before, {} AS after
             FROM cas_refs WHERE {SEEN} AND {kind} IS NOT NULL AND {outcome} IS NOT NULL
             GROUP BY {kind}, {outcome} ORDER BY {kind}, {outcome}",
            sum("tokens_before"),
            sum("tokens_after"),
        ))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let read = |row: &Row| {
            let count = |column| Ok::<_, StoreError>(row.number(column)?.unsigned_abs());
            Ok(CompressedSum {
                kind: row.text("kind")?,
                outcome: row.text("outcome")?,
                count: count("refs")?,
                tokens_before: count("before")?,
                tokens_after: count("after")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// The summaries that models wrote, each beside the job that it was made by, the dearest first.
    pub async fn summarised(&self, now: Timestamp) -> Result<Vec<Summarised>, StoreError> {
        let rows = sql::composed(format!(
            "SELECT cas_refs.*, COALESCE(made.tokens, 0) AS taken, made.cost AS cost
             FROM cas_refs LEFT JOIN jobs AS made ON made.owner = cas_refs.owner
                 AND made.id = $3 || cas_refs.kind || '_' || cas_refs.content_hash
             WHERE cas_refs.{SEEN} AND summary_model IS NOT NULL
             ORDER BY COALESCE(made.tokens, 0) DESC, cas_refs.kind, content_hash"
        ))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .bind(summary_job(""))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let read = |row: &Row| {
            let RefRow { kind, hash, summary, summary_model, compressed_tokens, tokens, .. } =
                read(row)?;
            Ok(Summarised {
                kind,
                hash,
                model: summary_model.unwrap_or_default(),
                summary,
                compressed_tokens: compressed_tokens.min(tokens),
                uses: row.number("summary_uses")?.unsigned_abs(),
                tokens: row.number("taken")?.unsigned_abs(),
                cost: row.get_as("cost")?,
            })
        };
        rows.iter().map(read).collect()
    }
}
