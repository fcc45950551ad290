//! How the server is: for whoever starts, watches and restarts it.

use crate::problem::{Code, Problem, Problems};
use crate::state::Door;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use dossier_engine::now;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct HealthResponse {
    #[schema(value_type = String)]
    pub status: &'static str,
    #[schema(value_type = String)]
    pub version: &'static str,
}

const WELL: HealthResponse = HealthResponse { status: "ok", version: env!("CARGO_PKG_VERSION") };

/// Whether the server runs
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "is_alive",
    tag = "server",
    security(()),
    responses((status = 200, body = HealthResponse), Problems)
)]
pub async fn alive() -> Json<HealthResponse> {
    Json(WELL)
}

/// Whether the server can do its work
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "is_ready",
    tag = "server",
    security(()),
    responses((status = 200, body = HealthResponse), Problems)
)]
pub async fn ready(State(door): State<Door>) -> Result<Json<HealthResponse>, Problem> {
    door.engine.ready().await.map_err(|error| Problem {
        cause: Some(error.to_string()),
        ..Problem::new(Code::StoreUnavailable, "the store does not answer")
    })?;
    Ok(Json(WELL))
}

/// Counters, as Prometheus reads them
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "get_metrics",
    tag = "server",
    responses((status = 200, content((String = "text/plain"))), Problems)
)]
pub async fn metrics(State(door): State<Door>) -> impl IntoResponse {
    // A store that does not answer is what the other figures are wanted for.
    let standing = door.engine.standing(now()).await;
    let standing = standing.as_ref().map(crate::metrics::standing).unwrap_or_default();
    let text = door.metrics.text(door.engine.changes().clients())
        + &crate::metrics::compressions(&door.engine.compressed())
        + &crate::metrics::answers(&door.engine.answer_sums())
        + &crate::metrics::figures(&door.engine.figures())
        + &standing;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
