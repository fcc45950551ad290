//! How consultations go, as the owner has set it.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;

/// How long a session lives that nobody uses.
const RETENTION_DAYS: i64 = 183;

/// Whether the stable list of inline files decides what is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StableList {
    On,
    /// It is recorded, and everything is sent each time.
    Shadow,
    /// Everything is sent each time.
    Off,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConsultSettings {
    pub list: StableList,
    pub retention_days: i64,
    /// Whether assistants of OpenAI search in its hosted store.
    pub hosted: bool,
    /// Assistants by name, each with its model.
    pub assistants: Option<BTreeMap<String, String>>,
}

impl Workspace {
    pub(super) async fn consult_settings(&self) -> Result<ConsultSettings, EngineError> {
        let config = self.settings().await?;
        let text = |key: &str| config.get(key).and_then(text);
        let is = |key: &str| text(key).map(|value| matches!(value.as_str(), "true" | "on"));
        let list = match (is("consult.enable_stable_inline_list"), is("consult.shadow")) {
            (Some(false), _) => StableList::Off,
            (_, Some(true)) => StableList::Shadow,
            _ => StableList::On,
        };
        let days = text("consult.retention_days").and_then(|days| days.parse().ok());
        Ok(ConsultSettings {
            list,
            retention_days: days.unwrap_or(RETENTION_DAYS),
            hosted: is("consult.hosted_store").unwrap_or(false),
            assistants: text("consult.assistants").map(|list| named(&list)),
        })
    }
}

impl ConsultSettings {
    /// Before this a session's last use was too long ago.
    pub(super) fn oldest(&self, now: Timestamp) -> Timestamp {
        const DAY: i64 = 24 * 3_600_000;
        Timestamp::from_millis(now.as_millis().saturating_sub(self.retention_days * DAY))
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Such as `o3=openai/o3, local=ollama/llama3`.
fn named(list: &str) -> BTreeMap<String, String> {
    let pairs = list.split(',').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, model)| (name.trim().to_owned(), model.trim().to_owned())).collect()
}
