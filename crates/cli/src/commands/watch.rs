//! `dossier index --watch`: pass after pass, each like any other, as files change. Words come at
//! once; vectors follow until the next change, which goes first.

use super::Ended;
use super::index::{document, print, stopped};
use crate::flags::IndexFlags;
use crate::progress::{Counted, Line};
use crate::session::Session;
use crate::show::text::counted;
use dossier_engine::{EngineError, IndexReport, IndexRequest, Project, VectorReport, Watch, now};
use std::pin::pin;
use tokio::task::spawn_blocking;

pub async fn run(
    session: &Session,
    flags: &IndexFlags,
    project: &Project,
    request: IndexRequest,
) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    // Before the first pass, so that no edit is missed.
    let mut watch = Watch::new(&request.paths, &request.limits);
    if let Some(trouble) = watch.trouble() {
        printer.warning(&format!("{trouble}; meanwhile changes are looked for every few seconds"));
    }
    let mut interrupt = pin!(tokio::signal::ctrl_c());
    let mut passes = 0_u64;
    loop {
        let line = Line::new(printer, Counted::Files);
        let request = match passes {
            0 => request.clone(),
            _ => IndexRequest { paths: watch.due(), now: now(), ..request.clone() },
        };
        let report = tokio::select! {
            report = workspace.index(&request, &line) => report,
            _ = interrupt.as_mut() => return ended(session, &line, passes),
        };
        line.wipe();
        let report = match report {
            Ok(report) => report,
            // The next pass may see what this one could not.
            Err(error) if passes > 0 => failed(session, &error),
            Err(error) => return Err(error.into()),
        };
        let mut waiting = spawn_blocking(move || {
            watch.wait();
            watch
        });
        let mut changed = None;
        let follow = async {
            match flags.no_vectors {
                true => Ok(VectorReport::default()),
                false => workspace.embed_pending(&project.id, &line).await,
            }
        };
        let vectors = tokio::select! {
            vectors = follow => vectors.unwrap_or_else(|error| VectorReport {
                problem: Some(error.to_string()),
                ..VectorReport::default()
            }),
            watch = &mut waiting => {
                changed = Some(watch?);
                VectorReport { embedded: line.vectors() as usize, ..VectorReport::default() }
            }
            _ = interrupt.as_mut() => return ended(session, &line, passes),
        };
        line.wipe();
        tell(session, flags, project, passes, &report, &vectors)?;
        passes += 1;
        session.back_up().await?;
        watch = match changed {
            Some(watch) => watch,
            None => tokio::select! {
                watch = waiting => watch?,
                _ = interrupt.as_mut() => return ended(session, &line, passes),
            },
        };
    }
}

/// Ctrl-C is how a watch ends; in the first pass it interrupts like any other.
fn ended(session: &Session, line: &Line, passes: u64) -> anyhow::Result<Ended> {
    if passes == 0 {
        return stopped(session, line, "what is done is kept");
    }
    line.wipe();
    Ok(Ended::Done)
}

fn failed(session: &Session, error: &EngineError) -> IndexReport {
    session.printer.warning(&format!("this pass failed, the next change brings another: {error}"));
    IndexReport::default()
}

/// The first pass as ever, later ones in a line, and nothing where nothing was done.
fn tell(
    session: &Session,
    flags: &IndexFlags,
    project: &Project,
    passes: u64,
    report: &IndexReport,
    vectors: &VectorReport,
) -> anyhow::Result<()> {
    let printer = &session.printer;
    if let Some(problem) = &vectors.problem {
        printer.warning(&format!("vectors are missing, and words alone find the rest: {problem}"));
    }
    if passes == 0 {
        print(session, flags, &project.name, report, vectors)?;
        printer.note("following edits; Ctrl-C ends");
        return Ok(());
    }
    let IndexReport { added, changed, removed, chunks, .. } = report;
    if added + changed + removed + vectors.embedded == 0 {
        return Ok(());
    }
    match flags.json {
        true => printer.json_line(&document(&project.name, report, vectors))?,
        false => printer.result(&format!(
            "{added} added, {changed} changed, {removed} removed: {}, {}\n",
            counted(*chunks as u64, "chunk", "chunks"),
            counted(vectors.embedded as u64, "vector", "vectors"),
        ))?,
    }
    Ok(())
}
