//! What the owner has set in the database, below files, environment and flags.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;

impl Workspace {
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

    /// Whether the key was set.
    pub async fn unset_config(&self, key: &str) -> Result<bool, EngineError> {
        Ok(self.store.unset_config(key).await?)
    }
}
