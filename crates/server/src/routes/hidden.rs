//! Deleting, which hides for a while, and what can still be brought back.

use crate::body::{PathOf, QueryOf};
use crate::page::PageQuery;
use crate::problem::{Code, Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use dossier_engine::{Action, Change, Hidden, Holding, Removal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteQuery {
    /// Delete at once and for good, what is hidden as well; otherwise it can be brought back for
    /// some days.
    #[serde(default)]
    pub now: bool,
}

/// What was deleted, and until when it can be brought back.
#[derive(Debug, Serialize, ToSchema)]
pub struct HiddenResponse {
    pub id: String,
    pub kind: HiddenKind,
    /// The project it is, or is in.
    pub project_id: String,
    /// Name, title or path.
    pub name: String,
    #[schema(format = DateTime)]
    pub deleted_at: String,
    /// Until then `POST /api/hidden/{id}/restore` brings it back.
    #[schema(format = DateTime)]
    pub restorable_until: String,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HiddenKind {
    Project,
    Conversation,
    File,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AllHiddenResponse {
    /// The last deleted first.
    pub hidden: Vec<HiddenResponse>,
    pub next_cursor: Option<String>,
}

impl From<Hidden> for HiddenResponse {
    fn from(hidden: Hidden) -> Self {
        Self {
            id: hidden.holding.as_str().to_owned(),
            kind: match &hidden.holding {
                Holding::Project(_) => HiddenKind::Project,
                Holding::Thread(_) => HiddenKind::Conversation,
                Holding::File(_) => HiddenKind::File,
            },
            project_id: hidden.project.to_string(),
            name: hidden.name,
            deleted_at: hidden.hidden_at.to_string(),
            restorable_until: hidden.purge_at.to_string(),
        }
    }
}

/// What came of deleting.
#[derive(Debug)]
pub struct Removed(Option<HiddenResponse>);

impl IntoResponse for Removed {
    fn into_response(self) -> Response {
        match self.0 {
            Some(hidden) => Json(hidden).into_response(),
            None => StatusCode::NO_CONTENT.into_response(),
        }
    }
}

/// How the query wants something to be deleted.
pub async fn removal(
    door: &Door,
    caller: &Caller,
    query: &DeleteQuery,
) -> Result<Removal, Problem> {
    Ok(match query.now {
        true => Removal::Now,
        false => Removal::After { days: door.settings.grace_days(&caller.held().await?) },
    })
}

/// Deletes something as the query says.
pub async fn remove(
    door: &Door,
    caller: &Caller,
    holding: &Holding,
    query: &DeleteQuery,
) -> Result<Removed, Problem> {
    let removal = removal(door, caller, query).await?;
    let hidden = caller.workspace.remove(holding, removal, caller.now).await?;
    Ok(Removed(hidden.map(Into::into)))
}

/// List what was deleted and can be brought back
#[utoipa::path(
    get,
    path = "/api/hidden",
    operation_id = "list_hidden",
    tag = "projects",
    params(PageQuery),
    responses((status = 200, body = AllHiddenResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    QueryOf(page): QueryOf<PageQuery>,
) -> Result<Json<AllHiddenResponse>, Problem> {
    let mut hidden = caller.workspace.hidden(caller.now).await?;
    // The newest first, and a place in the list that stays when newer ones come.
    let place = |hidden: &Hidden| {
        let newest_first = i64::MAX - hidden.hidden_at.as_millis();
        format!("{newest_first:020} {}", hidden.holding.as_str())
    };
    hidden.sort_by_key(place);
    let (hidden, next_cursor) = page.cut(hidden, place)?;
    Ok(Json(AllHiddenResponse {
        hidden: hidden.into_iter().map(Into::into).collect(),
        next_cursor,
    }))
}

/// Bring something back that was deleted
#[utoipa::path(
    post,
    path = "/api/hidden/{id}/restore",
    operation_id = "restore_hidden",
    tag = "projects",
    params(("id" = String, Path, description = "The id of the project, conversation or file")),
    responses((status = 200, body = HiddenResponse, description = "It is back"), Problems)
)]
pub async fn restore(
    caller: Caller,
    PathOf(id): PathOf<String>,
) -> Result<Json<HiddenResponse>, Problem> {
    let hidden = caller.workspace.hidden(caller.now).await?;
    let missing = || {
        let detail =
            format!("nothing of the id `{id}` can be brought back; GET /api/hidden lists what can");
        Problem::new(Code::NotFound, detail)
    };
    let hidden =
        hidden.into_iter().find(|hidden| hidden.holding.as_str() == id).ok_or_else(missing)?;
    if !caller.workspace.bring_back(&hidden).await? {
        return Err(missing());
    }
    caller.tell(match &hidden.holding {
        Holding::Project(id) => Change::project(Action::Created, id),
        Holding::Thread(id) => Change::conversation(Action::Created, &hidden.project, id),
        Holding::File(id) => Change::file(Action::Created, &hidden.project, id),
    });
    Ok(Json(hidden.into()))
}
