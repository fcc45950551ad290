//! A conversation with a persona: a turn like any other, with the persona's prompt pinned before
//! everything else, its own numbers, and nothing from elsewhere.

use super::messages::Counted;
use crate::error::EngineError;
use crate::turn::{Brought, Freshness, Terms, TurnEvent, TurnRequest, TurnStream};
use crate::usual::BUILT_IN;
use crate::workspace::Workspace;
use dossier_core::chat::Options;
use dossier_core::fields::FieldErrors;
use dossier_core::id::{MessageId, ReceiptId};
use dossier_core::item::{Form, Mode, Section};
use dossier_core::persona::{Persona, Upkeep};
use dossier_core::profile::ProfileName;
use dossier_core::receipt::Receipt;
use dossier_core::time::Timestamp;
use dossier_core::turn::ReplyState;
use dossier_models::ChatModel;
use dossier_store::{Turn, Used};
use std::sync::Arc;

/// The longest message, in bytes.
const LONGEST: usize = 1 << 20;

/// Something that is said to a persona.
#[derive(Debug, Clone)]
pub struct ChatRequest {
    /// Its id, or its name.
    pub persona: String,
    pub message: String,
    pub upkeep: Upkeep,
    pub voice: ChatVoice,
    /// What the client calls the turn: asking again by the same name gives the first result.
    pub client_message_id: Option<String>,
    pub now: Timestamp,
}

/// The model that speaks for the persona.
#[derive(Debug, Clone)]
pub enum ChatVoice {
    /// This one.
    Named(String),
    /// The persona's own, or else this one, or else who answers when nobody is named.
    Usual(Option<String>),
    /// The persona's own, or else this one, which only the caller knows. One that has put its answer
    /// off gives it when the turn is asked for again by its name.
    Brought(Arc<dyn ChatModel>),
}

/// A conversation with a persona that goes on.
#[derive(Debug)]
pub struct Chat {
    /// As it is with the time that talking gives it.
    pub persona: Persona,
    pub stream: TurnStream,
    now: Timestamp,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq)]
pub enum ChatEnd {
    Replied(Box<Chatted>),
    Failed { model: String, code: String, message: String, retry_after: Option<u64> },
}

/// What was said, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Chatted {
    pub persona: Persona,
    pub model: String,
    pub question: Counted,
    pub reply: Counted,
    pub receipt: Option<ReceiptId>,
    pub finish: String,
    /// Tokens of what was sent and of what came back, as the provider says, or else as counted.
    pub tokens_used: u64,
    /// Tokens of earlier messages that were sent.
    pub history_tokens: u32,
    pub history_truncated: bool,
    pub is_expired: bool,
    pub warnings: Vec<String>,
}

impl Workspace {
    /// Says something to a persona, and gives what happens. That moves its end away.
    pub async fn chat(&self, request: &ChatRequest) -> Result<Chat, EngineError> {
        check(&request.message)?;
        let ChatRequest { now, upkeep, .. } = *request;
        let mut persona = self.known_persona(&request.persona, now).await?;
        if let Some(name) = &request.client_message_id
            && let Some(turn) = self.store.turn_named(name).await?
        {
            if turn.thread != persona.thread {
                return Err(FieldErrors::one("client_message_id", "names another turn").into());
            }
            let suspended = turn.replies.iter().all(|reply| reply.state == ReplyState::Interrupted);
            let stream = match &request.voice {
                ChatVoice::Brought(_) if suspended => {
                    let model = self.voice(&persona, &request.voice)?;
                    self.ask_again(turn, vec![(0, model)], now).await?
                }
                _ => self.follow_turn(&turn.id, None).await?,
            };
            return Ok(Chat { persona, stream, now });
        }
        persona.expect_alive(now)?;
        let model = self.voice(&persona, &request.voice)?;
        let thread = self.thread_by_id(&persona.thread).await?;
        let turn = TurnRequest {
            project: self.project_by_id(&thread.project).await?,
            thread: Some(thread.id),
            message: request.message.clone(),
            models: vec![model.info().full_name()],
            attachments: Vec::new(),
            client_message_id: request.client_message_id.clone(),
            terms: Terms {
                profile: ProfileName::Persona,
                budget: None,
                options: Options {
                    temperature: Some(persona.traits.settings.temperature),
                    max_output_tokens: Some(persona.traits.settings.max_tokens),
                    ..Options::default()
                },
                brought: Some(Brought {
                    persona: Some(persona.manner(upkeep)),
                    ..Brought::default()
                }),
                freshness: Freshness::default(),
            },
            now,
        };
        turn.check()?;
        // Whoever gives the call up before it is handed over has given the turn up.
        let stream = self.begin_turn(&turn, vec![model]).await?.alone();
        let slid = Persona::expiry_from(&persona.traits.settings, now);
        persona.expires_at = persona.expires_at.max(slid);
        persona.last_used_at = now;
        self.store.use_persona(&persona.id, now, persona.expires_at).await?;
        Ok(Chat { persona, stream: stream.shared(), now })
    }

    fn voice(
        &self,
        persona: &Persona,
        voice: &ChatVoice,
    ) -> Result<Arc<dyn ChatModel>, EngineError> {
        let own = persona.traits.model.as_deref();
        let unnamed;
        let name = match (voice, own) {
            (ChatVoice::Named(name), _) => name,
            (_, Some(own)) => own,
            (ChatVoice::Usual(Some(usual)), None) => usual,
            (ChatVoice::Usual(None), None) => {
                unnamed = self.unnamed_model()?;
                // Quotes from nowhere are in nobody's manner, and later models would take them for
                // what the persona has said.
                if unnamed == BUILT_IN {
                    return Err(EngineError::Invalid(format!(
                        "no model can speak for {}: no provider is set up, and the client lends no \
                         model of its own; store a provider's key with dossier provider set, or on \
                         the page under Models, and ask again",
                        persona.traits.name
                    )));
                }
                &unnamed
            }
            (ChatVoice::Brought(model), None) => return Ok(Arc::clone(model)),
        };
        Ok(self.models()?.get(name)?)
    }

    /// Waits for the end of a conversation's turn, and tells of what happens until then.
    pub async fn chat_end(
        &self,
        mut chat: Chat,
        mut heard: impl FnMut(&TurnEvent) + Send,
    ) -> Result<ChatEnd, EngineError> {
        let mut end = None;
        while let Some((_, event)) = chat.stream.next().await {
            heard(&event);
            match &*event {
                TurnEvent::Reply(replied) => end = Some(Ok(replied.clone())),
                TurnEvent::Error { model, code, message, retry_after, .. } => {
                    let (model, code, message) = (model.clone(), code.clone(), message.clone());
                    let retry_after = *retry_after;
                    end = Some(Err(ChatEnd::Failed { model, code, message, retry_after }));
                }
                _ => {}
            }
        }
        let replied = match end {
            Some(Ok(replied)) => replied,
            Some(Err(failed)) => return Ok(failed),
            None => {
                return Err(EngineError::Invalid(
                    "the turn is not over: another process works on it; ask again".to_owned(),
                ));
            }
        };
        let Chat { persona, stream, now } = chat;
        let receipt = match &replied.receipt {
            Some(id) => self.receipt(id).await.ok(),
            None => None,
        };
        let question = self.counted(&stream.turn.message).await?;
        let reply = self.counted(&replied.message_id).await?;
        let tokens_used = match (replied.usage, &receipt) {
            (Some(usage), _) => u64::from(usage.input) + u64::from(usage.output),
            (None, Some(receipt)) => u64::from(receipt.budget.used) + u64::from(reply.tokens),
            (None, None) => u64::from(question.tokens) + u64::from(reply.tokens),
        };
        let mut warnings: Vec<String> =
            receipt.iter().flat_map(|receipt| receipt.budget.warnings.clone()).collect();
        warnings.extend(persona.expiry_note(now));
        Ok(ChatEnd::Replied(Box::new(Chatted {
            is_expired: persona.is_expired(now),
            persona,
            model: replied.model,
            question,
            reply,
            receipt: replied.receipt,
            finish: replied.finish,
            tokens_used,
            history_tokens: receipt.as_ref().map_or(0, history_tokens),
            history_truncated: receipt.as_ref().is_some_and(is_truncated),
            warnings,
        })))
    }

    async fn counted(&self, id: &MessageId) -> Result<Counted, EngineError> {
        let message = self.store.message(id).await?;
        let gone = || EngineError::not_found("message", id.as_str(), "it was deleted meanwhile");
        Ok(Counted::new(message.ok_or_else(gone)?))
    }

    /// Adds a turn that is over to the figures of the preset that its persona was made from.
    pub(crate) async fn count_persona(&self, turn: &Turn) -> Result<(), EngineError> {
        let persona = turn.request.pointer("/brought/persona/persona");
        let Some(persona) = persona.and_then(|id| id.as_str()) else { return Ok(()) };
        let persona = self.store.any_persona(&persona.into()).await?;
        let Some(preset) = persona.and_then(|persona| persona.preset) else { return Ok(()) };
        let turn = self.turn_by_id(&turn.id).await?;
        let mut used = Used::default();
        for reply in &turn.replies {
            if reply.state != ReplyState::Replied {
                // One that was given up or put off says nothing of the preset.
                used.failed += i64::from(reply.state == ReplyState::Failed);
                continue;
            }
            used.turns += 1;
            let Some(id) = &reply.receipt else { continue };
            if let Ok(receipt) = self.receipt(id).await {
                used.truncated += i64::from(is_truncated(&receipt));
                used.tokens += i64::from(receipt.budget.used);
            }
            if let Some(message) = &reply.message {
                used.tokens += i64::from(self.counted(message).await?.tokens);
            }
        }
        Ok(self.store.count_preset(&preset, used, turn.created_at).await?)
    }
}

fn check(message: &str) -> Result<(), FieldErrors> {
    if message.trim().is_empty() {
        return Err(FieldErrors::one("message", "is empty; say something"));
    }
    if message.len() > LONGEST {
        let said = format!("has {} bytes and may have {LONGEST}; shorten it", message.len());
        return Err(FieldErrors::one("message", said));
    }
    Ok(())
}

fn history_tokens(receipt: &Receipt) -> u32 {
    receipt.budget.sections.get(&Section::History).copied().unwrap_or(0)
}

/// Whether earlier messages were left out for want of room.
fn is_truncated(receipt: &Receipt) -> bool {
    let dropped = receipt
        .items
        .iter()
        .any(|item| item.include_mode == Mode::Recent && item.form == Form::Dropped);
    receipt.beyond.rounds > 0 || dropped
}
