//! What happens in a turn, for one listener: live, or as the store tells it.

use super::event::{Replied, TurnEvent};
use super::running::{Channel, Listener};
use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chat::ToolCall;
use dossier_core::guard::masked;
use dossier_core::id::TurnId;
use dossier_core::sameness::Cached;
use dossier_core::turn::ReplyState;
use dossier_store::{Reply, Turn};
use serde::Deserialize as _;
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked how far another process has come.
const LOOK: Duration = Duration::from_millis(250);

/// The events of a turn, each with its number.
#[derive(Debug)]
pub struct TurnStream {
    /// The turn as it was when listening began.
    pub turn: Turn,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Live(Listener),
    Told(Box<Telling>),
}

/// A turn as the store tells it. While another process is at work on it, its replies are told when
/// they are there; one that dies lets go of the turn, and that is told, too.
#[derive(Debug)]
pub(super) struct Telling {
    workspace: Workspace,
    next: usize,
    /// The places of the replies that were told.
    told: BTreeSet<usize>,
    waiting: VecDeque<TurnEvent>,
    has_ended: bool,
}

impl Telling {
    /// Numbers of events that were told live mean nothing here: what is stored is told whole, to
    /// whoever has not heard the end.
    pub(super) fn new(workspace: Workspace, next: usize) -> Self {
        let (told, waiting) = Default::default();
        Self { workspace, next, told, waiting, has_ended: false }
    }

    async fn next(&mut self, turn: &Turn) -> Option<(usize, Arc<TurnEvent>)> {
        while self.waiting.is_empty() && !self.has_ended {
            if let Err(error) = self.look(&turn.id).await {
                tracing::warn!(%error, turn = %turn.id, "a turn cannot be told to its end");
                return None;
            }
            if self.waiting.is_empty() {
                tokio::time::sleep(LOOK).await;
            }
        }
        let event = self.waiting.pop_front()?;
        let number = self.next;
        self.next += 1;
        Some((number, Arc::new(event)))
    }

    async fn look(&mut self, id: &TurnId) -> Result<(), EngineError> {
        // A reply that nobody works on any more has ended as well.
        self.workspace.recover_turns(mint::now()).await?;
        let turn = self.workspace.turn_by_id(id).await?;
        for (place, reply) in turn.replies.iter().enumerate() {
            if !reply.state.is_open() && self.told.insert(place) {
                self.waiting.extend(self.workspace.told_reply(reply).await?);
            }
        }
        if self.told.len() == turn.replies.len() {
            self.waiting.push_back(TurnEvent::Done { turn: turn.id, conversation_id: turn.thread });
            self.has_ended = true;
        }
        Ok(())
    }
}

impl TurnStream {
    pub(super) fn live(turn: Turn, channel: Arc<Channel>, next: usize) -> Self {
        Self { turn, source: Source::Live(Listener::new(channel, next)) }
    }

    pub(super) fn told(turn: Turn, telling: Telling) -> Self {
        Self { turn, source: Source::Told(Box::new(telling)) }
    }

    /// The same for a listener that does not come back: without it the turn is given up.
    #[must_use]
    pub fn alone(mut self) -> Self {
        if let Source::Live(listener) = &mut self.source {
            listener.alone();
        }
        self
    }

    /// The same for a listener that may leave for a while.
    pub(crate) fn shared(mut self) -> Self {
        if let Source::Live(listener) = &mut self.source {
            listener.shared();
        }
        self
    }

    /// The next event; none after the last.
    pub async fn next(&mut self) -> Option<(usize, Arc<TurnEvent>)> {
        match &mut self.source {
            Source::Live(listener) => listener.next().await,
            Source::Told(telling) => telling.next(&self.turn).await,
        }
    }
}

impl Workspace {
    /// What became of a turn, from the store.
    pub(crate) async fn told(&self, turn: &Turn) -> Result<Vec<TurnEvent>, EngineError> {
        let mut events = Vec::new();
        for reply in &turn.replies {
            events.extend(self.told_reply(reply).await?);
        }
        if turn.replies.iter().all(|reply| !reply.state.is_open()) {
            let conversation_id = turn.thread.clone();
            events.push(TurnEvent::Done { turn: turn.id.clone(), conversation_id });
        }
        Ok(events)
    }

    async fn told_reply(&self, reply: &Reply) -> Result<Option<TurnEvent>, EngineError> {
        let model = reply.model.clone();
        if reply.state != ReplyState::Replied {
            let said = |key: &str| {
                let said = reply.error.as_ref().and_then(|error| error.get(key)?.as_str());
                said.unwrap_or(reply.state.as_str()).to_owned()
            };
            let event = TurnEvent::Error {
                model,
                state: reply.state,
                code: said("code"),
                message: said("message"),
                retry_after: None,
            };
            return Ok((!reply.state.is_open()).then_some(event));
        }
        let Some(id) = &reply.message else { return Ok(None) };
        let Some(row) = self.store.message_row(id).await? else { return Ok(None) };
        let metadata = row.metadata;
        let usage = metadata.get("usage").cloned();
        let mut calls: Vec<ToolCall> = metadata
            .get("calls")
            .and_then(|calls| serde_json::from_value(calls.clone()).ok())
            .unwrap_or_default();
        for call in &mut calls {
            call.arguments = masked(&call.arguments).into_owned();
        }
        // The message holds its calls in words.
        let text = metadata.get("text").and_then(Value::as_str).map(str::to_owned);
        Ok(Some(TurnEvent::Reply(Replied {
            model,
            message_id: id.clone(),
            receipt: reply.receipt.clone(),
            text: masked(&text.unwrap_or(row.message.content)).into_owned(),
            calls,
            finish: metadata.get("finish").and_then(Value::as_str).unwrap_or("unknown").to_owned(),
            usage: usage.and_then(|usage| serde_json::from_value(usage).ok()),
            cost: metadata.get("cost").and_then(Value::as_f64),
            cached: metadata.get("cached").and_then(|cached| Cached::deserialize(cached).ok()),
        })))
    }
}
