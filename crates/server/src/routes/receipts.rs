//! Receipts: what a model was given, and why; and the exact messages again.

use super::replies::CachedResponse;
use crate::body::PathOf;
use crate::problem::{Problem, Problems};
use crate::state::Caller;
use axum::Json;
use dossier_core::id::{MessageId, ReceiptId};
use dossier_core::item::Source;
use dossier_core::receipt::{Receipt, ReceiptBlock, ReceiptItem};
use dossier_core::render::WireMessage;
use dossier_core::selection::Served;
use dossier_engine::tool_purpose;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceiptResponse {
    pub id: String,
    #[schema(format = DateTime)]
    pub created_at: String,
    pub project_id: String,
    pub conversation_id: Option<String>,
    pub question: String,
    #[schema(value_type = String)]
    pub intent: &'static str,
    pub profile: String,
    pub model: Option<String>,
    /// Tools that the model was offered, or that the header names.
    pub tools: Vec<String>,
    /// Those of them whose schemas come when the model asks for them.
    pub lazy_tools: Vec<String>,
    /// Who runs the tools that were offered: `dossier`, or the `client` that brought them.
    pub tool_server: Option<String>,
    /// What those of Dossier are for, by name.
    pub tool_purposes: BTreeMap<String, String>,
    pub budget: BudgetResponse,
    pub coverage: CoverageResponse,
    /// Every candidate that was ranked, shown or not.
    pub items: Vec<ItemResponse>,
    pub beyond: BeyondResponse,
    pub blocks: Vec<BlockResponse>,
    /// SHA-256 of the messages as they are sent.
    pub sent: String,
    pub prefix: Option<PrefixResponse>,
    /// Set where a kept answer was given: the dossier was compared, and no model was asked.
    pub cached: Option<CachedResponse>,
    /// How what was chosen has served the reply. Null where no model has answered it, or nothing was
    /// chosen.
    pub selection: Option<SelectionResponse>,
}

/// What a reply made of what was chosen for its question. The last turns and what is pinned are not
/// counted: they are in every dossier.
#[derive(Debug, Serialize, ToSchema)]
pub struct SelectionResponse {
    /// Items that were shown, in whatever form.
    pub shown: u32,
    /// Those of them that the reply cites, or whose own words it repeats.
    pub used: u32,
    /// Items that were considered and not shown.
    pub left_out: u32,
    /// Whether the model had tools to fetch more.
    pub could_fetch: bool,
    /// What it fetched that was not shown.
    pub fetched_left_out: u32,
    /// What it fetched that was shown in short.
    pub fetched_in_short: u32,
}

impl From<Served> for SelectionResponse {
    fn from(served: Served) -> Self {
        let Served { shown, used, left_out, could_fetch, missed, followed } = served;
        Self {
            shown,
            used,
            left_out,
            could_fetch,
            fetched_left_out: missed,
            fetched_in_short: followed,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BudgetResponse {
    pub limit: u32,
    pub used: u32,
    /// How tokens were counted.
    pub counted_by: String,
    /// Tokens of each section.
    pub sections: BTreeMap<String, u32>,
    pub warnings: Vec<String>,
}

/// How much of the project has vectors; the rest is found by words alone.
#[derive(Debug, Serialize, ToSchema)]
pub struct CoverageResponse {
    pub embedder: Option<String>,
    pub chunks: u64,
    pub with_vectors: u64,
}

/// One candidate and its fate.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemResponse {
    /// Such as `rules`, `file` or `message`.
    #[schema(value_type = String)]
    pub kind: Value,
    pub source: SourceResponse,
    /// `always`, `recent` or `retrieved`.
    #[schema(value_type = String)]
    pub include_mode: Value,
    pub score: Option<f32>,
    /// The score of each signal.
    pub scores: BTreeMap<String, f32>,
    pub tokens: u32,
    /// `full`, `trimmed`, `line`, `pointer` or `dropped`.
    #[schema(value_type = String)]
    pub form: &'static str,
    pub reason: String,
}

/// Where something comes from.
#[derive(Debug, Serialize, ToSchema)]
pub struct SourceResponse {
    /// `file`, `message` or `profile`.
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    pub path: Option<String>,
    /// The first and the last line.
    pub lines: Option<Vec<u32>>,
    /// The part of a document, such as `page 3`.
    pub place: Option<String>,
    pub round: Option<i64>,
    pub speaker: Option<String>,
    #[schema(format = DateTime)]
    pub created_at: Option<String>,
}

/// What was not even ranked.
#[derive(Debug, Serialize, ToSchema)]
pub struct BeyondResponse {
    pub chunks: u64,
    pub rounds: u64,
}

/// A piece of what was sent, by its hash.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlockResponse {
    pub hash: String,
    /// Which message it belongs to, from 0.
    pub message: usize,
    #[schema(value_type = String)]
    pub role: &'static str,
    /// The item it shows.
    pub item: Option<usize>,
    pub bytes: usize,
}

/// How far a dossier begins like the one before it in the conversation.
#[derive(Debug, Serialize, ToSchema)]
pub struct PrefixResponse {
    pub previous: String,
    pub bytes: usize,
}

/// A message as it is sent to a model.
#[derive(Debug, Serialize, ToSchema)]
pub struct SentMessageResponse {
    /// `system`, `user` or `assistant`.
    #[schema(value_type = String)]
    pub role: &'static str,
    pub content: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RenderedResponse {
    pub receipt_id: String,
    pub messages: Vec<SentMessageResponse>,
}

impl From<&WireMessage> for SentMessageResponse {
    fn from(message: &WireMessage) -> Self {
        Self { role: message.role.as_str(), content: message.content.clone() }
    }
}

impl From<Source> for SourceResponse {
    fn from(source: Source) -> Self {
        Self {
            kind: source.kind,
            id: source.id,
            path: source.path,
            lines: source.lines.map(|(first, last)| vec![first, last]),
            place: source.place,
            round: source.round,
            speaker: source.speaker,
            created_at: source.created_at.map(|time| time.to_string()),
        }
    }
}

impl From<ReceiptItem> for ItemResponse {
    fn from(item: ReceiptItem) -> Self {
        Self {
            kind: serde_json::to_value(item.kind).unwrap_or_default(),
            source: item.source.into(),
            include_mode: serde_json::to_value(item.include_mode).unwrap_or_default(),
            score: item.score,
            scores: item
                .scores
                .into_iter()
                .map(|(name, score)| (name.into_owned(), score))
                .collect(),
            tokens: item.tokens,
            form: item.form.as_str(),
            reason: item.reason,
        }
    }
}

impl From<ReceiptBlock> for BlockResponse {
    fn from(block: ReceiptBlock) -> Self {
        let ReceiptBlock { hash, message, role: by, item, bytes } = block;
        Self { hash: hash.to_string(), message, role: by.as_str(), item, bytes }
    }
}

impl From<Receipt> for ReceiptResponse {
    fn from(receipt: Receipt) -> Self {
        let sections = receipt.budget.sections.into_iter();
        let is_own = receipt.tool_server.as_deref() != Some("client");
        let own = receipt.tools.iter().filter(|_| is_own);
        let tool_purposes =
            own.filter_map(|name| Some((name.clone(), tool_purpose(name)?))).collect();
        Self {
            id: receipt.id.to_string(),
            created_at: receipt.now.to_string(),
            project_id: receipt.project.to_string(),
            conversation_id: receipt.thread.map(|thread| thread.to_string()),
            question: receipt.question,
            intent: receipt.intent.as_str(),
            profile: receipt.profile,
            model: receipt.model,
            tools: receipt.tools,
            lazy_tools: receipt.lazy_tools,
            tool_server: receipt.tool_server,
            tool_purposes,
            budget: BudgetResponse {
                limit: receipt.budget.limit,
                used: receipt.budget.used,
                counted_by: receipt.budget.counted_by,
                sections: sections.map(|(name, used)| (name.as_str().to_owned(), used)).collect(),
                warnings: receipt.budget.warnings,
            },
            coverage: CoverageResponse {
                embedder: receipt.coverage.embedder,
                chunks: receipt.coverage.chunks,
                with_vectors: receipt.coverage.with_vectors,
            },
            items: receipt.items.into_iter().map(Into::into).collect(),
            beyond: BeyondResponse { chunks: receipt.beyond.chunks, rounds: receipt.beyond.rounds },
            blocks: receipt.blocks.into_iter().map(Into::into).collect(),
            sent: receipt.sent.to_string(),
            cached: receipt.cached.as_ref().map(Into::into),
            selection: None,
            prefix: receipt.prefix.map(|prefix| PrefixResponse {
                previous: prefix.previous.to_string(),
                bytes: prefix.bytes,
            }),
        }
    }
}

/// A stored receipt, with what its reply made of it.
async fn told(caller: &Caller, receipt: Receipt) -> Result<Json<ReceiptResponse>, Problem> {
    let served = caller.workspace.served(&receipt.id).await?;
    Ok(Json(ReceiptResponse { selection: served.map(Into::into), ..receipt.into() }))
}

async fn rendering(caller: &Caller, receipt: Receipt) -> Result<Json<RenderedResponse>, Problem> {
    let messages = caller.workspace.rendered(&receipt).await?;
    let messages = messages.iter().map(Into::into).collect();
    Ok(Json(RenderedResponse { receipt_id: receipt.id.to_string(), messages }))
}

/// Look at a receipt
#[utoipa::path(
    get,
    path = "/api/receipts/{id}",
    operation_id = "get_receipt",
    tag = "context",
    params(("id" = String, Path, description = "The receipt's id")),
    responses((status = 200, body = ReceiptResponse), Problems)
)]
pub async fn get(
    caller: Caller,
    PathOf(id): PathOf<ReceiptId>,
) -> Result<Json<ReceiptResponse>, Problem> {
    told(&caller, caller.workspace.receipt(&id).await?).await
}

/// The exact messages of a receipt
#[utoipa::path(
    get,
    path = "/api/receipts/{id}/rendered",
    operation_id = "get_rendered_receipt",
    tag = "context",
    params(("id" = String, Path, description = "The receipt's id")),
    responses((status = 200, body = RenderedResponse), Problems)
)]
pub async fn rendered(
    caller: Caller,
    PathOf(id): PathOf<ReceiptId>,
) -> Result<Json<RenderedResponse>, Problem> {
    rendering(&caller, caller.workspace.receipt(&id).await?).await
}

/// What the writer of a message was given
#[utoipa::path(
    get,
    path = "/api/messages/{id}/context",
    operation_id = "get_message_context",
    tag = "context",
    params(("id" = String, Path, description = "The message's id")),
    responses((status = 200, body = ReceiptResponse), Problems)
)]
pub async fn of_message(
    caller: Caller,
    PathOf(id): PathOf<MessageId>,
) -> Result<Json<ReceiptResponse>, Problem> {
    told(&caller, caller.workspace.receipt_of(&id).await?).await
}

/// The exact messages that the writer of a message was given
#[utoipa::path(
    get,
    path = "/api/messages/{id}/context/rendered",
    operation_id = "get_rendered_message_context",
    tag = "context",
    params(("id" = String, Path, description = "The message's id")),
    responses((status = 200, body = RenderedResponse), Problems)
)]
pub async fn rendered_of_message(
    caller: Caller,
    PathOf(id): PathOf<MessageId>,
) -> Result<Json<RenderedResponse>, Problem> {
    rendering(&caller, caller.workspace.receipt_of(&id).await?).await
}
