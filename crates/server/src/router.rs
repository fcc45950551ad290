//! Every route there is. The OpenAPI document is made of the same list, so neither can have what
//! the other lacks.

use crate::admit::admit;
use crate::around::around;
use crate::idempotency::once;
use crate::openapi;
use crate::problem::Problem;
use crate::routes::{
    assemble, consult, conversations, docs, events, facts, files, forecast, health, hidden, models,
    openai, personas, presets, projects, providers, receipts, refs, search, settings, turns,
    uploads, web,
};
use crate::state::Door;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<Door> {
    OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(projects::list, projects::create))
        .routes(routes!(projects::get, projects::change, projects::delete))
        .routes(routes!(files::list, uploads::create))
        .routes(routes!(files::get, files::replace, files::delete))
        .routes(routes!(files::change_metadata))
        .routes(routes!(conversations::list))
        .routes(routes!(conversations::import))
        .routes(routes!(conversations::get, conversations::delete))
        .routes(routes!(conversations::retitle))
        .routes(routes!(conversations::export))
        .routes(routes!(conversations::branch))
        .routes(routes!(conversations::message))
        .routes(routes!(hidden::list))
        .routes(routes!(hidden::restore))
        .routes(routes!(turns::turn))
        .routes(routes!(forecast::forecast))
        .routes(routes!(turns::follow))
        .routes(routes!(turns::retry))
        .routes(routes!(turns::cancel))
        .routes(routes!(consult::consult))
        .routes(routes!(consult::job))
        .routes(routes!(consult::cancel))
        .routes(routes!(consult::assistants))
        .routes(routes!(consult::sessions))
        .routes(routes!(consult::describe))
        .routes(routes!(consult::reset))
        .routes(routes!(assemble::assemble))
        .routes(routes!(receipts::get))
        .routes(routes!(receipts::rendered))
        .routes(routes!(receipts::of_message))
        .routes(routes!(receipts::rendered_of_message))
        .routes(routes!(search::project))
        .routes(routes!(search::global))
        .routes(routes!(facts::list, facts::create))
        .routes(routes!(facts::search))
        .routes(routes!(facts::get, facts::change, facts::forget))
        .routes(routes!(refs::list, refs::create))
        .routes(routes!(refs::sums))
        .routes(routes!(refs::get, refs::forget))
        .routes(routes!(refs::expand))
        .routes(routes!(refs::stale))
        .routes(routes!(personas::list, personas::create))
        .routes(routes!(personas::get, personas::change, personas::delete))
        .routes(routes!(personas::chat::chat))
        .routes(routes!(personas::messages::list, personas::messages::delete))
        .routes(routes!(personas::extend))
        .routes(routes!(presets::list, presets::create))
        .routes(routes!(presets::get, presets::change, presets::delete))
        .routes(routes!(presets::judged, presets::judge))
        .routes(routes!(models::list))
        .routes(routes!(models::refresh))
        .routes(routes!(models::refresh_alias))
        .routes(routes!(models::usage))
        .routes(routes!(models::waits))
        .routes(routes!(providers::list, providers::change))
        .routes(routes!(providers::test))
        .routes(routes!(settings::list, settings::change))
        .routes(routes!(openai::chat::complete))
        .routes(routes!(openai::responses::respond))
        .routes(routes!(openai::models::list))
        .routes(routes!(openai::models::get))
        .routes(routes!(openai::embeddings::embed))
        .routes(routes!(events::events))
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
}

/// The routes, and other doors beside them, with everything that goes around them.
pub fn router(door: Door, others: Router<Door>) -> Router {
    let (router, _) = routes().split_for_parts();
    router
        .merge(others)
        .route("/", get(web::document))
        .route("/assets/{*name}", get(web::part))
        .route("/openapi.json", get(docs::document))
        .route("/docs", get(docs::page))
        .route("/docs/page.js", get(docs::script))
        .route("/docs/page.css", get(docs::style))
        .fallback(async || Problem::of_status(StatusCode::NOT_FOUND))
        // Bodies are counted where they are read, so that a problem says how much they may have.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(door.clone(), once))
        .layer(from_fn_with_state(door.clone(), admit))
        .layer(from_fn_with_state(door.clone(), around))
        .with_state(door)
}
