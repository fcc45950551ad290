//! `dossier export`: to standard output, or to a file that is whole or not there.

use super::{Ended, unless_interrupted};
use crate::flags::{ExportFlags, ExportFormat};
use crate::progress::{Counted, Line};
use crate::session::Session;
use crate::show::text::{counted, listed};
use anyhow::Context as _;
use dossier_engine::{EngineError, Format, Progress as _, Thread, now};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

pub async fn run(session: &Session, flags: &ExportFlags) -> anyhow::Result<Ended> {
    let Some(path) = &flags.output else {
        let mut out = BufWriter::new(io::stdout());
        let told = unless_interrupted(write(session, flags, &mut out)).await?;
        return match told {
            Some(_) => told.transpose().map(|_| Ended::Done),
            None => Ok(Ended::Interrupted),
        };
    };
    let (file, folder) = beside(path)?;
    let mut out = BufWriter::new(file);
    let Some(told) = unless_interrupted(write(session, flags, &mut out)).await? else {
        session.printer.warning(&format!("stopped; {} is as it was", path.display()));
        return Ok(Ended::Interrupted);
    };
    let told = told?;
    let kept = || -> anyhow::Result<()> {
        let file = out.into_inner().map_err(|error| error.into_error())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        // The name is safe when the folder is.
        std::fs::File::open(folder)?.sync_all()?;
        Ok(())
    };
    kept().with_context(|| format!("cannot write {}", path.display()))?;
    session.printer.note(&format!("{}: {told}", path.display()));
    Ok(Ended::Done)
}

/// A new file beside the one that is asked for, readable by its owner alone, and their folder.
fn beside(path: &Path) -> anyhow::Result<(NamedTempFile, &Path)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if path.is_dir() {
        anyhow::bail!("{} is a folder; name a file in it", path.display());
    }
    let file = NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write to {}; check the folder", folder.display()))?;
    Ok((file, folder))
}

/// Writes what was asked for; tells what it was.
async fn write(
    session: &Session,
    flags: &ExportFlags,
    out: &mut (dyn Write + Send),
) -> anyhow::Result<String> {
    let Session { workspace, printer, .. } = session;
    let line = Line::new(printer, Counted::Files);
    let written = async {
        if flags.all {
            return save(session, None, out, &line).await;
        }
        let project = workspace.existing_project(flags.project.as_deref()).await?;
        let format = flags.format.map(Format::from);
        match (&flags.thread, format) {
            (Some(name), format) => {
                let thread = workspace.thread(&project.id, name).await?;
                let format = format.unwrap_or(ExportFormat::Markdown.into());
                threads(session, &[thread], format, out, &line).await
            }
            (None, Some(format)) => {
                let all = workspace.threads(&project.id).await?;
                threads(session, &all, format, out, &line).await
            }
            (None, None) => save(session, Some(&project), out, &line).await,
        }
    };
    let written = written.await;
    line.wipe();
    // Whoever read the output may have seen enough, which is told by the error itself.
    match written {
        Err(EngineError::Writing(error)) => Err(error.into()),
        written => Ok(written?),
    }
}

async fn save(
    session: &Session,
    project: Option<&dossier_engine::Project>,
    out: &mut (dyn Write + Send),
    line: &Line,
) -> Result<String, EngineError> {
    let end = session.workspace.save(project, out, now(), line).await?;
    let counts: Vec<String> =
        end.counts.iter().map(|(kind, count)| counted(*count, singular(kind), kind)).collect();
    Ok(listed(&counts))
}

/// The kinds of an archive's lines are named in the plural.
fn singular(kind: &str) -> &str {
    kind.strip_suffix('s').unwrap_or(kind)
}

async fn threads(
    session: &Session,
    threads: &[Thread],
    format: Format,
    out: &mut (dyn Write + Send),
    line: &Line,
) -> Result<String, EngineError> {
    let mut messages = 0;
    for (done, thread) in (0..).zip(threads) {
        line.reading(done, threads.len() as u64);
        messages += session.workspace.export_thread(thread, format, out).await?;
    }
    out.flush().map_err(EngineError::Writing)?;
    Ok(listed(&[
        counted(threads.len() as u64, "thread", "threads"),
        counted(messages as u64, "message", "messages"),
    ]))
}
