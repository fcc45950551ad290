//! What happens in a turn, as whoever listens is told.

use dossier_core::chat::{ToolCall, Usage};
use dossier_core::id::{MessageId, ReceiptId, ThreadId, TurnId};
use dossier_core::sameness::Cached;
use dossier_core::turn::ReplyState;
use serde::Serialize;

/// One thing that happened. Each names its model, but for the last.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TurnEvent {
    /// The model is asked with this dossier. A second one means that its reply begins anew.
    Dossier {
        model: String,
        receipt: ReceiptId,
        tokens: u32,
        limit: u32,
        warnings: Vec<String>,
        /// The kept answer that is given: the model is not asked, or could not be reached.
        #[serde(skip_serializing_if = "Option::is_none")]
        cached: Option<Cached>,
        /// Why none is given, in one word, where answers are kept.
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_miss: Option<&'static str>,
    },
    /// More of a reply.
    Delta {
        model: String,
        #[serde(skip_serializing_if = "String::is_empty")]
        text: String,
        #[serde(skip_serializing_if = "String::is_empty")]
        reasoning: String,
    },
    /// The model calls a tool that the caller brought; calls are numbered from 0.
    Call { model: String, number: usize, id: String, name: String },
    /// More of the arguments of such a call.
    Arguments { model: String, number: usize, text: String },
    /// A tool was run for the model.
    Tool { model: String, name: String, arguments: String, failed: bool, tokens: u32 },
    /// The reply as it is stored.
    Reply(Replied),
    /// The model did not reply.
    Error {
        model: String,
        state: ReplyState,
        code: String,
        message: String,
        /// How many seconds the provider asks to be left alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        retry_after: Option<u64>,
    },
    /// Every model has replied or failed.
    Done { turn: TurnId, conversation_id: ThreadId },
}

/// A reply as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replied {
    pub model: String,
    pub message_id: MessageId,
    pub receipt: Option<ReceiptId>,
    pub text: String,
    /// Of tools that the caller brought.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    pub finish: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// In dollars, if the price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The kept answer that this one is: no model gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<Cached>,
}

impl TurnEvent {
    /// The event's name at every door.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Dossier { .. } => "dossier",
            Self::Delta { .. } => "delta",
            Self::Call { .. } => "call",
            Self::Arguments { .. } => "arguments",
            Self::Tool { .. } => "tool",
            Self::Reply(_) => "reply",
            Self::Error { .. } => "error",
            Self::Done { .. } => "done",
        }
    }
}
