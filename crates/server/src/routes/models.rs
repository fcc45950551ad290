//! The models that can be asked, and what calls of them took.

use super::figures::FiguresResponse;
use crate::body::QueryOf;
use crate::problem::{Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use dossier_core::id::{ProjectId, ThreadId};
use dossier_core::savings::long_session;
use dossier_engine::{UsageBy, UsageFilter};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct ModelsResponse {
    pub models: Vec<ModelResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ModelResponse {
    /// The name that means this model and no other.
    pub id: String,
    pub provider: String,
    pub model: String,
    pub display_name: String,
    pub context_window: u32,
    pub max_output: u32,
    /// Dollars per million tokens, if known.
    pub input_cost: Option<f64>,
    pub output_cost: Option<f64>,
    /// `smart`, `balanced`, `fast` or `cheap`.
    pub tier: String,
    pub tools: bool,
    pub vision: bool,
    pub streaming: bool,
    pub thinking: bool,
    /// Whether its provider is set up.
    pub ready: bool,
    /// How its tokens are counted, as in `o200k` or `estimate:claude@127`: that many for 100 of
    /// `o200k`.
    pub tokenizer: String,
    /// How many reports of providers that factor was learned from.
    pub learned_from: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RefreshResponse {
    pub providers: Vec<RefreshedProvider>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RefreshedProvider {
    pub provider: String,
    /// How many models it has told of.
    pub models: Option<usize>,
    pub problem: Option<String>,
}

/// What usage is added up by.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    #[default]
    Day,
    Project,
    Conversation,
    /// The same as `conversation`.
    Thread,
    Model,
    Component,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UsageQuery {
    /// What the sums are made for; days when not given.
    #[param(inline)]
    pub by: Option<Grouping>,
    /// The first and the last day, as in `2026-11-15`.
    pub from: Option<String>,
    pub to: Option<String>,
    pub project_id: Option<String>,
    pub conversation_id: Option<String>,
}

impl UsageQuery {
    fn parted(self) -> (UsageBy, UsageFilter) {
        let by = match self.by.unwrap_or_default() {
            Grouping::Day => UsageBy::Day,
            Grouping::Project => UsageBy::Project,
            Grouping::Conversation | Grouping::Thread => UsageBy::Thread,
            Grouping::Model => UsageBy::Model,
            Grouping::Component => UsageBy::Component,
        };
        let filter = UsageFilter {
            from: self.from,
            to: self.to,
            project: self.project_id.map(ProjectId::from),
            thread: self.conversation_id.map(ThreadId::from),
        };
        (by, filter)
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UsageSumsResponse {
    pub sums: Vec<UsageSumResponse>,
    pub figures: FiguresResponse,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UsageSumResponse {
    /// The day, project, conversation, model or component.
    pub key: String,
    /// Of models.
    pub calls: i64,
    /// Replies that were kept answers: no model was called.
    pub cache_hits: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub cached_input_tokens: i64,
    pub reasoning_tokens: i64,
    /// In dollars; calls without a known price are not in it.
    pub cost: f64,
    pub unpriced_calls: i64,
    /// Tokens of conversations that were not sent, and of answers that were given again.
    pub saved_tokens: i64,
    /// What that is worth in tokens of fresh input: less what had to be fetched or summarised for
    /// it, and less what the vendor's prefix cache would have given anyway. It can be below zero.
    pub net_saved_tokens: i64,
    /// Set for a conversation that took more input than a session should.
    pub warning: Option<String>,
}

/// How long replies were waited for.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitsResponse {
    pub waits: Vec<WaitResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WaitResponse {
    /// The day, project, conversation, model or component.
    pub key: String,
    /// Replies whose receipt is still there.
    pub replies: usize,
    /// Half of them came within so many milliseconds after the question.
    pub median_ms: i64,
    /// Nineteen of twenty did.
    pub p95_ms: i64,
}

/// List what is known of models
#[utoipa::path(
    get,
    path = "/api/models/metadata",
    operation_id = "list_models",
    tag = "models",
    responses((status = 200, body = ModelsResponse), Problems)
)]
pub async fn list(caller: Caller) -> Result<Json<ModelsResponse>, Problem> {
    let models = caller.workspace.models()?;
    let factors = caller.workspace.token_factors().await?;
    let ready: Vec<String> = models.ready().iter().map(|model| model.full_name()).collect();
    let known = models.catalogue().models().iter().map(|model| {
        let id = model.full_name();
        let factor = model.tokenizer.family().and_then(|family| factors.get(family));
        let tokenizer =
            factor.map_or(model.tokenizer, |factor| model.tokenizer.with_factor(factor.percent));
        ModelResponse {
            provider: model.provider.clone(),
            model: model.id.clone(),
            display_name: model.name.clone(),
            context_window: model.window.context,
            max_output: model.window.output,
            input_cost: model.costs.map(|costs| costs.input),
            output_cost: model.costs.map(|costs| costs.output),
            tier: model.tier.as_str().to_owned(),
            tools: model.capabilities.tools,
            vision: model.capabilities.vision,
            streaming: model.capabilities.streaming,
            thinking: model.capabilities.thinking,
            ready: ready.contains(&id),
            tokenizer: tokenizer.to_string(),
            learned_from: factor.map_or(0, |factor| factor.reports),
            id,
        }
    });
    Ok(Json(ModelsResponse { models: known.collect() }))
}

/// Ask the providers for their models
#[utoipa::path(
    post,
    path = "/api/models/metadata/refresh",
    operation_id = "refresh_models",
    tag = "models",
    responses((status = 200, body = RefreshResponse), Problems)
)]
pub async fn refresh(
    State(door): State<Door>,
    _caller: Caller,
) -> Result<Json<RefreshResponse>, Problem> {
    let refreshed = door.engine.refresh_models().await?;
    let providers = refreshed.into_iter().map(|provider| {
        let (models, problem) = match provider.models {
            Ok(models) => (Some(models), None),
            Err(error) => (None, Some(error.to_string())),
        };
        RefreshedProvider { provider: provider.provider, models, problem }
    });
    Ok(Json(RefreshResponse { providers: providers.collect() }))
}

/// Ask the providers for their models, by a shorter name
#[utoipa::path(
    post,
    path = "/api/models/refresh",
    operation_id = "refresh_models_alias",
    tag = "models",
    responses((status = 200, body = RefreshResponse), Problems)
)]
pub async fn refresh_alias(
    door: State<Door>,
    caller: Caller,
) -> Result<Json<RefreshResponse>, Problem> {
    refresh(door, caller).await
}

/// Add up what calls of models took
#[utoipa::path(
    get,
    path = "/api/usage",
    operation_id = "usage",
    tag = "models",
    params(UsageQuery),
    responses((status = 200, body = UsageSumsResponse), Problems)
)]
pub async fn usage(
    caller: Caller,
    QueryOf(query): QueryOf<UsageQuery>,
) -> Result<Json<UsageSumsResponse>, Problem> {
    let (by, filter) = query.parted();
    let figures = caller.workspace.measures(&filter, caller.now).await?.into();
    let warning = |input| long_session(input).filter(|_| by == UsageBy::Thread);
    let sums = caller.workspace.usage(by, &filter).await?.into_iter().map(|sum| UsageSumResponse {
        warning: warning(sum.input).filter(|_| !sum.key.is_empty()),
        key: sum.key,
        calls: sum.calls,
        cache_hits: sum.cache_hits,
        input_tokens: sum.input,
        output_tokens: sum.output,
        cached_input_tokens: sum.cached_input,
        reasoning_tokens: sum.reasoning,
        cost: sum.cost as f64 / 1e6,
        unpriced_calls: sum.unpriced,
        saved_tokens: sum.saved,
        net_saved_tokens: sum.saved_net,
    });
    Ok(Json(UsageSumsResponse { sums: sums.collect(), figures }))
}

/// Tell how long replies were waited for
#[utoipa::path(
    get,
    path = "/api/usage/waits",
    operation_id = "waits",
    tag = "models",
    params(UsageQuery),
    responses((status = 200, body = WaitsResponse), Problems)
)]
pub async fn waits(
    caller: Caller,
    QueryOf(query): QueryOf<UsageQuery>,
) -> Result<Json<WaitsResponse>, Problem> {
    let (by, filter) = query.parted();
    let waits = caller.workspace.waits(by, &filter).await?.into_iter().map(|waits| WaitResponse {
        key: waits.key,
        replies: waits.replies,
        median_ms: waits.median,
        p95_ms: waits.p95,
    });
    Ok(Json(WaitsResponse { waits: waits.collect() }))
}
