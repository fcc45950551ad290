//! What follows from a turn: work for later as durable rows, and the end of what was interrupted.

use super::{ATTEMPTS, Workspace};
use crate::error::EngineError;
use crate::mint;
use crate::work;
use crate::workspace::Engine;
use dossier_core::chunk::{Draft, draft};
use dossier_core::id::{MessageId, ReceiptId};
use dossier_core::message::Message;
use dossier_core::selection::Served;
use dossier_core::time::Timestamp;
use dossier_core::turn::ReplyState;
use dossier_core::work::Answered;
use dossier_store::{EndedReply, Learned, Reply, StoreError, Thread, Turn};
use futures::FutureExt as _;
use serde_json::json;
use std::panic::AssertUnwindSafe;

impl Engine {
    /// Ends what a process left in the middle, for all owners.
    pub async fn recover_turns(&self, now: Timestamp) -> Result<usize, EngineError> {
        let mut interrupted = 0;
        for owner in self.store.owners_with_abandoned_turns(now).await? {
            interrupted += self.owner(&owner).recover_turns(now).await?;
        }
        Ok(interrupted)
    }
}

impl Workspace {
    /// Notes what is to be done for the thread, how the turn's dossiers have served, and that it is
    /// over. What fails here fails alone: the turn is found and learned from again when its lease
    /// has run out.
    pub(super) async fn learn(&self, turn: &Turn, served: &[(ReceiptId, Served)]) {
        if let Err(error) = self.try_learn(turn, served).await {
            tracing::warn!(%error, turn = %turn.id, "something of a turn was not learned");
        }
    }

    /// What was said is found, whatever becomes of the rest.
    async fn try_learn(
        &self,
        turn: &Turn,
        served: &[(ReceiptId, Served)],
    ) -> Result<(), EngineError> {
        let noted = AssertUnwindSafe(self.note(turn)).catch_unwind().await;
        let noted = noted.unwrap_or_else(|_| {
            Err(EngineError::Invalid("the program failed while it learned from it".to_owned()))
        });
        let learned = Learned {
            question: matches!(noted, Ok(true)),
            served,
            unfinished: noted.as_ref().is_err_and(|error| !is_refusal(error)),
            ..Learned::default()
        };
        self.note_said(turn, learned).await?;
        noted.map(|_| ())
    }

    /// Makes what was said in a turn so far found: a model that takes long keeps nobody from finding
    /// what the others said. What fails here is done at the turn's end.
    pub(super) async fn find_said(&self, turn: &Turn) {
        let so_far = Learned { unfinished: true, ..Learned::default() };
        let _ = self.note_said(turn, so_far).await;
    }

    /// Counts the turn, notes what is to be done for its thread, and remembers what its question
    /// states. Whether it is still to be noted that the question was learned from.
    async fn note(&self, turn: &Turn) -> Result<bool, EngineError> {
        let Some(thread) = self.store.thread(&turn.thread).await? else { return Ok(false) };
        self.count_persona(turn).await?;
        let due = work::due(&thread, answered(turn), mint::now());
        if !due.is_empty() && self.store.was_repeated(&turn.id).await? {
            self.title_from_question(&thread, turn).await?;
        } else {
            for job in due {
                self.store.enqueue(&job).await?;
            }
        }
        self.learn_from(turn).await
    }

    async fn note_said(&self, turn: &Turn, learned: Learned<'_>) -> Result<(), EngineError> {
        for _ in 0..ATTEMPTS {
            let (said, chunks) = self.said_in(turn).await?;
            let learned = Learned { chunks: &chunks, said: &said, ..learned };
            match self.store.turn_learned(turn, learned, mint::now()).await {
                Err(StoreError::Conflict { .. }) => {}
                learned => return Ok(learned?),
            }
        }
        Ok(())
    }

    /// What was said in a turn, as it is found from now on, and the messages that it is made of.
    async fn said_in(&self, turn: &Turn) -> Result<(Vec<MessageId>, Vec<Draft>), EngineError> {
        let ids: Vec<&MessageId> = turn.said().collect();
        let mut said = self.store.said(&ids).await?;
        let parents = said.iter().filter_map(|message| message.parent.as_ref());
        let before: Vec<&MessageId> = parents.filter(|parent| !ids.contains(parent)).collect();
        let before = self.store.said(&before).await?;
        let own = said.len();
        said.extend(before);
        let chunk = |message: &Message| {
            let answered = said.iter().find(|other| Some(&other.id) == message.parent.as_ref());
            draft::of_message(message, answered)
        };
        let chunks = said[..own].iter().filter_map(chunk).collect();
        Ok((said.into_iter().map(|message| message.id).collect(), chunks))
    }

    /// Names a thread after its question, which costs nothing: where no model was asked, none is
    /// asked for a title or a summary either.
    async fn title_from_question(&self, thread: &Thread, turn: &Turn) -> Result<(), EngineError> {
        if thread.title.is_none()
            && let Some(question) = self.store.message(&turn.message).await?
        {
            let title = work::own_title(&question);
            self.store.give_title(&thread.id, &title).await?;
        }
        Ok(())
    }

    /// Before something is looked for: what was said in a turn whose process was killed is found
    /// only when its end is noted. Whoever can only read is told what is there.
    pub(crate) async fn look_back(&self) {
        if self.running.looks_back(self.store.owner()) {
            let _ = self.recover_turns(mint::now()).await;
        }
    }

    /// Ends what a process left in the middle: replies that nobody works on any more are marked,
    /// so that they can be asked for again. Tells how many.
    pub async fn recover_turns(&self, now: Timestamp) -> Result<usize, EngineError> {
        let _one_at_a_time = self.running.recovering.lock().await;
        let mut interrupted = 0;
        for turn in self.store.abandoned_turns(now).await? {
            // A busy store may have kept this process from renewing its own lease.
            let own = self.running.get(self.store.owner(), &turn.id);
            if own.is_some_and(|channel| !channel.has_ended()) {
                continue;
            }
            let error = json!({
                "code": "interrupted",
                "message": "the program ended while the model was being asked; ask it again",
            });
            for ordinal in 0..turn.replies.len() {
                let state = ReplyState::Interrupted;
                let ended = EndedReply {
                    turn: &turn.id,
                    ordinal,
                    state,
                    error: &error,
                    usage: None,
                    links: &[],
                };
                let ended = self.store.reply_ended(ended).await?;
                interrupted += usize::from(ended);
            }
            self.learn(&turn, &[]).await;
        }
        Ok(interrupted)
    }
}

/// Whether the same would be refused again, however often it is tried.
fn is_refusal(error: &EngineError) -> bool {
    use StoreError::{Exceeded, Invalid, NotFound};
    matches!(
        error,
        EngineError::Invalid(_)
            | EngineError::Store(Exceeded { .. } | Invalid { .. } | NotFound { .. })
    )
}

/// Whether any model has replied in a turn.
fn answered(turn: &Turn) -> Answered {
    let replied = |reply: &Reply| reply.state == ReplyState::Replied;
    if turn.replies.iter().any(replied) { Answered::Yes } else { Answered::No }
}
