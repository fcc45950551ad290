//! The providers of models: which there are, what is set of them, and whether they answer. They
//! belong to the machine, so what is kept of them is kept for its own owner; keys go into the
//! sealed store and never into the database.

use crate::error::EngineError;
use crate::workspace::Engine;
use dossier_core::catalogue::{Catalogue, Costs, ModelInfo, Protocol};
use dossier_core::health::Finding;
use dossier_core::id::OwnerId;
use dossier_core::tier::{Tier, Window};
use dossier_core::time::Timestamp;
use dossier_models::{
    AddressOrigin, Declarations, Declared, KeyOrigin, Models, ModelsError, OwnCatalogue, Provider,
    ProviderState, Refreshed, Secret, Sources, builtin_catalogue,
};
use dossier_store::ModelRow;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long one that nobody has asked for may take to answer. It is on this machine, or near.
const GUESSED: Duration = Duration::from_secs(1);

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
    /// The same store with all that is known of models: what comes with the program, what providers
    /// told when they were asked last, and over it the user's own file.
    pub async fn with_catalogue(self, own: OwnCatalogue) -> Result<Self, EngineError> {
        let base = builtin_catalogue();
        let rows = self.store.owner(&OwnerId::local()).models().await?;
        let told = rows.into_iter().map(|row| told(row, base));
        let models = Models::new(base.clone(), [])?.with_told(told).with_own(own);
        Ok(self.with_models(models))
    }

    /// The same with the models of the providers that are set up.
    pub async fn with_providers(
        self,
        own: OwnCatalogue,
        sources: Sources,
    ) -> Result<Self, EngineError> {
        let engine = self.with_catalogue(own).await?.with_sources(Arc::new(sources));
        engine.reload_providers().await?;
        Ok(engine)
    }

    /// The same for whoever cannot wait: whether those answer that are only guessed is found out
    /// meanwhile, and [`Engine::providers_settled`] waits until it is.
    pub async fn with_providers_beside(
        self,
        own: OwnCatalogue,
        sources: Sources,
    ) -> Result<Self, EngineError> {
        let engine = self.with_catalogue(own).await?.with_sources(Arc::new(sources));
        let turn = Arc::clone(&engine.reloading).lock_owned().await;
        let states = engine.sources()?.states(&engine.declarations().await?)?;
        let sure = states.iter().filter(|state| !state.is_guess);
        engine.put_providers(sure.filter_map(|state| state.provider.clone().ok()).collect())?;
        let own = engine.clone();
        tokio::spawn(async move {
            // Without them it goes on as it has begun.
            let ready = own.answering(states).await;
            let _ = ready.and_then(|ready| own.put_providers(ready));
            drop(turn);
        });
        Ok(engine)
    }

    /// Waits until it is known which providers there are.
    pub async fn providers_settled(&self) {
        drop(self.reloading.lock().await);
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

    /// Asks every provider what models it has, for this process at once and for others when they
    /// start. One that does not answer fails alone, and what it told before stays.
    pub async fn refresh_models(&self) -> Result<Vec<Refreshed>, EngineError> {
        let local = self.owner(&OwnerId::local());
        let refreshed = local.models()?.refresh().await;
        let told = || refreshed.iter().flat_map(|provider| &provider.told);
        let rows: Vec<ModelRow> = told().map(row).collect();
        self.store.owner(&OwnerId::local()).put_models(&rows).await?;
        // Meanwhile other providers may have been set up.
        local.change_models(|current| current.clone().with_told(told().cloned()))?;
        Ok(refreshed)
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
        self.put_providers(self.answering(states).await?)
    }

    /// Those that are set up, and those that are only guessed and answer.
    async fn answering(&self, states: Vec<ProviderState>) -> Result<Vec<Provider>, EngineError> {
        let models = self.owner(&OwnerId::local()).models()?;
        let mut ready: Vec<Provider> = Vec::new();
        for state in states {
            let Ok(provider) = state.provider else { continue };
            let is_there = match state.is_guess {
                true => timeout(GUESSED, models.reachable(&provider)).await.unwrap_or(false),
                false => true,
            };
            if is_there {
                ready.push(provider);
            }
        }
        Ok(ready)
    }

    fn put_providers(&self, ready: Vec<Provider>) -> Result<(), EngineError> {
        let workspace = self.owner(&OwnerId::local());
        workspace.change_models(|models| models.with_providers(ready))
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

/// What a price that is not known is kept as: a model that costs nothing has zeros.
const NOT_KNOWN: f64 = -1.0;

fn row(model: &ModelInfo) -> ModelRow {
    ModelRow {
        provider: model.provider.clone(),
        model: model.id.clone(),
        display_name: model.name.clone(),
        context_window: model.window.context.into(),
        max_output: model.window.output.into(),
        input_cost: model.costs.map_or(NOT_KNOWN, |costs| costs.input),
        output_cost: model.costs.map_or(NOT_KNOWN, |costs| costs.output),
        tier: model.tier.as_str().to_owned(),
        capabilities: model.capabilities,
    }
}

/// A model as its provider told of it, over what comes with the program. What no provider tells is
/// the program's to say, where it knows the model.
fn told(row: ModelRow, catalogue: &Catalogue) -> ModelInfo {
    let known = catalogue.get(&row.provider, &row.model).cloned();
    let is_known = known.is_some();
    let full_name = format!("{}/{}", row.provider, row.model);
    let mut info = known.unwrap_or_else(|| catalogue.info(&full_name));
    info.costs = costs(&row, info.costs);
    info.name = row.display_name;
    let tokens = |number: i64| u32::try_from(number).ok().filter(|number| *number > 0);
    if let (Some(context), Some(output)) = (tokens(row.context_window), tokens(row.max_output)) {
        info.window = Window { context, output };
    }
    info.capabilities.thinking = row.capabilities.thinking;
    if !is_known {
        info.tier = Tier::parse(&row.tier).unwrap_or(info.tier);
        info.capabilities = row.capabilities;
    }
    info
}

/// Prices as they are kept. Those of cached input are not: where the others have changed, it costs
/// what input costs until the provider is asked again.
fn costs(row: &ModelRow, known: Option<Costs>) -> Option<Costs> {
    let (input, output) = (row.input_cost, row.output_cost);
    if input < 0.0 || output < 0.0 {
        return known;
    }
    let same = known.filter(|costs| (costs.input, costs.output) == (input, output));
    Some(same.unwrap_or(Costs { input, output, cached_input: input, cache_write: input }))
}
