//! `dossier explain`: the dossier for a question and the reasons for it, now or as it was kept.

use super::Ended;
use crate::flags::ExplainFlags;
use crate::prompt;
use crate::session::Session;
use crate::show::{self, Names, View};
use dossier_core::guard::masked;
use dossier_core::id::{ProjectId, ReceiptId, ThreadId};
use dossier_core::receipt::Receipt;
use dossier_core::render::WireMessage;
use dossier_engine::{AssembleRequest, Assembled, Shape, ToolUse, now};
use serde_json::json;

pub async fn run(session: &Session, flags: &ExplainFlags) -> anyhow::Result<Ended> {
    let (receipt, messages) = match (&flags.receipt, &flags.question) {
        (Some(id), _) => {
            let receipt = session.workspace.receipt(&ReceiptId::from(id.as_str())).await?;
            let messages = match flags.rendered || flags.json {
                true => session.workspace.rendered(&receipt).await?,
                false => Vec::new(),
            };
            (receipt, messages)
        }
        (None, question) => assembled(session, flags, question.as_deref().unwrap_or("")).await?,
    };
    print(session, flags, &receipt, &messages).await?;
    Ok(Ended::Done)
}

/// The receipt of a new dossier, which is kept, and its messages.
async fn assembled(
    session: &Session,
    flags: &ExplainFlags,
    question: &str,
) -> anyhow::Result<(Receipt, Vec<WireMessage>)> {
    let settings = &session.settings;
    let workspace = prompt::workspace(session).await?;
    let project = workspace.existing_project(flags.frame.project.as_deref()).await?;
    let thread = match &flags.frame.thread {
        Some(name) => Some(workspace.thread(&project.id, name).await?.id),
        None => None,
    };
    let profile = flags.frame.profile.unwrap_or(settings.profile.value);
    let request = AssembleRequest {
        project,
        thread,
        question: question.to_owned(),
        shape: Shape::Profile(profile),
        budget: flags.frame.budget,
        model: flags.model.clone(),
        intent: None,
        topics: Vec::new(),
        tools: ToolUse::Free,
        history: flags.history.map(Into::into),
        round: None,
        brought: None,
        now: now(),
    };
    let preview = workspace.preview(&request).await?;
    if let Err(error) = workspace.keep_preview(&preview).await {
        // The answer is worth more than its record.
        session.printer.warning(&format!("this receipt was not kept: {error}"));
    }
    Ok((preview.dossier.receipt, preview.dossier.messages))
}

async fn print(
    session: &Session,
    flags: &ExplainFlags,
    receipt: &Receipt,
    messages: &[WireMessage],
) -> anyhow::Result<()> {
    let printer = &session.printer;
    match (flags.rendered, flags.json) {
        (true, true) => printer.json(&json!({ "receipt": receipt.id, "messages": messages }))?,
        (false, true) => printer.json(&Assembled::new(receipt, messages))?,
        (true, false) => printer.result(&show::rendered(messages))?,
        (false, false) => {
            let names = Names {
                project: project_name(session, &receipt.project).await?,
                thread: thread_name(session, receipt).await,
            };
            printer.result(&show::receipt(receipt, &names, View::of(printer)))?;
        }
    }
    Ok(())
}

/// A receipt outlives what it names; then the id must do.
async fn project_name(session: &Session, id: &ProjectId) -> anyhow::Result<String> {
    let projects = session.workspace.projects().await?;
    let named = projects.into_iter().find(|project| project.id == *id);
    Ok(named.map_or_else(|| id.to_string(), |project| project.name))
}

async fn thread_name(session: &Session, receipt: &Receipt) -> Option<String> {
    let id: &ThreadId = receipt.thread.as_ref()?;
    let thread = session.workspace.thread(&receipt.project, id.as_str()).await.ok();
    let title = thread.and_then(|thread| thread.title);
    Some(title.map_or_else(|| id.to_string(), |title| masked(&title).into_owned()))
}
