//! The providers of models: which there are, what is set of them, and whether they answer. They
//! belong to the machine, so what is kept of them is kept for its own owner; keys go into the
//! sealed store and never into the database.

use crate::error::EngineError;
use crate::workspace::Engine;
use dossier_core::catalogue::{Catalogue, Protocol};
use dossier_core::health::Finding;
use dossier_core::id::OwnerId;
use dossier_core::time::Timestamp;
use dossier_models::{
    AddressOrigin, Declarations, Declared, KeyOrigin, Models, ModelsError, Provider, ProviderState,
    Secret, Sources,
};
use serde_json::json;
use std::sync::Arc;

/// What the keys of settings about providers begin with.
const PREFIX: &str = "providers.";

/// What is to become of a provider; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct ProviderChange {
    /// An empty one is forgotten, and its protocol with it.
    pub base_url: Option<String>,
    pub protocol: Option<Protocol>,
    pub key: KeyChange,
}

#[derive(Debug, Clone, Default)]
pub enum KeyChange {
    #[default]
    Keep,
    Store(Secret),
    Remove,
}

impl Engine {
    /// The same store with the models of the providers that are set up.
    pub async fn with_providers(
        self,
        catalogue: Catalogue,
        sources: Sources,
    ) -> Result<Self, EngineError> {
        let models = Models::new(catalogue, [])?;
        let engine = self.with_models(models).with_sources(Arc::new(sources));
        engine.reload_providers().await?;
        Ok(engine)
    }

    /// Every provider that is known or set up, by name.
    pub async fn providers(&self) -> Result<Vec<ProviderState>, EngineError> {
        let Some(sources) = &self.sources else { return Ok(Vec::new()) };
        let models = self.owner(&OwnerId::local()).models()?;
        let mut states = sources.states(&self.declarations().await?)?;
        for state in &mut states {
            let is_there = models.providers().iter().any(|own| own.name == state.name);
            if state.is_guess && !is_there {
                state.provider = Err(format!("start {} on this machine", state.name));
            }
        }
        Ok(states)
    }

    /// Sets what is given of a provider, for this process at once and for others when they start.
    pub async fn set_provider(
        &self,
        name: &str,
        change: ProviderChange,
        now: Timestamp,
    ) -> Result<ProviderState, EngineError> {
        Provider::check_name(name)?;
        let sources = self.sources()?;
        let mut held = self.declarations().await?;
        let before = sources.state(name, &held)?;
        refuse_stronger(&before, &change)?;
        let own = held.entry(name.to_owned()).or_default();
        if let Some(url) = change.base_url.as_deref().map(str::trim) {
            match url.is_empty() {
                // The interface was that of the address.
                true => *own = Declared::default(),
                false => own.base_url = Some(url.to_owned()),
            }
        }
        own.protocol = change.protocol.or(own.protocol);
        let own = own.clone();
        let is_gone = own == Declared::default();
        if is_gone {
            held.remove(name);
        }
        let new_key = match &change.key {
            KeyChange::Store(key) => Some(key),
            KeyChange::Keep | KeyChange::Remove => None,
        };
        if !is_gone || new_key.is_some() {
            sources.check(name, &held, new_key)?;
        }
        let store = sources.keys().clone();
        let (provider, key) = (name.to_owned(), change.key);
        tokio::task::spawn_blocking(move || match key {
            KeyChange::Keep => Ok(()),
            KeyChange::Store(key) => store.put(&provider, &key),
            KeyChange::Remove => store.remove(&provider).map(|_| ()),
        })
        .await??;
        let config = self.owner(&OwnerId::local());
        let setting = format!("{PREFIX}{name}");
        match is_gone {
            true => {
                config.unset_config(&setting).await?;
            }
            false => config.set_config(&setting, &json!(own), now).await?,
        }
        self.reload_providers().await?;
        let states = self.providers().await?;
        let state = states.into_iter().find(|state| state.name == name);
        // One that nothing is left of is no longer listed.
        Ok(state.unwrap_or(sources.state(name, &held)?))
    }

    /// Forgets what was set of a provider, and its key; whether there was anything.
    pub async fn remove_provider(&self, name: &str) -> Result<bool, EngineError> {
        let sources = self.sources()?;
        let (store, provider) = (sources.keys().clone(), name.to_owned());
        let had_key = tokio::task::spawn_blocking(move || store.remove(&provider)).await??;
        let setting = format!("{PREFIX}{name}");
        let was_set = self.owner(&OwnerId::local()).unset_config(&setting).await?;
        self.reload_providers().await?;
        Ok(had_key || was_set)
    }

    /// Whether the providers that are set up answer.
    pub async fn examine_providers(&self) -> Result<Vec<Finding>, EngineError> {
        const ABOUT: &str = "provider";
        let mut findings = Vec::new();
        for state in self.providers().await? {
            let name = &state.name;
            let is_wanted = state.key.is_some() || state.origin != AddressOrigin::Known;
            match &state.provider {
                Err(why) if is_wanted && !state.is_guess => {
                    let mend = format!("set it up anew: dossier provider set {name}");
                    findings.push(Finding::problem(ABOUT, format!("{name}: {why}"), mend));
                }
                Err(_) => {}
                Ok(_) => findings.push(match self.test_provider(name).await? {
                    Ok(models) => Finding::ok(ABOUT, format!("{name}: {} models", models.len())),
                    Err(said) => {
                        let mend = format!("see also: dossier provider test {name}");
                        Finding::problem(ABOUT, said, mend)
                    }
                }),
            }
        }
        if findings.is_empty() {
            findings.push(Finding::ok(ABOUT, "none is set up: passages are quoted"));
        }
        Ok(findings)
    }

    /// Asks a provider for its models: their names, or what it said instead.
    pub async fn test_provider(
        &self,
        name: &str,
    ) -> Result<Result<Vec<String>, String>, EngineError> {
        let sources = self.sources()?;
        let states = sources.states(&self.declarations().await?)?;
        let state = states.into_iter().find(|state| state.name == name).ok_or_else(|| {
            EngineError::not_found("provider", name, "list them: dossier provider list")
        })?;
        let provider = match state.provider {
            Ok(provider) => provider,
            Err(why) => return Ok(Err(why)),
        };
        let models = self.owner(&OwnerId::local()).models()?;
        let listed = models.listed(&provider).await;
        Ok(listed.map_err(|error: ModelsError| error.to_string()))
    }

    /// Makes the models anew from what is set up now.
    async fn reload_providers(&self) -> Result<(), EngineError> {
        let sources = self.sources()?;
        // Two changes at once must not leave the older of them.
        let _turn = self.reloading.lock().await;
        let states = sources.states(&self.declarations().await?)?;
        let workspace = self.owner(&OwnerId::local());
        let models = workspace.models()?;
        let mut ready: Vec<Provider> = Vec::new();
        for state in states {
            if let Ok(provider) = state.provider
                && (!state.is_guess || models.reachable(&provider).await)
            {
                ready.push(provider);
            }
        }
        workspace.change_models(|models| models.with_providers(ready))?;
        Ok(())
    }

    fn sources(&self) -> Result<&Sources, EngineError> {
        self.sources.as_deref().ok_or_else(|| {
            EngineError::Invalid("providers cannot be set here; start dossier serve".to_owned())
        })
    }

    /// What the owner of the machine has set. What cannot be read counts as not set.
    async fn declarations(&self) -> Result<Declarations, EngineError> {
        let held = self.owner(&OwnerId::local()).config().await?;
        let own = held.into_iter().filter_map(|(key, value)| {
            let name = key.strip_prefix(PREFIX)?.to_owned();
            Some((name, serde_json::from_value(value).ok()?))
        });
        Ok(own.collect())
    }
}

/// What environment or file say cannot be changed here.
fn refuse_stronger(state: &ProviderState, change: &ProviderChange) -> Result<(), EngineError> {
    let name = &state.name;
    let is_free = matches!(state.origin, AddressOrigin::Database | AddressOrigin::Known);
    if change.base_url.is_some() && !is_free {
        let origin = &state.origin;
        let said = format!("the address of {name} is set by the {origin}, which is stronger");
        return Err(EngineError::Conflict(said));
    }
    match (&change.key, &state.key) {
        (KeyChange::Store(_), Some(key)) if key.origin != KeyOrigin::Store => {
            let origin = &key.origin;
            let said = format!("the key of {name} comes from {origin}, which is stronger");
            Err(EngineError::Conflict(said))
        }
        _ => Ok(()),
    }
}
