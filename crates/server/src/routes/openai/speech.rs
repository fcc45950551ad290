//! An answer on its way to a client that knows nothing of turns: pieces until its end, or an error.
//! A client that leaves ends the call.

use crate::problem::Problem;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use dossier_core::chat::{Event, Finish};
use dossier_engine::{EngineError, Events, Replied, TurnEvent, TurnStream};
use futures_util::StreamExt as _;
use std::collections::VecDeque;
use std::time::Duration;

const RECEIPT: HeaderName = HeaderName::from_static("x-dossier-receipt");
const THREAD: HeaderName = HeaderName::from_static("x-dossier-thread");
const CACHE: HeaderName = HeaderName::from_static("x-dossier-cache");

/// How long the head of a streamed response waits for the model's first word: until then a refusal
/// of the provider has its own status.
const HELD_BACK: Duration = Duration::from_secs(10);

pub struct Speech {
    source: Source,
    waiting: VecDeque<Event>,
    headers: HeaderMap,
    is_over: bool,
}

enum Source {
    Turn(Box<TurnStream>),
    Model(Events),
}

impl Speech {
    pub fn of_turn(stream: TurnStream) -> Self {
        let mut headers = HeaderMap::new();
        insert(&mut headers, THREAD, stream.turn.thread.as_str());
        Self::from(Source::Turn(Box::new(stream)), headers)
    }

    pub fn of_model(events: Events) -> Self {
        Self::from(Source::Model(events), HeaderMap::new())
    }

    fn from(source: Source, headers: HeaderMap) -> Self {
        Self { source, waiting: VecDeque::new(), headers, is_over: false }
    }

    /// What the response's head says of the answer, once it has begun.
    pub fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    /// Waits until the head of a response can be sent.
    pub async fn begin(&mut self) -> Result<(), Problem> {
        if matches!(self.source, Source::Turn { .. }) {
            while !self.headers.contains_key(RECEIPT) && self.waiting.is_empty() {
                if !self.hear().await? {
                    return Ok(());
                }
            }
        }
        // Otherwise it has ended, or takes its time.
        if let Ok(Some(event)) = tokio::time::timeout(HELD_BACK, self.next()).await {
            self.waiting.push_front(event?);
        }
        Ok(())
    }

    /// The next piece; none after the end or an error.
    pub async fn next(&mut self) -> Option<Result<Event, Problem>> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(Ok(event));
            }
            if self.is_over {
                return None;
            }
            if let Err(problem) = self.hear().await {
                self.is_over = true;
                return Some(Err(problem));
            }
        }
    }

    /// Takes in what happens next; whether something did.
    async fn hear(&mut self) -> Result<bool, Problem> {
        match &mut self.source {
            Source::Model(events) => match events.next().await {
                Some(Ok(event)) => self.waiting.push_back(event),
                Some(Err(error)) => return Err(EngineError::Models(error).into()),
                None => self.is_over = true,
            },
            Source::Turn(stream) => match stream.next().await {
                None => self.is_over = true,
                Some((_, event)) => {
                    self.take(&event)?;
                }
            },
        }
        Ok(!self.is_over)
    }

    fn take(&mut self, event: &TurnEvent) -> Result<(), Problem> {
        let waiting = &mut self.waiting;
        match event {
            TurnEvent::Dossier { receipt, cached, cache_miss, .. } => {
                insert(&mut self.headers, RECEIPT, receipt.as_str());
                match (cached, cache_miss) {
                    (Some(cached), _) if cached.stale => insert(&mut self.headers, CACHE, "stale"),
                    (Some(_), _) => insert(&mut self.headers, CACHE, "hit"),
                    (None, Some(_)) => insert(&mut self.headers, CACHE, "miss"),
                    // The project keeps no answers.
                    (None, None) => {}
                }
            }
            TurnEvent::Delta { text, reasoning, .. } => {
                let said = [Event::Reasoning(reasoning.clone()), Event::Text(text.clone())];
                waiting.extend(said.into_iter().filter(|event| !is_empty(event)));
            }
            TurnEvent::Call { number, id, name, .. } => {
                let (id, name) = (id.clone(), name.clone());
                waiting.push_back(Event::Call { number: *number, id, name });
            }
            TurnEvent::Arguments { number, text, .. } => {
                waiting.push_back(Event::Arguments { number: *number, text: text.clone() });
            }
            TurnEvent::Reply(Replied { usage, finish, .. }) => {
                waiting.extend(usage.map(Event::Usage));
                waiting.push_back(Event::Finish(finish_named(finish)));
                self.is_over = true;
            }
            // The model had no room for a word after its thoughts; a provider calls that an answer.
            TurnEvent::Error { code, .. } if code == "cut_off" => {
                waiting.push_back(Event::Finish(Finish::Length));
                self.is_over = true;
            }
            TurnEvent::Error { code, message, retry_after, .. } => {
                return Err(Problem {
                    retry_after: *retry_after,
                    ..Problem::of_reply(code, message)
                });
            }
            TurnEvent::Tool { .. } => {}
            TurnEvent::Done { .. } => self.is_over = true,
        }
        Ok(())
    }
}

fn is_empty(event: &Event) -> bool {
    matches!(event, Event::Text(text) | Event::Reasoning(text) if text.is_empty())
}

fn insert(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// As it is told in a turn.
fn finish_named(name: &str) -> Finish {
    match name {
        "stop" => Finish::Stop,
        "length" => Finish::Length,
        "tool_calls" => Finish::ToolCalls,
        "refused" => Finish::Refused,
        other => Finish::Other(other.to_owned()),
    }
}
