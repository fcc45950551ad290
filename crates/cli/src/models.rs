//! The models that can be asked: those of providers that the environment, the settings file or the
//! database sets up, an Ollama if it answers, and the built-in one.

use crate::session::Session;
use crate::settings::Settings;
use anyhow::Context as _;
use dossier_engine::{Engine, KeyStore, Sources, builtin_catalogue, read_catalogue};
use std::io::ErrorKind;

/// The file beside the database that overrides the catalogue.
const OWN_CATALOGUE: &str = "models.toml";

/// The model that answers when no provider is set up.
const BUILT_IN: &str = "builtin/extractive";

/// The engine with every model that is set up here.
pub async fn with_models(engine: Engine, settings: &Settings) -> anyhow::Result<Engine> {
    let data = &settings.places.data.value;
    let variable = |name: &str| std::env::var(name).ok();
    let sources = Sources::new(variable, settings.providers.clone(), KeyStore::at(data));
    let mut catalogue = builtin_catalogue().clone();
    let own = data.join(OWN_CATALOGUE);
    match std::fs::read_to_string(&own) {
        Ok(text) => catalogue = read_catalogue(&text, &own.display().to_string(), catalogue)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => {
            let told = format!("cannot read {}; mend it, or move it away", own.display());
            return Err(error).context(told);
        }
    }
    Ok(engine.with_providers(catalogue, sources).await?)
}

/// The names of the models to ask: those that were given, those of the settings, or the only one
/// there is.
pub fn chosen(session: &Session, given: &[String]) -> anyhow::Result<Vec<String>> {
    if !given.is_empty() {
        return Ok(given.to_vec());
    }
    let usual = &session.settings.model.value.0;
    if !usual.is_empty() {
        return Ok(usual.clone());
    }
    let models = session.workspace.models()?;
    if models.providers().is_empty() {
        session.printer.note(
            "no provider is set up, so passages are quoted instead of an answer; set \
             OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or XAI_API_KEY, or store a key with \
             dossier provider set, to ask a model",
        );
        return Ok(vec![BUILT_IN.to_owned()]);
    }
    let ready: Vec<String> = models.ready().iter().take(8).map(|model| model.full_name()).collect();
    anyhow::bail!(
        "name a model with --model, or for always: dossier config set model NAME; ready are {}, …",
        ready.join(", ")
    )
}
