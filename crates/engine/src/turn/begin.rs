//! How a turn begins: the question, with its thread if that is new, and a row for each model, in one
//! transaction before anybody is asked.

use super::{ATTEMPTS, IMAGES, Terms, TurnRequest};
use crate::changes::{Action, Change};
use crate::error::EngineError;
use crate::mint;
use crate::persona;
use crate::workspace::Workspace;
use dossier_core::chunk::Draft;
use dossier_core::id::ThreadId;
use dossier_core::message::{Message, Speaker};
use dossier_core::time::Timestamp;
use dossier_core::turn::ReplyState;
use dossier_models::ChatModel;
use dossier_store::{MessageRow, NewTurn, Project, Reply, StoreError, Thread, Turn};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// How long a turn is believed to be worked on after the last sign of life.
pub(super) const LEASE: Duration = Duration::from_secs(30);

impl Workspace {
    /// Stores the question and the turn.
    pub(super) async fn prepare(
        &self,
        request: &TurnRequest,
        models: &[Arc<dyn ChatModel>],
    ) -> Result<Prepared, EngineError> {
        for _ in 0..ATTEMPTS {
            let begun = self.draft_turn(request, models).await?;
            match self.begin(&begun).await {
                Ok(()) => return Ok(Prepared::New(begun.turn, begun.question)),
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            // Somebody was quicker: with the same turn, or with another in the same thread.
            if let Some(name) = &request.client_message_id
                && let Some(turn) = self.store.turn_named(name).await?
            {
                return Ok(Prepared::Known(turn));
            }
        }
        Err(EngineError::Invalid("the thread is written to without pause; try again".to_owned()))
    }

    /// Stores what a turn begins with, and tells of a thread that begins with it: its turn may take
    /// long.
    pub(crate) async fn begin(&self, begun: &Begun) -> Result<(), StoreError> {
        let new = NewTurn {
            turn: &begun.turn,
            thread: begun.new_thread.as_ref(),
            messages: &begun.messages,
            chunks: &begun.chunks,
            end: begun.end,
        };
        self.store.create_turn(new).await?;
        self.tell_of_new(begun);
        Ok(())
    }

    pub(crate) fn tell_of_new(&self, begun: &Begun) {
        if let Some(thread) = &begun.new_thread {
            self.tell(Change::conversation(Action::Created, &thread.project, &thread.id));
        }
    }

    async fn draft_turn(
        &self,
        request: &TurnRequest,
        models: &[Arc<dyn ChatModel>],
    ) -> Result<Begun, EngineError> {
        let now = request.now;
        let (thread, is_new) = match &request.thread {
            Some(id) => (self.own_thread(request, id).await?, false),
            None => (new_thread(&request.project, now), true),
        };
        let previous = match is_new {
            true => None,
            false => self.store.recent_messages(&thread.id, 1).await?.pop(),
        };
        let position = if is_new { 0 } else { self.store.next_position(&thread.id).await? };
        let message = Message {
            id: mint::id(),
            thread: thread.id.clone(),
            parent: previous.as_ref().map(|message| message.id.clone()),
            position,
            round: thread.round_count + 1,
            speaker: Speaker::user(),
            section: None,
            content: request.question(),
            external_id: None,
            created_at: now,
        };
        let turn = Turn {
            client_message_id: request.client_message_id.clone(),
            ..new_turn(
                &request.project,
                &message,
                &request.terms,
                request.images().len(),
                models,
                now,
            )
        };
        let row = MessageRow { message: message.clone(), metadata: json!({}), deleted_at: None };
        Ok(Begun {
            turn,
            new_thread: is_new.then_some(thread),
            messages: vec![row],
            chunks: Vec::new(),
            question: message,
            end: None,
        })
    }

    async fn own_thread(
        &self,
        request: &TurnRequest,
        id: &ThreadId,
    ) -> Result<Thread, EngineError> {
        let thread = self.store.thread(id).await?;
        let thread = thread.filter(|thread| thread.project == request.project.id);
        let thread = thread.ok_or_else(|| {
            EngineError::not_found("thread", id.as_str(), "the project has no thread of this id")
        })?;
        let speaks = request.terms.brought.as_ref().and_then(|brought| brought.persona.as_ref());
        if speaks.is_none() {
            persona::expect_none(&thread)?;
        }
        Ok(thread)
    }
}

pub(crate) fn lease(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.as_millis() + LEASE.as_millis() as i64)
}

/// A turn that asks these models the question of this message.
pub(crate) fn new_turn(
    project: &Project,
    question: &Message,
    terms: &Terms,
    images: usize,
    models: &[Arc<dyn ChatModel>],
    now: Timestamp,
) -> Turn {
    let mut request = json!(terms);
    if images > 0 {
        request[IMAGES] = json!(images);
    }
    let reply = |model: &Arc<dyn ChatModel>| Reply {
        model: model.info().full_name(),
        state: ReplyState::Prepared,
        receipt: None,
        message: None,
        error: None,
    };
    Turn {
        id: mint::id(),
        project: project.id.clone(),
        thread: question.thread.clone(),
        message: question.id.clone(),
        client_message_id: None,
        request,
        // By the clock, since others ask it whether this process still works on the turn.
        lease_until: lease(mint::now()),
        created_at: now,
        learned_at: None,
        replies: models.iter().map(reply).collect(),
    }
}

pub(crate) fn new_thread(project: &Project, now: Timestamp) -> Thread {
    Thread {
        id: mint::id(),
        project: project.id.clone(),
        title: None,
        summary: None,
        context_state: json!({}),
        round_count: 0,
        external_id: None,
        created_at: now,
        updated_at: now,
    }
}

/// A question that was stored, or had been.
pub(super) enum Prepared {
    New(Turn, Message),
    Known(Turn),
}

/// A turn as it begins, with everything that is stored with it.
pub(crate) struct Begun {
    pub turn: Turn,
    pub new_thread: Option<Thread>,
    pub messages: Vec<MessageRow>,
    /// Of those that are to be found already for the question.
    pub chunks: Vec<Draft>,
    pub question: Message,
    /// Where the thread must end, for a question that it has already.
    pub end: Option<i64>,
}
