//! `dossier forget`: hides something until its grace ends, brings it back, or deletes it at once.

use super::list::hidden_document;
use super::{Ended, unless_interrupted};
use crate::flags::{ForgetFlags, ForgetWhat};
use crate::progress::{Counted, Line};
use crate::session::Session;
use crate::show::text::{listed, one_line};
use dossier_engine::{Hidden, Holding, HoldingKind, Project, now};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What was named, and what it is called.
struct Named {
    holding: Holding,
    name: String,
    /// Where it lies on disk, from where it may come again.
    origin: Option<String>,
}

pub async fn run(session: &Session, flags: &ForgetFlags) -> anyhow::Result<Ended> {
    let project = project(session, flags).await?;
    match (flags.undo, flags.now) {
        (true, _) => undo(session, flags, project.as_ref()).await,
        (_, true) => {
            let all = named_or_hidden(session, flags, project.as_ref()).await?;
            delete(session, flags, &all).await
        }
        _ => hide(session, flags, project.as_ref()).await,
    }
}

/// The project that threads and files are in.
async fn project(session: &Session, flags: &ForgetFlags) -> anyhow::Result<Option<Project>> {
    Ok(match &flags.what {
        ForgetWhat::Project { .. } => None,
        ForgetWhat::Thread { project, .. } | ForgetWhat::File { project, .. } => {
            Some(session.workspace.existing_project(project.as_deref()).await?)
        }
    })
}

async fn named(
    session: &Session,
    flags: &ForgetFlags,
    project: Option<&Project>,
) -> anyhow::Result<Vec<Named>> {
    let workspace = &session.workspace;
    let mut all = Vec::new();
    match (&flags.what, project) {
        (ForgetWhat::Thread { thread, .. }, Some(project)) => {
            let thread = workspace.thread(&project.id, thread).await?;
            let name = thread.title.unwrap_or_else(|| thread.id.to_string());
            all.push(Named { holding: Holding::Thread(thread.id), name, origin: None });
        }
        (ForgetWhat::File { paths, .. }, Some(project)) => {
            let mut seen = BTreeSet::new();
            for path in paths {
                for file in workspace.files_at(project, path).await? {
                    if seen.insert(file.id.clone()) {
                        let (name, origin) = (file.path, file.origin);
                        all.push(Named { holding: Holding::File(file.id), name, origin });
                    }
                }
            }
        }
        (ForgetWhat::Project { name }, _) => {
            let project = workspace.existing_project(Some(name)).await?;
            let (holding, name) = (Holding::Project(project.id), project.name);
            all.push(Named { holding, name, origin: None });
        }
        _ => {}
    }
    Ok(all)
}

/// What is hidden can be deleted at once, too.
async fn named_or_hidden(
    session: &Session,
    flags: &ForgetFlags,
    project: Option<&Project>,
) -> anyhow::Result<Vec<Named>> {
    match named(session, flags, project).await {
        Ok(all) => Ok(all),
        Err(unknown) => {
            let hidden = named_hidden(session, flags, project).await.map_err(|_| unknown)?;
            let named = |Hidden { holding, name, .. }| Named { holding, name, origin: None };
            Ok(hidden.into_iter().map(named).collect())
        }
    }
}

async fn hide(
    session: &Session,
    flags: &ForgetFlags,
    project: Option<&Project>,
) -> anyhow::Result<Ended> {
    let Session { workspace, settings, printer, .. } = session;
    let days = settings.grace_days.value;
    let now = now();
    let all = named(session, flags, project).await?;
    let mut hidden = Vec::new();
    for Named { holding, name, .. } in &all {
        if let Some(purge_at) = workspace.hide(holding, days, now).await? {
            let project = match (holding, project) {
                (Holding::Project(id), _) => id.clone(),
                (_, Some(project)) => project.id.clone(),
                _ => continue,
            };
            let (holding, name) = (holding.clone(), name.clone());
            hidden.push(Hidden { holding, project, name, hidden_at: now, purge_at });
        }
    }
    if flags.json {
        let in_project = project.map(|project| project.name.as_str());
        let list: Vec<Value> =
            hidden.iter().map(|hidden| hidden_document(hidden, in_project)).collect();
        printer.json(&json!({ "hidden": list }))?;
    } else if let Some(first) = hidden.first() {
        let names: Vec<&str> = hidden.iter().map(|hidden| hidden.name.as_str()).collect();
        printer.result(&format!(
            "hidden: {}\nit goes for good after {}; until then --undo brings it back\n",
            told(&names),
            first.purge_at
        ))?;
    }
    tell_of_disk(session, &all);
    Ok(Ended::Done)
}

async fn delete(session: &Session, flags: &ForgetFlags, all: &[Named]) -> anyhow::Result<Ended> {
    let Session { workspace, engine, printer, .. } = session;
    let mut gone = Vec::new();
    for Named { holding, name, .. } in all {
        if workspace.forget(holding).await? {
            gone.push((holding, name.as_str()));
        }
    }
    engine.compact().await?;
    if flags.json {
        let list: Vec<Value> = gone
            .iter()
            .map(|(holding, name)| {
                let kind = HoldingKind::of(holding).as_str();
                json!({ "kind": kind, "id": holding.as_str(), "name": name })
            })
            .collect();
        printer.json(&json!({ "deleted": list }))?;
    } else {
        let names: Vec<&str> = gone.iter().map(|(_, name)| *name).collect();
        printer.result(&format!("deleted for good: {}\n", told(&names)))?;
    }
    if engine.has_backups()? {
        printer.note(
            "backups that were made before may still hold it, and go in time: dossier maintain \
             --backups",
        );
    }
    tell_of_disk(session, all);
    Ok(Ended::Done)
}

async fn named_hidden(
    session: &Session,
    flags: &ForgetFlags,
    project: Option<&Project>,
) -> anyhow::Result<Vec<Hidden>> {
    let (kind, names): (_, Vec<&str>) = match &flags.what {
        ForgetWhat::Project { name } => (HoldingKind::Project, vec![name]),
        ForgetWhat::Thread { thread, .. } => (HoldingKind::Thread, vec![thread]),
        ForgetWhat::File { paths, .. } => {
            (HoldingKind::File, paths.iter().map(String::as_str).collect())
        }
    };
    let mut found: Vec<Hidden> = Vec::new();
    for name in names {
        for hidden in session.workspace.hidden_named(kind, project, name, now()).await? {
            if !found.contains(&hidden) {
                found.push(hidden);
            }
        }
    }
    Ok(found)
}

async fn undo(
    session: &Session,
    flags: &ForgetFlags,
    project: Option<&Project>,
) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let mut back = Vec::new();
    for hidden in &named_hidden(session, flags, project).await? {
        if workspace.bring_back(hidden).await? {
            back.push(hidden.clone());
        }
    }
    let line = Line::new(printer, Counted::Files);
    let projects: BTreeSet<_> = back.iter().map(|hidden| hidden.project.clone()).collect();
    let mut ended = Ended::Done;
    for project in projects {
        let vectors = unless_interrupted(workspace.embed_pending(&project, &line)).await;
        line.wipe();
        match vectors?.transpose()? {
            Some(vectors) => {
                if let Some(problem) = vectors.problem {
                    printer.warning(&format!(
                        "vectors are missing, and words alone find the rest: {problem}"
                    ));
                }
            }
            None => ended = Ended::Interrupted,
        }
    }
    if flags.json {
        let in_project = project.map(|project| project.name.as_str());
        let list: Vec<Value> =
            back.iter().map(|hidden| hidden_document(hidden, in_project)).collect();
        printer.json(&json!({ "back": list }))?;
    } else {
        let names: Vec<&str> = back.iter().map(|hidden| hidden.name.as_str()).collect();
        printer.result(&format!("back again: {}\n", told(&names)))?;
    }
    Ok(ended)
}

/// Indexing mirrors the disk, so what lies there comes again.
fn tell_of_disk(session: &Session, all: &[Named]) {
    let mut places = all.iter().filter_map(|named| named.origin.as_deref());
    if let Some(place) = places.find(|place| std::path::Path::new(place).exists()) {
        session.printer.note(&format!(
            "{} is still on the disk, and comes back when it is indexed again; to keep it out, \
             name it in .gitignore or delete it",
            one_line(place)
        ));
    }
}

/// A few names, or how many there are.
fn told(names: &[&str]) -> String {
    const FEW: usize = 5;
    let mut told: Vec<String> = names.iter().take(FEW).map(|name| one_line(name)).collect();
    if names.len() > FEW {
        told.push(format!("and {} more", names.len() - FEW));
    }
    listed(&told)
}
