//! `chat_with_<assistant>`: another model is asked about files of this machine.

use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool};
use dossier_engine::{ConsultJob, ConsultRequest, Consultation, FilesReport, Replied, TurnEvent};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The assistant that is the client's own model.
pub const CLIENT: &str = "client";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// Every assistant is a tool, so what is said here is listed many times; the tool's own description
// says what the lists are.
struct Wanted {
    session_id: String,
    instructions: String,
    #[serde(default)]
    context: Vec<String>,
    #[serde(default)]
    attachments: Vec<String>,
    #[serde(default)]
    priority_context: Vec<String>,
    project: Option<String>,
    /// Poll later.
    #[serde(default)]
    start: bool,
}

/// What came of a call, or how far it is.
#[derive(Serialize, JsonSchema)]
pub struct Given {
    turn_id: String,
    /// `working`, `replied`, `failed`, `cancelled` or `interrupted`.
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    files: Files,
}

#[derive(Serialize, JsonSchema)]
struct Files {
    sent: usize,
    unchanged: usize,
    searchable: usize,
    tokens_sent: u32,
    tokens_saved: u32,
    tokens_used: u32,
    tokens_limit: u32,
    /// Whether new files are searched from now on.
    frozen: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<String>,
}

impl From<FilesReport> for Files {
    fn from(report: FilesReport) -> Self {
        let skipped = report.skipped.iter().map(|file| format!("{}: {}", file.path, file.reason));
        Self {
            sent: report.sent,
            unchanged: report.unchanged,
            searchable: report.searchable,
            tokens_sent: report.tokens_sent,
            tokens_saved: report.tokens_saved,
            tokens_used: report.tokens_used,
            tokens_limit: report.tokens_limit,
            frozen: report.frozen,
            skipped: skipped.collect(),
        }
    }
}

impl Answer for Given {
    fn text(&self) -> String {
        let Files { sent, unchanged, searchable, tokens_saved, skipped, .. } = &self.files;
        let mut text = match (&self.response, &self.problem) {
            (Some(response), _) => response.clone(),
            (None, Some(problem)) => problem.clone(),
            (None, None) => format!("{} ({})", self.state, self.turn_id),
        };
        text += &format!(
            "\n\n(files: {sent} sent, {unchanged} unchanged, {searchable} to search; {tokens_saved} \
             tokens saved)"
        );
        text.extend(skipped.iter().map(|file| format!("\n(left out: {file})")));
        text
    }
}

impl Given {
    pub fn of(job: ConsultJob) -> Self {
        let mut given = Self {
            turn_id: job.turn.id.to_string(),
            state: "working".to_owned(),
            response: None,
            model: None,
            receipt_id: None,
            problem: None,
            files: job.files.into(),
        };
        match job.outcome {
            Some(Ok(Replied { text, model, receipt, .. })) => {
                given.state = "replied".to_owned();
                given.response = Some(text);
                given.model = Some(model);
                given.receipt_id = receipt.map(|receipt| receipt.to_string());
            }
            Some(Err(TurnEvent::Error { model, state, message, .. })) => {
                given.state = state.as_str().to_owned();
                given.problem = Some(format!("{model} did not answer: {message}"));
                given.model = Some(model);
            }
            Some(Err(_)) | None => {}
        }
        given
    }
}

pub fn tool(assistant: &str) -> Tool {
    let face = Face {
        set: ToolSet::Consult,
        name: format!("chat_with_{assistant}").into(),
        title: format!("Consult {assistant}").into(),
        description: format!(
            "Asks {assistant} about files: context for the whole session, attachments to search in \
             this call, priority_context always whole."
        )
        .into(),
        effect: Effect::Asks,
    };
    let assistant = assistant.to_owned();
    Tool::new(face, move |call, wanted| chat(call, assistant.clone(), wanted))
}

async fn chat(call: Call, assistant: String, wanted: Wanted) -> Result<Given, Refusal> {
    let roots = call.readable().await?;
    let model = match assistant.as_str() {
        CLIENT => call.stand_in()?,
        _ => None,
    };
    if wanted.start && model.is_some() {
        let what = "the client's own model answers within a call; leave start away";
        return Err(Refusal(what.to_owned()));
    }
    let paths = |given: Vec<String>| given.into_iter().map(PathBuf::from).collect();
    let project = call.project_or_new(wanted.project.as_deref()).await?;
    let request = ConsultRequest {
        project,
        assistant,
        session_id: wanted.session_id,
        instructions: wanted.instructions,
        context: paths(wanted.context),
        attachments: paths(wanted.attachments),
        priority_context: paths(wanted.priority_context),
        roots,
        model,
        client_message_id: call.name.clone(),
        now: call.now,
    };
    if wanted.start {
        return Ok(Given::of(call.workspace.start_consult(&request).await?));
    }
    let given = Given::of(answered(&call, &request).await?);
    match &given.problem {
        Some(problem) => Err(Refusal(problem.clone())),
        None => Ok(given),
    }
}

/// Waits for the answer; whoever drops this gives the call up.
async fn answered(call: &Call, request: &ConsultRequest) -> Result<ConsultJob, Refusal> {
    let Consultation { stream, .. } = call.workspace.consult(request).await?;
    let turn = stream.turn.id.clone();
    let mut stream = stream.alone();
    while let Some((_, event)) = stream.next().await {
        call.hear(&event);
    }
    Ok(call.workspace.consult_job(&turn).await?)
}
