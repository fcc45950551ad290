//! The models there are: those of the providers that are set up, and the built-in one.

use crate::catalogue::OwnCatalogue;
use crate::client::Client;
use crate::error::ModelsError;
use crate::extractive::Extractive;
use crate::model::ChatModel;
use crate::provider::{Forward, HostedStores, Listed, Provider, Remote, Wire, list};
use crate::retry::Patience;
use dossier_core::catalogue::{Catalogue, Found, ModelInfo};
use std::sync::Arc;

/// Which models can be asked, and what is known of them.
#[derive(Debug, Clone)]
pub struct Models {
    /// What comes with the program, and what providers have told.
    told: Catalogue,
    own: OwnCatalogue,
    /// The one with the other laid over it.
    catalogue: Catalogue,
    providers: Vec<Provider>,
    client: Client,
    patience: Patience,
}

/// What a provider said about its models.
#[derive(Debug, Clone, PartialEq)]
pub struct Refreshed {
    pub provider: String,
    /// How many models it has, or why it did not say.
    pub models: Result<usize, ModelsError>,
    /// What is known of them now, but for what the user's own file says.
    pub told: Vec<ModelInfo>,
}

impl Models {
    /// Of two providers with one name the later counts.
    pub fn new(
        catalogue: Catalogue,
        providers: impl IntoIterator<Item = Provider>,
    ) -> Result<Self, ModelsError> {
        let mut own: Vec<Provider> = Vec::new();
        for provider in providers {
            own.retain(|other| other.name != provider.name);
            own.push(provider);
        }
        Ok(Self {
            told: catalogue.clone(),
            own: OwnCatalogue::default(),
            catalogue,
            providers: own,
            client: Client::new()?,
            patience: Patience::default(),
        })
    }

    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// The same with a user's own file, which overrides everything else.
    #[must_use]
    pub fn with_own(self, own: OwnCatalogue) -> Self {
        Self { catalogue: own.over(self.told.clone()), own, ..self }
    }

    /// What is known without the user's own file.
    pub fn told(&self) -> &Catalogue {
        &self.told
    }

    /// The same with what providers tell of models.
    #[must_use]
    pub fn with_told(mut self, models: impl IntoIterator<Item = ModelInfo>) -> Self {
        self.told.merge(models);
        let catalogue = self.own.over(self.told.clone());
        Self { catalogue, ..self }
    }

    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    pub fn providers(&self) -> &[Provider] {
        &self.providers
    }

    /// The model that a name means: `provider/model`, or a bare id where only one provider has it.
    pub fn get(&self, name: &str) -> Result<Arc<dyn ChatModel>, ModelsError> {
        let info = self.info(name)?;
        if info.provider == Extractive::PROVIDER {
            return Ok(Arc::new(Extractive::new(info)));
        }
        let provider = self.provider(&info.provider)?.clone();
        Ok(Arc::new(Remote::new(provider, info, &self.client, self.patience)?))
    }

    /// The same for requests in a vendor's format; none when the model's provider speaks another.
    pub fn forward(&self, name: &str, wire: Wire) -> Result<Option<Forward>, ModelsError> {
        let info = self.info(name)?;
        if info.provider == Extractive::PROVIDER {
            return Ok(None);
        }
        let provider = self.provider(&info.provider)?;
        Ok(Forward::new(provider, info, wire, &self.client))
    }

    /// The stores for searching in files that a provider has; none where it has none.
    pub fn hosted(&self, provider: &str) -> Option<HostedStores> {
        HostedStores::new(self.provider(provider).ok()?, &self.client)
    }

    fn info(&self, name: &str) -> Result<ModelInfo, ModelsError> {
        match self.catalogue.find(name) {
            Found::One(model) => return Ok(model.clone()),
            Found::Several(models) => return self.set_up(name, models),
            Found::Nothing => {}
        }
        // A provider may have models that no catalogue knows of.
        let info = self.catalogue.info(name);
        let is_own = |provider: &Provider| provider.name == info.provider;
        if name.contains('/') && !info.id.is_empty() && self.providers.iter().any(is_own) {
            return Ok(info);
        }
        Err(ModelsError::NoModel { name: name.to_owned(), near_names: self.catalogue.near(name) })
    }

    /// The one of several that can be asked.
    fn set_up(&self, name: &str, models: Vec<&ModelInfo>) -> Result<ModelInfo, ModelsError> {
        let is_set_up = |model: &&&ModelInfo| self.provider(&model.provider).is_ok();
        let ready: Vec<&&ModelInfo> = models.iter().filter(is_set_up).collect();
        match ready.as_slice() {
            [model] => Ok((**model).clone()),
            _ => Err(ModelsError::Ambiguous {
                name: name.to_owned(),
                choices: models.into_iter().map(ModelInfo::full_name).collect(),
            }),
        }
    }

    fn provider(&self, name: &str) -> Result<&Provider, ModelsError> {
        self.providers.iter().find(|provider| provider.name == name).ok_or_else(|| {
            ModelsError::NoProvider { name: name.to_owned(), hint: Provider::hint(name) }
        })
    }

    /// The models that can be asked, with the built-in one last.
    pub fn ready(&self) -> Vec<&ModelInfo> {
        let has = |name: &str| self.providers.iter().any(|provider| provider.name == name);
        let (built_in, others): (Vec<&ModelInfo>, Vec<&ModelInfo>) = self
            .catalogue
            .models()
            .iter()
            .filter(|model| has(&model.provider) || model.provider == Extractive::PROVIDER)
            .partition(|model| model.provider == Extractive::PROVIDER);
        others.into_iter().chain(built_in).collect()
    }

    /// The same with other providers; what is known of models stays.
    #[must_use]
    pub fn with_providers(&self, providers: Vec<Provider>) -> Self {
        Self { providers, ..self.clone() }
    }

    /// The names of a provider's models, as it tells them now.
    pub async fn listed(&self, provider: &Provider) -> Result<Vec<String>, ModelsError> {
        let listed = list(provider, &self.client).await?;
        Ok(listed.into_iter().map(Listed::into_id).collect())
    }

    /// Whether a provider answers at all. For one on this machine that may not be running.
    pub async fn reachable(&self, provider: &Provider) -> bool {
        list(provider, &self.client).await.is_ok()
    }

    /// Asks each provider for its models, all at once. One that does not answer fails alone.
    pub async fn refresh(&self) -> Vec<Refreshed> {
        let asked = self.providers.iter().map(|provider| list(provider, &self.client));
        let answers = futures::future::join_all(asked).await;
        let mut refreshed = Vec::new();
        for (provider, answer) in self.providers.iter().zip(answers) {
            let (models, told) = match answer {
                Ok(listed) => {
                    let merged = |listed: Listed| listed.merged(&provider.name, &self.told);
                    (Ok(listed.len()), listed.into_iter().map(merged).collect())
                }
                Err(error) => (Err(error), Vec::new()),
            };
            refreshed.push(Refreshed { provider: provider.name.clone(), models, told });
        }
        refreshed
    }
}
