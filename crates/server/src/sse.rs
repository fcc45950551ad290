//! Streams of server-sent events: with a sign of life while nothing happens, and an end when the
//! server stops.

use crate::state::Door;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt as _};
use std::convert::Infallible;
use std::time::Duration;

/// Proxies give up on lines that are silent for longer.
const SILENCE: Duration = Duration::from_secs(15);

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
