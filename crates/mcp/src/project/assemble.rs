//! `assemble_context`.

use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool};
use dossier_core::id::{SessionId, ThreadId};
use dossier_core::intent::Intent;
use dossier_core::profile::ProfileName;
use dossier_core::render::WireMessage;
use dossier_engine::{AssembleRequest, Assembled, Shape, ToolUse};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// What the user says next.
    user_turn: String,
    project: Option<String>,
    conversation_id: Option<String>,
    /// Stays where it worked last.
    session_id: Option<String>,
    #[schemars(with = "Option<IntentName>")]
    intent: Option<Intent>,
    token_budget: Option<u32>,
    profile: Option<String>,
    /// Who will read it.
    model: Option<String>,
    #[serde(default)]
    topic_tags: Vec<String>,
    #[serde(default)]
    #[expect(dead_code, reason = "every dossier is assembled anew")]
    force_refresh: bool,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case", inline)]
#[expect(dead_code, reason = "only the schema names them")]
enum IntentName {
    QuickCapture,
    ContextLookup,
    DeepAnalysis,
    Planning,
}

#[derive(Serialize, JsonSchema)]
struct Given {
    header: Vec<Said>,
    working_set: Vec<Said>,
    budget: Used,
    lazy_tools: Vec<String>,
    cache_key: String,
    /// Tells why each item is in it, and what was left out.
    receipt_id: String,
}

#[derive(Serialize, JsonSchema)]
struct Said {
    role: String,
    content: String,
}

impl From<&WireMessage> for Said {
    fn from(message: &WireMessage) -> Self {
        Self { role: message.role.as_str().to_owned(), content: message.content.clone() }
    }
}

#[derive(Serialize, JsonSchema)]
struct Used {
    used: u32,
    limit: u32,
    warnings: Vec<String>,
}

impl Answer for Given {
    fn text(&self) -> String {
        let mut text = format!("{} of {} tokens\n", self.budget.used, self.budget.limit);
        for said in self.header.iter().chain(&self.working_set) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "\n[{}]\n{}", said.role, said.content);
        }
        text
    }
}

pub fn tool() -> Tool {
    let face = Face {
        set: ToolSet::Project,
        name: "assemble_context".into(),
        title: "Assemble a context".into(),
        description: "Gives the smallest context that holds what a project knows about a question; calls no model.".into(),
        effect: Effect::Reads,
    };
    Tool::new(face, assemble)
}

async fn assemble(call: Call, wanted: Wanted) -> Result<Given, Refusal> {
    let profile = match &wanted.profile {
        Some(name) => ProfileName::parse(name).map_err(|error| Refusal(error.to_string()))?,
        None => call.usual.profile,
    };
    let thread = wanted.conversation_id.as_deref().map(ThreadId::from);
    let session = wanted.session_id.as_deref().map(SessionId::from);
    let project = match &wanted.project {
        Some(name) => Some(call.project(Some(name)).await?.id),
        None => None,
    };
    let usual = call.usual_project.as_deref();
    let (project, thread) =
        call.workspace.place_of(session.as_ref(), project, thread, usual, call.now).await?;
    let request = AssembleRequest {
        project,
        thread,
        question: wanted.user_turn,
        shape: Shape::Profile(profile),
        budget: wanted.token_budget,
        model: wanted.model,
        intent: wanted.intent,
        topics: wanted.topic_tags,
        tools: ToolUse::Free,
        history: None,
        round: None,
        brought: None,
        now: call.now,
    };
    let dossier = call.workspace.assemble_for(session.as_ref(), request, &[]).await?;
    let assembled = Assembled::new(&dossier.receipt, &dossier.messages);
    Ok(Given {
        header: assembled.header.iter().map(Said::from).collect(),
        working_set: assembled.working_set.iter().map(Said::from).collect(),
        budget: Used {
            used: assembled.budget.used,
            limit: assembled.budget.limit,
            warnings: assembled.budget.warnings.to_vec(),
        },
        lazy_tools: assembled.lazy_tools.iter().map(ToString::to_string).collect(),
        cache_key: assembled.cache_key.to_string(),
        receipt_id: dossier.receipt.id.to_string(),
    })
}
