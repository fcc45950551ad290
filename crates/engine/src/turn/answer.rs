//! One model's part of a turn: its dossier, the call, the tools it runs, and the reply as it is
//! stored. Whatever goes wrong here is this model's own failure.

use super::event::{Replied, TurnEvent};
use super::running::Channel;
use super::{ATTEMPTS, Asked, Gathered, tools};
use crate::assemble::{Dossier, Seat};
use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chat::{
    Answer, Event, Finish, Message as Said, Part as Piece, Prompt, ToolResult, Usage,
};
use dossier_core::chunk::draft;
use dossier_core::id::ReceiptId;
use dossier_core::message::{Message, Role, Speaker};
use dossier_core::turn::ReplyState;
use dossier_models::{ChatModel, Limits, ModelsError};
use dossier_store::{MessageRow, NewReply, StoreError, Turn, UsageRow};
use futures::StreamExt as _;
use serde_json::{Value, json};
use std::sync::Arc;

/// How often a model may ask for tools before it must answer.
const MOST_ROUNDS: usize = 8;

/// What is left of the budget, in percent, when a reply was cut for want of room.
const REDUCED: u32 = 75;

pub(super) struct Part {
    pub workspace: Workspace,
    pub turn: Turn,
    pub ordinal: usize,
    pub model: Arc<dyn ChatModel>,
    pub asked: Arc<Asked>,
    pub channel: Arc<Channel>,
}

/// Why there is no reply.
enum Failure {
    Engine(EngineError),
    Model(ModelsError),
    GivenUp,
    /// Somebody else has ended this reply.
    Over,
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<ModelsError> for Failure {
    fn from(error: ModelsError) -> Self {
        Self::Model(error)
    }
}

/// What a model has said so far, over all its calls.
#[derive(Default)]
struct Told {
    answer: Answer,
    usage: Option<Usage>,
    tools: Vec<Value>,
}

impl Part {
    /// Asks the model and stores what comes of it.
    pub(super) async fn reply(self, gathered: Gathered) {
        let mut told = Told::default();
        let answered = tokio::select! {
            biased;
            () = self.channel.given_up() => Err(Failure::GivenUp),
            answered = self.answered(gathered, &mut told) => answered,
        };
        let stored = match answered {
            Ok(receipt) => self.store_reply(&told, &receipt).await,
            Err(failure) => Err(failure),
        };
        if let Err(failure) = stored {
            self.fail(failure, &told).await;
        }
    }

    /// Asks, and returns the receipt of the dossier that was answered. An answer that the model's
    /// window has cut short is asked for once more with less before it.
    async fn answered(&self, gathered: Gathered, told: &mut Told) -> Result<ReceiptId, Failure> {
        let (prompt, receipt, seat) = self.prepared(gathered, None).await?;
        self.ask(prompt, &seat, told).await?;
        if told.answer.finish != Some(Finish::Length) {
            return Ok(receipt);
        }
        let first = std::mem::take(&mut told.answer);
        let gathered = self.workspace.gather_for(&self.asked).await;
        let less = seat.budget * REDUCED / 100;
        let (prompt, smaller, seat) = self.prepared(gathered, Some(less)).await?;
        self.ask(prompt, &seat, told).await?;
        if told.answer.finish == Some(Finish::Length) && told.answer.text.len() < first.text.len() {
            told.answer = first;
            return Ok(receipt);
        }
        Ok(smaller)
    }

    /// Makes this model's dossier and keeps it. What it was made of is let go before the model is
    /// asked, which may take minutes.
    async fn prepared(
        &self,
        gathered: Gathered,
        budget: Option<u32>,
    ) -> Result<(Prompt, ReceiptId, Seat), Failure> {
        let gathered = gathered.map_err(EngineError::Invalid)?;
        let request = self.asked.request(&self.name(), budget, mint::now());
        let seat = self.workspace.seat(&request).await?;
        let dossier = self.workspace.arrange(&request, &seat, &gathered.pool).await?;
        self.workspace.keep(&dossier).await?;
        let receipt = &dossier.receipt;
        let store = &self.workspace.store;
        if !store.reply_called(&self.turn.id, self.ordinal, Some(&receipt.id)).await? {
            return Err(Failure::Over);
        }
        let warnings = self.asked.warnings.iter().chain(&receipt.budget.warnings);
        self.channel.send(TurnEvent::Dossier {
            model: self.name(),
            receipt: receipt.id.clone(),
            tokens: receipt.budget.used,
            limit: receipt.budget.limit,
            warnings: warnings.cloned().collect(),
        });
        Ok((self.prompt(&dossier, &seat), receipt.id.clone(), seat))
    }

    /// Asks, and runs tools until the model has answered.
    async fn ask(&self, mut prompt: Prompt, seat: &Seat, told: &mut Told) -> Result<(), Failure> {
        for round in 0.. {
            if round == MOST_ROUNDS {
                prompt.tools.clear();
            }
            let answer = self.listen(prompt.clone(), told).await?;
            if answer.finish != Some(Finish::ToolCalls)
                || answer.calls.is_empty()
                || round > MOST_ROUNDS
            {
                told.answer = answer;
                return Ok(());
            }
            let results = self.run_tools(&answer, seat, told).await;
            prompt.messages.push(answer.message());
            prompt.messages.push(Said::results(results));
        }
        Ok(())
    }

    fn prompt(&self, dossier: &Dossier, seat: &Seat) -> Prompt {
        let info = self.model.info();
        let mut prompt = Prompt::rendered(&dossier.messages);
        prompt.options = self.asked.terms.options.clone();
        if seat.reads_for_itself() && info.capabilities.tools {
            prompt.tools = tools::specs();
        }
        if info.capabilities.vision
            && let Some(question) = prompt.messages.pop()
        {
            let images = self.asked.images.iter().cloned().map(Piece::Image);
            prompt.messages.push(images.fold(question, Said::with));
        }
        prompt
    }

    /// One answer of the model, told as it comes.
    async fn listen(&self, prompt: Prompt, told: &mut Told) -> Result<Answer, Failure> {
        let mut events = self.model.ask(prompt, Limits::default());
        let mut answer = Answer::default();
        while let Some(event) = events.next().await {
            let event = event?;
            let (text, reasoning) = match &event {
                Event::Text(text) => (text.clone(), String::new()),
                Event::Reasoning(text) => (String::new(), text.clone()),
                Event::Usage(usage) => {
                    told.usage = Some(told.usage.unwrap_or_default().plus(*usage));
                    (String::new(), String::new())
                }
                _ => (String::new(), String::new()),
            };
            if !text.is_empty() || !reasoning.is_empty() {
                self.channel.send(TurnEvent::Delta { model: self.name(), text, reasoning });
            }
            answer.add(event);
        }
        Ok(answer)
    }

    async fn run_tools(&self, answer: &Answer, seat: &Seat, told: &mut Told) -> Vec<ToolResult> {
        let mut results = Vec::with_capacity(answer.calls.len());
        for call in &answer.calls {
            let result = self.workspace.run_tool(&self.asked.project, call).await;
            let tokens = seat.tokenizer.count(&result.content);
            let made = json!({
                "name": call.name, "arguments": call.arguments, "failed": result.failed,
                "tokens": tokens,
            });
            told.tools.push(made);
            self.channel.send(TurnEvent::Tool {
                model: self.name(),
                name: call.name.clone(),
                arguments: call.arguments.clone(),
                failed: result.failed,
                tokens,
            });
            results.push(result);
        }
        results
    }

    /// Stores the reply at the end of the thread, wherever that is when it comes.
    async fn store_reply(&self, told: &Told, receipt: &ReceiptId) -> Result<(), Failure> {
        let answer = &told.answer;
        let finish = finish_name(answer.finish.as_ref());
        if answer.text.trim().is_empty() {
            let said = format!("{} ended without a word ({finish})", self.name());
            return Err(EngineError::Invalid(said).into());
        }
        for _ in 0..ATTEMPTS {
            let question = &self.asked.question;
            let message = Message {
                id: mint::id(),
                thread: question.thread.clone(),
                parent: Some(question.id.clone()),
                position: self.workspace.store.next_position(&question.thread).await?,
                round: question.round,
                speaker: Speaker { role: Role::Agent, name: Some(self.name()) },
                section: None,
                content: answer.text.clone(),
                external_id: None,
                created_at: mint::now(),
            };
            let chunks: Vec<_> = draft::of_message(&message, Some(question)).into_iter().collect();
            let usage = self.usage(told, Some(&message)).await?;
            let replied = Replied {
                model: self.name(),
                message_id: message.id.clone(),
                receipt: Some(receipt.clone()),
                text: answer.text.clone(),
                finish: finish.clone(),
                usage: told.usage,
                cost: usage.as_ref().and_then(|usage| usage.cost).map(dollars),
            };
            let row =
                MessageRow { message, metadata: self.metadata(told, &replied), deleted_at: None };
            let new = NewReply {
                turn: &self.turn.id,
                ordinal: self.ordinal,
                message: &row,
                chunks: &chunks,
                usage: usage.as_ref(),
            };
            match self.workspace.store.reply_given(new).await {
                Ok(true) => {
                    self.channel.send(TurnEvent::Reply(replied));
                    return Ok(());
                }
                Ok(false) => return Err(Failure::Over),
                // Another model's reply has taken the place.
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(EngineError::Invalid("the thread is written to without pause; try again".into()).into())
    }

    fn metadata(&self, told: &Told, replied: &Replied) -> Value {
        let mut metadata = json!({
            "model": replied.model, "turn": self.turn.id, "receipt": replied.receipt,
            "finish": replied.finish,
        });
        if let Some(usage) = replied.usage {
            metadata["usage"] = json!(usage);
        }
        if let Some(cost) = replied.cost {
            metadata["cost"] = json!(cost);
        }
        if !told.tools.is_empty() {
            metadata["tools"] = json!(told.tools);
        }
        metadata
    }

    /// What the calls took, to be counted with the reply or without one.
    async fn usage(
        &self,
        told: &Told,
        message: Option<&Message>,
    ) -> Result<Option<UsageRow>, StoreError> {
        let Some(tokens) = told.usage else { return Ok(None) };
        let whole = self.workspace.store.thread_tokens(&self.turn.thread).await?;
        let cost = self.model.info().costs.map(|costs| costs.of(tokens));
        Ok(Some(UsageRow {
            id: mint::id(),
            component: "turn".to_owned(),
            model: self.name(),
            project: Some(self.turn.project.clone()),
            thread: Some(self.turn.thread.clone()),
            message: message.map(|message| message.id.clone()),
            tokens,
            cost: cost.map(|dollars| (dollars * 1e6).round() as i64),
            saved: i64::try_from(whole)
                .unwrap_or(i64::MAX)
                .saturating_sub(tokens.input.into())
                .max(0),
            created_at: mint::now(),
        }))
    }

    async fn fail(&self, failure: Failure, told: &Told) {
        let (state, code, message) = match failure {
            Failure::Over => return,
            Failure::GivenUp => {
                (ReplyState::Cancelled, "cancelled", "nobody waits for it".to_owned())
            }
            Failure::Model(error) => {
                let code = error.trouble().map_or("model", |trouble| trouble.code());
                (ReplyState::Failed, code, error.to_string())
            }
            Failure::Engine(error) => (ReplyState::Failed, "engine", error.to_string()),
        };
        let error = json!({"code": code, "message": message});
        let usage = self.usage(told, None).await.ok().flatten();
        let store = &self.workspace.store;
        // A store that cannot even note the failure leaves an open reply, which is found
        // interrupted when the lease has run out.
        let _ = store.reply_ended(&self.turn.id, self.ordinal, state, &error, usage.as_ref()).await;
        let code = code.to_owned();
        self.channel.send(TurnEvent::Error { model: self.name(), state, code, message });
    }

    fn name(&self) -> String {
        self.model.info().full_name()
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
