//! Streams of server-sent events: with a sign of life while nothing happens, and an end when the
//! server stops.

use crate::problem::{Code, Problem};
use crate::routes::Speech;
use crate::state::Door;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use dossier_core::chat;
use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt as _};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

/// Proxies give up on lines that are silent for longer.
const SILENCE: Duration = Duration::from_secs(15);

/// Whether the client wants to be told as it happens.
pub fn is_asked_for(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accepted.is_some_and(|accept| accept.contains("text/event-stream"))
}

/// A response of these events.
pub fn stream<S: Stream<Item = Event> + Send + 'static>(
    door: &Door,
    events: S,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<S>> {
    let mut stopping = door.stopping.subscribe();
    let stopped = async move {
        // The server itself is gone when nobody can say it any more.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    };
    Sse::new(events.map(Ok).take_until(stopped)).keep_alive(KeepAlive::new().interval(SILENCE))
}

/// Writes an answer in a vendor's frames.
pub trait Writer: Send + 'static {
    fn begin(&mut self) -> Vec<Event>;
    fn say(&mut self, event: &chat::Event) -> Vec<Event>;
    fn end(&mut self) -> Vec<Event>;
    fn fail(&mut self, problem: &Problem) -> Vec<Event>;
}

/// A response of an answer as it comes. It says so when it ends before its time.
pub fn answer<W: Writer>(door: &Door, speech: Speech, mut writer: W) -> impl IntoResponse + use<W> {
    let ready = VecDeque::from(writer.begin());
    let mut stopping = door.stopping.subscribe();
    let stopped = async move {
        // The server itself is gone when nobody can say it any more.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    };
    let state = (Some(speech), writer, ready, Box::pin(stopped));
    let frames = unfold(state, async |(mut speech, mut writer, mut ready, mut stopped)| {
        loop {
            if let Some(frame) = ready.pop_front() {
                return Some((Ok::<_, Infallible>(frame), (speech, writer, ready, stopped)));
            }
            let event = tokio::select! {
                biased;
                event = speech.as_mut()?.next() => event,
                () = &mut stopped => {
                    let detail = "the server is being stopped; ask again in a moment";
                    Some(Err(Problem::new(Code::Busy, detail)))
                }
            };
            if !matches!(event, Some(Ok(_))) {
                speech = None;
            }
            ready.extend(match event {
                Some(Ok(event)) => writer.say(&event),
                Some(Err(problem)) => writer.fail(&problem),
                None => writer.end(),
            });
        }
    });
    Sse::new(frames).keep_alive(KeepAlive::new().interval(SILENCE))
}
