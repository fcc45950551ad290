//! Personas: made of fields or of a preset, talked with, given more time, and deleted with what was
//! said.

use super::hidden::{DeleteQuery, HiddenResponse, removal};
use super::turns;
use crate::body::{Created, JsonBody, PathOf, QueryOf};
use crate::events::{Action, Change};
use crate::page::{PageQuery, cursor};
use crate::problem::{Code, ModelProblems, Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use dossier_core::id::MessageId;
use dossier_core::message::Role;
use dossier_core::persona::{Listing, PersonaDraft, SettingsDraft, Upkeep};
use dossier_core::time::Timestamp;
use dossier_engine::{
    ChatEnd, ChatRequest as Wanted, ChatVoice, Chatted, Counted, Order, PersonaShown, WhichMessages,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a persona is to be; what is not given takes its default, or stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonaRequest {
    /// Required for a new persona without a preset.
    #[schema(max_length = 200)]
    pub name: Option<String>,
    /// Who it is and how it behaves: pinned before everything else, on every turn. Required for a
    /// new persona without a preset.
    #[schema(max_length = 32000)]
    pub system_prompt: Option<String>,
    /// How a person would describe it.
    #[schema(max_length = 4000)]
    pub personality: Option<String>,
    /// From 0 to 1; zero is a value. Usually 0.7.
    pub temperature: Option<f64>,
    /// The most tokens of a reply, usually 1000.
    pub max_tokens: Option<i64>,
    /// The most tokens of earlier messages that are sent, usually 15000: the model's window less
    /// 1000.
    pub max_history_tokens: Option<i64>,
    /// Days without a conversation after which it expires, usually 7.
    pub expiry_days: Option<i64>,
    /// The model that speaks for it; empty for whoever is usually asked.
    pub model: Option<String>,
    #[schema(max_items = 20)]
    pub tags: Option<Vec<String>>,
}

/// A new persona.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreatePersonaRequest {
    /// What it is made from: an id such as `preset-calm-counselor`, or a key such as
    /// `calm_counselor`. The other fields win over the preset's.
    pub preset_id: Option<String>,
    #[schema(max_length = 200)]
    pub name: Option<String>,
    #[schema(max_length = 32000)]
    pub system_prompt: Option<String>,
    #[schema(max_length = 4000)]
    pub personality: Option<String>,
    pub temperature: Option<f64>,
    pub max_tokens: Option<i64>,
    pub max_history_tokens: Option<i64>,
    pub expiry_days: Option<i64>,
    pub model: Option<String>,
    #[schema(max_items = 20)]
    pub tags: Option<Vec<String>>,
}

impl From<PersonaRequest> for PersonaDraft {
    fn from(request: PersonaRequest) -> Self {
        Self {
            name: request.name,
            system_prompt: request.system_prompt,
            personality: request.personality,
            settings: SettingsDraft {
                temperature: request.temperature,
                max_tokens: request.max_tokens,
                max_history_tokens: request.max_history_tokens,
                expiry_days: request.expiry_days,
            },
            model: request.model,
            tags: request.tags,
        }
    }
}

impl CreatePersonaRequest {
    fn parted(self) -> (Option<String>, PersonaDraft) {
        let fields = PersonaRequest {
            name: self.name,
            system_prompt: self.system_prompt,
            personality: self.personality,
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            max_history_tokens: self.max_history_tokens,
            expiry_days: self.expiry_days,
            model: self.model,
            tags: self.tags,
        };
        (self.preset_id, fields.into())
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PersonaResponse {
    pub id: String,
    pub name: String,
    pub system_prompt: String,
    pub personality: String,
    pub temperature: f64,
    pub max_tokens: u32,
    pub max_history_tokens: u32,
    pub expiry_days: u32,
    pub model: Option<String>,
    pub tags: Vec<String>,
    pub preset_id: Option<String>,
    /// Where what is said with it stands.
    pub conversation_id: String,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
    #[schema(format = DateTime)]
    pub last_used_at: String,
    /// Every conversation moves it away.
    #[schema(format = DateTime)]
    pub expires_at: String,
    /// Whether it can be talked with.
    pub is_active: bool,
    /// That it expires within a day, or that its prompt is not filled in.
    pub warnings: Vec<String>,
}

impl From<PersonaShown> for PersonaResponse {
    fn from(shown: PersonaShown) -> Self {
        let PersonaShown { persona, is_active, warnings } = shown;
        let traits = persona.traits;
        Self {
            id: persona.id.to_string(),
            name: traits.name,
            system_prompt: traits.system_prompt,
            personality: traits.personality,
            temperature: traits.settings.temperature,
            max_tokens: traits.settings.max_tokens,
            max_history_tokens: traits.settings.max_history_tokens,
            expiry_days: traits.settings.expiry_days,
            model: traits.model,
            tags: traits.tags,
            preset_id: persona.preset.map(|preset| preset.to_string()),
            conversation_id: persona.thread.to_string(),
            created_at: persona.created_at.to_string(),
            updated_at: persona.updated_at.to_string(),
            last_used_at: persona.last_used_at.to_string(),
            expires_at: persona.expires_at.to_string(),
            is_active,
            warnings,
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PersonasQuery {
    /// Rows on a page; 100 when not given.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
    #[serde(default)]
    pub include_expired: bool,
    /// A part of the name, the personality, a tag or the id.
    pub search: Option<String>,
    pub tag: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PersonasResponse {
    /// The last used first.
    pub personas: Vec<PersonaResponse>,
    pub total_count: usize,
    pub next_cursor: Option<String>,
}

/// List the personas
#[utoipa::path(
    get,
    path = "/api/personas",
    operation_id = "list_personas",
    tag = "personas",
    params(PersonasQuery),
    responses((status = 200, body = PersonasResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    QueryOf(query): QueryOf<PersonasQuery>,
) -> Result<Json<PersonasResponse>, Problem> {
    let PersonasQuery { limit, cursor, include_expired, search, tag } = query;
    let listing = Listing { include_expired, search, tag };
    let personas = caller.workspace.all_personas(&listing, caller.now).await?;
    let total_count = personas.len();
    let place = |shown: &PersonaShown| {
        let newest_first = i64::MAX - shown.persona.last_used_at.as_millis();
        format!("{newest_first:020} {} {}", shown.persona.traits.name, shown.persona.id)
    };
    let (personas, next_cursor) = PageQuery { limit, cursor }.cut(personas, place)?;
    let personas = personas.into_iter().map(Into::into).collect();
    Ok(Json(PersonasResponse { personas, total_count, next_cursor }))
}

/// Make a persona
#[utoipa::path(
    post,
    path = "/api/personas",
    operation_id = "create_persona",
    tag = "personas",
    request_body = CreatePersonaRequest,
    responses((status = 201, body = PersonaResponse), Problems)
)]
pub async fn create(
    caller: Caller,
    JsonBody(request): JsonBody<CreatePersonaRequest>,
) -> Result<Created<PersonaResponse>, Problem> {
    let workspace = &caller.workspace;
    let shown = match request.parted() {
        (Some(preset), draft) => workspace.create_persona_from(&preset, draft, caller.now).await?,
        (None, draft) => workspace.create_persona(draft, caller.now).await?,
    };
    tell(&caller, Action::Created, &shown).await?;
    Ok(Created { location: format!("/api/personas/{}", shown.persona.id), body: shown.into() })
}

/// Look at a persona
#[utoipa::path(
    get,
    path = "/api/personas/{id}",
    operation_id = "get_persona",
    tag = "personas",
    params(("id" = String, Path, description = "The persona's id, or its name")),
    responses((status = 200, body = PersonaResponse), Problems)
)]
pub async fn get(
    caller: Caller,
    PathOf(id): PathOf<String>,
) -> Result<Json<PersonaResponse>, Problem> {
    Ok(Json(caller.workspace.persona(&id, caller.now).await?.into()))
}

/// Change a persona
#[utoipa::path(
    put,
    path = "/api/personas/{id}",
    operation_id = "change_persona",
    tag = "personas",
    params(("id" = String, Path, description = "The persona's id, or its name")),
    request_body = PersonaRequest,
    responses((status = 200, body = PersonaResponse), Problems)
)]
pub async fn change(
    caller: Caller,
    PathOf(id): PathOf<String>,
    JsonBody(request): JsonBody<PersonaRequest>,
) -> Result<Json<PersonaResponse>, Problem> {
    let shown = caller.workspace.change_persona(&id, request.into(), caller.now).await?;
    tell(&caller, Action::Changed, &shown).await?;
    Ok(Json(shown.into()))
}

/// Delete a persona with what was said
#[utoipa::path(
    delete,
    path = "/api/personas/{id}",
    operation_id = "delete_persona",
    tag = "personas",
    params(("id" = String, Path, description = "The persona's id, or its name"), DeleteQuery),
    responses(
        (status = 200, body = HiddenResponse, description = "It is hidden, and can be brought back"),
        (status = 204, description = "It is gone for good"),
        Problems
    )
)]
pub async fn delete(
    State(door): State<Door>,
    caller: Caller,
    PathOf(id): PathOf<String>,
    QueryOf(query): QueryOf<DeleteQuery>,
) -> Result<Response, Problem> {
    let removal = removal(&door, &caller, &query).await?;
    let workspace = &caller.workspace;
    let (persona, project, hidden) = workspace.remove_persona(&id, removal, caller.now).await?;
    caller.tell(Change::conversation(Action::Deleted, &project, &persona.thread));
    Ok(match hidden {
        Some(hidden) => Json(HiddenResponse::from(hidden)).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtendRequest {
    /// Beyond its end, or from now on when that is past; its own number of days from now on when
    /// not given.
    #[schema(minimum = 1, maximum = 3650)]
    pub days: Option<i64>,
}

/// Give a persona more time
#[utoipa::path(
    post,
    path = "/api/personas/{id}/extend",
    operation_id = "extend_persona",
    tag = "personas",
    params(("id" = String, Path, description = "The persona's id, or its name")),
    request_body = ExtendRequest,
    responses((status = 200, body = PersonaResponse), Problems)
)]
pub async fn extend(
    caller: Caller,
    PathOf(id): PathOf<String>,
    JsonBody(request): JsonBody<ExtendRequest>,
) -> Result<Json<PersonaResponse>, Problem> {
    let shown = caller.workspace.extend_persona(&id, request.days, caller.now).await?;
    tell(&caller, Action::Changed, &shown).await?;
    Ok(Json(shown.into()))
}

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
pub struct PersonaMessage {
    pub id: String,
    /// `user`, `assistant` or `system`.
    #[schema(value_type = String)]
    pub role: &'static str,
    pub content: String,
    pub token_count: u32,
    /// How the tokens were counted.
    pub counted_by: String,
    #[schema(format = DateTime)]
    pub created_at: String,
}

impl From<Counted> for PersonaMessage {
    fn from(counted: Counted) -> Self {
        let Counted { message, tokens } = counted;
        Self {
            id: message.id.to_string(),
            role: match message.speaker.role {
                Role::User => "user",
                Role::Agent => "assistant",
                Role::System | Role::Tool => "system",
            },
            content: message.content,
            token_count: tokens,
            counted_by: Counted::COUNTED_BY.method(),
            created_at: message.created_at.to_string(),
        }
    }
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
        (status = 200, content((ChatResponse = "application/json"), (String = "text/event-stream"))),
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
        return Ok(turns::live(&door, &caller, chat.stream));
    }
    let turn = chat.stream.turn.clone();
    let end = caller.workspace.chat_end(chat).await?;
    caller.tell(Change::conversation(Action::Changed, &turn.project, &turn.thread));
    match end {
        ChatEnd::Replied(chatted) => Ok(Json(ChatResponse::from(*chatted)).into_response()),
        ChatEnd::Failed { code, message, retry_after, .. } => {
            Err(Problem { retry_after, ..Problem::of_reply(&code, &message) })
        }
    }
}

/// In which order messages are listed.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageOrder {
    #[default]
    NewestFirst,
    OldestFirst,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MessagesQuery {
    /// Rows on a page; 100 when not given.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
    #[serde(default)]
    #[param(inline)]
    pub order: MessageOrder,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PersonaMessagesResponse {
    pub messages: Vec<PersonaMessage>,
    pub total_count: usize,
    pub next_cursor: Option<String>,
    /// That the persona expires within a day.
    pub warnings: Vec<String>,
}

/// List what was said with a persona
#[utoipa::path(
    get,
    path = "/api/personas/{id}/messages",
    operation_id = "list_persona_messages",
    tag = "personas",
    params(("id" = String, Path, description = "The persona's id, or its name"), MessagesQuery),
    responses((status = 200, body = PersonaMessagesResponse), Problems)
)]
pub async fn messages(
    caller: Caller,
    PathOf(id): PathOf<String>,
    QueryOf(query): QueryOf<MessagesQuery>,
) -> Result<Json<PersonaMessagesResponse>, Problem> {
    let MessagesQuery { limit, cursor: after, order } = query;
    let page = PageQuery { limit, cursor: after };
    let limit = page.limit()?;
    let wrong = |_| Problem::new(Code::InvalidQuery, "cursor must be the next_cursor of a page");
    let after = page.after()?.map(|after| after.parse::<i64>().map_err(wrong)).transpose()?;
    let order = match order {
        MessageOrder::NewestFirst => Order::NewestFirst,
        MessageOrder::OldestFirst => Order::OldestFirst,
    };
    let more = limit + 1;
    let mut page =
        caller.workspace.persona_messages_after(&id, after, more, order, caller.now).await?;
    let has_more = page.messages.len() > limit;
    page.messages.truncate(limit);
    let last = page.messages.last().filter(|_| has_more);
    let next_cursor = last.map(|last| cursor(&last.message.position.to_string()));
    Ok(Json(PersonaMessagesResponse {
        messages: page.messages.into_iter().map(Into::into).collect(),
        total_count: page.total,
        next_cursor,
        warnings: page.warnings,
    }))
}

/// One of the three.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteMessagesQuery {
    /// Ids of messages, parted by commas.
    pub message_ids: Option<String>,
    /// An ISO 8601 time: what was said before it goes.
    pub older_than: Option<String>,
    /// Everything goes.
    #[serde(default)]
    pub all: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedResponse {
    pub deleted_count: u64,
}

/// Delete what was said with a persona, some of it or all
#[utoipa::path(
    delete,
    path = "/api/personas/{id}/messages",
    operation_id = "delete_persona_messages",
    tag = "personas",
    params(
        ("id" = String, Path, description = "The persona's id, or its name"),
        DeleteMessagesQuery
    ),
    responses((status = 200, body = DeletedResponse), Problems)
)]
pub async fn delete_messages(
    caller: Caller,
    PathOf(id): PathOf<String>,
    QueryOf(query): QueryOf<DeleteMessagesQuery>,
) -> Result<Json<DeletedResponse>, Problem> {
    let which = which(query)?;
    let workspace = &caller.workspace;
    let deleted_count = workspace.delete_persona_messages(&id, &which, caller.now).await?;
    let shown = workspace.persona(&id, caller.now).await?;
    tell(&caller, Action::Changed, &shown).await?;
    Ok(Json(DeletedResponse { deleted_count }))
}

fn which(query: DeleteMessagesQuery) -> Result<WhichMessages, Problem> {
    match query {
        DeleteMessagesQuery { message_ids: Some(ids), older_than: None, all: false } => {
            let ids = ids.split(',').map(str::trim).filter(|id| !id.is_empty());
            Ok(WhichMessages::These(ids.map(MessageId::from).collect()))
        }
        DeleteMessagesQuery { message_ids: None, older_than: Some(time), all: false } => {
            let time = Timestamp::parse(&time)
                .map_err(|error| Problem::new(Code::InvalidQuery, error.to_string()))?;
            Ok(WhichMessages::OlderThan(time))
        }
        DeleteMessagesQuery { message_ids: None, older_than: None, all: true } => {
            Ok(WhichMessages::All)
        }
        _ => Err(Problem::new(
            Code::InvalidQuery,
            "say which: message_ids, older_than, or all=true; one of them",
        )),
    }
}

/// Tells other clients that a persona's conversation has changed.
async fn tell(caller: &Caller, action: Action, shown: &PersonaShown) -> Result<(), Problem> {
    let thread = &shown.persona.thread;
    let project = caller.workspace.project_of_thread(thread).await?;
    caller.tell(Change::conversation(action, &project, thread));
    Ok(())
}
