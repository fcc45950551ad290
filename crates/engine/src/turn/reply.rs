//! What comes of asking a model, as it is stored and told: its reply, or why there is none.

use super::ATTEMPTS;
use super::answer::{Part, Told};
use super::event::{Replied, TurnEvent};
use super::failure::Failure;
use crate::error::EngineError;
use crate::mint;
use crate::receipts::RECEIPT;
use crate::threads::THOUGHTS;
use dossier_core::chat::{Finish, Usage};
use dossier_core::guard::masked;
use dossier_core::id::{MessageId, ReceiptId};
use dossier_core::message::{Message, Role, Speaker};
use dossier_core::sameness::MOST_KEPT;
use dossier_core::savings::{Calls, Rates, Savings};
use dossier_core::story;
use dossier_core::turn::ReplyState;
use dossier_models::Trouble;
use dossier_store::{
    ANSWER_CACHE, EndedReply, MessageRow, NewReply, StoreError, StoryLink, UsageRow,
};
use serde_json::{Value, json};
use tokio::task::JoinError;

impl Part {
    /// Stores the reply at the end of the thread, wherever that is when it comes.
    pub(super) async fn store_reply(
        &self,
        told: &Told,
        receipt: &ReceiptId,
    ) -> Result<MessageId, Failure> {
        let answer = &told.answer;
        let finish = finish_name(answer.finish.as_ref());
        let calls = if self.runs_its_own_tools() { answer.calls.clone() } else { Vec::new() };
        let content = story::reply(&answer.text, &calls);
        if content.trim().is_empty() {
            return Err(Failure::Empty(finish));
        }
        for _ in 0..ATTEMPTS {
            let question = &self.asked.question;
            let message = Message {
                id: mint::id(),
                thread: question.thread.clone(),
                parent: Some(self.asked.parent.clone()),
                position: self.workspace.store.next_position(&question.thread).await?,
                round: question.round,
                speaker: Speaker { role: Role::Agent, name: Some(self.name()) },
                section: None,
                content: content.clone(),
                external_id: None,
                created_at: mint::now(),
            };
            let usage = self.usage(told, Some((&message, receipt)));
            let replied = Replied {
                model: self.name(),
                message_id: message.id.clone(),
                receipt: Some(receipt.clone()),
                text: answer.text.clone(),
                calls: calls.clone(),
                finish: finish.clone(),
                usage: told.usage,
                cost: usage.as_ref().and_then(|usage| usage.cost).map(dollars),
                cached: told.repeated.as_ref().map(|repeated| repeated.cached.clone()),
            };
            let links = self.links(Some(&message));
            let kept = self.kept_as(told, &message);
            let row = MessageRow {
                message,
                metadata: self.metadata(told, &replied, receipt),
                deleted_at: None,
            };
            let new = NewReply {
                turn: &self.turn.id,
                ordinal: self.ordinal,
                receipt: Some(receipt),
                message: &row,
                usage: usage.as_ref(),
                links: &links,
            };
            let record = match &self.asked.consulting {
                Some(consulting) => consulting.record(receipt, mint::now()),
                None => None,
            };
            let store = &self.workspace.store;
            let given = match (&record, &told.repeated, &kept) {
                (Some(record), ..) => store.consult_answered(new, record).await,
                (_, Some(repeated), _) => {
                    store.reply_repeated(new, &repeated.key, mint::now()).await
                }
                (.., Some(kept)) => store.reply_kept(new, kept, MOST_KEPT).await,
                _ => store.reply_given(new).await,
            };
            match given {
                Ok(true) => {
                    usage.iter().for_each(|usage| self.workspace.figures.spent(usage));
                    // The stored message stays whole; what is shown of it is not.
                    let text = masked(&replied.text).into_owned();
                    self.channel.send(TurnEvent::Reply(Replied { text, ..replied }));
                    return Ok(row.message.id);
                }
                Ok(false) => return Err(Failure::Over),
                // Another model's reply has taken the place.
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(EngineError::Invalid("the thread is written to without pause; try again".into()).into())
    }

    fn metadata(&self, told: &Told, replied: &Replied, receipt: &ReceiptId) -> Value {
        let mut metadata = json!({
            "model": replied.model, "turn": self.turn.id, RECEIPT: replied.receipt,
            "finish": replied.finish,
        });
        if let Some(usage) = replied.usage {
            metadata["usage"] = json!(usage);
        }
        if let Some(cost) = replied.cost {
            metadata["cost"] = json!(cost);
        }
        if let Some(cached) = &replied.cached {
            metadata["cached"] = json!(cached);
        }
        if let Some(consulting) = &self.asked.consulting {
            metadata["consult"] = json!(consulting.report(receipt));
        }
        if !told.thoughts.is_empty() {
            metadata[THOUGHTS] = json!(told.thoughts);
        }
        if !told.tools.is_empty() {
            metadata["tools"] = json!(told.tools);
        }
        if !replied.calls.is_empty() {
            metadata["text"] = json!(replied.text);
            metadata["calls"] = json!(replied.calls);
            // The provider wants it back with the results, and callers do not keep it.
            if let Some(sealed) = &told.answer.sealed {
                metadata["sealed"] = json!(sealed);
            }
        }
        metadata
    }

    /// By which the thread is known up to the question, and up to the reply if there is one.
    fn links(&self, reply: Option<&Message>) -> Vec<StoryLink> {
        let Some(told) = &self.asked.links else { return Vec::new() };
        let mut links = told.new.clone();
        links.extend(reply.map(|message| StoryLink {
            hash: story::link(Some(&told.last), Role::Agent, &message.content),
            thread: message.thread.clone(),
            position: message.position,
        }));
        links
    }

    /// What the calls took, to be counted with the reply and the receipt that it answers, or without
    /// one. Vendors tell it last: of a call that was left it is estimated, as of one whose provider
    /// never tells, or budgets would not know of it.
    fn usage(&self, told: &Told, reply: Option<(&Message, &ReceiptId)>) -> Option<UsageRow> {
        // A model without an address is no provider's: whoever brings it pays for it.
        let unreported = told.unreported.iter().filter(|_| self.model.address().is_some());
        let calls = unreported.map(|call| self.estimate(call)).chain(told.usage);
        let tokens = calls.reduce(Usage::plus)?;
        let cost = match told.repeated {
            Some(_) => Some(0.0),
            None => self.model.info().costs.map(|costs| costs.of(tokens)),
        };
        let component = match (&self.asked.consulting, &told.repeated) {
            (Some(_), _) => "consult",
            (None, Some(_)) => ANSWER_CACHE,
            (None, None) => "turn",
        };
        let saved = match reply {
            Some((_, receipt)) => self.saved(told, tokens, receipt),
            None => Savings::spent(tokens, self.rates()),
        };
        Some(UsageRow {
            id: mint::id(),
            component: component.to_owned(),
            model: self.name(),
            project: Some(self.turn.project.clone()),
            thread: Some(self.turn.thread.clone()),
            message: reply.map(|(message, _)| message.id.clone()),
            tokens,
            cost: cost.map(|dollars| (dollars * 1e6).round() as i64),
            saved,
            created_at: mint::now(),
        })
    }

    /// What a reply saved against its whole thread, or its files.
    fn saved(&self, told: &Told, tokens: Usage, receipt: &ReceiptId) -> Savings {
        if told.repeated.is_some() {
            return told.saved;
        }
        let calls = told.calls.unwrap_or(Calls { first: tokens, ..Calls::default() });
        let rates = self.rates();
        match &self.asked.consulting {
            Some(files) => Savings::of_files(files.report(receipt).tokens_saved, calls, rates),
            None => Savings::of_turn(told.whole, told.request.unwrap_or_default(), calls, rates),
        }
    }

    pub(super) fn rates(&self) -> Rates {
        Rates::of(self.model.info().costs)
    }

    /// Ends the reply after a fault of the program itself, so that others are told and it can be
    /// asked for again.
    pub(super) async fn broke_off(&self, fault: &JoinError) {
        tracing::error!(%fault, model = self.name(), "a reply broke off");
        let said = "the program failed while it worked on the reply; ask again".to_owned();
        self.fail(EngineError::Invalid(said).into(), &Told::default()).await;
    }

    pub(super) async fn fail(&self, failure: Failure, told: &Told) {
        let is_over = matches!(failure, Failure::Over);
        let mut retry_after = None;
        let (state, code, message) = match failure {
            Failure::Over => {
                let said = "the reply was ended or taken over meanwhile; look at the turn again";
                (ReplyState::Interrupted, "interrupted", said.to_owned())
            }
            Failure::GivenUp => {
                (ReplyState::Cancelled, "cancelled", "nobody waits for it".to_owned())
            }
            Failure::Parked => {
                let said = "the program was stopped before the model had answered; ask it again";
                (ReplyState::Interrupted, "interrupted", said.to_owned())
            }
            Failure::Model(error) => {
                let trouble = error.trouble();
                let code = trouble.map_or("model", |trouble| trouble.code());
                let wait = trouble.and_then(Trouble::retry_after);
                retry_after = wait.map(|wait| wait.as_secs_f64().ceil() as u64);
                let state = match trouble {
                    Some(Trouble::Suspended) => ReplyState::Interrupted,
                    _ => ReplyState::Failed,
                };
                (state, code, error.to_string())
            }
            Failure::Engine(error) => {
                let code = match &error {
                    EngineError::TooLarge(_) => "budget_too_small",
                    EngineError::OverBudget(_) => "over_budget",
                    EngineError::WindowFull(_) | EngineError::SessionFull(_) => "window_full",
                    _ => "engine",
                };
                (ReplyState::Failed, code, error.to_string())
            }
            Failure::Empty(finish) => {
                let said = format!("{} ended without a word ({finish})", self.name());
                let is_cut_off = finish == finish_name(Some(&Finish::Length));
                let code = if is_cut_off { "cut_off" } else { "empty" };
                (ReplyState::Failed, code, said)
            }
        };
        let error = json!({"code": code, "message": message});
        let usage = self.usage(told, None);
        let store = &self.workspace.store;
        // A store that cannot even note the failure leaves an open reply, which is found
        // interrupted when the lease has run out.
        let ended = EndedReply {
            turn: &self.turn.id,
            ordinal: self.ordinal,
            state,
            error: &error,
            usage: usage.as_ref(),
            links: &self.links(None),
        };
        let noted = match (is_over, &usage) {
            (true, None) => false,
            // The reply is somebody else's now, and what was used is billed all the same.
            (true, Some(usage)) => store.put_usage(usage).await.is_ok(),
            (false, _) => store.reply_ended(ended).await.is_ok(),
        };
        if noted {
            usage.iter().for_each(|usage| self.workspace.figures.spent(usage));
        }
        let (model, code) = (self.name(), code.to_owned());
        self.channel.send(TurnEvent::Error { model, state, code, message, retry_after });
    }
}

pub(super) fn dollars(millionths: i64) -> f64 {
    millionths as f64 / 1e6
}

/// As it is stored and told.
fn finish_name(finish: Option<&Finish>) -> String {
    match finish {
        Some(Finish::Stop) => "stop".to_owned(),
        Some(Finish::Length) => "length".to_owned(),
        Some(Finish::ToolCalls) => "tool_calls".to_owned(),
        Some(Finish::Refused) => "refused".to_owned(),
        Some(Finish::Other(other)) => other.clone(),
        None => "unknown".to_owned(),
    }
}
