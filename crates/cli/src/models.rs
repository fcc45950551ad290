//! The models that can be asked: those of providers that the environment, the settings file or the
//! database sets up, an Ollama if it answers, and the built-in one.

use crate::session::Session;
use crate::settings::Settings;
use anyhow::Context as _;
use dossier_engine::{BUILT_IN, Engine, KeyStore, OwnCatalogue, Project, Sources};
use std::io::ErrorKind;

/// The file beside the database that overrides the catalogue.
const OWN_CATALOGUE: &str = "models.toml";

/// The engine with every model that is set up here.
pub async fn with_models(engine: Engine, settings: &Settings) -> anyhow::Result<Engine> {
    Ok(engine.with_providers(catalogue(settings)?, sources(settings)).await?)
}

/// The same for a door that opens at once: an Ollama is looked for meanwhile.
pub async fn with_models_beside(engine: Engine, settings: &Settings) -> anyhow::Result<Engine> {
    Ok(engine.with_providers_beside(catalogue(settings)?, sources(settings)).await?)
}

fn sources(settings: &Settings) -> Sources {
    let variable = |name: &str| std::env::var(name).ok();
    let keys = KeyStore::at(&settings.places.data.value);
    Sources::new(variable, settings.providers.clone(), keys)
}

/// The engine with what is known of models, for who asks none.
pub async fn with_catalogue(engine: Engine, settings: &Settings) -> anyhow::Result<Engine> {
    Ok(engine.with_catalogue(catalogue(settings)?).await?)
}

fn catalogue(settings: &Settings) -> anyhow::Result<OwnCatalogue> {
    let own = settings.places.data.value.join(OWN_CATALOGUE);
    match std::fs::read_to_string(&own) {
        Ok(text) => Ok(OwnCatalogue::read(&text, &own.display().to_string())?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(OwnCatalogue::default()),
        Err(error) => {
            let told = format!("cannot read {}; mend it, or move it away", own.display());
            Err(error).context(told)
        }
    }
}

/// The names of the models to ask: those that were given, those of the project or of the settings,
/// or the one that answers when nobody has chosen.
pub fn chosen(
    session: &Session,
    project: Option<&Project>,
    given: &[String],
) -> anyhow::Result<Vec<String>> {
    if !given.is_empty() {
        return Ok(given.to_vec());
    }
    let usual = session.settings.model.value.0.clone();
    let chosen = match project {
        Some(project) => session.workspace.usual_models(project, usual),
        None if usual.is_empty() => session.workspace.unnamed_model().map(|model| vec![model]),
        None => Ok(usual),
    };
    let chosen = chosen.context("name a model with --model")?;
    if chosen == [BUILT_IN] && !session.workspace.has_provider()? {
        session.printer.note(
            "no provider is set up, so passages are quoted instead of an answer; set \
             OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or XAI_API_KEY, or store a key with \
             dossier provider set, to ask a model",
        );
    }
    Ok(chosen)
}
