//! `dossier search`: the best passages of a project.

use super::Ended;
use crate::flags::SearchFlags;
use crate::session::Session;
use crate::show::{self, View};
use anyhow::bail;
use dossier_core::guard::masked;
use dossier_engine::{Found, Hit, SearchRequest};
use serde::Serialize;

/// The document for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    project: &'a str,
    query: &'a str,
    hits: &'a [Hit],
}

pub async fn run(session: &Session, flags: &SearchFlags) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    if flags.query.trim().is_empty() {
        bail!("the query is empty; name something to look for");
    }
    let project = workspace.existing_project(flags.project.as_deref()).await?;
    let exclude = match &flags.exclude_thread {
        Some(name) => Some(workspace.thread(&project.id, name).await?.id),
        None => None,
    };
    let request = SearchRequest {
        project: project.id,
        query: flags.query.clone(),
        limit: usize::from(flags.limit),
        exclude,
    };
    let Found { hits, warnings } = workspace.search(&request).await?;
    for warning in &warnings {
        printer.warning(warning);
    }
    if flags.json {
        printer.json(&Answer {
            project: &project.name,
            query: &masked(&flags.query),
            hits: &hits,
        })?;
        return Ok(Ended::Done);
    }
    if hits.is_empty() {
        printer.note(&format!("nothing found in project {}; try other words", project.name));
    }
    printer.result(&show::hits(&hits, View::of(printer)))?;
    Ok(Ended::Done)
}
