//! Consulting an assistant about files of this machine: the same as the MCP tools. Files are read
//! only below the folders that whoever started the server has allowed.

use super::happenings::TurnEventResponse;
use super::replies::{Gathered, ReplyResponse};
use super::turns::live;
use crate::body::{JsonBody, PathOf, QueryOf};
use crate::page::PageQuery;
use crate::problem::{Problem, ProblemResponse, Problems};
use crate::sse;
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use dossier_core::id::{ProjectId, TurnId};
use dossier_engine::{
    ConsultDescription, ConsultJob, ConsultRequest as Wanted, ConsultSessionRow, Consultation,
    FilesReport, InlineFile, SessionChoice, Turn, TurnEvent,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConsultRequest {
    /// As `GET /api/consult/assistants` names it, such as `o3`.
    pub assistant: String,
    /// Your name for the conversation: the same name goes on with it.
    #[schema(min_length = 1, max_length = 256)]
    pub session_id: String,
    /// What the assistant is to do.
    #[schema(min_length = 1)]
    pub instructions: String,
    /// Files and folders that hold for the whole session.
    #[serde(default)]
    #[schema(max_items = 10000)]
    pub context: Vec<String>,
    /// Files and folders of this call alone; they are searched, not shown.
    #[serde(default)]
    #[schema(max_items = 10000)]
    pub attachments: Vec<String>,
    /// Files that are shown even beyond the budget.
    #[serde(default)]
    #[schema(max_items = 10000)]
    pub priority_context: Vec<String>,
    /// The project called `default` when not given.
    pub project_id: Option<String>,
    /// Asking again by the same name gives the first result.
    #[schema(min_length = 1, max_length = 200)]
    pub client_message_id: Option<String>,
    /// Answers at once with the id of a job instead of waiting for the assistant.
    #[serde(default)]
    pub start: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConsultResponse {
    /// By which the call is looked after and given up.
    pub turn_id: String,
    pub conversation_id: String,
    /// `working`, `replied`, `failed`, `cancelled` or `interrupted`.
    pub state: String,
    pub reply: Option<ReplyResponse>,
    pub files: ConsultFiles,
}

/// What became of the files of a call.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsultFiles {
    pub sent: usize,
    /// Before the assistant since an earlier call.
    pub unchanged: usize,
    pub searchable: usize,
    pub tokens_sent: u32,
    /// What the whole request took, and the most it may take.
    pub tokens_used: u32,
    pub tokens_limit: u32,
    /// What sending every inline file again would have added.
    pub tokens_saved: u32,
    /// Whether new files are searched from now on.
    pub frozen: bool,
    pub skipped: Vec<ConsultSkipped>,
    /// How many more were left out.
    pub skipped_beyond: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConsultSkipped {
    pub path: String,
    pub reason: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AssistantsResponse {
    pub assistants: Vec<AssistantResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AssistantResponse {
    pub name: String,
    pub model: String,
    /// In tokens.
    pub window: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConsultSessionsResponse {
    pub sessions: Vec<ConsultSessionResponse>,
    pub next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConsultSessionResponse {
    /// The conversation's id.
    pub id: String,
    pub session_id: String,
    pub assistant: String,
    pub project_id: String,
    pub title: Option<String>,
    pub rounds: i64,
    pub created_at: String,
    pub used_at: String,
}

/// A file that stands inline, as it was when it was last sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsultInlineFile {
    pub path: String,
    /// None of a file whose sending is forgotten.
    pub tokens: Option<u32>,
    /// The round whose question it stands in.
    pub round: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConsultDescriptionResponse {
    #[serde(flatten)]
    pub session: ConsultSessionResponse,
    /// Files that stand inline, and whether the list is closed.
    pub inline: usize,
    pub frozen: bool,
    /// The first thousand of them by path.
    pub inline_files: Vec<ConsultInlineFile>,
    pub context: Vec<String>,
    pub tokens_used: u32,
    pub tokens_limit: u32,
    pub tokens_saved: u64,
    /// What became of the files in the last call.
    pub files: Option<ConsultFiles>,
    /// What was asked first and last.
    pub first: Option<String>,
    pub last: Option<String>,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SessionsQuery {
    /// Words in its name, its assistant or its title.
    pub query: Option<String>,
    /// Rows on a page; 100 when not given.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
}

/// Ask an assistant about files
///
/// Answers with JSON when the assistant has replied, with a stream as `POST /api/turn` does, or at
/// once when `start` is true. A session that is busy is waited for.
#[utoipa::path(
    post,
    path = "/api/consult",
    operation_id = "consult",
    tag = "consult",
    request_body = ConsultRequest,
    responses(
        (status = 200, content((ConsultResponse = "application/json"), (TurnEventResponse = "text/event-stream"))),
        (status = 202, body = ConsultResponse, description = "It has been started"),
        (status = 402, body = ProblemResponse, content_type = "application/problem+json"),
        Problems
    )
)]
pub async fn consult(
    State(door): State<Door>,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(request): JsonBody<ConsultRequest>,
) -> Result<Response, Problem> {
    let start = request.start;
    let wanted = wanted(&door, &caller, request).await?;
    if start {
        let job = caller.workspace.start_consult(&wanted).await?;
        let told = ConsultResponse::of_job(&caller, job).await?;
        return Ok((StatusCode::ACCEPTED, Json(told)).into_response());
    }
    let Consultation { mut stream, files } = caller.workspace.consult(&wanted).await?;
    let turn = stream.turn.clone();
    if sse::is_asked_for(&headers) {
        return Ok(live(stream));
    }
    let mut gathered = Gathered::default();
    while let Some((_, event)) = stream.next().await {
        gathered.hear(&event);
    }
    let outcome = gathered.replies(&caller.workspace).await?.pop();
    // What was planned may have been done with less.
    let files = caller.workspace.consult_job(&turn.id).await.map_or(files, |job| job.files);
    Ok(Json(ConsultResponse::new(&turn, outcome, files)).into_response())
}

/// Look after a call
#[utoipa::path(
    get,
    path = "/api/consult/jobs/{id}",
    operation_id = "consult_job",
    tag = "consult",
    params(("id" = String, Path, description = "The call's turn_id")),
    responses((status = 200, body = ConsultResponse), Problems)
)]
pub async fn job(
    caller: Caller,
    PathOf(id): PathOf<TurnId>,
) -> Result<Json<ConsultResponse>, Problem> {
    let job = caller.workspace.consult_job(&id).await?;
    Ok(Json(ConsultResponse::of_job(&caller, job).await?))
}

/// Give a call up
#[utoipa::path(
    post,
    path = "/api/consult/jobs/{id}/cancel",
    operation_id = "cancel_consult",
    tag = "consult",
    params(("id" = String, Path, description = "The call's turn_id")),
    responses((status = 200, body = super::turns::CancelResponse), Problems)
)]
pub async fn cancel(
    caller: Caller,
    PathOf(id): PathOf<TurnId>,
) -> Result<Json<super::turns::CancelResponse>, Problem> {
    let cancelled = caller.workspace.cancel_turn(&id).await?;
    Ok(Json(super::turns::CancelResponse { cancelled }))
}

/// The assistants that can be consulted
#[utoipa::path(
    get,
    path = "/api/consult/assistants",
    operation_id = "assistants",
    tag = "consult",
    responses((status = 200, body = AssistantsResponse), Problems)
)]
pub async fn assistants(caller: Caller) -> Result<Json<AssistantsResponse>, Problem> {
    let assistants = caller.workspace.assistants().await?;
    let assistants = assistants.into_iter().map(|assistant| AssistantResponse {
        name: assistant.name,
        model: assistant.model.full_name(),
        window: assistant.model.window.context,
    });
    Ok(Json(AssistantsResponse { assistants: assistants.collect() }))
}

/// List the sessions, the last used first
#[utoipa::path(
    get,
    path = "/api/consult/sessions",
    operation_id = "consult_sessions",
    tag = "consult",
    params(SessionsQuery),
    responses((status = 200, body = ConsultSessionsResponse), Problems)
)]
pub async fn sessions(
    caller: Caller,
    QueryOf(query): QueryOf<SessionsQuery>,
) -> Result<Json<ConsultSessionsResponse>, Problem> {
    let SessionsQuery { query, limit, cursor } = query;
    let mut sessions = caller.workspace.consult_sessions(query.as_deref(), caller.now).await?;
    // Places grow as times fall.
    let place = |session: &ConsultSessionRow| {
        format!("{:020} {}", i64::MAX - session.used_at.as_millis().max(0), session.id)
    };
    sessions.sort_by_key(place);
    let (sessions, next_cursor) = PageQuery { limit, cursor }.cut(sessions, place)?;
    let sessions = sessions.into_iter().map(Into::into).collect();
    Ok(Json(ConsultSessionsResponse { sessions, next_cursor }))
}

/// Describe a session
#[utoipa::path(
    get,
    path = "/api/consult/sessions/{id}",
    operation_id = "describe_consult_session",
    tag = "consult",
    params(("id" = String, Path, description = "Its id, or its name where only one has it")),
    responses((status = 200, body = ConsultDescriptionResponse), Problems)
)]
pub async fn describe(
    caller: Caller,
    PathOf(id): PathOf<String>,
) -> Result<Json<ConsultDescriptionResponse>, Problem> {
    let described = caller.workspace.describe_consult(&choice(id), caller.now).await?;
    Ok(Json(described.into()))
}

/// Forget which files a session was given
///
/// The next call splits them anew and sends them; what was said stays.
#[utoipa::path(
    post,
    path = "/api/consult/sessions/{id}/reset",
    operation_id = "reset_consult_session",
    tag = "consult",
    params(("id" = String, Path, description = "Its id, or its name where only one has it")),
    responses((status = 200, body = ConsultSessionResponse), Problems)
)]
pub async fn reset(
    caller: Caller,
    PathOf(id): PathOf<String>,
) -> Result<Json<ConsultSessionResponse>, Problem> {
    Ok(Json(caller.workspace.reset_consult(&choice(id), caller.now).await?.into()))
}

fn choice(name: String) -> SessionChoice {
    SessionChoice { name, ..SessionChoice::default() }
}

async fn wanted(door: &Door, caller: &Caller, request: ConsultRequest) -> Result<Wanted, Problem> {
    let workspace = &caller.workspace;
    let project = match request.project_id {
        Some(id) => workspace.project_by_id(&ProjectId::from(id)).await?,
        None => workspace.project(None, caller.now).await?,
    };
    let paths = |paths: Vec<String>| paths.into_iter().map(PathBuf::from).collect();
    Ok(Wanted {
        project,
        assistant: request.assistant,
        session_id: request.session_id,
        instructions: request.instructions,
        context: paths(request.context),
        attachments: paths(request.attachments),
        priority_context: paths(request.priority_context),
        roots: door.options.roots.clone(),
        model: None,
        client_message_id: request.client_message_id,
        now: caller.now,
    })
}

impl ConsultResponse {
    fn new(turn: &Turn, reply: Option<ReplyResponse>, files: FilesReport) -> Self {
        Self {
            turn_id: turn.id.to_string(),
            conversation_id: turn.thread.to_string(),
            state: reply.as_ref().map_or("working", |reply| reply.state).to_owned(),
            reply,
            files: files.into(),
        }
    }

    async fn of_job(caller: &Caller, job: ConsultJob) -> Result<Self, Problem> {
        let mut gathered = Gathered::default();
        if let Some(outcome) = job.outcome {
            gathered.hear(&outcome.map_or_else(|error| error, TurnEvent::Reply));
        }
        let reply = gathered.replies(&caller.workspace).await?.pop();
        Ok(Self::new(&job.turn, reply, job.files))
    }
}

impl From<FilesReport> for ConsultFiles {
    fn from(files: FilesReport) -> Self {
        let skipped = files
            .skipped
            .into_iter()
            .map(|file| ConsultSkipped { path: file.path, reason: file.reason });
        Self {
            sent: files.sent,
            unchanged: files.unchanged,
            searchable: files.searchable,
            tokens_sent: files.tokens_sent,
            tokens_used: files.tokens_used,
            tokens_limit: files.tokens_limit,
            tokens_saved: files.tokens_saved,
            frozen: files.frozen,
            skipped: skipped.collect(),
            skipped_beyond: files.skipped_beyond,
        }
    }
}

impl From<ConsultSessionRow> for ConsultSessionResponse {
    fn from(row: ConsultSessionRow) -> Self {
        Self {
            id: row.id,
            session_id: row.session_id,
            assistant: row.assistant,
            project_id: row.project.to_string(),
            title: row.title,
            rounds: row.rounds,
            created_at: row.created_at.to_string(),
            used_at: row.used_at.to_string(),
        }
    }
}

impl From<ConsultDescription> for ConsultDescriptionResponse {
    fn from(described: ConsultDescription) -> Self {
        Self {
            session: described.session.into(),
            inline: described.inline,
            frozen: described.frozen,
            inline_files: described.inline_files.into_iter().map(Into::into).collect(),
            context: described.context,
            tokens_used: described.tokens_used,
            tokens_limit: described.tokens_limit,
            tokens_saved: described.tokens_saved,
            files: described.files.map(Into::into),
            first: described.first,
            last: described.last,
        }
    }
}

impl From<InlineFile> for ConsultInlineFile {
    fn from(InlineFile { path, tokens, round }: InlineFile) -> Self {
        Self { path, tokens, round }
    }
}
