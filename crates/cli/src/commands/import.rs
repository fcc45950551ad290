//! `dossier import`: conversations become threads of a project, archives become what they were.
//! All files are read before anything is stored. One that cannot be read is named and costs the
//! others nothing; whatever ends the run early, what is stored is kept, and the same command goes
//! on.

use super::input::open;
use super::{Ended, unless_interrupted};
use crate::flags::ImportFlags;
use crate::progress::{Counted, Line};
use crate::session::Session;
use crate::show::{self, Brought, View};
use anyhow::{Context as _, bail};
use dossier_core::exchange::Bundle;
use dossier_core::guard::masked;
use dossier_core::id::ProjectId;
use dossier_engine::{Archive, Documents, Incoming, Progress as _, Project, Restored, now};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What the files hold.
pub struct Read {
    bundle: Option<Bundle>,
    archives: Vec<Archive>,
    /// Why some were not read.
    failures: Vec<anyhow::Error>,
}

/// Reads all files; an error when none can be.
pub fn read(flags: &ImportFlags) -> anyhow::Result<Read> {
    let mut read = Read { bundle: None, archives: Vec::new(), failures: Vec::new() };
    for path in &flags.files {
        let name = path.display().to_string();
        let incoming =
            open(path).and_then(|reader| Incoming::read(reader).with_context(|| name.clone()));
        match incoming {
            Err(error) if flags.files.len() == 1 => return Err(error),
            Err(error) => read.failures.push(error),
            Ok(Incoming::Archive(_)) if flags.project.is_some() => {
                bail!("{name} is an archive, which brings its own projects; leave --project out")
            }
            Ok(Incoming::Archive(archive)) => read.archives.push(archive),
            Ok(Incoming::Bundle(mut bundle)) => {
                for warning in &mut bundle.warnings {
                    warning.insert_str(0, &format!("{name}: "));
                }
                read.bundle.get_or_insert_default().add(bundle);
            }
        }
    }
    if read.bundle.is_none() && read.archives.is_empty() {
        let each: Vec<String> =
            read.failures.iter().map(|failure| format!("{failure:#}")).collect();
        bail!("{}", each.join("; "));
    }
    Ok(read)
}

pub async fn run(session: &Session, flags: &ImportFlags, read: Read) -> anyhow::Result<Ended> {
    let mut documents: Vec<Value> = Vec::new();
    let mut pages = String::new();
    let mut touched = BTreeSet::new();
    let Read { bundle, archives, failures } = read;
    let mut ended = Ended::Done;
    if let Some(bundle) = &bundle {
        session.workspace.check_room(flags.project.as_deref(), bundle).await?;
        let project = session.workspace.project(flags.project.as_deref(), now()).await?;
        touched.insert(project.id.clone());
        let (brought, how) = conversations(session, &project, bundle).await?;
        pages.push_str(&show::imported(&brought, View::of(&session.printer)));
        documents.push(document(&brought));
        ended = how;
    }
    for mut archive in archives {
        if ended == Ended::Interrupted {
            break;
        }
        let Some(restored) = restore(session, &mut archive).await? else {
            ended = Ended::Interrupted;
            break;
        };
        touched.extend(restored.projects.iter().cloned());
        pages.push_str(&show::restored(&restored));
        documents.push(json!({
            "added": restored.added, "here": restored.here, "notes": restored.notes,
        }));
    }
    for warning in bundle.iter().flat_map(|bundle| &bundle.warnings) {
        session.printer.warning(warning);
    }
    if ended == Ended::Done {
        ended = embed(session, &touched).await?;
    }
    match (flags.json, documents.as_slice()) {
        (true, [document]) => session.printer.json(document)?,
        (true, documents) => session.printer.json(&documents)?,
        (false, _) => session.printer.result(&pages)?,
    }
    if ended == Ended::Interrupted {
        let kept = "what is stored is kept and can be searched";
        session.printer.warning(&format!("stopped; {kept}; to go on, run the same command again"));
    }
    for failure in &failures {
        session.printer.error(failure);
    }
    Ok(match ended {
        Ended::Done if !failures.is_empty() => Ended::Unwell,
        ended => ended,
    })
}

/// Stores conversations one by one until all are stored or Ctrl-C comes.
async fn conversations<'a>(
    session: &Session,
    project: &'a Project,
    bundle: &'a Bundle,
) -> anyhow::Result<(Brought<'a>, Ended)> {
    let Session { workspace, printer, .. } = session;
    let line = Line::new(printer, Counted::Conversations);
    let total = bundle.conversations.len() as u64;
    let mut brought = Brought {
        project: &project.name,
        threads: Vec::new(),
        documents: Documents::default(),
        left_out: &bundle.left_out,
    };
    let work = async {
        for (done, conversation) in (0..).zip(&bundle.conversations) {
            line.reading(done, total);
            let imported = workspace.import(&project.id, conversation, now()).await?;
            brought.threads.push((conversation.title.as_deref(), imported));
        }
        brought.documents =
            workspace.import_documents(&project.id, &bundle.documents, now()).await?;
        anyhow::Ok(())
    };
    let done = unless_interrupted(work).await;
    line.wipe();
    let ended = match done?.transpose()? {
        Some(()) => Ended::Done,
        None => Ended::Interrupted,
    };
    Ok((brought, ended))
}

async fn restore(session: &Session, archive: &mut Archive) -> anyhow::Result<Option<Restored>> {
    let line = Line::new(&session.printer, Counted::Records);
    let restored = unless_interrupted(session.workspace.restore(archive, &line)).await;
    line.wipe();
    Ok(restored?.transpose()?)
}

/// Makes the vectors that are missing; words find everything without them.
async fn embed(session: &Session, projects: &BTreeSet<ProjectId>) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let line = Line::new(printer, Counted::Conversations);
    for project in projects {
        let vectors = unless_interrupted(workspace.embed_pending(project, &line)).await;
        let Some(vectors) = vectors?.transpose()? else {
            line.wipe();
            return Ok(Ended::Interrupted);
        };
        if let Some(problem) = &vectors.problem {
            line.wipe();
            printer
                .warning(&format!("vectors are missing, and words alone find the rest: {problem}"));
            break;
        }
    }
    line.wipe();
    Ok(Ended::Done)
}

fn document(brought: &Brought<'_>) -> Value {
    let thread = |(title, imported): &(Option<&str>, dossier_engine::Imported)| {
        json!({
            "thread": imported.thread,
            "title": title.map(masked),
            "outcome": imported.outcome,
            "messages": imported.messages,
            "added": imported.added,
            "files": imported.files,
            "left_out": imported.left_out,
        })
    };
    json!({
        "project": brought.project,
        "threads": brought.threads.iter().map(thread).collect::<Vec<_>>(),
        "documents": brought.documents,
        "left_out": brought.left_out,
    })
}
