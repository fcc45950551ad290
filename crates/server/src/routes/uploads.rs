//! Files that come in: one as JSON, or many as a form with a part for each.

use super::files::{FileResponse, MetadataRequest};
use crate::body::{Created, PathOf, QueryOf, media_type, parse, read, too_large};
use crate::problem::{Code, Problem, Problems};
use crate::state::{Caller, Door};
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest as _, Multipart, Request, State};
use axum::http::StatusCode;
use dossier_core::id::ProjectId;
use dossier_engine::{Action, Change, Existing, NewFile, SkippedUpload, Upload, Uploaded};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateFileRequest {
    /// Relative to the project: `docs/plan.md`.
    #[schema(min_length = 1, max_length = 4096)]
    pub path: String,
    /// Up to 10 MiB.
    pub content: String,
    #[serde(default)]
    pub metadata: MetadataRequest,
}

/// A form with a part for each file; its file name is the path in the project.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only the OpenAPI document names it")]
pub struct UploadForm {
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    pub files: Vec<String>,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// Whether a file that is there is replaced; it is refused when not given.
    #[serde(default)]
    pub replace: bool,
}

/// One file that came as JSON, or what became of each part of a form.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum CreateFileResponse {
    One(FileResponse),
    Many(UploadResponse),
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UploadResponse {
    pub files: Vec<FileResponse>,
    /// What was not taken, and why.
    pub skipped: Vec<SkippedResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SkippedResponse {
    pub path: String,
    pub reason: String,
}

impl From<SkippedUpload> for SkippedResponse {
    fn from(SkippedUpload { path, reason }: SkippedUpload) -> Self {
        Self { path, reason }
    }
}

/// Add one file as JSON, or many as a form
#[utoipa::path(
    post,
    path = "/api/projects/{id}/files",
    operation_id = "create_files",
    tag = "files",
    params(("id" = String, Path, description = "The project's id"), UploadQuery),
    request_body(content(
        (CreateFileRequest = "application/json"),
        (UploadForm = "multipart/form-data"),
    )),
    responses((status = 201, body = CreateFileResponse), Problems)
)]
pub async fn create(
    caller: Caller,
    State(door): State<Door>,
    PathOf(project): PathOf<ProjectId>,
    QueryOf(query): QueryOf<UploadQuery>,
    request: Request,
) -> Result<Created<CreateFileResponse>, Problem> {
    let existing = match query.replace {
        true => Existing::Replace,
        false => Existing::Refuse,
    };
    let most = door.options.limits.body_bytes;
    match media_type(request.headers()).as_deref() {
        Some("application/json") => {
            let request = parse(&read(request.into_body(), most).await?)?;
            one(&caller, &project, request, existing).await
        }
        Some("multipart/form-data") => {
            let uploads = uploads(request, most).await?;
            many(&caller, &project, uploads, existing).await
        }
        _ => Err(Problem::new(
            Code::UnsupportedMediaType,
            "send one file as application/json, or many as multipart/form-data",
        )),
    }
}

async fn one(
    caller: &Caller,
    project: &ProjectId,
    request: CreateFileRequest,
    existing: Existing,
) -> Result<Created<CreateFileResponse>, Problem> {
    let CreateFileRequest { path, content, metadata } = request;
    let given = NewFile { path, content, metadata: metadata.into() };
    let file = caller.workspace.create_file(project, given, existing, caller.now).await?;
    caller.tell(Change::file(Action::Created, project, &file.id));
    let location = format!("/api/projects/{project}/files/{}", file.id);
    Ok(Created { location, body: CreateFileResponse::One(file.into()) })
}

async fn many(
    caller: &Caller,
    project: &ProjectId,
    uploads: Vec<Upload>,
    existing: Existing,
) -> Result<Created<CreateFileResponse>, Problem> {
    let uploaded = caller.workspace.upload(project, uploads, existing, caller.now).await?;
    let Uploaded { files, skipped } = uploaded;
    for file in &files {
        caller.tell(Change::file(Action::Created, project, &file.id));
    }
    let body = UploadResponse {
        files: files.into_iter().map(Into::into).collect(),
        skipped: skipped.into_iter().map(Into::into).collect(),
    };
    let location = format!("/api/projects/{project}/files");
    Ok(Created { location, body: CreateFileResponse::Many(body) })
}

/// The files of a form; parts without a file name are no files.
async fn uploads(request: Request, most: usize) -> Result<Vec<Upload>, Problem> {
    let (head, body) = request.into_parts();
    // Counted as a whole before it is taken apart.
    let bytes = read(body, most).await?;
    let request = Request::from_parts(head, bytes.into());
    let mut form = Multipart::from_request(request, &()).await.map_err(|_| {
        Problem::new(Code::MalformedRequest, "the header Content-Type names no boundary")
    })?;
    let broken = |error: MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(most),
        _ => Problem::new(Code::MalformedRequest, "the form is damaged; send it again"),
    };
    let mut uploads = Vec::new();
    while let Some(part) = form.next_field().await.map_err(broken)? {
        let Some(path) = part.file_name().map(str::to_owned) else { continue };
        let content = part.bytes().await.map_err(broken)?.to_vec();
        uploads.push(Upload { path, content });
    }
    if uploads.is_empty() {
        let detail = "the form holds no file; give each part a file name, the path in the project";
        return Err(Problem::new(Code::Invalid, detail));
    }
    Ok(uploads)
}
