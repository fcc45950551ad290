//! Conversations: threads of messages, brought in, read, named, written out and deleted.

use crate::body::{Created, JsonBody, PathOf, QueryOf};
use crate::page::{PageQuery, cursor};
use crate::problem::{Code, Problem, Problems};
use crate::routes::hidden::{DeleteQuery, HiddenResponse, Removed, remove};
use crate::routes::replies::ReplyResponse;
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use dossier_core::exchange::{Conversation, ConversationMessage};
use dossier_core::id::{MessageId, ProjectId, ThreadId};
use dossier_core::message::Message;
use dossier_core::time::Timestamp;
use dossier_engine::{
    Action, Asked, Change, Format, Holding, Imported, MessagePage, Noted, Outcome, Thread, ToolRun,
    persona_of,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct ConversationResponse {
    pub id: String,
    pub project_id: String,
    pub title: Option<String>,
    /// What was said lately, in two or three sentences; written every ten rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// A message of the user and the replies to it are a round.
    pub rounds: i64,
    /// Of a branch: where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branched_from: Option<BranchedFromResponse>,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
}

/// The conversation that a branch departs from.
#[derive(Debug, Serialize, ToSchema)]
pub struct BranchedFromResponse {
    pub conversation_id: String,
    /// The last message that both have; none where a client has told the conversation anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConversationsResponse {
    /// The last used first.
    pub conversations: Vec<ConversationResponse>,
    pub next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConversationMessagesResponse {
    #[serde(flatten)]
    pub conversation: ConversationResponse,
    /// The persona whose conversation it is; it goes on at `/api/personas/{id}/chat` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona_id: Option<String>,
    /// Whether it is a session of `/api/consult`, which goes on there with its files.
    pub is_consultation: bool,
    /// In their order.
    pub messages: Vec<MessageResponse>,
    pub next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MessageResponse {
    pub id: String,
    /// `user`, `agent`, `tool` or `system`.
    #[schema(value_type = String)]
    pub role: &'static str,
    /// Such as `user`, `agent:<model>`, or the name of a person.
    pub speaker: String,
    pub round: i64,
    pub section: Option<String>,
    /// Secrets are masked.
    pub content: String,
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Of a question: what became of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<AskedResponse>,
    /// Of a reply: the tools that were run for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolRunResponse>,
    /// Of a reply: what the model thought, as far as it showed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thoughts: Option<String>,
    /// Of a reply: the receipt of what its model was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_id: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ToolRunResponse {
    pub name: String,
    /// As the model wrote them; secrets are masked.
    pub arguments: String,
    pub failed: bool,
    /// Of its result.
    pub tokens: u32,
}

impl From<&ToolRun> for ToolRunResponse {
    fn from(run: &ToolRun) -> Self {
        let ToolRun { name, arguments, failed, tokens } = run.clone();
        Self { name, arguments, failed, tokens }
    }
}

/// A message and where it was said.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundMessageResponse {
    pub conversation_id: String,
    #[serde(flatten)]
    pub message: MessageResponse,
}

/// A turn in which a question was asked.
#[derive(Debug, Serialize, ToSchema)]
pub struct AskedResponse {
    pub turn_id: String,
    /// In the order in which the models were named, without their texts.
    pub replies: Vec<ReplyResponse>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// By which the conversation is known when it comes again; without it only an equal one is.
    pub id: Option<String>,
    pub title: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub created_at: Option<Timestamp>,
    #[schema(min_items = 1)]
    pub messages: Vec<ImportMessage>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportMessage {
    pub id: Option<String>,
    /// `user`, `assistant`, `agent:<model>`, `tool`, `system`, or the name of a person.
    pub speaker: String,
    pub content: String,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub created_at: Option<Timestamp>,
    /// A named part of the conversation, such as a day.
    pub section: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ImportResponse {
    pub conversation_id: String,
    pub outcome: ImportOutcome,
    /// The ids of the messages, in their order.
    pub message_ids: Vec<String>,
    /// How many of them are new.
    pub added: usize,
}

/// What became of the conversation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    New,
    /// It was here, and got the messages that it lacked.
    Extended,
    Here,
    /// One of the same id differs from it, so it is a new one.
    Diverged,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TitleRequest {
    #[schema(min_length = 1, max_length = 500)]
    pub title: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    pub format: ExportFormat,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    Markdown,
    Json,
}

impl From<Thread> for ConversationResponse {
    fn from(thread: Thread) -> Self {
        let from = |key: &str| {
            let from = thread.context_state.get("branched_from")?.get(key)?.as_str()?;
            Some(from.to_owned())
        };
        let branched_from = from("thread").map(|conversation_id| BranchedFromResponse {
            conversation_id,
            message_id: from("message"),
        });
        Self {
            branched_from,
            id: thread.id.to_string(),
            project_id: thread.project.to_string(),
            title: thread.title,
            summary: thread.summary,
            rounds: thread.round_count,
            created_at: thread.created_at.to_string(),
            updated_at: thread.updated_at.to_string(),
        }
    }
}

impl From<Message> for MessageResponse {
    fn from(message: Message) -> Self {
        Self {
            id: message.id.to_string(),
            role: message.speaker.role.as_str(),
            speaker: message.speaker.to_string(),
            round: message.round,
            section: message.section,
            content: message.content,
            created_at: message.created_at.to_string(),
            turns: Vec::new(),
            tools: Vec::new(),
            thoughts: None,
            receipt_id: None,
        }
    }
}

impl MessageResponse {
    /// Notes a model that was asked with this message.
    fn was_asked(&mut self, asked: &Asked, noted: Option<&Noted>) {
        let cached = noted.and_then(|noted| noted.cached.as_ref()).map(Into::into);
        let reply = ReplyResponse { cached, ..ReplyResponse::asked(asked) };
        match self.turns.last_mut().filter(|turn| turn.turn_id == asked.turn.as_str()) {
            Some(turn) => turn.replies.push(reply),
            None => self
                .turns
                .push(AskedResponse { turn_id: asked.turn.to_string(), replies: vec![reply] }),
        }
    }
}

impl From<ImportRequest> for Conversation {
    fn from(request: ImportRequest) -> Self {
        let message = |message: ImportMessage| ConversationMessage {
            id: message.id,
            speaker: message.speaker,
            content: message.content,
            created_at: message.created_at,
            section: message.section,
        };
        Self {
            id: request.id.map(|id| format!("api:{id}")),
            title: request.title,
            created_at: request.created_at,
            messages: request.messages.into_iter().map(message).collect(),
            ..Self::default()
        }
    }
}

impl From<Imported> for ImportResponse {
    fn from(imported: Imported) -> Self {
        Self {
            conversation_id: imported.thread.to_string(),
            outcome: match imported.outcome {
                Outcome::New => ImportOutcome::New,
                Outcome::Extended => ImportOutcome::Extended,
                Outcome::Here => ImportOutcome::Here,
                Outcome::Diverged => ImportOutcome::Diverged,
            },
            message_ids: imported.messages.iter().map(ToString::to_string).collect(),
            added: imported.added,
        }
    }
}

/// List the conversations of a project
#[utoipa::path(
    get,
    path = "/api/projects/{id}/conversations",
    operation_id = "list_conversations",
    tag = "conversations",
    params(("id" = String, Path, description = "The project's id"), PageQuery),
    responses((status = 200, body = ConversationsResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    PathOf(project): PathOf<ProjectId>,
    QueryOf(page): QueryOf<PageQuery>,
) -> Result<Json<ConversationsResponse>, Problem> {
    let threads = caller.workspace.recent_threads(&project).await?;
    // Places grow as times fall.
    let place = |thread: &Thread| {
        format!("{:020} {}", i64::MAX - thread.updated_at.as_millis().max(0), thread.id)
    };
    let (threads, next_cursor) = page.cut(threads, place)?;
    let conversations = threads.into_iter().map(Into::into).collect();
    Ok(Json(ConversationsResponse { conversations, next_cursor }))
}

/// Bring a conversation in
///
/// What is imported is searchable when the call returns. A conversation that comes again is known
/// again: what is new is added.
#[utoipa::path(
    post,
    path = "/api/projects/{id}/conversations/import",
    operation_id = "import_conversation",
    tag = "conversations",
    params(("id" = String, Path, description = "The project's id")),
    request_body = ImportRequest,
    responses(
        (status = 201, description = "It is new", body = ImportResponse),
        (status = 200, description = "It was here", body = ImportResponse),
        Problems
    )
)]
pub async fn import(
    caller: Caller,
    PathOf(project): PathOf<ProjectId>,
    JsonBody(request): JsonBody<ImportRequest>,
) -> Result<Response, Problem> {
    caller.workspace.project_by_id(&project).await?;
    if request.messages.is_empty() {
        return Err(Problem::new(
            Code::Invalid,
            "messages is empty; a conversation has at least one",
        ));
    }
    let imported = caller.workspace.import(&project, &request.into(), caller.now).await?;
    let action = match imported.outcome {
        Outcome::New | Outcome::Diverged => Action::Created,
        Outcome::Extended | Outcome::Here => Action::Changed,
    };
    if imported.outcome != Outcome::Here {
        caller.tell(Change::conversation(action, &project, &imported.thread));
    }
    let location = format!("/api/conversations/{}", imported.thread);
    let body = ImportResponse::from(imported);
    Ok(match action {
        Action::Created => Created { location, body }.into_response(),
        _ => Json(body).into_response(),
    })
}

/// Read a conversation
#[utoipa::path(
    get,
    path = "/api/conversations/{id}",
    operation_id = "get_conversation",
    tag = "conversations",
    params(("id" = String, Path, description = "The conversation's id"), PageQuery),
    responses((status = 200, body = ConversationMessagesResponse), Problems)
)]
pub async fn get(
    caller: Caller,
    PathOf(id): PathOf<ThreadId>,
    QueryOf(page): QueryOf<PageQuery>,
) -> Result<Json<ConversationMessagesResponse>, Problem> {
    let limit = page.limit()?;
    let wrong = || Problem::new(Code::InvalidQuery, "cursor must be the next_cursor of a page");
    let from = match page.after()? {
        Some(place) => place.parse().map_err(|_| wrong())?,
        None => 0,
    };
    let thread = caller.workspace.thread_by_id(&id).await?;
    let page = caller.workspace.messages_from(&id, from, limit).await?;
    let MessagePage { messages, notes, next } = page;
    let told = |message: Message| {
        let noted = notes.get(&message.id).cloned().unwrap_or_default();
        let tools = noted.tools.iter().map(Into::into).collect();
        let receipt_id = noted.receipt.map(|receipt| receipt.to_string());
        MessageResponse { tools, thoughts: noted.thoughts, receipt_id, ..message.into() }
    };
    let mut messages: Vec<MessageResponse> = messages.into_iter().map(told).collect();
    let places: HashMap<String, usize> =
        messages.iter().enumerate().map(|(place, message)| (message.id.clone(), place)).collect();
    for asked in caller.workspace.asked(&id).await? {
        let place = places.get(asked.question.as_str());
        if let Some(message) = place.and_then(|place| messages.get_mut(*place)) {
            let noted = asked.reply.message.as_ref().and_then(|reply| notes.get(reply));
            message.was_asked(&asked, noted);
        }
    }
    Ok(Json(ConversationMessagesResponse {
        persona_id: persona_of(&thread).map(str::to_owned),
        is_consultation: caller.workspace.is_consultation(&id).await?,
        conversation: thread.into(),
        messages,
        next_cursor: next.map(|position| cursor(&position.to_string())),
    }))
}

/// Look at a message, to learn where it was said
#[utoipa::path(
    get,
    path = "/api/messages/{id}",
    operation_id = "get_message",
    tag = "conversations",
    params(("id" = String, Path, description = "The message's id")),
    responses((status = 200, body = FoundMessageResponse), Problems)
)]
pub async fn message(
    caller: Caller,
    PathOf(id): PathOf<MessageId>,
) -> Result<Json<FoundMessageResponse>, Problem> {
    let message = caller.workspace.message(&id).await?;
    let conversation_id = message.thread.to_string();
    Ok(Json(FoundMessageResponse { conversation_id, message: message.into() }))
}

/// Delete a conversation
#[utoipa::path(
    delete,
    path = "/api/conversations/{id}",
    operation_id = "delete_conversation",
    tag = "conversations",
    params(("id" = String, Path, description = "The conversation's id"), DeleteQuery),
    responses(
        (status = 200, body = HiddenResponse, description = "It is hidden"),
        (status = 204, description = "It is gone for good"),
        Problems
    )
)]
pub async fn delete(
    State(door): State<Door>,
    caller: Caller,
    PathOf(id): PathOf<ThreadId>,
    QueryOf(query): QueryOf<DeleteQuery>,
) -> Result<Removed, Problem> {
    let project = caller.workspace.project_of_thread(&id).await?;
    let removed = remove(&door, &caller, &Holding::Thread(id.clone()), &query).await?;
    caller.tell(Change::conversation(Action::Deleted, &project, &id));
    Ok(removed)
}

/// Name a conversation
#[utoipa::path(
    put,
    path = "/api/conversations/{id}/title",
    operation_id = "retitle_conversation",
    tag = "conversations",
    params(("id" = String, Path, description = "The conversation's id")),
    request_body = TitleRequest,
    responses((status = 200, body = ConversationResponse), Problems)
)]
pub async fn retitle(
    caller: Caller,
    PathOf(id): PathOf<ThreadId>,
    JsonBody(request): JsonBody<TitleRequest>,
) -> Result<Json<ConversationResponse>, Problem> {
    let thread = caller.workspace.retitle(&id, &request.title, caller.now).await?;
    caller.tell(Change::conversation(Action::Changed, &thread.project, &id));
    Ok(Json(thread.into()))
}

/// Write a conversation out, as it is stored
#[utoipa::path(
    post,
    path = "/api/conversations/{id}/export",
    operation_id = "export_conversation",
    tag = "conversations",
    params(("id" = String, Path, description = "The conversation's id")),
    request_body = ExportRequest,
    responses(
        (
            status = 200,
            description = "The whole conversation, which import reads back",
            content((String = "text/markdown"), (serde_json::Value = "application/json"))
        ),
        Problems
    )
)]
pub async fn export(
    caller: Caller,
    PathOf(id): PathOf<ThreadId>,
    JsonBody(request): JsonBody<ExportRequest>,
) -> Result<Response, Problem> {
    let (format, media_type, extension) = match request.format {
        ExportFormat::Markdown => (Format::Markdown, "text/markdown; charset=utf-8", "md"),
        ExportFormat::Json => (Format::Json, "application/json", "json"),
    };
    let thread = caller.workspace.thread_by_id(&id).await?;
    let mut text = Vec::new();
    caller.workspace.export_thread(&thread, format, &mut text).await?;
    let name = format!("attachment; filename=\"conversation.{extension}\"");
    let headers =
        [(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchRequest {
    /// The last message of the new conversation.
    pub message_id: String,
    /// Whether the new conversation ends before that message instead, so that it can be said in
    /// other words.
    #[serde(default)]
    pub before: bool,
}

/// Begin a conversation as another one did, up to a message
#[utoipa::path(
    post,
    path = "/api/conversations/{id}/branch",
    operation_id = "branch_conversation",
    tag = "conversations",
    params(("id" = String, Path, description = "The conversation's id")),
    request_body = BranchRequest,
    responses((status = 201, body = ConversationResponse), Problems)
)]
pub async fn branch(
    caller: Caller,
    PathOf(id): PathOf<ThreadId>,
    JsonBody(request): JsonBody<BranchRequest>,
) -> Result<Created<ConversationResponse>, Problem> {
    let at = MessageId::from(request.message_id);
    let branch = match request.before {
        true => caller.workspace.branch_before(&id, &at, caller.now).await?,
        false => caller.workspace.branch(&id, &at, caller.now).await?,
    };
    let location = format!("/api/conversations/{}", branch.id);
    Ok(Created { location, body: branch.into() })
}
