//! Personas: made of fields or of a preset, talked with, given more time, and deleted with what was
//! said.

pub mod chat;
pub mod messages;

use super::hidden::{DeleteQuery, HiddenResponse, removal};
use crate::body::{Created, JsonBody, PathOf, QueryOf};
use crate::page::PageQuery;
use crate::problem::{Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use dossier_core::persona::{Listing, PersonaDraft, SettingsDraft};
use dossier_engine::PersonaShown;
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
    let (_, hidden) = caller.workspace.remove_persona(&id, removal, caller.now).await?;
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
    Ok(Json(shown.into()))
}
