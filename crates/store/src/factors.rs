//! Factors of tokenizers that are estimated, as usage has corrected them: one for each family of
//! models.

use crate::error::{StoreError, check_text};
use crate::row::Row;
use crate::sql;
use crate::store::OwnerStore;
use dossier_core::time::Timestamp;
use std::collections::BTreeMap;

/// What usage has taught of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor {
    pub percent: u16,
    /// How many reports it comes from.
    pub reports: i64,
}

impl OwnerStore {
    /// Every factor there is, by family.
    pub async fn factors(&self) -> Result<BTreeMap<String, Factor>, StoreError> {
        let rows = sql::query("SELECT * FROM token_factors WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        rows.iter().map(|row| Ok((row.text("family")?, factor(row)?))).collect()
    }

    /// Changes the factor of a family, which `change` is told if there is one; it gives none for no
    /// change. Reports that come at once change it one after the other.
    pub async fn change_factor(
        &self,
        family: &str,
        now: Timestamp,
        change: impl FnOnce(Option<Factor>) -> Option<u16> + Send,
    ) -> Result<(), StoreError> {
        check_text("family", family)?;
        let mut write = self.write().await?;
        let row = sql::query("SELECT * FROM token_factors WHERE owner = $1 AND family = $2")
            .bind(self.owner.as_str())
            .bind(family)
            .fetch_optional(write.connection())
            .await?;
        let before = row.as_ref().map(factor).transpose()?;
        let Some(percent) = change(before) else { return Ok(()) };
        sql::query(
            "INSERT INTO token_factors (owner, family, percent, reports, updated_at)
             VALUES ($1, $2, $3, 1, $4)
             ON CONFLICT (owner, family) DO UPDATE SET percent = excluded.percent,
                 reports = token_factors.reports + 1, updated_at = excluded.updated_at",
        )
        .bind(self.owner.as_str())
        .bind(family)
        .bind(i64::from(percent))
        .bind(now.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await
    }
}

fn factor(row: &Row) -> Result<Factor, StoreError> {
    let percent = row.number("percent")?;
    let percent =
        u16::try_from(percent).map_err(|error| StoreError::unreadable("percent", error))?;
    Ok(Factor { percent, reports: row.number("reports")? })
}
