//! Bodies as handlers take them. A JSON body must say that it is one, so that no form of another
//! site can pass for it; whatever is wrong with a body is a problem with its own code.

use crate::problem::{Code, FieldProblem, Problem};
use crate::state::Door;
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// How much of a body that is too large is still taken in, and thrown away, so that the client
/// comes to reading why it was refused.
const DRAINED: usize = 100_000_000;

/// A JSON body.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Door> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, door: &Door) -> Result<Self, Problem> {
        check_json(request.headers())?;
        let bytes = read(request.into_body(), door.options.limits.body_bytes).await?;
        parse(&bytes).map(Self)
    }
}

/// Whether the headers say that the body is JSON.
pub fn check_json(headers: &HeaderMap) -> Result<(), Problem> {
    match media_type(headers).as_deref() {
        Some("application/json") => Ok(()),
        _ => Err(Problem::new(
            Code::UnsupportedMediaType,
            "the body must be JSON, and the header Content-Type must be application/json",
        )),
    }
}

/// The media type of a body, without its parameters.
pub fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// A whole body of no more than so many bytes.
pub async fn read(body: Body, most: usize) -> Result<Bytes, Problem> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    let mut seen: usize = 0;
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|_| {
            Problem::new(Code::MalformedRequest, "the body broke off; send it again")
        })?;
        seen = seen.saturating_add(piece.len());
        if seen <= most {
            bytes.extend_from_slice(&piece);
        } else {
            bytes = Vec::new();
        }
        if seen > DRAINED {
            break;
        }
    }
    match seen > most {
        true => Err(too_large(most)),
        false => Ok(bytes.into()),
    }
}

pub fn too_large(most: usize) -> Problem {
    Problem::new(Code::BodyTooLarge, format!("a body may have {most} bytes; send less at once"))
}

pub fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("byte {} of the body is not UTF-8", error.valid_up_to());
        Problem::new(Code::MalformedJson, detail)
    })?;
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = error.path().iter().next().map(|_| error.path().to_string());
        let error = error.into_inner();
        match (error.classify(), field) {
            (serde_json::error::Category::Data, Some(field)) => wrong_field(field, &error),
            (serde_json::error::Category::Data, None) => {
                Problem::new(Code::Invalid, error.to_string())
            }
            _ => Problem::new(Code::MalformedJson, error.to_string()),
        }
    })?;
    json.end().map_err(|error| Problem::new(Code::MalformedJson, error.to_string()))?;
    Ok(value)
}

fn wrong_field(field: String, error: &serde_json::Error) -> Problem {
    let message = error.to_string();
    let problem = Problem::new(Code::Invalid, format!("{field}: {message}"));
    let field = FieldProblem { field: field.into(), message };
    Problem { fields: vec![field], ..problem }
}

/// A query string.
#[derive(Debug)]
pub struct QueryOf<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<Door> for QueryOf<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, door: &Door) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, door).await;
        query
            .map(|Query(query)| Self(query))
            .map_err(|error| Problem::new(Code::InvalidQuery, error.body_text()))
    }
}

/// A part of the address.
#[derive(Debug)]
pub struct PathOf<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<Door> for PathOf<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, door: &Door) -> Result<Self, Problem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, door).await?;
        Ok(Self(path.0))
    }
}

/// A new thing, and where it is.
#[derive(Debug)]
pub struct Created<T> {
    pub location: String,
    pub body: T,
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let location = [(header::LOCATION, self.location)];
        (axum::http::StatusCode::CREATED, location, Json(self.body)).into_response()
    }
}
