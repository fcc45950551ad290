//! The assistants that can be consulted: a name that fits into a tool's, and a model behind it.

use super::settings::ConsultSettings;
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::catalogue::ModelInfo;
use dossier_models::{ChatModel, Extractive, Models};
use std::sync::Arc;

/// Assistants that are there when their provider is.
const USUAL: [(&str, &str); 7] = [
    ("o3", "openai/o3"),
    ("o3_pro", "openai/o3-pro"),
    ("gpt_4_1", "openai/gpt-4.1"),
    ("gemini", "google/gemini-2.5-pro"),
    ("claude", "anthropic/claude-opus-5-5"),
    ("grok", "xai/grok-4.5"),
    ("builtin", "builtin/extractive"),
];

/// Somebody to ask.
#[derive(Debug, Clone, PartialEq)]
pub struct Assistant {
    /// What stands behind `chat_with_`.
    pub name: String,
    pub model: ModelInfo,
}

impl Workspace {
    /// The assistants that can be consulted, in a fixed order: those that the owner has named, or
    /// else the usual ones whose provider is set up.
    pub async fn assistants(&self) -> Result<Vec<Assistant>, EngineError> {
        let settings = self.consult_settings().await?;
        Ok(known(&settings, &*self.models()?))
    }

    /// Those that are offered to whoever pays for the list: the built-in one only quotes, so it is
    /// left out where others are there and the owner has not named it.
    pub async fn listed_assistants(&self) -> Result<Vec<Assistant>, EngineError> {
        let settings = self.consult_settings().await?;
        let mut known = known(&settings, &*self.models()?);
        if settings.assistants.is_none() && known.len() > 1 {
            known.retain(|assistant| assistant.model.provider != Extractive::PROVIDER);
        }
        Ok(known)
    }

    /// One of them with the model that speaks for it.
    pub(super) async fn assistant(
        &self,
        name: &str,
        settings: &ConsultSettings,
    ) -> Result<(Assistant, Arc<dyn ChatModel>), EngineError> {
        let models = self.models()?;
        let known = known(settings, &models);
        let assistant = known.iter().find(|assistant| assistant.name == name);
        let assistant = assistant.cloned().ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
            let mend = format!("there are {}; name others in consult.assistants", names.join(", "));
            EngineError::not_found("assistant", name, mend)
        })?;
        let model = models.get(&assistant.model.full_name())?;
        Ok((assistant, model))
    }
}

fn known(settings: &ConsultSettings, models: &Models) -> Vec<Assistant> {
    let usual = USUAL.iter().map(|(name, model)| ((*name).to_owned(), (*model).to_owned()));
    let named: Vec<(String, String)> = match &settings.assistants {
        Some(named) => named.clone().into_iter().collect(),
        None => usual.collect(),
    };
    let assistant = |(name, model): (String, String)| {
        let model = models.get(&model).ok()?.info().clone();
        is_safe(&name).then_some(Assistant { name, model })
    };
    named.into_iter().filter_map(assistant).collect()
}

/// Whether the name can be a part of a tool's.
fn is_safe(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (1..=40).contains(&name.len()) && name.chars().all(fits)
}
