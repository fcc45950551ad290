//! The engine and one owner's view of it. Everything a door can ask is asked of a [`Workspace`],
//! so no request goes without an owner.

use crate::answers::{Flights, SharedAnswers};
use crate::changes::{Action, Change, Changes};
use crate::consult::VectorCache;
use crate::error::EngineError;
use crate::figures::SharedFigures;
use crate::mint;
use crate::refs::SharedTally;
use crate::speakers::Speakers;
use crate::turn::Running;
use dossier_core::compress::content::{Compressor, Extractors};
use dossier_core::id::{OwnerId, ProjectId, ThreadId};
use dossier_core::maxima::Maxima;
use dossier_core::message::Message;
use dossier_core::prompt::Template;
use dossier_core::time::Timestamp;
use dossier_embed::Embedder;
use dossier_models::{Models, Sources};
use dossier_store::{OwnerStore, Project, Store, Thread};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::Mutex;

/// The project that things belong to when none is named.
const DEFAULT_PROJECT: &str = "default";

/// The models, once somebody has asked for them: a search needs none.
type Known = Arc<RwLock<Option<Arc<Models>>>>;

/// A store, an embedder and models. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) store: Store,
    embedder: Arc<Embedder>,
    models: Known,
    prompt: Arc<Template>,
    /// Where it is told which providers there are; none where models were given as they are.
    pub(crate) sources: Option<Arc<Sources>>,
    pub(crate) reloading: Arc<Mutex<()>>,
    running: Arc<Running>,
    passages: Arc<VectorCache>,
    speakers: Arc<Speakers>,
    changes: Arc<Changes>,
    pub(crate) tally: SharedTally,
    pub(crate) answers: SharedAnswers,
    pub(crate) flights: Arc<Flights>,
    pub(crate) figures: SharedFigures,
    compressor: Compressor,
    given: Arc<BTreeMap<String, Value>>,
}

impl Engine {
    /// Opens the database at this URL, making it if it is an SQLite file that does not exist.
    pub async fn open(database: &str, embedder: Embedder) -> Result<Self, EngineError> {
        Ok(Self::over(Store::open(database).await?, embedder))
    }

    /// The same for whoever only wants to read: a missing SQLite file stays missing.
    pub async fn open_existing(database: &str, embedder: Embedder) -> Result<Self, EngineError> {
        Ok(Self::over(Store::open_existing(database).await?, embedder))
    }

    fn over(store: Store, embedder: Embedder) -> Self {
        Self {
            store,
            embedder: Arc::new(embedder),
            models: Arc::default(),
            prompt: Arc::default(),
            sources: None,
            reloading: Arc::default(),
            running: Arc::default(),
            passages: Arc::default(),
            speakers: Arc::default(),
            changes: Arc::default(),
            tally: SharedTally::default(),
            answers: SharedAnswers::default(),
            flights: Arc::default(),
            figures: SharedFigures::default(),
            compressor: Compressor::default(),
            given: Arc::default(),
        }
    }

    /// The same store with these models to ask.
    pub fn with_models(self, models: Models) -> Self {
        Self { models: Arc::new(RwLock::new(Some(Arc::new(models)))), ..self }
    }

    /// The same store, where a turn is given up when nobody has listened to it for so long.
    pub fn patient_for(self, patience: Duration) -> Self {
        Self { running: Arc::new(Running::patient_for(patience)), ..self }
    }

    pub(crate) fn with_sources(self, sources: Arc<Sources>) -> Self {
        Self { sources: Some(sources), ..self }
    }

    /// The same store with other extractors.
    pub fn with_extractors(self, extractors: Extractors) -> Self {
        Self { compressor: Compressor::new(Arc::new(extractors)), ..self }
    }

    /// The same store with settings, by key, that are stronger than what its owners have set.
    pub fn with_given(self, given: BTreeMap<String, Value>) -> Self {
        Self { given: Arc::new(given), ..self }
    }

    /// The same store with another system prompt.
    pub fn with_prompt(self, prompt: Template) -> Self {
        Self { prompt: Arc::new(prompt), ..self }
    }

    /// The same for whoever looks what is wrong with it: nothing is changed, not even an older
    /// format.
    pub async fn open_as_it_is(database: &str) -> Result<Self, EngineError> {
        let store = Store::open_as_it_is(database).await?;
        Ok(Self::over(store, Embedder::none()))
    }

    /// The same store with another embedder.
    pub fn with_embedder(self, embedder: Embedder) -> Self {
        Self { embedder: Arc::new(embedder), ..self }
    }

    pub fn owner(&self, owner: &OwnerId) -> Workspace {
        Workspace {
            store: self.store.owner(owner),
            everybody: self.store.clone(),
            embedder: Arc::clone(&self.embedder),
            models: Arc::clone(&self.models),
            prompt: Arc::clone(&self.prompt),
            running: Arc::clone(&self.running),
            passages: Arc::clone(&self.passages),
            speakers: Arc::clone(&self.speakers),
            changes: Arc::clone(&self.changes),
            tally: SharedTally::clone(&self.tally),
            answers: SharedAnswers::clone(&self.answers),
            flights: Arc::clone(&self.flights),
            figures: SharedFigures::clone(&self.figures),
            compressor: self.compressor.clone(),
            given: Arc::clone(&self.given),
        }
    }

    /// The line on which it is told what changed.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Whether the database answers.
    pub async fn ready(&self) -> Result<(), EngineError> {
        self.store.format_told().await?;
        Ok(())
    }

    /// Interrupts the turns that are running here, so that they can be asked for again.
    pub async fn park(&self) {
        self.running.park().await;
    }

    pub async fn close(&self) {
        self.store.close().await;
    }
}

/// What one owner can do.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(crate) store: OwnerStore,
    /// For what concerns all owners of this machine together: what they may spend.
    pub(crate) everybody: Store,
    pub(crate) embedder: Arc<Embedder>,
    models: Known,
    pub(crate) prompt: Arc<Template>,
    pub(crate) running: Arc<Running>,
    pub(crate) passages: Arc<VectorCache>,
    pub(crate) speakers: Arc<Speakers>,
    changes: Arc<Changes>,
    pub(crate) tally: SharedTally,
    pub(crate) answers: SharedAnswers,
    pub(crate) flights: Arc<Flights>,
    pub(crate) figures: SharedFigures,
    pub(crate) compressor: Compressor,
    pub(crate) given: Arc<BTreeMap<String, Value>>,
}

impl Workspace {
    /// Tells everybody else of the owner that something was written.
    pub fn tell(&self, change: Change) {
        self.changes.send(self.owner(), change);
    }

    pub fn owner(&self) -> &OwnerId {
        self.store.owner()
    }

    /// The models that can be asked, as they are known now; the built-in ones when none were given.
    pub fn models(&self) -> Result<Arc<Models>, EngineError> {
        let known = self.models.read().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Some(models) => Ok(models),
            None => {
                let models = Models::new(dossier_models::builtin_catalogue().clone(), [])?;
                Ok(self.learn_models(models))
            }
        }
    }

    /// Puts other models in the place of those that are known.
    pub(crate) fn change_models(
        &self,
        change: impl FnOnce(&Models) -> Models,
    ) -> Result<(), EngineError> {
        let known = self.models()?;
        let mut current = self.models.write().unwrap_or_else(PoisonError::into_inner);
        let changed = change(current.as_ref().unwrap_or(&known));
        *current = Some(Arc::new(changed));
        Ok(())
    }

    fn learn_models(&self, models: Models) -> Arc<Models> {
        let models = Arc::new(models);
        let mut known = self.models.write().unwrap_or_else(PoisonError::into_inner);
        *known = Some(Arc::clone(&models));
        models
    }

    /// The same with other maxima of what may be kept.
    pub fn within(self, maxima: Maxima) -> Self {
        Self { store: self.store.within(maxima), ..self }
    }

    /// The project of this name, or the default one; made on first use.
    pub async fn project(
        &self,
        name: Option<&str>,
        now: Timestamp,
    ) -> Result<Project, EngineError> {
        let name = checked_name(name.unwrap_or(DEFAULT_PROJECT))?;
        if let Some(project) = self.store.project_named(name).await? {
            return Ok(project);
        }
        let project = Project {
            id: mint::id(),
            name: name.to_owned(),
            description: String::new(),
            settings: serde_json::json!({}),
            created_at: now,
            updated_at: now,
        };
        match self.store.create_project(&project).await {
            Ok(()) => {
                self.tell(Change::project(Action::Created, &project.id));
                Ok(project)
            }
            // Another process was quicker: its project is the one.
            Err(error) => self.store.project_named(name).await?.ok_or(error.into()),
        }
    }

    /// The project of this name, or the default one, if it exists.
    pub(crate) async fn known_project(
        &self,
        name: Option<&str>,
    ) -> Result<Option<Project>, EngineError> {
        let name = checked_name(name.unwrap_or(DEFAULT_PROJECT))?;
        Ok(self.store.project_named(name).await?)
    }

    /// The project of this name, which must exist.
    pub async fn existing_project(&self, name: Option<&str>) -> Result<Project, EngineError> {
        match self.known_project(name).await? {
            Some(project) => Ok(project),
            None => {
                let known: Vec<String> =
                    self.store.projects().await?.into_iter().map(|project| project.name).collect();
                let mend = match known.as_slice() {
                    [] => "add files first: dossier index PATH".to_owned(),
                    known => format!("known projects: {}", known.join(", ")),
                };
                let name = name.unwrap_or(DEFAULT_PROJECT);
                Err(EngineError::not_found("project", name, mend))
            }
        }
    }

    /// Refuses a project that was hidden or forgotten since someone looked it up.
    pub(crate) async fn expect_project(&self, id: &ProjectId) -> Result<(), EngineError> {
        match self.store.project(id).await? {
            Some(_) => Ok(()),
            None => Err(EngineError::not_found("project", id.as_str(), "it was forgotten")),
        }
    }

    /// Whether a project that is to be there has files.
    pub(crate) async fn has_files(&self, id: &ProjectId) -> Result<bool, EngineError> {
        let has_files = self.store.project_has_files(id).await?;
        has_files.ok_or_else(|| EngineError::not_found("project", id.as_str(), "it was forgotten"))
    }

    pub async fn projects(&self) -> Result<Vec<Project>, EngineError> {
        Ok(self.store.projects().await?)
    }

    /// What was said in a thread, in order.
    pub async fn messages(&self, thread: &ThreadId) -> Result<Vec<Message>, EngineError> {
        Ok(self.store.messages(thread).await?)
    }

    /// The thread with this id, or with this title in the project.
    pub async fn thread(&self, project: &ProjectId, name: &str) -> Result<Thread, EngineError> {
        if let Some(thread) = self.store.thread(&ThreadId::from(name)).await?
            && thread.project == *project
        {
            return Ok(thread);
        }
        let threads = self.store.threads(project).await?;
        let titled = |thread: &&Thread| thread.title.as_deref() == Some(name);
        match threads.iter().filter(titled).collect::<Vec<_>>().as_slice() {
            [thread] => Ok((*thread).clone()),
            [_, _, ..] => {
                let ids: Vec<&str> =
                    threads.iter().filter(titled).map(|thread| thread.id.as_str()).collect();
                Err(EngineError::Invalid(format!(
                    "{} threads are called `{name}`; name one by its id: {}",
                    ids.len(),
                    ids.join(", ")
                )))
            }
            [] => {
                let title =
                    |thread: &Thread| thread.title.clone().unwrap_or_else(|| thread.id.to_string());
                let known: Vec<String> = threads.iter().take(10).map(title).collect();
                let mend = match known.as_slice() {
                    [] => "the project has none; bring one in: dossier import FILE".to_owned(),
                    known => format!("known threads: {}", known.join(", ")),
                };
                Err(EngineError::not_found("thread", name, mend))
            }
        }
    }
}

pub(crate) fn checked_name(name: &str) -> Result<&str, EngineError> {
    let name = name.trim();
    if name.is_empty() || name.len() > 200 || name.chars().any(char::is_control) {
        return Err(EngineError::Invalid(
            "a project's name has 1 to 200 characters and no control characters".to_owned(),
        ));
    }
    Ok(name)
}
