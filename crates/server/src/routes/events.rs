//! What changed, as it happens, for other tabs and programs of the same owner.

use crate::problem::Problems;
use crate::sse;
use crate::state::{Caller, Door};
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::Event;
use dossier_engine::{Action, Change, Heard, Listener, Subject};
use futures_util::stream::unfold;
use serde::Serialize;
use utoipa::ToSchema;

/// What a change is about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Subject)]
enum SubjectResponse {
    Project,
    File,
    Conversation,
    Persona,
    Fact,
    Ref,
    Settings,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Action)]
enum ActionResponse {
    Created,
    Changed,
    Deleted,
}

/// Something that was written.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Change)]
struct ChangeResponse {
    subject: SubjectResponse,
    action: ActionResponse,
    /// None for the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<String>,
}

impl From<Change> for ChangeResponse {
    fn from(change: Change) -> Self {
        Self {
            subject: match change.subject {
                Subject::Project => SubjectResponse::Project,
                Subject::File => SubjectResponse::File,
                Subject::Conversation => SubjectResponse::Conversation,
                Subject::Persona => SubjectResponse::Persona,
                Subject::Fact => SubjectResponse::Fact,
                Subject::Ref => SubjectResponse::Ref,
                Subject::Settings => SubjectResponse::Settings,
            },
            action: match change.action {
                Action::Created => ActionResponse::Created,
                Action::Changed => ActionResponse::Changed,
                Action::Deleted => ActionResponse::Deleted,
            },
            id: change.id,
            project_id: change.project_id,
        }
    }
}

/// Follow what changes
///
/// Each event `change` names what was written; `gap` says that some were missed, and whoever shows
/// things should fetch them again.
#[utoipa::path(
    get,
    path = "/api/events",
    operation_id = "follow_changes",
    tag = "live",
    responses(
        (
            status = 200,
            description = "A stream without an end",
            content((ChangeResponse = "text/event-stream"))
        ),
        Problems
    )
)]
pub async fn events(State(door): State<Door>, caller: Caller) -> impl IntoResponse {
    let listener = door.engine.changes().listen(caller.owner().clone());
    let events = unfold(listener, async |mut listener: Listener| {
        let event = match listener.next().await? {
            Heard::Change(_, change) => {
                let change = ChangeResponse::from(change);
                let data = serde_json::to_string(&change).unwrap_or_default();
                Event::default().event("change").data(data)
            }
            Heard::Gap => Event::default().event("gap").data("{}"),
        };
        Some((event, listener))
    });
    sse::stream(&door, events)
}
