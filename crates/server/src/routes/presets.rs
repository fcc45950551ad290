//! Presets: what personas are made from, the built-in ones and the owner's own, and how they are
//! used and judged.

use super::hidden::{DeleteQuery, removal};
use crate::body::{Created, JsonBody, PathOf, QueryOf};
use crate::page::PageQuery;
use crate::problem::{Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use dossier_core::persona::{NewFeedback, PresetDraft, SettingsDraft};
use dossier_engine::{Judged, PresetShown};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What a preset is to be; what is not given takes its default, or stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PresetRequest {
    /// Required for a new preset; its id is made of it.
    #[schema(max_length = 200)]
    pub name: Option<String>,
    #[schema(max_length = 1000)]
    pub description: Option<String>,
    /// Required for a new preset.
    #[schema(max_length = 32000)]
    pub system_prompt: Option<String>,
    #[schema(max_length = 4000)]
    pub default_personality: Option<String>,
    #[serde(default)]
    pub default_settings: SettingsRequest,
    /// A JSON object of your own.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Value>,
    /// Whether personas can be made from it.
    pub is_active: Option<bool>,
}

/// The numbers of the personas that are made from it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsRequest {
    pub temperature: Option<f64>,
    pub max_tokens: Option<i64>,
    pub max_history_tokens: Option<i64>,
    pub expiry_days: Option<i64>,
}

impl From<PresetRequest> for PresetDraft {
    fn from(request: PresetRequest) -> Self {
        let settings = request.default_settings;
        Self {
            name: request.name,
            description: request.description,
            system_prompt: request.system_prompt,
            personality: request.default_personality,
            settings: SettingsDraft {
                temperature: settings.temperature,
                max_tokens: settings.max_tokens,
                max_history_tokens: settings.max_history_tokens,
                expiry_days: settings.expiry_days,
            },
            metadata: request.metadata,
            is_active: request.is_active,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PresetResponse {
    pub id: String,
    pub name: String,
    pub description: String,
    pub system_prompt: String,
    pub default_personality: String,
    pub default_settings: PresetSettingsResponse,
    #[schema(value_type = Object)]
    pub metadata: Value,
    pub is_active: bool,
    /// Whether it comes with the program.
    pub is_built_in: bool,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PresetSettingsResponse {
    pub temperature: f64,
    pub max_tokens: u32,
    pub max_history_tokens: u32,
    pub expiry_days: u32,
}

impl From<PresetShown> for PresetResponse {
    fn from(shown: PresetShown) -> Self {
        let PresetShown { preset, is_built_in } = shown;
        Self {
            id: preset.id.to_string(),
            name: preset.name,
            description: preset.description,
            system_prompt: preset.system_prompt,
            default_personality: preset.personality,
            default_settings: PresetSettingsResponse {
                temperature: preset.settings.temperature,
                max_tokens: preset.settings.max_tokens,
                max_history_tokens: preset.settings.max_history_tokens,
                expiry_days: preset.settings.expiry_days,
            },
            metadata: preset.metadata,
            is_active: preset.is_active,
            is_built_in,
            created_at: preset.created_at.to_string(),
            updated_at: preset.updated_at.to_string(),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PresetsQuery {
    /// Rows on a page; 100 when not given.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// Those that were put away as well.
    #[serde(default)]
    pub include_inactive: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PresetsResponse {
    /// The built-in ones first.
    pub presets: Vec<PresetResponse>,
    pub total_count: usize,
    pub next_cursor: Option<String>,
}

/// List the presets
#[utoipa::path(
    get,
    path = "/api/presets",
    operation_id = "list_presets",
    tag = "personas",
    params(PresetsQuery),
    responses((status = 200, body = PresetsResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    QueryOf(query): QueryOf<PresetsQuery>,
) -> Result<Json<PresetsResponse>, Problem> {
    let PresetsQuery { limit, cursor, include_inactive } = query;
    let presets = caller.workspace.every_preset(include_inactive).await?;
    let total_count = presets.len();
    let (presets, next_cursor) = PageQuery { limit, cursor }.cut(presets, PresetShown::place)?;
    let presets = presets.into_iter().map(Into::into).collect();
    Ok(Json(PresetsResponse { presets, total_count, next_cursor }))
}

/// Make a preset
#[utoipa::path(
    post,
    path = "/api/presets",
    operation_id = "create_preset",
    tag = "personas",
    request_body = PresetRequest,
    responses((status = 201, body = PresetResponse), Problems)
)]
pub async fn create(
    caller: Caller,
    JsonBody(request): JsonBody<PresetRequest>,
) -> Result<Created<PresetResponse>, Problem> {
    let shown = caller.workspace.create_preset(request.into(), caller.now).await?;
    Ok(Created { location: format!("/api/presets/{}", shown.preset.id), body: shown.into() })
}

/// Look at a preset
#[utoipa::path(
    get,
    path = "/api/presets/{id}",
    operation_id = "get_preset",
    tag = "personas",
    params(("id" = String, Path, description = "The preset's id or its key")),
    responses((status = 200, body = PresetResponse), Problems)
)]
pub async fn get(
    caller: Caller,
    PathOf(id): PathOf<String>,
) -> Result<Json<PresetResponse>, Problem> {
    Ok(Json(caller.workspace.preset(&id).await?.into()))
}

/// Change a preset; a built-in one becomes a version of your own
#[utoipa::path(
    put,
    path = "/api/presets/{id}",
    operation_id = "change_preset",
    tag = "personas",
    params(("id" = String, Path, description = "The preset's id or its key")),
    request_body = PresetRequest,
    responses((status = 200, body = PresetResponse), Problems)
)]
pub async fn change(
    State(door): State<Door>,
    caller: Caller,
    PathOf(id): PathOf<String>,
    JsonBody(request): JsonBody<PresetRequest>,
) -> Result<Json<PresetResponse>, Problem> {
    let grace = door.settings.grace_days(&caller.held().await?);
    let shown = caller.workspace.change_preset(&id, request.into(), grace, caller.now).await?;
    Ok(Json(shown.into()))
}

/// Put a preset away
///
/// It can be made active again. With `now` one of your own is gone for good, and a built-in one is
/// again as it came.
#[utoipa::path(
    delete,
    path = "/api/presets/{id}",
    operation_id = "delete_preset",
    tag = "personas",
    params(("id" = String, Path, description = "The preset's id or its key"), DeleteQuery),
    responses((status = 200, body = PresetResponse, description = "As it was last"), Problems)
)]
pub async fn delete(
    State(door): State<Door>,
    caller: Caller,
    PathOf(id): PathOf<String>,
    QueryOf(query): QueryOf<DeleteQuery>,
) -> Result<Json<PresetResponse>, Problem> {
    let removal = removal(&door, &caller, &query).await?;
    Ok(Json(caller.workspace.remove_preset(&id, removal, caller.now).await?.into()))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedbackRequest {
    /// How well it served, from 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    pub rating: Option<i64>,
    #[schema(max_length = 2000)]
    pub comment: Option<String>,
}

/// How a preset was used and judged.
#[derive(Debug, Serialize, ToSchema)]
pub struct PresetFiguresResponse {
    pub preset_id: String,
    /// Personas that were made from it, those that are gone too.
    pub personas: u64,
    /// Turns that were answered.
    pub turns: u64,
    /// Turns of these whose history was cut.
    pub truncated: u64,
    /// Turns that no model answered.
    pub failed: u64,
    pub tokens: u64,
    #[schema(format = DateTime)]
    pub last_used_at: Option<String>,
    pub ratings: u64,
    pub mean_rating: Option<f64>,
    /// The last judgements, the newest first.
    pub feedback: Vec<FeedbackResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FeedbackResponse {
    pub rating: i64,
    pub comment: Option<String>,
    #[schema(format = DateTime)]
    pub created_at: String,
}

impl From<Judged> for PresetFiguresResponse {
    fn from(judged: Judged) -> Self {
        let Judged { preset, figures, feedback } = judged;
        let feedback = feedback.into_iter().map(|feedback| FeedbackResponse {
            rating: feedback.rating,
            comment: feedback.comment,
            created_at: feedback.created_at.to_string(),
        });
        Self {
            preset_id: preset.preset.id.to_string(),
            personas: figures.personas,
            turns: figures.turns,
            truncated: figures.truncated,
            failed: figures.failed,
            tokens: figures.tokens,
            last_used_at: figures.last_used_at.map(|time| time.to_string()),
            ratings: figures.ratings,
            mean_rating: figures.mean_rating,
            feedback: feedback.collect(),
        }
    }
}

/// Look at how a preset is used and judged
#[utoipa::path(
    get,
    path = "/api/presets/{id}/feedback",
    operation_id = "get_preset_figures",
    tag = "personas",
    params(("id" = String, Path, description = "The preset's id or its key")),
    responses((status = 200, body = PresetFiguresResponse), Problems)
)]
pub async fn judged(
    caller: Caller,
    PathOf(id): PathOf<String>,
) -> Result<Json<PresetFiguresResponse>, Problem> {
    Ok(Json(caller.workspace.judged_preset(&id).await?.into()))
}

/// Say how well a preset served
#[utoipa::path(
    post,
    path = "/api/presets/{id}/feedback",
    operation_id = "judge_preset",
    tag = "personas",
    params(("id" = String, Path, description = "The preset's id or its key")),
    request_body = FeedbackRequest,
    responses((status = 200, body = PresetFiguresResponse), Problems)
)]
pub async fn judge(
    caller: Caller,
    PathOf(id): PathOf<String>,
    JsonBody(request): JsonBody<FeedbackRequest>,
) -> Result<Json<PresetFiguresResponse>, Problem> {
    let feedback = NewFeedback::check(request.rating, request.comment.as_deref())
        .map_err(dossier_engine::EngineError::from)?;
    Ok(Json(caller.workspace.judge_preset(&id, feedback, caller.now).await?.into()))
}
