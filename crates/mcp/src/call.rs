//! One call of a tool: for whom it is made, and when.

use crate::client::{Client, Unanswered};
use crate::options::{ClientRoots, Usual};
use crate::sampling;
use crate::tool::Refusal;
use dossier_core::time::Timestamp;
use dossier_engine::{ChatModel, EngineError, Project, Removal, Roots, TurnEvent, Workspace};
use percent_encoding::percent_decode_str;
use std::path::PathBuf;
use std::sync::Arc;

/// Told to nobody: the client is asked for its input instead.
const LATER: &str = "the client is asked first";

/// What a tool works with.
#[derive(Debug, Clone)]
pub struct Call {
    pub workspace: Workspace,
    /// The project that is meant when none is named.
    pub usual_project: Option<String>,
    pub usual: Usual,
    /// The folders that files may be read from, as far as the program was told.
    pub roots: Roots,
    pub client_roots: ClientRoots,
    pub client: Client,
    /// What the call is called where a client makes it in several rounds.
    pub name: Option<String>,
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
    /// is believed. One that is not there, or not any more, keeps nobody from the others.
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
        Ok(Roots::existing(&folders))
    }

    /// The client's own model, where it can be asked and nobody else can.
    pub fn stand_in(&self) -> Result<Option<Arc<dyn ChatModel>>, EngineError> {
        let Some(model) = sampling::model(&self.client) else { return Ok(None) };
        let is_alone = self.usual.model.is_none() && !self.workspace.has_provider()?;
        Ok(is_alone.then_some(model))
    }

    /// How what is deleted goes.
    pub fn removal(&self, at_once: bool) -> Removal {
        match at_once {
            true => Removal::Now,
            false => Removal::After { days: self.usual.grace_days },
        }
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
}

/// The folder that a URI names.
fn folder(uri: &str) -> Option<PathBuf> {
    let path = percent_decode_str(uri.strip_prefix("file://")?).decode_utf8().ok()?;
    path.starts_with('/').then(|| PathBuf::from(path.as_ref()))
}
