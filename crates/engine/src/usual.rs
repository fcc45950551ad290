//! Who answers when no model is named and none is usual: one rule for every door.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::catalogue::ModelInfo;
use dossier_models::{Extractive, Models};
use dossier_store::Project;
use serde::Deserialize as _;

/// Quotes what fits best, where nobody could answer.
pub const BUILT_IN: &str = "builtin/extractive";

/// The most models that are named to whoever has to choose.
const MOST_NAMED: usize = 8;

/// The setting of a project that names whom to ask in it.
pub(crate) const DEFAULT_MODELS: &str = "default_models";

impl Workspace {
    /// The models that answer a question which names none: those of its project, those that are
    /// usual, or the one that answers when nobody has chosen.
    pub fn usual_models(
        &self,
        project: &Project,
        usual: Vec<String>,
    ) -> Result<Vec<String>, EngineError> {
        let own = project.settings.get(DEFAULT_MODELS).map(Vec::<String>::deserialize);
        match own.and_then(Result::ok).filter(|own| !own.is_empty()) {
            Some(own) => Ok(own),
            None if !usual.is_empty() => Ok(usual),
            None => Ok(vec![self.unnamed_model()?]),
        }
    }

    /// The model that answers when nobody has chosen one: the built-in one where no provider is set
    /// up. Where one is, quotes are not what was wanted, and which model is meant cannot be guessed.
    pub fn unnamed_model(&self) -> Result<String, EngineError> {
        if !self.has_provider()? {
            return Ok(BUILT_IN.to_owned());
        }
        Err(EngineError::Invalid(format!(
            "no model is named; choose the usual one with dossier config set model NAME, or name \
             one that is ready: {}, …",
            ready(&*self.models()?).join(", ")
        )))
    }

    /// Whether there is a provider whose models can be asked.
    pub fn has_provider(&self) -> Result<bool, EngineError> {
        Ok(!self.models()?.providers().is_empty())
    }
}

/// Names of models that can be asked; of a provider whose models nobody knows, how they begin.
fn ready(models: &Models) -> Vec<String> {
    let mut known: Vec<&ModelInfo> = models.ready();
    known.retain(|model| model.provider != Extractive::PROVIDER);
    let others = models.providers().iter().map(|provider| provider.name.as_str());
    let others = others.filter(|name| !known.iter().any(|model| model.provider == *name));
    let others = others.map(|name| format!("{name}/NAME"));
    others.chain(known.iter().map(|model| model.full_name())).take(MOST_NAMED).collect()
}
