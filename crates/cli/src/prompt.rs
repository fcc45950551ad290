//! The user's own system prompt: a file beside the database, instead of the one that comes with
//! the program.

use crate::session::Session;
use anyhow::Context as _;
use dossier_core::prompt::Template;
use dossier_engine::{Engine, Workspace};
use std::io::ErrorKind;
use std::path::Path;

/// The file's name in the data folder.
pub const FILE_NAME: &str = "prompt.md";

/// The template in a data folder, if there is one.
pub fn own(data: &Path) -> anyhow::Result<Option<Template>> {
    let path = data.join(FILE_NAME);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(Template::read(&text, &path.display().to_string())?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error)
            .with_context(|| format!("cannot read {}; mend it, or move it away", path.display())),
    }
}

/// The engine with the system prompt that holds here.
pub fn with_prompt(engine: Engine, data: &Path) -> anyhow::Result<Engine> {
    Ok(match own(data)? {
        Some(template) => engine.with_prompt(template),
        None => engine,
    })
}

/// A session's workspace with the system prompt that holds here.
pub fn workspace(session: &Session) -> anyhow::Result<Workspace> {
    let engine = with_prompt(session.engine.clone(), &session.settings.places.data.value)?;
    Ok(engine.owner(session.workspace.owner()).within(session.settings.maxima()))
}
