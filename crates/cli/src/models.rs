//! The models that can be asked: those of providers whose keys are in the environment or stored,
//! those that the settings file names, an Ollama if it answers, and the built-in one.

use crate::session::Session;
use anyhow::Context as _;
use dossier_engine::{Engine, KeyStore, Keys, Models, Provider, builtin_catalogue, read_catalogue};
use std::path::Path;

/// The file beside the database that overrides the catalogue.
const OWN_CATALOGUE: &str = "models.toml";

/// The model that answers when no provider is set up.
const BUILT_IN: &str = "builtin/extractive";

/// The engine with every model that is set up here.
pub async fn with_models(engine: Engine, data: &Path) -> anyhow::Result<Engine> {
    let variable = |name: &str| std::env::var(name).ok();
    let mut providers = Keys::new(variable, Some(KeyStore::at(data))).providers()?;
    let mut catalogue = builtin_catalogue().clone();
    let own = data.join(OWN_CATALOGUE);
    if own.exists() {
        let text = std::fs::read_to_string(&own)
            .with_context(|| format!("cannot read {}; mend it, or move it away", own.display()))?;
        catalogue = read_catalogue(&text, &own.display().to_string(), catalogue)?;
    }
    let ollama = Provider::ollama(variable)?;
    let probe = Models::new(catalogue.clone(), [])?;
    if probe.reachable(&ollama).await {
        providers.push(ollama);
    }
    Ok(engine.with_models(Models::new(catalogue, providers)?))
}

/// The names of the models to ask: those that were given, or the only one there is.
pub fn chosen(session: &Session, given: &[String]) -> anyhow::Result<Vec<String>> {
    if !given.is_empty() {
        return Ok(given.to_vec());
    }
    let models = session.workspace.models()?;
    if models.providers().is_empty() {
        session.printer.note(
            "no provider is set up, so passages are quoted instead of an answer; set \
             OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or XAI_API_KEY to ask a model",
        );
        return Ok(vec![BUILT_IN.to_owned()]);
    }
    let ready: Vec<String> = models.ready().iter().take(8).map(|model| model.full_name()).collect();
    anyhow::bail!("name a model with --model; ready are {}, …", ready.join(", "))
}
