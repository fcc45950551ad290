//! What a turn would take, before it is asked.

use super::turns::{TurnRequest, wanted};
use crate::body::JsonBody;
use crate::problem::{Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use dossier_engine::Forecast;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct ForecastResponse {
    pub models: Vec<ModelForecastResponse>,
    /// Of budgets that are nearly spent.
    pub warnings: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ModelForecastResponse {
    pub model: String,
    /// Tokens of the dossier, and how many it may have.
    pub tokens: u32,
    pub limit: u32,
    pub window: u32,
    /// The share of the window that the dossier and an answer fill.
    pub filled: f64,
    /// In dollars, if the price is known, with an answer of ordinary length.
    pub cost: Option<f64>,
    /// What finds no room, the best first.
    pub left_out: Vec<LeftOutResponse>,
    pub left_out_tokens: u32,
    pub alternatives: Vec<AlternativeResponse>,
    /// Why this model cannot be asked so.
    pub problem: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LeftOutResponse {
    pub source: String,
    pub tokens: u32,
    pub reason: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AlternativeResponse {
    pub model: String,
    pub cost: Option<f64>,
    pub reason: String,
}

/// Tell what a turn would take
///
/// Calls no model and keeps nothing.
#[utoipa::path(
    post,
    path = "/api/turn/forecast",
    operation_id = "forecast_turn",
    tag = "turn",
    request_body = TurnRequest,
    responses((status = 200, body = ForecastResponse), Problems)
)]
pub async fn forecast(
    State(door): State<Door>,
    caller: Caller,
    JsonBody(request): JsonBody<TurnRequest>,
) -> Result<Json<ForecastResponse>, Problem> {
    let wanted = wanted(&door, &caller, request).await?;
    Ok(Json(caller.workspace.forecast(&wanted).await?.into()))
}

impl From<Forecast> for ForecastResponse {
    fn from(forecast: Forecast) -> Self {
        let models = forecast.models.into_iter().map(|model| ModelForecastResponse {
            model: model.model,
            tokens: model.tokens,
            limit: model.limit,
            window: model.window,
            filled: model.filled,
            cost: model.cost,
            left_out: model
                .left_out
                .into_iter()
                .map(|item| LeftOutResponse {
                    source: item.source,
                    tokens: item.tokens,
                    reason: item.reason,
                })
                .collect(),
            left_out_tokens: model.left_out_tokens,
            alternatives: model
                .alternatives
                .into_iter()
                .map(|other| AlternativeResponse {
                    model: other.model,
                    cost: other.cost,
                    reason: other.reason,
                })
                .collect(),
            problem: model.problem,
        });
        Self { models: models.collect(), warnings: forecast.warnings }
    }
}
