//! The models that can be asked, and the one that embeds.

use super::unknown_model;
use crate::body::PathOf;
use crate::problem::{Problem, Problems};
use crate::state::Caller;
use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct ModelListResponse {
    #[schema(value_type = String)]
    pub object: &'static str,
    pub data: Vec<ModelObject>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ModelObject {
    pub id: String,
    #[schema(value_type = String)]
    pub object: &'static str,
    /// Nobody knows; always 0.
    pub created: i64,
    /// The provider.
    pub owned_by: String,
}

/// List the models that can be asked
#[utoipa::path(
    get,
    path = "/v1/models",
    operation_id = "list_openai_models",
    tag = "openai",
    responses((status = 200, body = ModelListResponse), Problems)
)]
pub async fn list(caller: Caller) -> Result<Json<ModelListResponse>, Problem> {
    Ok(Json(ModelListResponse { object: "list", data: known(&caller)? }))
}

/// Get one of the models
#[utoipa::path(
    get,
    path = "/v1/models/{id}",
    operation_id = "get_openai_model",
    tag = "openai",
    params(("id" = String, Path, description = "The model's name; a slash in it is written %2F")),
    responses((status = 200, body = ModelObject), Problems)
)]
pub async fn get(caller: Caller, PathOf(id): PathOf<String>) -> Result<Json<ModelObject>, Problem> {
    let found = known(&caller)?.into_iter().find(|model| model.id == id);
    if let Some(model) = found {
        return Ok(Json(model));
    }
    // A bare name, or one that only its provider knows.
    match caller.workspace.models()?.get(&id) {
        Ok(model) => Ok(Json(object(model.info().full_name(), &model.info().provider))),
        Err(error) => Err(unknown_model(error)),
    }
}

fn known(caller: &Caller) -> Result<Vec<ModelObject>, Problem> {
    let models = caller.workspace.models()?;
    let mut known: Vec<ModelObject> =
        models.ready().iter().map(|model| object(model.full_name(), &model.provider)).collect();
    known.extend(caller.workspace.embedding_model().map(|name| object(name.to_owned(), "builtin")));
    Ok(known)
}

fn object(id: String, owner: &str) -> ModelObject {
    ModelObject { id, object: "model", created: 0, owned_by: owner.to_owned() }
}
