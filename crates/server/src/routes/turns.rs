//! Turns: one question for one or several models, as one answer or as a stream that can be taken up
//! again where it was cut.

use super::assemble::named;
use super::attachments::{AttachmentRequest, attachments};
use super::happenings::TurnEventResponse;
use super::replies::{Gathered, ReplyResponse};
use crate::body::{JsonBody, PathOf, QueryOf};
use crate::problem::{Code, Problem, ProblemResponse, Problems};
use crate::sse;
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use dossier_core::chat::{Effort, Options};
use dossier_core::id::{ProjectId, ThreadId, TurnId};
use dossier_engine::{Project, Terms, TurnRequest as Wanted, TurnStream};
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The header by which a client says which event it has heard last.
const LAST_EVENT: &str = "last-event-id";

/// The headers by which a stream says whose it is.
const THREAD: &str = "x-dossier-thread";
const TURN: &str = "x-dossier-turn";

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnRequest {
    /// The conversation that the question continues; a new one when not given.
    pub conversation_id: Option<String>,
    /// The project of a new conversation; the one called `default` when not given.
    pub project_id: Option<String>,
    pub message: String,
    /// As in `openai/gpt-4o` or `builtin/extractive`; each answers for itself. When none is named,
    /// those of the project's `default_models`, of the owner's setting `model`, or, with no
    /// provider, `builtin/extractive`.
    #[serde(default)]
    #[schema(max_items = 8)]
    pub models: Vec<String>,
    /// `lean` or `project`; the owner's setting when not given.
    pub profile: Option<String>,
    /// Tokens for everything together; the profile's when not given.
    #[schema(minimum = 1)]
    pub token_budget: Option<u32>,
    #[serde(default)]
    pub attachments: Vec<AttachmentRequest>,
    /// Asking again by the same name gives the first result.
    #[schema(min_length = 1, max_length = 200)]
    pub client_message_id: Option<String>,
    /// Asks the models even where the project keeps answers and has one.
    pub force_refresh: Option<bool>,
    /// How long models that can think do so: `off`, `minimal`, `low`, `medium`, `high` or `max`;
    /// as long as their provider has them when not given. Their thoughts are told where the
    /// provider shows them.
    pub effort: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TurnResponse {
    pub turn_id: String,
    pub conversation_id: String,
    /// The question's id.
    pub message_id: String,
    /// In the order in which the models were named.
    pub replies: Vec<ReplyResponse>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryRequest {
    /// The models to ask again; all that have not replied when empty.
    #[serde(default)]
    pub models: Vec<String>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CancelQuery {
    /// The one model whose reply is given up; all of them when not given.
    pub model: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CancelResponse {
    /// Whether the turn was running here.
    pub cancelled: bool,
}

/// Ask one or several models
///
/// Answers with JSON when every model has replied or failed; with `Accept: text/event-stream` what
/// happens is told as it happens, in events `dossier`, `delta`, `tool`, `reply`, `error` and `done`.
/// Its headers `X-Dossier-Thread` and `X-Dossier-Turn` name the conversation and the turn. A stream
/// that was cut is taken up again with the header `Last-Event-ID`.
#[utoipa::path(
    post,
    path = "/api/turn",
    operation_id = "turn",
    tag = "turn",
    request_body = TurnRequest,
    params(("Last-Event-ID" = Option<String>, Header, description = "The last event that was heard")),
    responses(
        (status = 200, content((TurnResponse = "application/json"), (TurnEventResponse = "text/event-stream"))),
        (status = 402, body = ProblemResponse, content_type = "application/problem+json"),
        Problems
    )
)]
pub async fn turn(
    State(door): State<Door>,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(request): JsonBody<TurnRequest>,
) -> Result<Response, Problem> {
    if let Some((turn, after)) = last_event(&headers)? {
        let stream = caller.workspace.follow_turn(&turn, Some(after)).await?;
        return answer(&caller, &headers, stream).await;
    }
    let wanted = wanted(&door, &caller, request).await?;
    let stream = caller.workspace.turn(&wanted).await?;
    answer(&caller, &headers, stream).await
}

/// Follow a turn, or look at what became of it
#[utoipa::path(
    get,
    path = "/api/turn/{id}",
    operation_id = "follow_turn",
    tag = "turn",
    params(
        ("id" = String, Path, description = "The turn's id"),
        ("Last-Event-ID" = Option<String>, Header, description = "The last event that was heard")
    ),
    responses(
        (status = 200, content((TurnResponse = "application/json"), (TurnEventResponse = "text/event-stream"))),
        Problems
    )
)]
pub async fn follow(
    caller: Caller,
    headers: HeaderMap,
    PathOf(id): PathOf<TurnId>,
) -> Result<Response, Problem> {
    let after = last_event(&headers)?.filter(|(turn, _)| *turn == id).map(|(_, after)| after);
    let stream = caller.workspace.follow_turn(&id, after).await?;
    answer(&caller, &headers, stream).await
}

/// Ask the models again that have not replied
#[utoipa::path(
    post,
    path = "/api/turn/{id}/retry",
    operation_id = "retry_turn",
    tag = "turn",
    params(("id" = String, Path, description = "The turn's id")),
    request_body = RetryRequest,
    responses(
        (status = 200, content((TurnResponse = "application/json"), (TurnEventResponse = "text/event-stream"))),
        (status = 402, body = ProblemResponse, content_type = "application/problem+json"),
        Problems
    )
)]
pub async fn retry(
    caller: Caller,
    headers: HeaderMap,
    PathOf(id): PathOf<TurnId>,
    JsonBody(request): JsonBody<RetryRequest>,
) -> Result<Response, Problem> {
    let stream = caller.workspace.retry_turn(&id, &request.models, caller.now).await?;
    answer(&caller, &headers, stream).await
}

/// Give a turn up, or the reply of one of its models
#[utoipa::path(
    post,
    path = "/api/turn/{id}/cancel",
    operation_id = "cancel_turn",
    tag = "turn",
    params(("id" = String, Path, description = "The turn's id"), CancelQuery),
    responses((status = 200, body = CancelResponse), Problems)
)]
pub async fn cancel(
    caller: Caller,
    PathOf(id): PathOf<TurnId>,
    QueryOf(query): QueryOf<CancelQuery>,
) -> Result<Json<CancelResponse>, Problem> {
    let cancelled = match query.model {
        Some(model) => caller.workspace.cancel_reply(&id, &model).await?,
        None => caller.workspace.cancel_turn(&id).await?,
    };
    Ok(Json(CancelResponse { cancelled }))
}

/// The turn that a request wants. What can be refused without the store is refused first.
pub async fn wanted(door: &Door, caller: &Caller, request: TurnRequest) -> Result<Wanted, Problem> {
    let workspace = &caller.workspace;
    let effort = match &request.effort {
        Some(name) => Some(Effort::parse(name).ok_or_else(|| {
            let known = Effort::ALL.map(Effort::as_str).join(", ");
            Problem::new(Code::Invalid, format!("effort is one of {known}"))
        })?),
        None => None,
    };
    if request.token_budget == Some(0) {
        return Err(Problem::new(Code::Invalid, "token_budget is a number above 0"));
    }
    let named = request.profile.as_deref().map(named).transpose()?;
    let attachments = attachments(request.attachments)?;
    let thread = request.conversation_id.map(ThreadId::from);
    let project = request.project_id.map(ProjectId::from);
    let project = place(caller, thread.as_ref(), project).await?;
    let held = caller.held().await?;
    let models = match request.models.is_empty() {
        true => workspace.usual_models(&project, door.settings.models(&held))?,
        false => request.models,
    };
    Ok(Wanted {
        project,
        thread,
        message: request.message,
        models,
        attachments,
        client_message_id: request.client_message_id,
        terms: Terms {
            profile: named.unwrap_or_else(|| door.settings.profile(&held)),
            budget: request.token_budget,
            options: Options::thinking(effort),
            brought: None,
            freshness: request.force_refresh.into(),
        },
        now: caller.now,
    })
}

/// The project of a turn: that of its conversation, which must be the one that is named, if one is.
async fn place(
    caller: &Caller,
    thread: Option<&ThreadId>,
    project: Option<ProjectId>,
) -> Result<Project, Problem> {
    let workspace = &caller.workspace;
    let project = match project {
        Some(id) => Some(workspace.project_by_id(&id).await?),
        None => None,
    };
    let Some(thread) = thread else {
        return match project {
            Some(project) => Ok(project),
            None => Ok(workspace.project(None, caller.now).await?),
        };
    };
    let thread = workspace.thread_by_id(thread).await?;
    match project {
        Some(project) if project.id == thread.project => Ok(project),
        Some(_) => Err(Problem::new(
            Code::Invalid,
            format!(
                "the conversation belongs to another project than project_id says; leave \
                 project_id out, or send {}",
                thread.project
            ),
        )),
        None => Ok(workspace.project_by_id(&thread.project).await?),
    }
}

/// The turn and the number of the event that a client has heard last.
fn last_event(headers: &HeaderMap) -> Result<Option<(TurnId, usize)>, Problem> {
    let Some(value) = headers.get(LAST_EVENT) else { return Ok(None) };
    let parsed = value.to_str().ok().and_then(|text| {
        let (turn, number) = text.rsplit_once(':')?;
        Some((TurnId::from(turn), number.parse().ok()?))
    });
    let wrong = || Problem::new(Code::MalformedRequest, "Last-Event-ID is not the id of an event");
    parsed.map(Some).ok_or_else(wrong)
}

/// What happens in a turn, as it happens.
pub fn live(stream: TurnStream) -> Response {
    // So that a client knows them before the end.
    let names = [(THREAD, stream.turn.thread.to_string()), (TURN, stream.turn.id.to_string())];
    let events = unfold(stream, async |mut stream| {
        let (number, event) = stream.next().await?;
        let id = format!("{}:{number}", stream.turn.id);
        let data = serde_json::to_string(&*event).unwrap_or_default();
        let told = Event::default().id(id).event(event.name()).data(data);
        Some((told, stream))
    });
    (names, sse::turn(events)).into_response()
}

async fn answer(
    caller: &Caller,
    headers: &HeaderMap,
    mut stream: TurnStream,
) -> Result<Response, Problem> {
    if sse::is_asked_for(headers) {
        return Ok(live(stream));
    }
    let turn = stream.turn.clone();
    let mut gathered = Gathered::default();
    while let Some((_, event)) = stream.next().await {
        gathered.hear(&event);
    }
    let mut replies = gathered.replies(&caller.workspace).await?;
    let order = |reply: &ReplyResponse| {
        turn.replies.iter().position(|named| named.model == reply.model).unwrap_or(usize::MAX)
    };
    replies.sort_by_key(order);
    Ok(Json(TurnResponse {
        turn_id: turn.id.to_string(),
        conversation_id: turn.thread.to_string(),
        message_id: turn.message.to_string(),
        replies,
    })
    .into_response())
}
