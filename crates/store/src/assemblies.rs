//! What is counted of dossiers: how long they took, what they are made of, how far their budgets went,
//! and what came of looking for kept answers. It stays when the dossiers go, and quotes nothing.

use crate::error::StoreError;
use crate::receipts::{self, ReceiptRow};
use crate::refs;
use crate::row::Row;
use crate::sql;
use crate::store::OwnerStore;
use crate::usage::{UsageFilter, at_percent};
use crate::write::Write;
use dossier_core::fit::Fitting;
use dossier_core::hash::ContentHash;
use dossier_core::id::{ProjectId, ThreadId};
use dossier_core::item::Section;
use dossier_core::refs::RefName;
use std::collections::BTreeMap;
use std::time::Duration;

/// What is counted of a dossier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembly {
    /// The name of the profile it was made by.
    pub profile: String,
    pub took: Duration,
    /// Reading the facts and choosing among them, where there are some.
    pub recalled: Option<Duration>,
    pub sections: BTreeMap<Section, u32>,
    pub fitting: Fitting,
    /// What came of looking for a kept answer, where answers are kept.
    pub looked_up: Option<LookedUp>,
    /// The whole names of the refs whose summaries it shows.
    pub refs: Vec<RefName>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookedUp {
    /// How the questions were the same.
    Hit(&'static str),
    /// Why a model was asked.
    Miss(&'static str),
}

/// Dossiers added up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssemblySums {
    pub count: u64,
    /// None of no dossiers.
    pub took: Option<Quantiles>,
    pub recalled: Option<Quantiles>,
    /// Tokens.
    pub sections: BTreeMap<&'static str, u64>,
    pub fittings: BTreeMap<&'static str, u64>,
    pub hits: BTreeMap<String, u64>,
    pub misses: BTreeMap<String, u64>,
}

/// Half and nine tenths took no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantiles {
    pub p50: Duration,
    pub p90: Duration,
}

/// Dossiers of an owner that a filter lets through.
pub(crate) const WANTED: &str = "owner = $1 AND day >= $2 AND day <= $3
    AND (CAST($4 AS TEXT) = '' OR project_id = $4)
    AND (CAST($5 AS TEXT) = '' OR conversation_id = $5)";

const SECTIONS: [Section; 5] =
    [Section::Header, Section::History, Section::Facts, Section::Summaries, Section::Question];

impl OwnerStore {
    /// Stores a receipt with the contents of those blocks that may be new, and what is counted of it.
    pub async fn put_dossier(
        &self,
        receipt: &ReceiptRow,
        contents: &[(ContentHash, String)],
        assembly: &Assembly,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        receipts::put(&mut write, receipt, contents).await?;
        put(&mut write, receipt, assembly).await?;
        write.commit().await
    }

    /// Dossiers added up.
    pub async fn assemblies(&self, filter: &UsageFilter) -> Result<AssemblySums, StoreError> {
        let mut sums = AssemblySums {
            took: self.quantiles("took", filter).await?,
            recalled: self.quantiles("recalled", filter).await?,
            ..AssemblySums::default()
        };
        let tokens = SECTIONS.map(|section| {
            let name = section.as_str();
            format!("CAST(SUM({name}) AS BIGINT) AS {name}")
        });
        let sql = format!(
            "SELECT fitting, cache_hit, cache_miss, CAST(COUNT(*) AS BIGINT) AS count, {}
             FROM assemblies WHERE {WANTED} GROUP BY fitting, cache_hit, cache_miss",
            tokens.join(", ")
        );
        for row in &self.filtered(sql, filter).await? {
            let number = |column| Ok::<_, StoreError>(row.number(column)?.unsigned_abs());
            let count = number("count")?;
            sums.count += count;
            for section in SECTIONS.map(Section::as_str) {
                *sums.sections.entry(section).or_default() += number(section)?;
            }
            let fitting: String = row.text("fitting")?;
            let known = Fitting::ALL.into_iter().find(|known| known.as_str() == fitting);
            let known = known.ok_or_else(|| StoreError::unreadable("fitting", fitting))?;
            *sums.fittings.entry(known.as_str()).or_default() += count;
            for (column, counts) in
                [("cache_hit", &mut sums.hits), ("cache_miss", &mut sums.misses)]
            {
                if let Some(how) = row.optional_text(column)? {
                    *counts.entry(how).or_default() += count;
                }
            }
        }
        Ok(sums)
    }

    async fn quantiles(
        &self,
        column: &str,
        filter: &UsageFilter,
    ) -> Result<Option<Quantiles>, StoreError> {
        let sql = format!(
            "SELECT took FROM (
                 SELECT {column} AS took, COUNT(*) OVER () AS total,
                     ROW_NUMBER() OVER (ORDER BY {column}) AS place
                 FROM assemblies WHERE {WANTED} AND {column} IS NOT NULL
             ) AS placed WHERE {} ORDER BY place",
            at_percent(50, 90)
        );
        let rows = self.filtered(sql, filter).await?;
        let Some((first, last)) = rows.first().zip(rows.last()) else { return Ok(None) };
        let micros = |row: &Row| {
            Ok::<_, StoreError>(Duration::from_micros(row.number("took")?.unsigned_abs()))
        };
        Ok(Some(Quantiles { p50: micros(first)?, p90: micros(last)? }))
    }
}

/// Notes what is counted of the dossier that a receipt is of.
pub(crate) async fn put(
    write: &mut Write,
    receipt: &ReceiptRow,
    assembly: &Assembly,
) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let (hit, miss) = match assembly.looked_up {
        Some(LookedUp::Hit(how)) => (Some(how), None),
        Some(LookedUp::Miss(reason)) => (None, Some(reason)),
        None => (None, None),
    };
    let micros = |took: Duration| i64::try_from(took.as_micros()).unwrap_or(i64::MAX);
    let query = sql::query(
        "INSERT INTO assemblies (owner, receipt_id, day, project_id, conversation_id, took,
             recalled, fitting, cache_hit, cache_miss, header, history, facts, summaries, question,
             profile)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    )
    .bind(owner.as_str())
    .bind(receipt.id.as_str())
    .bind(receipt.created_at.date().to_string())
    .bind(receipt.project.as_ref().map(ProjectId::as_str))
    .bind(receipt.thread.as_ref().map(ThreadId::as_str))
    .bind(micros(assembly.took))
    .bind(assembly.recalled.map(micros))
    .bind(assembly.fitting.as_str())
    .bind(hit)
    .bind(miss);
    let tokens = |section| i64::from(assembly.sections.get(&section).copied().unwrap_or(0));
    let query = SECTIONS.into_iter().fold(query, |query, section| query.bind(tokens(section)));
    query.bind(assembly.profile.as_str()).execute(write.connection()).await?;
    refs::shown(write, &assembly.refs, receipt.created_at).await
}
