//! Streams of server-sent events: with a sign of life while nothing happens, and an end when the
//! server stops.

use crate::problem::{Code, Problem};
use crate::routes::Speech;
use crate::state::Door;
use axum::Extension;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use dossier_core::chat;
use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt as _};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Proxies give up on lines that are silent for longer.
const SILENCE: Duration = Duration::from_secs(15);

/// Whether the client wants to be told as it happens.
pub fn is_asked_for(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accepted.is_some_and(|accept| accept.contains("text/event-stream"))
}

/// A response of what happens in a turn, which has an end.
pub fn turn<S: Stream<Item = Event> + Send + 'static>(
    events: S,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<S>> {
    Sse::new(events.map(Ok)).keep_alive(KeepAlive::new().interval(SILENCE))
}

/// A response of events without end, until the server stops.
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

/// Says of a stream, when it is over, whether it ended before its time.
#[derive(Debug, Clone, Default)]
pub struct Failed(Arc<AtomicBool>);

impl Failed {
    fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
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
    let mut over = door.over.subscribe();
    let stopped = async move {
        // The server itself is gone when nobody can say it any more.
        let _ = over.wait_for(|over| *over).await;
    };
    let failed = Failed::default();
    let state = (Some(speech), writer, ready, Box::pin(stopped), failed.clone());
    let frames = unfold(state, async |(mut speech, mut writer, mut ready, mut stopped, failed)| {
        loop {
            if let Some(frame) = ready.pop_front() {
                let state = (speech, writer, ready, stopped, failed);
                return Some((Ok::<_, Infallible>(frame), state));
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
            if let Some(Err(_)) = event {
                failed.set();
            }
            ready.extend(match event {
                Some(Ok(event)) => writer.say(&event),
                Some(Err(problem)) => writer.fail(&problem),
                None => writer.end(),
            });
        }
    });
    (Extension(failed), Sse::new(frames).keep_alive(KeepAlive::new().interval(SILENCE)))
}
