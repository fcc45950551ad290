//! One call of a tool: for whom it is made, and when.

use crate::client::{Client, Unanswered};
use crate::options::ClientRoots;
use crate::sampling;
use crate::tool::Refusal;
use dossier_core::profile::ProfileName;
use dossier_core::time::Timestamp;
use dossier_engine::{ChatModel, EngineError, Project, Roots, TurnEvent, Workspace};
use percent_encoding::percent_decode_str;
use std::path::PathBuf;
use std::sync::Arc;

/// Told to nobody: the client is asked for its input instead.
const LATER: &str = "the client is asked first";

/// The provider of models that need none.
const BUILT_IN: &str = "builtin";

/// What a tool works with.
#[derive(Debug, Clone)]
pub struct Call {
    pub workspace: Workspace,
    /// The project that is meant when none is named.
    pub usual_project: Option<String>,
    /// The model that is asked when none is named.
    pub usual_model: Option<String>,
    pub usual_profile: ProfileName,
    /// The folders that files may be read from, as far as the program was told.
    pub roots: Roots,
    pub client_roots: ClientRoots,
    pub client: Client,
    /// What the call is called where a client makes it in several rounds.
    pub name: Option<String>,
    pub grace_days: u32,
    pub now: Timestamp,
}

impl Call {
    /// The project of this name, or the usual one. It has to be there.
    pub async fn project(&self, name: Option<&str>) -> Result<Project, EngineError> {
        self.workspace.existing_project(name.or(self.usual_project.as_deref())).await
    }

    /// The same for a call that stores something: the usual project is made on first use.
    pub async fn project_or_new(&self, name: Option<&str>) -> Result<Project, EngineError> {
        match name {
            Some(name) => self.workspace.existing_project(Some(name)).await,
            None => self.workspace.project(self.usual_project.as_deref(), self.now).await,
        }
    }

    /// The folders that files may be read from: those that the client works in, where it tells and
    /// is believed.
    pub async fn readable(&self) -> Result<Roots, Refusal> {
        if self.client_roots == ClientRoots::Ignored {
            return Ok(self.roots.clone());
        }
        let told = match self.client.roots().await {
            Ok(told) => told.unwrap_or_default(),
            Err(Unanswered::Later) => return Err(Refusal(LATER.to_owned())),
            // It has said that it can tell, and does not.
            Err(Unanswered::Refused(_)) => Vec::new(),
        };
        let folders: Vec<PathBuf> = told.iter().filter_map(|uri| folder(uri)).collect();
        if folders.is_empty() {
            return Ok(self.roots.clone());
        }
        Ok(Roots::new(&folders).map_err(EngineError::from)?)
    }

    /// The client's own model, where it can be asked and nobody else can.
    pub async fn stand_in(&self) -> Result<Option<Arc<dyn ChatModel>>, EngineError> {
        let Some(model) = sampling::model(&self.client) else { return Ok(None) };
        let is_alone = self.usual_model.is_none() && self.has_no_provider().await?;
        Ok(is_alone.then_some(model))
    }

    /// Tells the client what happens in a turn.
    pub fn hear(&self, event: &TurnEvent) {
        match event {
            TurnEvent::Dossier { model, tokens, .. } => {
                self.client.progress(format!("{model} is asked with {tokens} tokens"));
            }
            TurnEvent::Tool { model, name, .. } => {
                self.client.progress(format!("{model} has called {name}"));
            }
            TurnEvent::Delta { text, reasoning, .. } => {
                self.client.answers(text.chars().count() + reasoning.chars().count());
            }
            _ => {}
        }
    }

    async fn has_no_provider(&self) -> Result<bool, EngineError> {
        let assistants = self.workspace.assistants().await?;
        Ok(assistants.iter().all(|assistant| assistant.model.provider == BUILT_IN))
    }
}

/// The folder that a URI names.
fn folder(uri: &str) -> Option<PathBuf> {
    let path = percent_decode_str(uri.strip_prefix("file://")?).decode_utf8().ok()?;
    path.starts_with('/').then(|| PathBuf::from(path.as_ref()))
}
