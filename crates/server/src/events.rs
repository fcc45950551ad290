//! What changed, told to the other clients of the same owner as it happens. Nothing is kept: who
//! was away, or too slow, is told to look again.

use dossier_core::id::{FileId, OwnerId, ProjectId, ThreadId};
use serde::Serialize;
use tokio::sync::broadcast;
use utoipa::ToSchema;

/// How many changes a slow client may be behind.
const BEHIND: usize = 256;

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    Project,
    File,
    Conversation,
    Settings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Created,
    Changed,
    Deleted,
}

/// Something that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Change {
    pub subject: Subject,
    pub action: Action,
    /// None for the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
}

impl Change {
    pub fn project(action: Action, id: &ProjectId) -> Self {
        let id = Some(id.to_string());
        Self { subject: Subject::Project, action, project_id: id.clone(), id }
    }

    pub fn file(action: Action, project: &ProjectId, id: &FileId) -> Self {
        let project_id = Some(project.to_string());
        Self { subject: Subject::File, action, id: Some(id.to_string()), project_id }
    }

    pub fn conversation(action: Action, project: &ProjectId, id: &ThreadId) -> Self {
        let project_id = Some(project.to_string());
        Self { subject: Subject::Conversation, action, id: Some(id.to_string()), project_id }
    }

    pub fn settings() -> Self {
        Self { subject: Subject::Settings, action: Action::Changed, id: None, project_id: None }
    }
}

/// The line on which changes are told.
#[derive(Debug)]
pub struct Events(broadcast::Sender<(OwnerId, Change)>);

impl Default for Events {
    fn default() -> Self {
        Self(broadcast::Sender::new(BEHIND))
    }
}

impl Events {
    /// Nobody need listen.
    pub fn send(&self, owner: &OwnerId, change: Change) {
        let _ = self.0.send((owner.clone(), change));
    }

    pub fn listeners(&self) -> usize {
        self.0.receiver_count()
    }

    pub fn listen(&self, owner: OwnerId) -> Listener {
        Listener { owner, changes: self.0.subscribe() }
    }
}

/// What one client hears.
#[derive(Debug)]
pub struct Listener {
    owner: OwnerId,
    changes: broadcast::Receiver<(OwnerId, Change)>,
}

/// What is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    Change(Change),
    /// Some changes were missed.
    Gap,
}

impl Listener {
    /// The next change of the owner; none when there will be no more.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            match self.changes.recv().await {
                Ok((owner, change)) if owner == self.owner => return Some(Heard::Change(change)),
                Ok(_) => {}
                Err(broadcast::error::RecvError::Lagged(_)) => return Some(Heard::Gap),
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }
}
