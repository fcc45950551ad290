//! `dossier list`: what there is, and what is hidden.

use super::Ended;
use crate::flags::{ListFlags, Noun};
use crate::session::Session;
use crate::show::{self, View};
use dossier_engine::{FileRecord, Hidden, HoldingKind, Project, ProjectSummary, Thread, now};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

pub async fn run(session: &Session, flags: &ListFlags) -> anyhow::Result<Ended> {
    if flags.hidden {
        return hidden(session, flags).await;
    }
    let Session { workspace, printer, .. } = session;
    let view = View::of(printer);
    let mut document = Map::new();
    let mut page = String::new();
    if nouns(flags).contains(&Noun::Projects) {
        let mut projects = workspace.project_summaries().await?;
        if let Some(name) = &flags.project {
            let project = workspace.existing_project(Some(name)).await?;
            projects.retain(|summary| summary.project.id == project.id);
        }
        if projects.is_empty() {
            printer.note("there are no projects yet; add files: dossier index PATH");
        }
        document.insert("projects".to_owned(), projects.iter().map(project_document).collect());
        page.push_str(&show::projects(&projects));
    } else {
        let project = workspace.existing_project(flags.project.as_deref()).await?;
        document.insert("project".to_owned(), json!(project.name));
        if nouns(flags).contains(&Noun::Threads) {
            let threads = workspace.recent_threads(&project.id).await?;
            document.insert("threads".to_owned(), threads.iter().map(thread_document).collect());
            page.push_str(&show::threads(&threads, view));
        }
        if nouns(flags).contains(&Noun::Files) {
            let files = workspace.files(&project.id).await?;
            document.insert("files".to_owned(), files.iter().map(file_document).collect());
            page.push_str(&show::files(&files, view));
        }
    }
    match flags.json {
        true => printer.json(&document)?,
        false => printer.result(&page)?,
    }
    Ok(Ended::Done)
}

/// Without a noun, the projects, or what is in the project that is named.
fn nouns(flags: &ListFlags) -> Vec<Noun> {
    match (flags.what, &flags.project) {
        (Some(noun), _) => vec![noun],
        (None, None) => vec![Noun::Projects],
        (None, Some(_)) => vec![Noun::Threads, Noun::Files],
    }
}

async fn hidden(session: &Session, flags: &ListFlags) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let now = now();
    let projects: HashMap<_, _> = workspace
        .projects()
        .await?
        .into_iter()
        .map(|Project { id, name, .. }| (id, name))
        .collect();
    let named = match &flags.project {
        Some(name) => Some(workspace.existing_project(Some(name)).await?.id),
        None => None,
    };
    let mut list = workspace.hidden(now).await?;
    list.retain(|hidden| {
        flags.what.is_none_or(|noun| noun.kind() == HoldingKind::of(&hidden.holding))
            && named.as_ref().is_none_or(|project| hidden.project == *project)
    });
    if list.is_empty() {
        printer.note("nothing is hidden");
    }
    let in_project = |hidden: &Hidden| projects.get(&hidden.project).map(String::as_str);
    match flags.json {
        true => {
            let list: Vec<Value> =
                list.iter().map(|hidden| hidden_document(hidden, in_project(hidden))).collect();
            printer.json(&json!({ "hidden": list }))?;
        }
        false => {
            let list: Vec<_> = list.iter().map(|hidden| (hidden, in_project(hidden))).collect();
            printer.result(&show::hidden(&list, now))?;
        }
    }
    Ok(Ended::Done)
}

/// A hidden thing, and the project it is in.
pub fn hidden_document(hidden: &Hidden, project: Option<&str>) -> Value {
    json!({
        "kind": HoldingKind::of(&hidden.holding).as_str(),
        "id": hidden.holding.as_str(),
        "name": hidden.name,
        "project": project,
        "hidden_at": hidden.hidden_at,
        "until": hidden.purge_at,
    })
}

fn project_document(ProjectSummary { project, counts }: &ProjectSummary) -> Value {
    json!({
        "id": project.id,
        "name": project.name,
        "files": counts.files,
        "bytes": counts.bytes,
        "threads": counts.threads,
        "last_used": counts.last_used.unwrap_or(project.updated_at),
    })
}

fn thread_document(thread: &Thread) -> Value {
    json!({
        "id": thread.id,
        "title": thread.title,
        "summary": thread.summary,
        "rounds": thread.round_count,
        "created_at": thread.created_at,
        "last_used": thread.updated_at,
    })
}

fn file_document(file: &FileRecord) -> Value {
    json!({
        "id": file.id,
        "path": file.path,
        "origin": file.origin,
        "bytes": file.size,
        "type": file.mime,
        "always": file.metadata.always_in_context,
        "tags": file.metadata.tags,
        "updated_at": file.updated_at,
    })
}
