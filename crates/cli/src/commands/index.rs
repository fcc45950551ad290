//! `dossier index`: words first, vectors after them. Whatever ends the run early, what is done
//! is kept, and the same command goes on.

use super::{Ended, unless_interrupted, watch};
use crate::flags::IndexFlags;
use crate::printer::Detail;
use crate::progress::{Counted, Line};
use crate::session::Session;
use crate::settings::EmbedderChoice;
use crate::show::{self, Indexed, LeftOut, View};
use dossier_core::id::ProjectId;
use dossier_engine::{IndexReport, IndexRequest, Pinning, Progress, VectorReport, now};
use serde_json::{Value, json};

pub async fn run(session: &Session, flags: &IndexFlags) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let now = now();
    let project = workspace.project(flags.project.as_deref(), now).await?;
    let request = IndexRequest {
        project: project.id.clone(),
        paths: flags.paths.clone(),
        limits: workspace.file_limits().await?,
        pinning: match (flags.always, flags.no_always) {
            (true, _) => Pinning::Pin,
            (_, true) => Pinning::Unpin,
            _ => Pinning::Keep,
        },
        now,
    };
    if flags.watch {
        return watch::run(session, flags, &project, request).await;
    }
    let line = Line::new(printer, Counted::Files);
    let Some(report) = unless_interrupted(workspace.index(&request, &line)).await? else {
        return stopped(session, &line, "the files that were read are kept");
    };
    let report = report?;
    let wanted = match flags.no_vectors {
        true => Vectors::Later,
        false => Vectors::Now,
    };
    let Some(vectors) = embed(session, &project.id, wanted, &line).await? else {
        let done = VectorReport { embedded: line.vectors() as usize, ..VectorReport::default() };
        print(session, flags, &project.name, &report, &done)?;
        let kept = "words find everything, and the vectors that are done are kept";
        return stopped(session, &line, kept);
    };
    line.wipe();
    print(session, flags, &project.name, &report, &vectors)?;
    if let Some(problem) = &vectors.problem {
        printer.warning(&format!("vectors are missing, and words alone find the rest: {problem}"));
    }
    Ok(Ended::Done)
}

/// Whether vectors are made in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vectors {
    Now,
    Later,
}

/// Makes the vectors that are missing; nothing when Ctrl-C came first.
async fn embed(
    session: &Session,
    project: &ProjectId,
    wanted: Vectors,
    progress: &dyn Progress,
) -> anyhow::Result<Option<VectorReport>> {
    if wanted == Vectors::Later {
        return Ok(Some(VectorReport::default()));
    }
    let report = unless_interrupted(session.workspace.embed_pending(project, progress)).await?;
    Ok(report.transpose()?)
}

pub fn stopped(session: &Session, line: &Line, kept: &str) -> anyhow::Result<Ended> {
    line.wipe();
    session.printer.warning(&format!("stopped; {kept}; to go on, run the same command again"));
    Ok(Ended::Interrupted)
}

pub fn print(
    session: &Session,
    flags: &IndexFlags,
    project: &str,
    report: &IndexReport,
    vectors: &VectorReport,
) -> anyhow::Result<()> {
    let Session { settings, printer, .. } = session;
    match (flags.json, flags.watch) {
        (true, true) => return Ok(printer.json_line(&document(project, report, vectors))?),
        (true, false) => return Ok(printer.json(&document(project, report, vectors))?),
        _ => {}
    }
    let remark = match (flags.no_vectors, &settings.embedder.value) {
        (true, _) => Some("left for the next run".to_owned()),
        (_, EmbedderChoice::None) => Some("the embedder is none: words alone".to_owned()),
        _ if printer.detail == Detail::Most => busy(vectors),
        _ => None,
    };
    let left_out = report
        .skipped
        .iter()
        .map(|file| LeftOut { path: file.path.clone(), reason: file.reason.to_string() });
    let left_out = left_out.collect();
    let run =
        Indexed { project, report, vectors: vectors.embedded, remark: remark.as_deref(), left_out };
    Ok(printer.result(&show::indexed(&run, View::of(printer)))?)
}

/// How well the embedder was kept at work.
fn busy(vectors: &VectorReport) -> Option<String> {
    let VectorReport { elapsed, busy, .. } = vectors;
    let share = 100.0 * busy.as_secs_f64() / elapsed.as_secs_f64();
    share.is_finite().then(|| {
        format!("the embedder was busy {share:.0} % of {:.1} seconds", elapsed.as_secs_f64())
    })
}

pub fn document(project: &str, report: &IndexReport, vectors: &VectorReport) -> Value {
    let skipped: Vec<Value> = report
        .skipped
        .iter()
        .map(|file| {
            let root = file.root.display().to_string();
            json!({ "path": file.path, "root": root, "reason": file.reason.to_string() })
        })
        .collect();
    json!({
        "project": project,
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "chunks": report.chunks,
        "vectors": vectors.embedded,
        "elapsed_ms": vectors.elapsed.as_millis() as u64,
        "busy_ms": vectors.busy.as_millis() as u64,
        "problem": vectors.problem,
        "fileset": report.fileset,
        "skipped": skipped,
    })
}
