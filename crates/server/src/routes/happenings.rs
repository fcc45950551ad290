//! What a stream of a turn tells, as the OpenAPI document describes it. The engine makes the events;
//! a test compares what comes with what is said here.

use super::replies::UsageResponse;
use serde::Serialize;
use utoipa::ToSchema;

/// One thing that happened in a turn. Its `type` is the name of its event, and each names its model,
/// but for the last.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = TurnEvent)]
#[expect(dead_code, reason = "only the OpenAPI document names them")]
pub enum TurnEventResponse {
    /// The model is asked with this dossier. A second one means that its reply begins anew.
    Dossier {
        model: String,
        /// The receipt's id.
        receipt: String,
        tokens: u32,
        limit: u32,
        /// Of budgets that are nearly spent, and of the dossier.
        warnings: Vec<String>,
        /// The kept answer that is given: the model is not asked, or could not be reached.
        #[serde(skip_serializing_if = "Option::is_none")]
        cached: Option<CachedEvent>,
        /// Why none is given, in one word, where answers are kept.
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_miss: Option<String>,
    },
    /// More of a reply.
    Delta {
        model: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Of its thoughts, where the provider shows them.
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning: Option<String>,
    },
    /// A tool was run for the model.
    Tool { model: String, name: String, arguments: String, failed: bool, tokens: u32 },
    /// The reply as it is stored.
    Reply {
        model: String,
        message_id: String,
        receipt: Option<String>,
        text: String,
        /// Why the reply ended: `stop`, `length`, `refused`, …
        finish: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<UsageResponse>,
        /// In dollars, if the price is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<f64>,
        /// The kept answer that this one is: no model gave it.
        #[serde(skip_serializing_if = "Option::is_none")]
        cached: Option<CachedEvent>,
    },
    /// The model did not reply.
    Error {
        model: String,
        /// `failed`, `cancelled` or `interrupted`.
        state: String,
        code: String,
        message: String,
        /// How many seconds the provider asks to be left alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        retry_after: Option<u64>,
    },
    /// Every model has replied or failed.
    Done {
        /// The turn's id.
        turn: String,
        conversation_id: String,
    },
}

/// The kept answer that is given.
#[derive(Debug, Serialize, ToSchema)]
pub struct CachedEvent {
    /// The reply that was kept.
    pub from_message: String,
    #[schema(format = DateTime)]
    pub kept_at: String,
    /// `exact` or `paraphrase`, as the questions are the same.
    pub how: String,
    /// Of the questions; none where they are the same to the letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f32>,
    /// Set where its time was over: the model could not be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<bool>,
}
