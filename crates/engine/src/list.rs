//! What there is: projects with what they hold, threads, files.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_store::{Project, ProjectCounts};

/// A project and how much it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectSummary {
    pub project: Project,
    pub counts: ProjectCounts,
}

impl Workspace {
    /// All projects with their counts, by name.
    pub async fn project_summaries(&self) -> Result<Vec<ProjectSummary>, EngineError> {
        let mut counts = self.store.project_counts().await?;
        let projects = self.store.projects().await?.into_iter();
        Ok(projects
            .map(|project| {
                let counts = counts.remove(&project.id).unwrap_or_default();
                ProjectSummary { project, counts }
            })
            .collect())
    }
}
