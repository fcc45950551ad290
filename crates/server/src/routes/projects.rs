//! Projects: pieces of work, by id.

use crate::body::{Created, JsonBody, PathOf, QueryOf};
use crate::page::PageQuery;
use crate::problem::{Problem, Problems};
use crate::routes::hidden::{DeleteQuery, HiddenResponse, Removed, remove};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use dossier_core::id::ProjectId;
use dossier_engine::{Action, Change, Holding, Project, ProjectChange};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateProjectRequest {
    /// Unique among the owner's projects.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// What it is about; it stands in every dossier.
    #[serde(default)]
    pub description: String,
    /// `max_context_tokens` bounds the dossiers of the project, `system_prompt` stands at the end
    /// of the system prompt, `budget_usd_per_month` is what its turns may cost.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub settings: Map<String, Value>,
}

/// What is not given stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeProjectRequest {
    #[schema(min_length = 1, max_length = 200)]
    pub name: Option<String>,
    pub description: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub settings: Option<Map<String, Value>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectResponse {
    pub id: String,
    pub name: String,
    pub description: String,
    #[schema(value_type = Object)]
    pub settings: Value,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectsResponse {
    /// By name.
    pub projects: Vec<ProjectResponse>,
    pub next_cursor: Option<String>,
}

impl From<Project> for ProjectResponse {
    fn from(project: Project) -> Self {
        Self {
            id: project.id.to_string(),
            name: project.name,
            description: project.description,
            settings: project.settings,
            created_at: project.created_at.to_string(),
            updated_at: project.updated_at.to_string(),
        }
    }
}

/// List the projects
#[utoipa::path(
    get,
    path = "/api/projects",
    operation_id = "list_projects",
    tag = "projects",
    params(PageQuery),
    responses((status = 200, body = ProjectsResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    QueryOf(page): QueryOf<PageQuery>,
) -> Result<Json<ProjectsResponse>, Problem> {
    let projects = caller.workspace.projects().await?;
    let (projects, next_cursor) = page.cut(projects, |project| project.name.clone())?;
    let projects = projects.into_iter().map(Into::into).collect();
    Ok(Json(ProjectsResponse { projects, next_cursor }))
}

/// Make a project
#[utoipa::path(
    post,
    path = "/api/projects",
    operation_id = "create_project",
    tag = "projects",
    request_body = CreateProjectRequest,
    responses((status = 201, body = ProjectResponse), Problems)
)]
pub async fn create(
    caller: Caller,
    JsonBody(request): JsonBody<CreateProjectRequest>,
) -> Result<Created<ProjectResponse>, Problem> {
    let CreateProjectRequest { name, description, settings } = request;
    let given = ProjectChange {
        name: Some(name),
        description: Some(description),
        settings: Some(settings),
    };
    let project = caller.workspace.create_project(given, caller.now).await?;
    caller.tell(Change::project(Action::Created, &project.id));
    Ok(Created { location: format!("/api/projects/{}", project.id), body: project.into() })
}

/// Look at a project
#[utoipa::path(
    get,
    path = "/api/projects/{id}",
    operation_id = "get_project",
    tag = "projects",
    params(("id" = String, Path, description = "The project's id")),
    responses((status = 200, body = ProjectResponse), Problems)
)]
pub async fn get(
    caller: Caller,
    PathOf(id): PathOf<ProjectId>,
) -> Result<Json<ProjectResponse>, Problem> {
    Ok(Json(caller.workspace.project_by_id(&id).await?.into()))
}

/// Change a project
#[utoipa::path(
    put,
    path = "/api/projects/{id}",
    operation_id = "change_project",
    tag = "projects",
    params(("id" = String, Path, description = "The project's id")),
    request_body = ChangeProjectRequest,
    responses((status = 200, body = ProjectResponse), Problems)
)]
pub async fn change(
    caller: Caller,
    PathOf(id): PathOf<ProjectId>,
    JsonBody(request): JsonBody<ChangeProjectRequest>,
) -> Result<Json<ProjectResponse>, Problem> {
    let ChangeProjectRequest { name, description, settings } = request;
    let change = ProjectChange { name, description, settings };
    let project = caller.workspace.change_project(&id, change, caller.now).await?;
    caller.tell(Change::project(Action::Changed, &id));
    Ok(Json(project.into()))
}

/// Delete a project with everything in it
#[utoipa::path(
    delete,
    path = "/api/projects/{id}",
    operation_id = "delete_project",
    tag = "projects",
    params(("id" = String, Path, description = "The project's id"), DeleteQuery),
    responses(
        (status = 200, body = HiddenResponse, description = "It is hidden"),
        (status = 204, description = "It is gone for good"),
        Problems
    )
)]
pub async fn delete(
    State(door): State<Door>,
    caller: Caller,
    PathOf(id): PathOf<ProjectId>,
    QueryOf(query): QueryOf<DeleteQuery>,
) -> Result<Removed, Problem> {
    let removed = remove(&door, &caller, &Holding::Project(id.clone()), &query).await?;
    caller.tell(Change::project(Action::Deleted, &id));
    Ok(removed)
}
