//! One call of a tool: for whom it is made, and when.

use dossier_core::time::Timestamp;
use dossier_engine::{EngineError, Project, Roots, Workspace};

/// What a tool works with.
#[derive(Debug, Clone)]
pub struct Call {
    pub workspace: Workspace,
    /// The project that is meant when none is named.
    pub usual_project: Option<String>,
    /// The model that is asked when none is named.
    pub usual_model: Option<String>,
    /// The folders that files may be read from.
    pub roots: Roots,
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
}
