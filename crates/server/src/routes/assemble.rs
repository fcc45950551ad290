//! The dossier for a question, as a model would be given it. No model is called.

use super::attachments::{AttachmentRequest, attachments};
use super::receipts::{ReceiptResponse, SentMessageResponse};
use crate::body::JsonBody;
use crate::problem::{Code, Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use dossier_core::id::{ProjectId, SessionId, ThreadId};
use dossier_core::intent::Intent;
use dossier_core::profile::ProfileName;
use dossier_engine::{AssembleRequest as Wanted, Assembled, Shape, ToolUse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssembleRequest {
    /// A client's session, or a conversation's id. Where project or conversation are not given, they
    /// are those that it worked in last; a session is known from its first use.
    #[schema(max_length = 256)]
    pub session_id: Option<String>,
    pub conversation_id: Option<String>,
    /// That of the conversation, or the project `default`, when not given.
    pub project_id: Option<String>,
    /// What the user says next.
    #[schema(min_length = 1)]
    pub user_turn: String,
    /// What comes with it, as in `POST /api/turn`.
    #[serde(default)]
    pub attachments: Vec<AttachmentRequest>,
    /// Told from the words when not given.
    #[schema(value_type = Option<IntentName>)]
    pub intent: Option<Intent>,
    /// What it is about, in other words than the question's: passages about it are looked for, too.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub topic_tags: Vec<String>,
    #[schema(minimum = 1)]
    pub token_budget: Option<u32>,
    /// `lean` or `project`; the owner's own when not given.
    pub profile: Option<String>,
    /// The model that will read the dossier.
    pub model: Option<String>,
    /// Every dossier is assembled anew, so this changes nothing.
    #[serde(default)]
    #[expect(dead_code, reason = "there is no cache that could be passed by")]
    pub force_refresh: bool,
}

#[derive(Debug, ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "only the OpenAPI document names them")]
pub enum IntentName {
    QuickCapture,
    ContextLookup,
    DeepAnalysis,
    Planning,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AssembleResponse {
    /// The stable part, which a vendor's cache can reuse.
    pub header: Vec<SentMessageResponse>,
    /// History, this turn's items and the question.
    pub working_set: Vec<SentMessageResponse>,
    pub budget: UsedBudgetResponse,
    /// Tools that the header names and whose schemas come when they are asked for.
    pub lazy_tools: Vec<String>,
    /// The same for the same question in the same context.
    pub cache_key: String,
    pub receipt: ReceiptResponse,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UsedBudgetResponse {
    pub used: u32,
    pub limit: u32,
    pub warnings: Vec<String>,
}

/// Assemble the dossier for a question
///
/// Calls no model. The receipt is kept.
#[utoipa::path(
    post,
    path = "/api/context/assemble",
    operation_id = "assemble_context",
    tag = "context",
    request_body = AssembleRequest,
    responses((status = 200, body = AssembleResponse), Problems)
)]
pub async fn assemble(
    State(door): State<Door>,
    caller: Caller,
    JsonBody(request): JsonBody<AssembleRequest>,
) -> Result<Json<AssembleResponse>, Problem> {
    // Refused before a project is made for it.
    let attached = attachments(request.attachments)?;
    let session = request.session_id.as_deref().map(SessionId::from);
    let project = request.project_id.as_deref().map(ProjectId::from);
    let thread = request.conversation_id.as_deref().map(ThreadId::from);
    let workspace = &caller.workspace;
    let (project, thread) =
        workspace.place_of(session.as_ref(), project, thread, None, caller.now).await?;
    let profile = match &request.profile {
        Some(name) => named(name)?,
        None => door.settings.profile(&caller.held().await?),
    };
    let wanted = Wanted {
        project,
        thread,
        question: request.user_turn,
        shape: Shape::Profile(profile),
        budget: request.token_budget,
        model: request.model,
        intent: request.intent,
        topics: request.topic_tags,
        tools: ToolUse::Free,
        history: None,
        round: None,
        brought: None,
        now: caller.now,
    };
    let dossier = workspace.assemble_for(session.as_ref(), wanted, &attached).await?;
    let assembled = Assembled::new(&dossier.receipt, &dossier.messages);
    let warnings = assembled.budget.warnings.to_vec();
    Ok(Json(AssembleResponse {
        header: assembled.header.iter().map(Into::into).collect(),
        working_set: assembled.working_set.iter().map(Into::into).collect(),
        budget: UsedBudgetResponse {
            used: assembled.budget.used,
            limit: assembled.budget.limit,
            warnings,
        },
        lazy_tools: assembled.lazy_tools.iter().map(ToString::to_string).collect(),
        cache_key: assembled.cache_key.to_string(),
        receipt: dossier.receipt.into(),
    }))
}

pub fn named(name: &str) -> Result<ProfileName, Problem> {
    ProfileName::parse(name).map_err(|error| Problem::new(Code::Invalid, error.to_string()))
}
