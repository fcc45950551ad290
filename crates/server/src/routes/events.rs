//! What changed, as it happens, for other tabs and programs of the same owner.

use crate::events::{Change, Heard, Listener};
use crate::problem::Problems;
use crate::sse;
use crate::state::{Caller, Door};
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::Event;
use futures_util::stream::unfold;

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
            content((Change = "text/event-stream"))
        ),
        Problems
    )
)]
pub async fn events(State(door): State<Door>, caller: Caller) -> impl IntoResponse {
    let listener = door.events.listen(caller.owner().clone());
    let events = unfold(listener, async |mut listener: Listener| {
        let event = match listener.next().await? {
            Heard::Change(change) => {
                let data = serde_json::to_string(&change).unwrap_or_default();
                Event::default().event("change").data(data)
            }
            Heard::Gap => Event::default().event("gap").data("{}"),
        };
        Some((event, listener))
    });
    sse::stream(&door, events)
}
