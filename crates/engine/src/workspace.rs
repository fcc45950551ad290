//! The engine and one owner's view of it. Everything a door can ask is asked of a [`Workspace`],
//! so no request goes without an owner.

use crate::error::EngineError;
use crate::mint;
use dossier_core::id::{OwnerId, ProjectId, ThreadId};
use dossier_core::time::Timestamp;
use dossier_embed::Embedder;
use dossier_store::{OwnerStore, Project, Store, Thread};
use std::sync::Arc;

/// The project that things belong to when none is named.
const DEFAULT_PROJECT: &str = "default";

/// A store and an embedder. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) store: Store,
    embedder: Arc<Embedder>,
}

impl Engine {
    /// Opens the database at this URL, making it if it is an SQLite file that does not exist.
    pub async fn open(database: &str, embedder: Embedder) -> Result<Self, EngineError> {
        let store = Store::open(database).await?;
        Ok(Self { store, embedder: Arc::new(embedder) })
    }

    /// The same for whoever only wants to read: a missing SQLite file stays missing.
    pub async fn open_existing(database: &str, embedder: Embedder) -> Result<Self, EngineError> {
        let store = Store::open_existing(database).await?;
        Ok(Self { store, embedder: Arc::new(embedder) })
    }

    /// The same store with another embedder.
    pub fn with_embedder(self, embedder: Embedder) -> Self {
        Self { embedder: Arc::new(embedder), ..self }
    }

    pub fn owner(&self, owner: &OwnerId) -> Workspace {
        Workspace { store: self.store.owner(owner), embedder: Arc::clone(&self.embedder) }
    }

    pub async fn close(&self) {
        self.store.close().await;
    }
}

/// What one owner can do.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(crate) store: OwnerStore,
    pub(crate) embedder: Arc<Embedder>,
}

impl Workspace {
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
            Ok(()) => Ok(project),
            // Another process was quicker: its project is the one.
            Err(error) => self.store.project_named(name).await?.ok_or(error.into()),
        }
    }

    /// The project of this name, which must exist.
    pub async fn existing_project(&self, name: Option<&str>) -> Result<Project, EngineError> {
        let name = checked_name(name.unwrap_or(DEFAULT_PROJECT))?;
        match self.store.project_named(name).await? {
            Some(project) => Ok(project),
            None => {
                let known: Vec<String> =
                    self.store.projects().await?.into_iter().map(|project| project.name).collect();
                let mend = match known.as_slice() {
                    [] => "add files first: dossier index PATH".to_owned(),
                    known => format!("known projects: {}", known.join(", ")),
                };
                Err(EngineError::not_found("project", name, mend))
            }
        }
    }

    pub async fn projects(&self) -> Result<Vec<Project>, EngineError> {
        Ok(self.store.projects().await?)
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

fn checked_name(name: &str) -> Result<&str, EngineError> {
    let name = name.trim();
    if name.is_empty() || name.len() > 200 || name.chars().any(char::is_control) {
        return Err(EngineError::Invalid(
            "a project's name has 1 to 200 characters and no control characters".to_owned(),
        ));
    }
    Ok(name)
}
