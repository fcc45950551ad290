//! Requests that come again. One with an `Idempotency-Key` that was answered gets the same reply
//! again and is not done twice, also after a restart.

use crate::body::read;
use crate::problem::{Code, Problem};
use crate::state::{Caller, Door};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use dossier_core::hash::ContentHash;
use dossier_engine::{KeptReply, Reservation};
use tracing::Instrument as _;

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Says that a reply is one from before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LONGEST_KEY: usize = 255;

pub async fn once(
    State(door): State<Door>,
    caller: Result<Caller, Problem>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let key = request.headers().get(KEY).filter(|_| request.method() == Method::POST).cloned();
    let (Some(key), Ok(caller)) = (key, caller) else { return Ok(next.run(request).await) };
    let key = checked(&key)?;
    let (head, body) = request.into_parts();
    let bytes = read(body, door.options.limits.body_bytes).await?;
    let kind = head.headers.get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let parts = [
        head.uri.to_string(),
        ContentHash::of(kind).to_string(),
        ContentHash::of(&bytes).to_string(),
    ];
    let hash = ContentHash::of_parts(parts.iter().map(String::as_str));
    match caller.workspace.reserve_reply(&key, &hash, caller.now).await? {
        Reservation::Granted => {}
        Reservation::Kept(reply) => return Ok(again(reply)),
        Reservation::UnderWay => {
            let detail = "a request with this Idempotency-Key is under way; wait for its reply";
            return Err(Problem::new(Code::RequestUnderWay, detail));
        }
        Reservation::Forgotten => {
            let detail = "the request was done, and its reply was forgotten together with something \
                          that was deleted since; look at what is there";
            return Err(Problem::new(Code::ReplyForgotten, detail));
        }
        Reservation::OtherRequest => {
            let detail = "this Idempotency-Key came with another request; choose a new one";
            return Err(Problem::new(Code::KeyReused, detail));
        }
    }
    // A client that gives up waiting does not stop it: the reply is there when it asks again.
    let work = async move {
        let response = next.run(Request::from_parts(head, Body::from(bytes))).await;
        keep(&caller, &key, response).await
    };
    let work = tokio::spawn(work.in_current_span());
    work.await.map_err(Problem::internal)?
}

/// Keeps the reply to what was done; after a failure the key is free again.
async fn keep(caller: &Caller, key: &str, response: Response) -> Result<Response, Problem> {
    if !response.status().is_success() {
        caller.workspace.release_reply(key).await?;
        return Ok(response);
    }
    let (head, body) = response.into_parts();
    let bytes = read(body, usize::MAX).await?;
    let media_type = head.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let reply = KeptReply {
        status: head.status.as_u16(),
        media_type: media_type.unwrap_or_default().to_owned(),
        body: String::from_utf8_lossy(&bytes).into_owned(),
    };
    caller.workspace.keep_reply(key, &reply).await?;
    Ok(Response::from_parts(head, Body::from(bytes)))
}

fn again(reply: KeptReply) -> Response {
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    if let Ok(media_type) = HeaderValue::from_str(&reply.media_type) {
        headers.insert(header::CONTENT_TYPE, media_type);
    }
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

fn checked(key: &HeaderValue) -> Result<String, Problem> {
    let text = key.to_str().ok().filter(|key| (1..=LONGEST_KEY).contains(&key.len()));
    text.map(str::to_owned).ok_or_else(|| {
        let detail = format!("an Idempotency-Key has 1 to {LONGEST_KEY} plain characters");
        Problem::new(Code::MalformedRequest, detail)
    })
}
