//! What the owner has set in the database, and what holds in the end: what flags, the environment or
//! a file say is stronger.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::time::Timestamp;
use dossier_files::Limits;
use serde_json::Value;
use std::collections::BTreeMap;

/// Folders that are skipped besides the usual ones, or read nevertheless.
const SKIPPED_FOLDERS: &str = "files.skip";

impl Workspace {
    /// What holds, by key.
    pub(crate) async fn settings(&self) -> Result<BTreeMap<String, Value>, EngineError> {
        let mut settings = self.store.config().await?;
        settings.extend(self.given.iter().map(|(key, value)| (key.clone(), value.clone())));
        Ok(settings)
    }

    /// What the owner has set.
    pub async fn config(&self) -> Result<BTreeMap<String, Value>, EngineError> {
        Ok(self.store.config().await?)
    }

    pub async fn set_config(
        &self,
        key: &str,
        value: &Value,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        Ok(self.store.set_config(key, value, now).await?)
    }

    /// Sets or forgets several keys, all of them or none.
    pub async fn change_config(
        &self,
        changes: &[(&str, Option<Value>)],
        now: Timestamp,
    ) -> Result<(), EngineError> {
        Ok(self.store.change_config(changes, now).await?)
    }

    /// Which files are read, and how much of them, as it is set.
    pub async fn file_limits(&self) -> Result<Limits, EngineError> {
        let settings = self.settings().await?;
        let skipped = settings.get(SKIPPED_FOLDERS).and_then(Value::as_str);
        Ok(Limits::default().skipping(skipped.unwrap_or_default()))
    }

    /// Whether the key was set.
    pub async fn unset_config(&self, key: &str) -> Result<bool, EngineError> {
        Ok(self.store.unset_config(key).await?)
    }
}
