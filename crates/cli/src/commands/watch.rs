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
use std::time::Duration;
use tokio::task::{JoinHandle, spawn_blocking};

pub async fn run(
    session: &Session,
    flags: &IndexFlags,
    project: &Project,
    request: IndexRequest,
) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    // Before the first pass, so that no edit is missed.
    let watch = Watch::new(&request.paths, &request.limits);
    if let Some(trouble) = watch.trouble() {
        printer.warning(&format!("{trouble}; meanwhile changes are looked for every few seconds"));
    }
    let mut waiting = change(watch);
    let mut interrupt = pin!(tokio::signal::ctrl_c());
    let mut request = request;
    let (mut passes, mut failures) = (0_u64, 0);
    loop {
        let line = Line::new(printer, Counted::Files);
        let report = tokio::select! {
            report = workspace.index(&request, &line) => report,
            _ = interrupt.as_mut() => return ended(session, &line, passes),
        };
        line.wipe();
        let report = match report {
            Err(error) if passes == 0 => return Err(error.into()),
            Err(error) => {
                failures += 1;
                failed(session, &error, pause(failures))
            }
            Ok(report) => {
                failures = 0;
                report
            }
        };
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
        let changed = match changed {
            Some(watch) => Some(watch),
            None => tokio::select! {
                watch = &mut waiting => Some(watch?),
                () = tokio::time::sleep(pause(failures)), if failures > 0 => None,
                _ = interrupt.as_mut() => return ended(session, &line, passes),
            },
        };
        // Without a change it is a pass that failed which is made again.
        if let Some(mut watch) = changed {
            request.paths = watch.due();
            waiting = change(watch);
        }
        request.now = now();
    }
}

/// Waits for the next change.
fn change(mut watch: Watch) -> JoinHandle<Watch> {
    spawn_blocking(move || {
        watch.wait();
        watch
    })
}

/// How long after so many failures in a row a pass is made again.
fn pause(failures: u32) -> Duration {
    const FIRST: Duration = Duration::from_secs(2);
    const LONGEST: Duration = Duration::from_secs(300);
    FIRST.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(LONGEST)
}

/// Ctrl-C is how a watch ends; in the first pass it interrupts like any other.
fn ended(session: &Session, line: &Line, passes: u64) -> anyhow::Result<Ended> {
    if passes == 0 {
        return stopped(session, line, "what is done is kept");
    }
    line.wipe();
    Ok(Ended::Done)
}

fn failed(session: &Session, error: &EngineError, pause: Duration) -> IndexReport {
    let seconds = pause.as_secs();
    session.printer.warning(&format!("this pass failed, the next is in {seconds} s: {error}"));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_that_fails_again_and_again_is_made_less_and_less_often() {
        let seconds = |failures| pause(failures).as_secs();
        let pauses = [1, 2, 3, 8, 9, 1_000].map(seconds);
        assert_eq!(pauses, [2, 4, 8, 256, 300, 300]);
    }
}
