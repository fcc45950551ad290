//! `dossier maintain --rebuild`: the index made anew from what is stored.

use super::{Ended, unless_interrupted};
use crate::flags::MaintainFlags;
use crate::progress::{Counted, Line};
use crate::session::Session;
use crate::show::text::counted;
use dossier_engine::VectorReport;
use serde_json::{Value, json};

/// A project that was rebuilt.
struct Rebuilt {
    project: String,
    chunks: usize,
    vectors: VectorReport,
}

pub async fn run(session: &Session, flags: &MaintainFlags) -> anyhow::Result<Ended> {
    let printer = &session.printer;
    let line = Line::new(printer, Counted::Files);
    let done = unless_interrupted(rebuild(session, flags, &line)).await;
    line.wipe();
    let Some(done) = done? else {
        printer.warning("stopped; the index can be used as it is; to go on, run it again");
        return Ok(Ended::Interrupted);
    };
    let done = done?;
    match flags.json {
        true => {
            let list: Vec<Value> = done.iter().map(document).collect();
            printer.json(&json!({ "rebuilt": list }))?;
        }
        false => printer.result(&done.iter().map(told).collect::<String>())?,
    }
    if let Some(problem) = done.iter().find_map(|rebuilt| rebuilt.vectors.problem.as_ref()) {
        printer.warning(&format!("vectors are missing, and words alone find the rest: {problem}"));
    }
    Ok(Ended::Done)
}

/// The words and statistics of the whole database come first, whatever state they are in; then
/// the chunks themselves, of one project or of all.
async fn rebuild(
    session: &Session,
    flags: &MaintainFlags,
    line: &Line,
) -> anyhow::Result<Vec<Rebuilt>> {
    let workspace = &session.workspace;
    let projects = match &flags.project {
        Some(name) => vec![workspace.existing_project(Some(name)).await?],
        None => workspace.projects().await?,
    };
    session.engine.mend_index().await?;
    let mut done = Vec::with_capacity(projects.len());
    for project in projects {
        let chunks = workspace.rebuild(&project.id, line).await?;
        let vectors = workspace.embed_pending(&project.id, line).await?;
        done.push(Rebuilt { project: project.name, chunks, vectors });
    }
    Ok(done)
}

fn told(rebuilt: &Rebuilt) -> String {
    format!(
        "project {}: {} indexed anew, {}\n",
        rebuilt.project,
        counted(rebuilt.chunks as u64, "chunk", "chunks"),
        counted(rebuilt.vectors.embedded as u64, "new vector", "new vectors"),
    )
}

fn document(rebuilt: &Rebuilt) -> Value {
    json!({
        "project": rebuilt.project,
        "chunks": rebuilt.chunks,
        "vectors": rebuilt.vectors.embedded,
        "problem": rebuilt.vectors.problem,
    })
}
