//! Talking with a persona: one answer, or a stream of what happens.

use super::messages::PersonaMessage;
use crate::body::{JsonBody, PathOf};
use crate::problem::{ModelProblems, Problem, Problems};
use crate::routes::happenings::TurnEventResponse;
use crate::routes::turns;
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use dossier_core::persona::Upkeep;
use dossier_engine::{ChatEnd, ChatRequest as Wanted, ChatVoice, Chatted};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatRequest {
    pub message: String,
    /// Whether the model is reminded to keep the persona whatever is said; true when not given. The
    /// persona's prompt is sent either way.
    pub maintain_personality: Option<bool>,
    /// Another model than the persona's own or the usual one.
    pub model: Option<String>,
    /// Asking again by the same name gives the first result.
    #[schema(min_length = 1, max_length = 200)]
    pub client_message_id: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ChatResponse {
    pub response: String,
    pub persona_id: String,
    pub name: String,
    pub personality: String,
    pub model: String,
    pub user_message: PersonaMessage,
    pub assistant_response: PersonaMessage,
    pub receipt_id: Option<String>,
    /// Why the reply ended: `stop`, `length`, `refused`, …
    pub finish: String,
    pub metadata: ChatMetadata,
    /// That the history fills up or was cut, or that the persona expires.
    pub warnings: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ChatMetadata {
    pub tokens_used: u64,
    pub history_tokens: u32,
    pub history_truncated: bool,
    #[schema(format = DateTime)]
    pub expires_at: String,
    pub is_expired: bool,
}

impl From<Chatted> for ChatResponse {
    fn from(chatted: Chatted) -> Self {
        Self {
            response: chatted.reply.message.content.clone(),
            persona_id: chatted.persona.id.to_string(),
            name: chatted.persona.traits.name,
            personality: chatted.persona.traits.personality,
            model: chatted.model,
            user_message: chatted.question.into(),
            assistant_response: chatted.reply.into(),
            receipt_id: chatted.receipt.map(|receipt| receipt.to_string()),
            finish: chatted.finish,
            metadata: ChatMetadata {
                tokens_used: chatted.tokens_used,
                history_tokens: chatted.history_tokens,
                history_truncated: chatted.history_truncated,
                expires_at: chatted.persona.expires_at.to_string(),
                is_expired: chatted.is_expired,
            },
            warnings: chatted.warnings,
        }
    }
}

/// Talk with a persona
///
/// Answers with JSON when the reply is whole; with `Accept: text/event-stream` what happens is told
/// as in `POST /api/turn`, and `GET /api/turn/{id}` takes a stream up again that was cut.
#[utoipa::path(
    post,
    path = "/api/personas/{id}/chat",
    operation_id = "chat_with_persona",
    tag = "personas",
    params(("id" = String, Path, description = "The persona's id, or its name")),
    request_body = ChatRequest,
    responses(
        (status = 200, content((ChatResponse = "application/json"), (TurnEventResponse = "text/event-stream"))),
        ModelProblems,
        Problems
    )
)]
pub async fn chat(
    State(door): State<Door>,
    caller: Caller,
    headers: HeaderMap,
    PathOf(id): PathOf<String>,
    JsonBody(request): JsonBody<ChatRequest>,
) -> Result<Response, Problem> {
    let held = caller.held().await?;
    let wanted = Wanted {
        persona: id,
        message: request.message,
        upkeep: match request.maintain_personality {
            Some(false) => Upkeep::PromptAlone,
            Some(true) | None => Upkeep::Reminded,
        },
        voice: match request.model {
            Some(model) => ChatVoice::Named(model),
            None => ChatVoice::Usual(door.settings.models(&held).into_iter().next()),
        },
        client_message_id: request.client_message_id,
        now: caller.now,
    };
    let chat = caller.workspace.chat(&wanted).await?;
    if crate::sse::is_asked_for(&headers) {
        return Ok(turns::live(chat.stream));
    }
    let end = caller.workspace.chat_end(chat, |_| {}).await?;
    match end {
        ChatEnd::Replied(chatted) => Ok(Json(ChatResponse::from(*chatted)).into_response()),
        ChatEnd::Failed { code, message, retry_after, .. } => {
            Err(Problem { retry_after, ..Problem::of_reply(&code, &message) })
        }
    }
}
