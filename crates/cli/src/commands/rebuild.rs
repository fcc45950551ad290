//! `dossier rebuild`: a project's index, made anew from what is stored.

use super::{Ended, unless_interrupted};
use crate::flags::RebuildFlags;
use crate::progress::{Counted, Line};
use crate::session::Session;
use crate::show::text::counted;

pub async fn run(session: &Session, flags: &RebuildFlags) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let project = workspace.existing_project(flags.project.as_deref()).await?;
    let line = Line::new(printer, Counted::Files);
    let work = async {
        let chunks = workspace.rebuild(&project.id, &line).await?;
        anyhow::Ok((chunks, workspace.embed_pending(&project.id, &line).await?))
    };
    let done = unless_interrupted(work).await;
    line.wipe();
    let Some(done) = done? else {
        printer.warning("stopped, and the index may be incomplete; run the same command again");
        return Ok(Ended::Interrupted);
    };
    let (chunks, vectors) = done?;
    printer.result(&format!(
        "project {}: {} indexed anew, {}\n",
        project.name,
        counted(chunks as u64, "chunk", "chunks"),
        counted(vectors.embedded as u64, "new vector", "new vectors"),
    ))?;
    if let Some(problem) = &vectors.problem {
        printer.warning(&format!("vectors are missing, and words alone find the rest: {problem}"));
    }
    Ok(Ended::Done)
}
