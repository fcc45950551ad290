//! Branching: a thread of its own that begins as another one did, up to some message. Both go on
//! apart; what was said before the fork is found once.

use crate::changes::{Action, Change};
use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chunk::draft;
use dossier_core::id::{MessageId, ThreadId};
use dossier_core::message::Message;
use dossier_core::time::Timestamp;
use dossier_store::{MessageRow, Thread};
use serde_json::{Value, json};
use std::collections::HashMap;

impl Workspace {
    /// A new thread with everything up to this message, which is the last of it. Replies of other
    /// models to the same question stay behind, if one of the replies is chosen.
    pub async fn branch(
        &self,
        thread: &ThreadId,
        at: &MessageId,
        now: Timestamp,
    ) -> Result<Thread, EngineError> {
        let (said, fork) = self.fork(thread, at).await?;
        let kept = said.into_iter().filter(|MessageRow { message, .. }| {
            message.position <= fork.position
                && (message.round < fork.round
                    || message.parent != fork.parent
                    || message.id == *at)
        });
        self.begun_as(thread, at, kept, now).await
    }

    /// A new thread with everything before this message, replies of all models among it: for a
    /// question that is to be asked in other words.
    pub async fn branch_before(
        &self,
        thread: &ThreadId,
        at: &MessageId,
        now: Timestamp,
    ) -> Result<Thread, EngineError> {
        let (said, fork) = self.fork(thread, at).await?;
        if said.iter().all(|row| row.message.position >= fork.position) {
            return Err(EngineError::Invalid(
                "nothing was said before this message; begin a new conversation".to_owned(),
            ));
        }
        let kept = said.into_iter().filter(|row| row.message.position < fork.position);
        self.begun_as(thread, at, kept, now).await
    }

    /// What was said in a thread, and the message where a branch leaves it.
    async fn fork(
        &self,
        thread: &ThreadId,
        at: &MessageId,
    ) -> Result<(Vec<MessageRow>, Message), EngineError> {
        let mut said = self.store.message_rows(thread, 0, usize::MAX).await?;
        said.retain(|row| row.deleted_at.is_none());
        let fork = said.iter().map(|row| &row.message).find(|message| message.id == *at);
        let fork = fork.cloned().ok_or_else(|| {
            EngineError::not_found("message", at.as_str(), "the thread has no such message")
        })?;
        Ok((said, fork))
    }

    async fn begun_as(
        &self,
        thread: &ThreadId,
        at: &MessageId,
        kept: impl Iterator<Item = MessageRow>,
        now: Timestamp,
    ) -> Result<Thread, EngineError> {
        let known = self.thread_by_id(thread).await?;
        let branch = Thread {
            id: mint::id(),
            title: known.title.as_ref().map(|title| format!("{title} (branch)")),
            summary: None,
            context_state: json!({
                "branched_from": {"thread": thread, "message": at, "root": root(&known)},
            }),
            round_count: 0,
            external_id: None,
            created_at: now,
            updated_at: now,
            ..known
        };
        let rows = copied(kept, &branch.id);
        let messages: Vec<Message> = rows.iter().map(|row| row.message.clone()).collect();
        self.store.create_with(&branch, &rows, &draft::of_thread(&messages)).await?;
        self.tell(Change::conversation(Action::Created, &branch.project, &branch.id));
        self.store.thread(&branch.id).await?.ok_or_else(|| {
            EngineError::not_found("thread", branch.id.as_str(), "it was deleted meanwhile")
        })
    }
}

/// The thread that a branch of branches comes from; a thread that is none is its own.
pub(crate) fn root(thread: &Thread) -> &str {
    let root = thread.context_state.pointer("/branched_from/root");
    root.and_then(Value::as_str).unwrap_or(thread.id.as_str())
}

/// The same messages with names of their own, in places without gaps. How replies came about goes
/// with them, but for the turn: its place is in the other thread.
fn copied(rows: impl Iterator<Item = MessageRow>, thread: &ThreadId) -> Vec<MessageRow> {
    let mut names: HashMap<MessageId, MessageId> = HashMap::new();
    (0..)
        .zip(rows)
        .map(|(position, MessageRow { message, mut metadata, deleted_at })| {
            let id: MessageId = mint::id();
            names.insert(message.id.clone(), id.clone());
            if let Some(metadata) = metadata.as_object_mut() {
                metadata.remove("turn");
            }
            let message = Message {
                id,
                thread: thread.clone(),
                parent: message.parent.as_ref().and_then(|parent| names.get(parent).cloned()),
                position,
                external_id: None,
                ..message
            };
            MessageRow { message, metadata, deleted_at }
        })
        .collect()
}
