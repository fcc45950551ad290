//! What a user has written for themselves beside the database: a system prompt instead of the one
//! that comes with the program, and extractors that come before those that do.

use crate::models::with_catalogue;
use crate::session::Session;
use anyhow::Context as _;
use dossier_core::compress::content::Extractors;
use dossier_core::prompt::Template;
use dossier_engine::{Engine, Workspace};
use std::io::ErrorKind;
use std::path::Path;

/// The file's name in the data folder.
pub const FILE_NAME: &str = "prompt.md";
/// The folder of extractors in it.
const EXTRACTORS: &str = "extractors";

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

/// The extractors of a data folder before those that come with the program; none if it has none.
fn own_extractors(data: &Path) -> anyhow::Result<Option<Extractors>> {
    let folder = data.join(EXTRACTORS);
    let cannot = || format!("cannot read {}; mend it, or move it away", folder.display());
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(cannot),
    };
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.with_context(cannot)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    // Of two that know the same shape, the first by name holds.
    paths.sort();
    let mut all: Option<Extractors> = None;
    for path in paths.iter().rev() {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(cannot)?;
        let before = all.unwrap_or_else(|| (*Extractors::built_in()).clone());
        all = Some(before.with(&name, &text)?);
    }
    Ok(all)
}

/// The engine with the system prompt and the extractors that hold here.
pub fn with_prompt(engine: Engine, data: &Path) -> anyhow::Result<Engine> {
    let engine = match own_extractors(data)? {
        Some(extractors) => engine.with_extractors(extractors),
        None => engine,
    };
    Ok(match own(data)? {
        Some(template) => engine.with_prompt(template),
        None => engine,
    })
}

/// A session's workspace with the system prompt and the catalogue of models that hold here.
pub async fn workspace(session: &Session) -> anyhow::Result<Workspace> {
    let engine = with_prompt(session.engine.clone(), &session.settings.places.data.value)?;
    let engine = with_catalogue(engine, &session.settings).await?;
    Ok(engine.owner(session.workspace.owner()).within(session.settings.maxima()))
}
