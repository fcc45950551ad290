//! What became of each model's reply to a turn: as it was just told, or as it is known later.

use crate::problem::Problem;
use dossier_core::sameness::Cached;
use dossier_engine::{Asked, EngineError, Replied, TurnEvent, Workspace};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What became of one model's reply.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplyResponse {
    pub model: String,
    /// `replied`, `failed`, `cancelled` or `interrupted`; `prepared` or `called` while it is awaited.
    #[schema(value_type = String)]
    pub state: &'static str,
    pub message_id: Option<String>,
    pub receipt_id: Option<String>,
    pub text: Option<String>,
    /// Why the reply ended: `stop`, `length`, `refused`, …
    pub finish: Option<String>,
    pub usage: Option<UsageResponse>,
    /// In dollars, if the price is known.
    pub cost: Option<f64>,
    pub error: Option<ReplyProblem>,
    /// Set where the reply is a kept answer and no model gave it.
    pub cached: Option<CachedResponse>,
    /// Of budgets that are nearly spent, and of the dossier. Later only those of the dossier are
    /// told, and a conversation's list of what was asked has none.
    pub warnings: Vec<String>,
}

/// The kept answer that a reply is.
#[derive(Debug, Serialize, ToSchema)]
pub struct CachedResponse {
    /// The reply that was kept.
    pub from_message: String,
    #[schema(format = DateTime)]
    pub kept_at: String,
    /// `exact` or `paraphrase`, as the questions are the same.
    #[schema(value_type = String)]
    pub how: &'static str,
    /// Of the questions; none where they are the same to the letter.
    pub similarity: Option<f32>,
    /// Whether its time was over: the model could not be reached.
    pub stale: bool,
}

impl From<&Cached> for CachedResponse {
    fn from(cached: &Cached) -> Self {
        Self {
            from_message: cached.from_message.to_string(),
            kept_at: cached.kept_at.to_string(),
            how: cached.how.as_str(),
            similarity: cached.similarity,
            stale: cached.stale,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReplyProblem {
    pub code: String,
    pub message: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UsageResponse {
    pub input: u32,
    pub output: u32,
    pub cached_input: u32,
    pub reasoning: u32,
}

impl ReplyResponse {
    fn of(event: &TurnEvent) -> Option<Self> {
        match event {
            TurnEvent::Reply(reply) => Some(Self::replied(reply)),
            TurnEvent::Error { model, state, code, message, .. } => Some(Self {
                model: model.clone(),
                state: state.as_str(),
                message_id: None,
                receipt_id: None,
                text: None,
                finish: None,
                usage: None,
                cost: None,
                error: Some(ReplyProblem { code: code.clone(), message: message.clone() }),
                cached: None,
                warnings: Vec::new(),
            }),
            _ => None,
        }
    }

    /// What is known later of a model that was asked.
    pub fn asked(asked: &Asked) -> Self {
        let said = |key: &str| {
            let error = asked.reply.error.as_ref().and_then(|error| error.get(key)?.as_str());
            error.unwrap_or_default().to_owned()
        };
        let tokens = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            model: asked.reply.model.clone(),
            state: asked.reply.state.as_str(),
            message_id: asked.reply.message.as_ref().map(ToString::to_string),
            receipt_id: asked.reply.receipt.as_ref().map(ToString::to_string),
            text: None,
            finish: None,
            usage: asked.reply.message.as_ref().map(|_| UsageResponse {
                input: tokens(asked.input),
                output: tokens(asked.output),
                cached_input: tokens(asked.cached_input),
                reasoning: 0,
            }),
            cost: asked.cost.map(|cost| cost as f64 / 1e6),
            error: asked
                .reply
                .error
                .as_ref()
                .map(|_| ReplyProblem { code: said("code"), message: said("message") }),
            cached: asked.cached.as_ref().map(Into::into),
            warnings: Vec::new(),
        }
    }

    fn replied(reply: &Replied) -> Self {
        Self {
            model: reply.model.clone(),
            state: "replied",
            message_id: Some(reply.message_id.to_string()),
            receipt_id: reply.receipt.as_ref().map(ToString::to_string),
            text: Some(reply.text.clone()),
            finish: Some(reply.finish.clone()),
            usage: reply.usage.map(|usage| UsageResponse {
                input: usage.input,
                output: usage.output,
                cached_input: usage.cached_input,
                reasoning: usage.reasoning,
            }),
            cost: reply.cost,
            error: None,
            cached: reply.cached.as_ref().map(Into::into),
            warnings: Vec::new(),
        }
    }
}

/// The replies of a turn, with what each model's listeners were warned of.
#[derive(Debug, Default)]
pub struct Gathered {
    replies: Vec<ReplyResponse>,
    warnings: BTreeMap<String, Vec<String>>,
}

impl Gathered {
    pub fn hear(&mut self, event: &TurnEvent) {
        // A second dossier of a model takes the place of its first.
        if let TurnEvent::Dossier { model, warnings, .. } = event {
            self.warnings.insert(model.clone(), warnings.clone());
        }
        self.replies.extend(ReplyResponse::of(event));
    }

    /// What was heard. Of a dossier that was not, the receipt tells the warnings.
    pub async fn replies(mut self, workspace: &Workspace) -> Result<Vec<ReplyResponse>, Problem> {
        for reply in &mut self.replies {
            reply.warnings = match (self.warnings.remove(&reply.model), &reply.receipt_id) {
                (Some(warnings), _) => warnings,
                (None, Some(id)) => match workspace.receipt(&id.as_str().into()).await {
                    Ok(receipt) => receipt.budget.warnings,
                    Err(EngineError::NotFound { .. }) => Vec::new(),
                    Err(error) => return Err(error.into()),
                },
                (None, None) => Vec::new(),
            };
        }
        Ok(self.replies)
    }
}
