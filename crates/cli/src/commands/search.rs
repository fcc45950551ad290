//! `dossier search`: the best passages of a project.

use super::Ended;
use crate::flags::SearchFlags;
use crate::session::Session;
use crate::show::{self, View};
use anyhow::bail;
use dossier_engine::{Hit, SearchRequest};
use serde::Serialize;

/// The document for programs.
#[derive(Debug, Serialize)]
struct Found<'a> {
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
    let request = SearchRequest {
        project: project.id,
        query: flags.query.clone(),
        limit: usize::from(flags.limit),
        exclude: None,
    };
    let hits = workspace.search(&request).await?;
    if flags.json {
        printer.json(&Found { project: &project.name, query: &flags.query, hits: &hits })?;
        return Ok(Ended::Done);
    }
    if hits.is_empty() {
        printer.note(&format!("nothing found in project {}; try other words", project.name));
    }
    printer.result(&show::hits(&hits, View::of(printer)))?;
    Ok(Ended::Done)
}
