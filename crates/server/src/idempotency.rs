//! Requests that come again. One with an `Idempotency-Key` that was answered gets the same reply
//! again and is not done twice, also after a restart.

use crate::body::read;
use crate::problem::{Code, Problem};
use crate::sse::Failed;
use crate::state::{Caller, Door};
use axum::BoxError;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use dossier_core::hash::ContentHash;
use dossier_engine::{KeptReply, Reservation};
use futures_util::StreamExt as _;
use futures_util::stream::{once as one, poll_fn};
use tokio::sync::mpsc;
use tracing::Instrument as _;

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Says that a reply is one from before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LONGEST_KEY: usize = 255;
/// How the names of headers begin that tell something of a reply of ours.
const OURS: &str = "x-dossier-";

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
            let detail = "the request was done, and its reply was too large to be kept, or was \
                          forgotten together with something that was deleted since; look at what is \
                          there";
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
        keep(caller, key, response, door.options.limits.kept_bytes).await
    };
    let work = tokio::spawn(work.in_current_span());
    work.await.map_err(Problem::internal)?
}

/// Keeps the reply to what was done; after a failure the key is free again.
async fn keep(
    caller: Caller,
    key: String,
    response: Response,
    most: usize,
) -> Result<Response, Problem> {
    if !response.status().is_success() {
        caller.workspace.release_reply(&key).await?;
        return Ok(response);
    }
    let (head, body) = response.into_parts();
    let media_type = head.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let media_type = media_type.unwrap_or_default().to_owned();
    let is_stream = media_type.starts_with("text/event-stream");
    let headers = telling(&head.headers);
    let status = head.status.as_u16();
    let reply = KeptReply { status, media_type, headers, body: String::new() };
    if is_stream {
        let failed = head.extensions.get::<Failed>().cloned().unwrap_or_default();
        let keeping = Keeping { caller, key, reply, most };
        return Ok(Response::from_parts(head, passed_on(keeping, body, failed)));
    }
    let mut pieces = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.next().await {
        bytes.extend_from_slice(&piece.map_err(Problem::internal)?);
        if bytes.len() > most {
            caller.workspace.drop_reply(&key, status).await?;
            let first = one(std::future::ready(Ok(Bytes::from(bytes))));
            return Ok(Response::from_parts(head, Body::from_stream(first.chain(pieces))));
        }
    }
    let body = String::from_utf8_lossy(&bytes).into_owned();
    caller.workspace.keep_reply(&key, &KeptReply { body, ..reply }).await?;
    Ok(Response::from_parts(head, Body::from(bytes)))
}

/// The headers that a client cannot do without when the reply comes again.
fn telling(headers: &HeaderMap) -> Vec<(String, String)> {
    let tells = |name: &HeaderName| *name == header::LOCATION || name.as_str().starts_with(OURS);
    let told = headers.iter().filter(|(name, _)| tells(name));
    let text = |(name, value): (&HeaderName, &HeaderValue)| {
        Some((name.to_string(), value.to_str().ok()?.to_owned()))
    };
    told.filter_map(text).collect()
}

/// A reply that is to be kept, up to so many bytes.
struct Keeping {
    caller: Caller,
    key: String,
    reply: KeptReply,
    most: usize,
}

/// A stream as it comes. It ends when it is kept, and goes on when the client leaves.
fn passed_on(keeping: Keeping, body: Body, failed: Failed) -> Body {
    let Keeping { caller, key, reply, most } = keeping;
    let (sender, mut receiver) = mpsc::unbounded_channel::<Result<Bytes, BoxError>>();
    let work = async move {
        let mut body = body.into_data_stream();
        let mut whole = Vec::new();
        let mut length: usize = 0;
        while let Some(piece) = body.next().await {
            if let Ok(bytes) = &piece {
                length = length.saturating_add(bytes.len());
                match length > most {
                    true => whole = Vec::new(),
                    false => whole.extend_from_slice(bytes),
                }
            }
            let is_broken = piece.is_err();
            // Whoever has left comes back for all of it.
            let _ = sender.send(piece.map_err(Into::into));
            if is_broken {
                return caller.workspace.release_reply(&key).await;
            }
        }
        if failed.is_set() {
            return caller.workspace.release_reply(&key).await;
        }
        let kept = match length > most {
            true => caller.workspace.drop_reply(&key, reply.status).await,
            false => {
                let body = String::from_utf8_lossy(&whole).into_owned();
                caller.workspace.keep_reply(&key, &KeptReply { body, ..reply }).await
            }
        };
        if kept.is_err() {
            // A stream that breaks off is no reply.
            let _ = sender.send(Err("the reply could not be kept".into()));
        }
        kept
    };
    let work = async {
        if let Err(error) = work.await {
            tracing::error!(%error, "the reply to a request with an Idempotency-Key was not kept");
        }
    };
    tokio::spawn(work.in_current_span());
    Body::from_stream(poll_fn(move |context| receiver.poll_recv(context)))
}

fn again(reply: KeptReply) -> Response {
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    if let Ok(media_type) = HeaderValue::from_str(&reply.media_type) {
        headers.insert(header::CONTENT_TYPE, media_type);
    }
    for (name, value) in &reply.headers {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
            headers.insert(name, value);
        }
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
