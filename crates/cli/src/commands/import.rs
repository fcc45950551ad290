//! `dossier import`: conversations become threads of a project.

use super::Ended;
use super::input::read_text;
use crate::flags::ImportFlags;
use crate::progress::{Counted, Line};
use crate::session::Session;
use crate::show::text::{counted, one_line};
use anyhow::Context as _;
use dossier_engine::{Conversation, now, read_conversations};
use serde_json::{Value, json};

/// The conversations of the file, all of them or none.
pub fn read(flags: &ImportFlags) -> anyhow::Result<Vec<Conversation>> {
    let text = read_text(&flags.file)?;
    read_conversations(&text).with_context(|| flags.file.display().to_string())
}

pub async fn run(
    session: &Session,
    flags: &ImportFlags,
    conversations: &[Conversation],
) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let project = workspace.project(flags.project.as_deref(), now()).await?;
    let mut threads: Vec<Value> = Vec::new();
    let mut lines = String::new();
    for conversation in conversations {
        let imported = workspace.import(&project.id, conversation, now()).await?;
        let title = conversation.title.as_deref().map(one_line).unwrap_or_default();
        let messages = counted(imported.messages.len() as u64, "message", "messages");
        lines.push_str(format!("{}  {messages}  {title}", imported.thread).trim_end());
        lines.push('\n');
        threads.push(json!({
            "thread": imported.thread,
            "title": conversation.title,
            "messages": imported.messages,
        }));
    }
    let line = Line::new(printer, Counted::Files);
    let vectors = workspace.embed_pending(&project.id, &line).await?;
    line.wipe();
    match flags.json {
        true => printer.json(&json!({ "project": project.name, "threads": threads }))?,
        false => printer.result(&lines)?,
    }
    if let Some(problem) = &vectors.problem {
        printer.warning(&format!("vectors are missing, and words alone find the rest: {problem}"));
    }
    Ok(Ended::Done)
}
