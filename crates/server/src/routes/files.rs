//! Files of a project, by id. How they come in stands in `uploads`.

use crate::body::{JsonBody, PathOf, QueryOf};
use crate::page::PageQuery;
use crate::problem::{Problem, Problems};
use crate::routes::hidden::{DeleteQuery, HiddenResponse, Removed, remove};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use dossier_core::id::{FileId, ProjectId};
use dossier_engine::{Action, Change, FileChange, FileMetadata, FileRecord, Holding};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FileResponse {
    pub id: String,
    pub project_id: String,
    pub path: String,
    pub mime_type: String,
    pub size_bytes: i64,
    /// SHA-256 of the text.
    pub content_hash: String,
    pub metadata: MetadataResponse,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
}

/// How a file takes part in assembling.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MetadataResponse {
    pub always_in_context: bool,
    pub retrieval_eligible: bool,
    pub tool_accessible: bool,
    pub tags: Vec<String>,
    pub summary: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FilesResponse {
    /// By path.
    pub files: Vec<FileResponse>,
    pub next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FileContentResponse {
    #[serde(flatten)]
    pub file: FileResponse,
    /// Of a document the text that was taken out; null for what is kept without being text.
    pub content: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceFileRequest {
    pub content: String,
    /// Another path in the project; it stays when not given.
    pub path: Option<String>,
}

/// What is not given stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MetadataRequest {
    /// Whether every dossier of the project holds the whole file.
    pub always_in_context: Option<bool>,
    /// Whether search finds it.
    pub retrieval_eligible: Option<bool>,
    /// Whether models may read it by tools.
    pub tool_accessible: Option<bool>,
    #[schema(max_items = 50)]
    pub tags: Option<Vec<String>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub summary: Option<Option<String>>,
}

/// Tells null from nothing.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl From<MetadataRequest> for FileChange {
    fn from(request: MetadataRequest) -> Self {
        Self {
            always_in_context: request.always_in_context,
            retrieval_eligible: request.retrieval_eligible,
            tool_accessible: request.tool_accessible,
            tags: request.tags,
            summary: request.summary,
        }
    }
}

impl From<FileRecord> for FileResponse {
    fn from(file: FileRecord) -> Self {
        Self {
            id: file.id.to_string(),
            project_id: file.project.to_string(),
            path: file.path,
            mime_type: file.mime,
            size_bytes: file.size,
            content_hash: file.content.to_string(),
            metadata: file.metadata.into(),
            created_at: file.created_at.to_string(),
            updated_at: file.updated_at.to_string(),
        }
    }
}

impl From<FileMetadata> for MetadataResponse {
    fn from(metadata: FileMetadata) -> Self {
        Self {
            always_in_context: metadata.always_in_context,
            retrieval_eligible: metadata.retrieval_eligible,
            tool_accessible: metadata.tool_accessible,
            tags: metadata.tags,
            summary: metadata.summary,
        }
    }
}

/// List the files of a project
#[utoipa::path(
    get,
    path = "/api/projects/{id}/files",
    operation_id = "list_files",
    tag = "files",
    params(("id" = String, Path, description = "The project's id"), PageQuery),
    responses((status = 200, body = FilesResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    PathOf(project): PathOf<ProjectId>,
    QueryOf(page): QueryOf<PageQuery>,
) -> Result<Json<FilesResponse>, Problem> {
    let files = caller.workspace.files(&project).await?;
    let (files, next_cursor) = page.cut(files, |file| file.path.clone())?;
    Ok(Json(FilesResponse { files: files.into_iter().map(Into::into).collect(), next_cursor }))
}

/// Read a file with its text
#[utoipa::path(
    get,
    path = "/api/projects/{id}/files/{file_id}",
    operation_id = "get_file",
    tag = "files",
    params(
        ("id" = String, Path, description = "The project's id"),
        ("file_id" = String, Path, description = "The file's id"),
    ),
    responses((status = 200, body = FileContentResponse), Problems)
)]
pub async fn get(
    caller: Caller,
    PathOf((project, id)): PathOf<(ProjectId, FileId)>,
) -> Result<Json<FileContentResponse>, Problem> {
    let file = caller.workspace.file(&project, &id).await?;
    let content = caller.workspace.file_text(&file).await?;
    Ok(Json(FileContentResponse { file: file.into(), content }))
}

/// Give a file another text
#[utoipa::path(
    put,
    path = "/api/projects/{id}/files/{file_id}",
    operation_id = "replace_file",
    tag = "files",
    params(
        ("id" = String, Path, description = "The project's id"),
        ("file_id" = String, Path, description = "The file's id"),
    ),
    request_body = ReplaceFileRequest,
    responses((status = 200, body = FileResponse), Problems)
)]
pub async fn replace(
    caller: Caller,
    PathOf((project, id)): PathOf<(ProjectId, FileId)>,
    JsonBody(request): JsonBody<ReplaceFileRequest>,
) -> Result<Json<FileResponse>, Problem> {
    let ReplaceFileRequest { content, path } = request;
    let Caller { workspace, now, .. } = &caller;
    let file = workspace.replace_file(&project, &id, path.as_deref(), content, *now).await?;
    caller.tell(Change::file(Action::Changed, &project, &id));
    Ok(Json(file.into()))
}

/// Delete a file
#[utoipa::path(
    delete,
    path = "/api/projects/{id}/files/{file_id}",
    operation_id = "delete_file",
    tag = "files",
    params(
        ("id" = String, Path, description = "The project's id"),
        ("file_id" = String, Path, description = "The file's id"),
        DeleteQuery
    ),
    responses(
        (status = 200, body = HiddenResponse, description = "It is hidden"),
        (status = 204, description = "It is gone for good"),
        Problems
    )
)]
pub async fn delete(
    State(door): State<Door>,
    caller: Caller,
    PathOf((project, id)): PathOf<(ProjectId, FileId)>,
    QueryOf(query): QueryOf<DeleteQuery>,
) -> Result<Removed, Problem> {
    caller.workspace.expect_file(&project, &id).await?;
    let removed = remove(&door, &caller, &Holding::File(id.clone()), &query).await?;
    caller.tell(Change::file(Action::Deleted, &project, &id));
    Ok(removed)
}

/// Change how a file takes part in assembling
#[utoipa::path(
    patch,
    path = "/api/projects/{id}/files/{file_id}/metadata",
    operation_id = "change_file_metadata",
    tag = "files",
    params(
        ("id" = String, Path, description = "The project's id"),
        ("file_id" = String, Path, description = "The file's id"),
    ),
    request_body = MetadataRequest,
    responses((status = 200, body = FileResponse), Problems)
)]
pub async fn change_metadata(
    caller: Caller,
    PathOf((project, id)): PathOf<(ProjectId, FileId)>,
    JsonBody(request): JsonBody<MetadataRequest>,
) -> Result<Json<FileResponse>, Problem> {
    let file = caller.workspace.change_file(&project, &id, request.into(), caller.now).await?;
    caller.tell(Change::file(Action::Changed, &project, &id));
    Ok(Json(file.into()))
}
