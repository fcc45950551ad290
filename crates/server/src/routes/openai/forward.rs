//! Requests of the profile `off`, in either format: they go to the provider as they are, and so does
//! what comes back.

use super::home::Home;
use super::of_engine;
use crate::body::parse;
use crate::problem::Problem;
use crate::state::Caller;
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::response::Response;
use dossier_engine::{Forwarded, Passed, Translated, Wire};
use serde::Deserialize;
use serde_json::value::RawValue;

/// What becomes of such a request.
pub enum Way {
    Passed(Response),
    /// The model's provider speaks another format.
    Translated(Box<Translated>),
}

pub async fn forward(
    wire: Wire,
    home: &Home,
    caller: &Caller,
    body: &Bytes,
) -> Result<Way, Problem> {
    let Named { model } = parse(body)?;
    let name: String = parse(model.get().as_bytes())?;
    let forwarded = caller.workspace.forward(wire, &name, home.project_named(), caller.now).await;
    Ok(match forwarded.map_err(of_engine)? {
        Forwarded::AsItIs(relayed) => {
            let body = renamed(body, model, relayed.model());
            Way::Passed(passed(relayed.send(body).await?))
        }
        Forwarded::Translated(translated) => Way::Translated(translated),
    })
}

/// The name of the model, as it stands in a request.
#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    model: &'a RawValue,
}

/// The same request with another name of the model. `model` stands in `body`.
fn renamed(body: &Bytes, model: &RawValue, name: &str) -> Bytes {
    let own = serde_json::to_string(name).unwrap_or_default();
    let start = (model.get().as_ptr() as usize).wrapping_sub(body.as_ptr() as usize);
    match body.split_at_checked(start) {
        Some((before, after)) if model.get() != own && after.len() >= model.get().len() => {
            [before, own.as_bytes(), &after[model.get().len()..]].concat().into()
        }
        _ => body.clone(),
    }
}

/// What a provider answers, as it comes.
fn passed(passed: Passed) -> Response {
    let mut response = Response::new(Body::from_stream(passed.body));
    *response.status_mut() = StatusCode::from_u16(passed.status).unwrap_or(StatusCode::BAD_GATEWAY);
    *response.headers_mut() = passed.headers;
    response.extensions_mut().insert(crate::around::AsItIs);
    response
}
