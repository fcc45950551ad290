//! What goes around every request: its id, its limits, its measure, its line in the log, and the
//! headers that every response has. No content and no secret reaches the log.

use crate::problem::{Code, Form, Problem};
use crate::state::Door;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use dossier_core::guard::masked;
use futures_util::FutureExt as _;
use std::panic::AssertUnwindSafe;
use std::time::Instant;
use tracing::Instrument as _;
use ulid::Ulid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Pages that have a script say so themselves.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Where models are asked, which may think for minutes; each of their calls has a limit of its own.
const ASKING: [&str; 5] = ["/api/turn", "/api/consult", "/api/personas", "/v1/", "/mcp"];

/// Marks a response that another server made, whatever its status.
#[derive(Debug, Clone, Copy)]
pub struct AsItIs;

/// The id of a request: the client's, where it is one, or a new one.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

impl RequestId {
    fn of(headers: &HeaderMap) -> Self {
        let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
        let is_sane = |id: &&str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            (1..=64).contains(&id.len()) && id.bytes().all(is_plain)
        };
        Self(match given.filter(is_sane) {
            Some(id) => id.to_owned(),
            None => format!("req_{}", Ulid::generate()).to_lowercase(),
        })
    }
}

pub async fn around(State(door): State<Door>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = RequestId::of(request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "unknown".to_owned());
    let form = Form::of_path(request.uri().path());
    let under_way = door.metrics.begin();
    let span = tracing::info_span!(
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = %method,
        http.route = route,
        http.response.status_code = tracing::field::Empty,
    );
    let mut response = limited(&door, request, next).instrument(span.clone()).await;
    drop(under_way);
    let problem = problem_of(&mut response);
    if let Some(problem) = &problem {
        let allow = response.headers_mut().remove(header::ALLOW);
        response = problem.response(&id.0, form);
        if let Some(allow) = allow {
            response.headers_mut().insert(header::ALLOW, allow);
        }
    }
    finish(&id, response.headers_mut());
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    door.metrics.end(&method, &route, status, began.elapsed());
    log(&id, &method, &route, status, began, problem.as_ref());
    response
}

/// Whoever asks these wants to know whether the server lives, above all when it is busy.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// The response within the limits of room and time; a panic ends no more than its request.
async fn limited(door: &Door, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let room = door.room.try_acquire();
    if room.is_err() && !PROBES.contains(&path) {
        let detail = "too many requests are at work; try again in a moment";
        return Problem::new(Code::Busy, detail).into_response();
    }
    let asks_models = ASKING.iter().any(|asking| path.starts_with(asking));
    let limits = &door.options.limits;
    let time = if asks_models { limits.turn } else { limits.time };
    let work = AssertUnwindSafe(next.run(request)).catch_unwind();
    match tokio::time::timeout(time, work).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => Problem::internal("a handler panicked").into_response(),
        Err(_) => {
            let detail = "the request was given up; ask for less, or try again";
            Problem::new(Code::TimedOut, detail).into_response()
        }
    }
}

/// The problem that a response is about; one that the framework has refused is one as well.
fn problem_of(response: &mut Response) -> Option<Problem> {
    let told = response.extensions_mut().remove::<Problem>();
    if response.extensions_mut().remove::<AsItIs>().is_some() {
        return None;
    }
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let is_told = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind == crate::problem::MEDIA_TYPE);
    told.or_else(|| (is_error && !is_told).then(|| Problem::of_status(status)))
}

fn finish(id: &RequestId, headers: &mut HeaderMap) {
    if let Ok(id) = HeaderValue::from_str(&id.0) {
        headers.insert(REQUEST_ID, id);
    }
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

fn log(
    RequestId(id): &RequestId,
    method: &Method,
    route: &str,
    status: StatusCode,
    began: Instant,
    problem: Option<&Problem>,
) {
    let (status, ms) = (status.as_u16(), began.elapsed().as_millis() as u64);
    let cause = problem.and_then(|problem| problem.cause.as_deref()).map(masked);
    match (cause, status) {
        (Some(cause), 500..) => {
            tracing::error!(id, %method, route, status, ms, cause = &*cause, "request");
        }
        (Some(cause), _) => {
            tracing::warn!(id, %method, route, status, ms, cause = &*cause, "request");
        }
        (None, _) => tracing::info!(id, %method, route, status, ms, "request"),
    }
}
