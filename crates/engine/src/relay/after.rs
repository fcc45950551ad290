//! What follows a reply that the client knows by its turn alone: the round that it ended is told
//! again from the store.

use super::place::{Place, Told};
use crate::error::EngineError;
use crate::turn::Terms;
use crate::workspace::Workspace;
use dossier_core::chat::{Message as Said, Said as What, Sealed, ToolCall};
use dossier_core::id::{MessageId, ThreadId, TurnId};
use dossier_store::MessageRow;
use serde::Deserialize;
use serde_json::Value;

/// A reply, and the round that it belongs to.
pub(super) struct After {
    thread: ThreadId,
    reply: MessageId,
    /// The question, what came after it, and the reply.
    pub said: Vec<Said>,
}

impl Workspace {
    /// The reply of a turn with its round.
    pub(super) async fn reply_of(&self, id: &TurnId) -> Result<After, EngineError> {
        let turn = self.turn_by_id(id).await?;
        let none = || {
            let mend = "its model did not reply, or the reply was deleted";
            EngineError::not_found("the reply of turn", id.as_str(), mend)
        };
        let reply = turn.replies.iter().find_map(|reply| reply.message.clone()).ok_or_else(none)?;
        let question = self.store.message(&turn.message).await?.ok_or_else(none)?;
        let row = self.store.message_row(&reply).await?.ok_or_else(none)?;
        // What cannot be read any more brought nothing.
        let terms: Option<Terms> = serde_json::from_value(turn.request).ok();
        let tail = terms.and_then(|terms| terms.brought).unwrap_or_default().tail;
        let mut said = vec![Said::user(question.content)];
        said.extend(tail);
        said.push(as_said(row));
        Ok(After { thread: turn.thread, reply, said })
    }

    /// Behind the reply: at the end of its thread, or in a branch where the thread has gone on.
    pub(super) async fn place_after(
        &self,
        told: Told<'_>,
        after: &After,
    ) -> Result<Place, EngineError> {
        let thread = self.thread_by_id(&after.thread).await?;
        let next = self.store.next_position(&thread.id).await?;
        let last = self.store.recent_messages(&thread.id, told.story.said.len()).await?;
        let is_end = last.last().is_some_and(|last| last.id == after.reply);
        let known = told.story.overlap_with(&last);
        if is_end && known > 0 {
            let place = self.end_of(told, thread, known, next).await?;
            if !self.is_open(&place).await? {
                return Ok(Place { is_whole: false, ..place });
            }
        }
        let branch = self.branch(&after.thread, &after.reply, told.now).await?;
        let next = self.store.next_position(&branch.id).await?;
        let last = self.store.recent_messages(&branch.id, told.story.said.len()).await?;
        let known = told.story.overlap_with(&last);
        let place = self.end_of(told, branch, known, next).await?;
        Ok(Place { is_whole: false, ..place })
    }
}

fn as_said(row: MessageRow) -> Said {
    let MessageRow { message, metadata, .. } = row;
    let field = |name: &str| metadata.get(name);
    let text = field("text").and_then(Value::as_str).map(str::to_owned);
    let calls: Option<Vec<ToolCall>> = field("calls").and_then(|it| Vec::deserialize(it).ok());
    What::Assistant {
        text: text.unwrap_or(message.content),
        calls: calls.unwrap_or_default(),
        sealed: field("sealed").and_then(|it| Sealed::deserialize(it).ok()),
    }
    .into()
}
