//! What changed, told to whoever listens as it happens, through whichever door it was done.
//! Nothing is kept: who was away, or too slow, is told to look again.

use dossier_core::id::{FactId, FileId, OwnerId, PersonaId, ProjectId, ThreadId};
use dossier_core::refs::RefName;
use std::sync::Arc;
use tokio::sync::broadcast;

/// How many changes a slow client may be behind.
const BEHIND: usize = 256;

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Project,
    File,
    Conversation,
    Persona,
    Fact,
    Ref,
    Settings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Created,
    Changed,
    Deleted,
}

/// Something that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub subject: Subject,
    pub action: Action,
    /// None for the settings.
    pub id: Option<String>,
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

    pub fn persona(action: Action, id: &PersonaId) -> Self {
        let id = Some(id.to_string());
        Self { subject: Subject::Persona, action, id, project_id: None }
    }

    pub fn fact(action: Action, project: &ProjectId, id: &FactId) -> Self {
        let project_id = Some(project.to_string());
        Self { subject: Subject::Fact, action, id: Some(id.to_string()), project_id }
    }

    /// A ref by the name that texts show.
    pub fn reference(action: Action, project: Option<&ProjectId>, name: &RefName) -> Self {
        let project_id = project.map(ToString::to_string);
        Self { subject: Subject::Ref, action, id: Some(name.to_string()), project_id }
    }

    pub fn settings() -> Self {
        Self { subject: Subject::Settings, action: Action::Changed, id: None, project_id: None }
    }
}

/// The line on which changes are told.
#[derive(Debug)]
pub struct Changes {
    line: broadcast::Sender<(OwnerId, Change)>,
    /// One more for each client that listens.
    clients: Arc<()>,
}

impl Default for Changes {
    fn default() -> Self {
        Self { line: broadcast::Sender::new(BEHIND), clients: Arc::default() }
    }
}

impl Changes {
    /// Nobody need listen.
    pub(crate) fn send(&self, owner: &OwnerId, change: Change) {
        let _ = self.line.send((owner.clone(), change));
    }

    /// How many clients listen.
    pub fn clients(&self) -> usize {
        Arc::strong_count(&self.clients) - 1
    }

    /// For a client, which hears what its owner changes.
    pub fn listen(&self, owner: OwnerId) -> Listener {
        let client = Some(Arc::clone(&self.clients));
        Listener { owner: Some(owner), changes: self.line.subscribe(), _client: client }
    }

    /// For whoever looks after all owners.
    pub fn listen_to_all(&self) -> Listener {
        Listener { owner: None, changes: self.line.subscribe(), _client: None }
    }
}

/// What somebody hears.
#[derive(Debug)]
pub struct Listener {
    /// None hears everybody.
    owner: Option<OwnerId>,
    changes: broadcast::Receiver<(OwnerId, Change)>,
    _client: Option<Arc<()>>,
}

/// What is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    Change(OwnerId, Change),
    /// Some changes were missed.
    Gap,
}

impl Listener {
    /// The next change; none when there will be no more.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            match self.changes.recv().await {
                Ok((owner, change)) if self.owner.as_ref().is_none_or(|own| *own == owner) => {
                    return Some(Heard::Change(owner, change));
                }
                Ok(_) => {}
                Err(broadcast::error::RecvError::Lagged(_)) => return Some(Heard::Gap),
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }
}
