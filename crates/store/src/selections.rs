//! How well what dossiers chose served their replies: counted with the dossier once its reply is
//! stored, and added up by day and by profile.

use crate::assemblies::WANTED;
use crate::error::StoreError;
use crate::row::Row;
use crate::sql;
use crate::store::OwnerStore;
use crate::usage::UsageFilter;
use crate::write::Write;
use dossier_core::id::ReceiptId;
use dossier_core::selection::Served;

/// What selections are added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectionsBy {
    Day,
    Profile,
}

impl SelectionsBy {
    fn column(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Profile => "profile",
        }
    }
}

/// Selections added up: see [`Served`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SelectionSum {
    /// The day or the profile.
    pub key: String,
    /// Replies of models, personas and consultations aside.
    pub replies: u64,
    pub shown: u64,
    pub used: u64,
    pub left_out: u64,
    /// Replies whose models could fetch.
    pub could_fetch: u64,
    /// Those of them whose models fetched something that was not shown.
    pub lacking: u64,
    pub missed: u64,
    pub followed: u64,
}

impl OwnerStore {
    /// Selections added up, by keys in order.
    pub async fn selections(
        &self,
        by: SelectionsBy,
        filter: &UsageFilter,
    ) -> Result<Vec<SelectionSum>, StoreError> {
        let column = by.column();
        let sums = ["shown", "used", "left_out", "could_fetch", "missed", "followed"]
            .map(|column| format!("CAST(SUM({column}) AS BIGINT) AS {column}"));
        let sql = format!(
            "SELECT COALESCE({column}, '') AS key, CAST(COUNT(*) AS BIGINT) AS replies,
                 CAST(COUNT(CASE WHEN missed > 0 THEN 1 END) AS BIGINT) AS lacking, {}
             FROM assemblies WHERE {WANTED} AND shown IS NOT NULL
             GROUP BY COALESCE({column}, '') ORDER BY COALESCE({column}, '')",
            sums.join(", ")
        );
        let rows = self.filtered(sql, filter).await?;
        rows.iter().map(SelectionSum::read).collect()
    }

    /// How the selection of a dossier served its reply, if that is known.
    pub async fn served(&self, receipt: &ReceiptId) -> Result<Option<Served>, StoreError> {
        let row = sql::query(
            "SELECT shown, used, left_out, could_fetch, missed, followed FROM assemblies
             WHERE owner = $1 AND receipt_id = $2 AND shown IS NOT NULL",
        )
        .bind(self.owner.as_str())
        .bind(receipt.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let number = |column| {
            let number = row.number(column)?;
            Ok::<_, StoreError>(u32::try_from(number).unwrap_or(u32::MAX))
        };
        Ok(Some(Served {
            shown: number("shown")?,
            used: number("used")?,
            left_out: number("left_out")?,
            could_fetch: number("could_fetch")? > 0,
            missed: number("missed")?,
            followed: number("followed")?,
        }))
    }
}

impl SelectionSum {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let number = |column| Ok::<_, StoreError>(row.number(column)?.unsigned_abs());
        Ok(Self {
            key: row.text("key")?,
            replies: number("replies")?,
            shown: number("shown")?,
            used: number("used")?,
            left_out: number("left_out")?,
            could_fetch: number("could_fetch")?,
            lacking: number("lacking")?,
            missed: number("missed")?,
            followed: number("followed")?,
        })
    }
}

/// Notes how the selection of a dossier served its reply.
pub(crate) async fn put(
    write: &mut Write,
    receipt: &ReceiptId,
    served: Served,
) -> Result<(), StoreError> {
    let Served { shown, used, left_out, could_fetch, missed, followed } = served;
    let owner = write.owner.clone();
    sql::query(
        "UPDATE assemblies SET shown = $1, used = $2, left_out = $3, could_fetch = $4,
             missed = $5, followed = $6
         WHERE owner = $7 AND receipt_id = $8",
    )
    .bind(i64::from(shown))
    .bind(i64::from(used))
    .bind(i64::from(left_out))
    .bind(i64::from(could_fetch))
    .bind(i64::from(missed))
    .bind(i64::from(followed))
    .bind(owner.as_str())
    .bind(receipt.as_str())
    .execute(write.connection())
    .await?;
    Ok(())
}
