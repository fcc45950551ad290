//! Settings of an owner, as JSON by key.

use crate::error::{StoreError, check_text};
use crate::row::{Row, to_json};
use crate::sql;
use crate::store::OwnerStore;
use crate::write::Write;
use dossier_core::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;

impl OwnerStore {
    pub async fn config(&self) -> Result<BTreeMap<String, Value>, StoreError> {
        let rows = sql::query("SELECT key, value FROM config WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        rows.iter().map(|row| Ok((row.text("key")?, row.json("value")?))).collect()
    }

    /// All settings with the times at which they were set, by key.
    pub async fn config_times(&self) -> Result<BTreeMap<String, (Value, Timestamp)>, StoreError> {
        let rows = sql::query("SELECT key, value, updated_at FROM config WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let entry =
            |row: &Row| Ok((row.text("key")?, (row.json("value")?, row.time("updated_at")?)));
        rows.iter().map(entry).collect()
    }

    pub async fn set_config(
        &self,
        key: &str,
        value: &Value,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        set(&mut write, key, value, now).await?;
        write.commit().await
    }

    /// Sets or forgets several keys, all of them or none.
    pub async fn change_config(
        &self,
        changes: &[(&str, Option<Value>)],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        for (key, value) in changes {
            match value {
                Some(value) => set(&mut write, key, value, now).await?,
                None => {
                    unset(&mut write, key).await?;
                }
            }
        }
        write.commit().await
    }

    /// Whether the key was set.
    pub async fn unset_config(&self, key: &str) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let was_set = unset(&mut write, key).await?;
        write.commit().await?;
        Ok(was_set)
    }
}

async fn set(
    write: &mut Write,
    key: &str,
    value: &Value,
    now: Timestamp,
) -> Result<(), StoreError> {
    check_text("key", key)?;
    let owner = write.owner.clone();
    sql::query(
        "INSERT INTO config (owner, key, value, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (owner, key) DO UPDATE
         SET value = excluded.value, updated_at = excluded.updated_at",
    )
    .bind(owner.as_str())
    .bind(key)
    .bind(to_json(value)?)
    .bind(now.as_millis())
    .execute(write.connection())
    .await?;
    Ok(())
}

async fn unset(write: &mut Write, key: &str) -> Result<bool, StoreError> {
    let owner = write.owner.clone();
    let deleted = sql::query("DELETE FROM config WHERE owner = $1 AND key = $2")
        .bind(owner.as_str())
        .bind(key)
        .execute(write.connection())
        .await?;
    Ok(deleted.rows_affected() > 0)
}
