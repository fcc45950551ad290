//! What was made at a provider for one call: noted before it is used, struck off when it is known to
//! be deleted. What is noted for a turn that is over was left behind.

use crate::error::StoreError;
use crate::row::Row;
use crate::sql;
use crate::store::OwnerStore;
use dossier_core::id::TurnId;
use dossier_core::time::Timestamp;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostedKind {
    Store,
    File,
}

impl HostedKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::File => "file",
        }
    }
}

/// A thing at a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosted {
    pub provider: String,
    pub kind: HostedKind,
    pub id: String,
    /// The turn that it was made for.
    pub turn: TurnId,
    /// What it takes there.
    pub bytes: u64,
    pub created_at: Timestamp,
}

impl OwnerStore {
    pub async fn note_hosted(&self, hosted: &Hosted) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sql::query(
            "INSERT INTO hosted_things (owner, provider, kind, id, turn_id, bytes, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
        )
        .bind(self.owner.as_str())
        .bind(hosted.provider.as_str())
        .bind(hosted.kind.as_str())
        .bind(hosted.id.as_str())
        .bind(hosted.turn.as_str())
        .bind(i64::try_from(hosted.bytes).unwrap_or(i64::MAX))
        .bind(hosted.created_at.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    pub async fn strike_hosted(&self, hosted: &Hosted) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sql::query(
            "DELETE FROM hosted_things
             WHERE owner = $1 AND provider = $2 AND kind = $3 AND id = $4",
        )
        .bind(self.owner.as_str())
        .bind(hosted.provider.as_str())
        .bind(hosted.kind.as_str())
        .bind(hosted.id.as_str())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// Everything that is noted, stores before files.
    pub async fn hosted(&self) -> Result<Vec<Hosted>, StoreError> {
        let rows =
            sql::query("SELECT * FROM hosted_things WHERE owner = $1 ORDER BY kind DESC, id")
                .bind(self.owner.as_str())
                .fetch_all(&mut *self.connection().await?)
                .await?;
        let read = |row: &Row| {
            let kind: String = row.text("kind")?;
            Ok(Hosted {
                provider: row.text("provider")?,
                kind: if kind == "store" { HostedKind::Store } else { HostedKind::File },
                id: row.text("id")?,
                turn: row.text("turn_id")?,
                bytes: u64::try_from(row.number("bytes")?).unwrap_or(0),
                created_at: row.time("created_at")?,
            })
        };
        rows.iter().map(read).collect()
    }
}
