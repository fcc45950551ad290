//! Forgetting: what is hidden can be brought back until its grace ends, and what is deleted now is
//! gone. Chunks of what comes back are made anew from its stored text.

use crate::error::EngineError;
use crate::index::drafts;
use crate::workspace::Workspace;
use dossier_core::chunk::{Draft, draft};
use dossier_core::id::{FileId, ProjectId, ThreadId};
use dossier_core::time::Timestamp;
use dossier_store::{FileRecord, Hidden, Holding, Project, StoreError};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const DAY: i64 = 24 * 3_600_000;

/// A kind of what an owner holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldingKind {
    Project,
    Thread,
    File,
}

impl HoldingKind {
    pub fn of(holding: &Holding) -> Self {
        match holding {
            Holding::Project(_) => Self::Project,
            Holding::Thread(_) => Self::Thread,
            Holding::File(_) => Self::File,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Thread => "thread",
            Self::File => "file",
        }
    }
}

/// How something is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is hidden, and goes for good after so many days; at once when there are none.
    After { days: u32 },
    /// It goes at once, hidden or not.
    Now,
}

impl Workspace {
    /// Deletes something that is there: what is hidden now, or nothing when it is gone for good.
    pub async fn remove(
        &self,
        holding: &Holding,
        removal: Removal,
        now: Timestamp,
    ) -> Result<Option<Hidden>, EngineError> {
        let unknown = || {
            let kind = HoldingKind::of(holding).as_str();
            EngineError::not_found(kind, holding.as_str(), "it was deleted, or never there")
        };
        let days = match removal {
            Removal::After { days } if days > 0 => days,
            Removal::After { .. } | Removal::Now => {
                return match self.forget(holding).await? {
                    true => Ok(None),
                    false => Err(unknown()),
                };
            }
        };
        self.hide(holding, days, now).await?.ok_or_else(unknown)?;
        let hidden = self.store.hidden().await?;
        hidden.into_iter().find(|hidden| hidden.holding == *holding).map(Some).ok_or_else(unknown)
    }

    /// The project of a thread, hidden or not.
    pub async fn project_of_thread(&self, id: &ThreadId) -> Result<ProjectId, EngineError> {
        if let Some(thread) = self.store.thread(id).await? {
            return Ok(thread.project);
        }
        self.project_of_hidden(&Holding::Thread(id.clone())).await
    }

    /// Refuses a file that is not in this project, hidden or not.
    pub async fn expect_file(&self, project: &ProjectId, id: &FileId) -> Result<(), EngineError> {
        let own = match self.store.file(id).await? {
            Some(file) => file.project,
            None => self.project_of_hidden(&Holding::File(id.clone())).await?,
        };
        match own == *project {
            true => Ok(()),
            false => Err(EngineError::not_found("file", id.as_str(), "list the project's files")),
        }
    }

    async fn project_of_hidden(&self, holding: &Holding) -> Result<ProjectId, EngineError> {
        let hidden = self.store.hidden().await?;
        let found = hidden.into_iter().find(|hidden| hidden.holding == *holding);
        found.map(|hidden| hidden.project).ok_or_else(|| {
            let kind = HoldingKind::of(holding).as_str();
            EngineError::not_found(kind, holding.as_str(), "it was deleted, or never there")
        })
    }

    /// Hides something from everyone who asks. It can be brought back for so many days; the end
    /// of that time, or nothing when it was not there.
    pub async fn hide(
        &self,
        holding: &Holding,
        grace_days: u32,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, EngineError> {
        let grace = i64::from(grace_days).saturating_mul(DAY);
        let purge_at = Timestamp::from_millis(now.as_millis().saturating_add(grace));
        Ok(self.store.hide(holding, now, purge_at).await?.then_some(purge_at))
    }

    /// Deletes something at once and for good; whether it was there.
    pub async fn forget(&self, holding: &Holding) -> Result<bool, EngineError> {
        Ok(self.store.forget(holding).await?)
    }

    /// What is hidden and can still be brought back, the last first.
    pub async fn hidden(&self, now: Timestamp) -> Result<Vec<Hidden>, EngineError> {
        let mut hidden = self.store.hidden().await?;
        hidden.retain(|hidden| hidden.purge_at > now);
        Ok(hidden)
    }

    /// Brings something back, searchable by its words; vectors follow with
    /// [`Workspace::embed_pending`]. Whether it was still hidden.
    pub async fn bring_back(&self, hidden: &Hidden) -> Result<bool, EngineError> {
        let chunks = self.hidden_chunks(hidden).await?;
        match self.store.show(hidden, &chunks).await {
            Err(StoreError::Conflict { .. }) => Err(EngineError::Conflict(format!(
                "there is another project `{0}` now; forget that one first: dossier forget \
                 project \"{0}\"",
                hidden.name
            ))),
            shown => Ok(shown?),
        }
    }

    async fn hidden_chunks(&self, hidden: &Hidden) -> Result<Vec<Draft>, EngineError> {
        match &hidden.holding {
            Holding::Project(_) => Ok(Vec::new()),
            Holding::Thread(id) => Ok(draft::of_thread(&self.store.hidden_messages(id).await?)),
            Holding::File(id) => {
                let Some(file) = self.store.hidden_file(id).await? else {
                    return Ok(Vec::new());
                };
                let bytes = self.store.blob(&file.content).await?.unwrap_or_default();
                let text = std::str::from_utf8(&bytes).unwrap_or_default();
                Ok(drafts(&file.metadata, &file.id, &file.path, text))
            }
        }
    }

    /// Makes way for something that comes in again: it is brought back, or deleted when its time
    /// is over. Whether it is back.
    pub(crate) async fn revive(
        &self,
        holding: &Holding,
        now: Timestamp,
    ) -> Result<bool, EngineError> {
        let hidden = self.store.hidden().await?;
        match hidden.iter().find(|hidden| hidden.holding == *holding) {
            None => Ok(false),
            Some(hidden) if hidden.purge_at > now => self.bring_back(hidden).await,
            Some(_) => {
                self.store.forget(holding).await?;
                Ok(false)
            }
        }
    }

    /// Brings the thread back that was imported under this id, if it is hidden.
    pub(crate) async fn revive_from(
        &self,
        project: &ProjectId,
        external_id: &str,
        now: Timestamp,
    ) -> Result<Option<ThreadId>, EngineError> {
        let Some(id) = self.store.hidden_from(project, external_id).await? else {
            return Ok(None);
        };
        Ok(self.revive(&Holding::Thread(id.clone()), now).await?.then_some(id))
    }

    /// The files that a path names: the file at it, or all below it. It is a path of the project
    /// or one on disk.
    pub async fn files_at(
        &self,
        project: &Project,
        path: &str,
    ) -> Result<Vec<FileRecord>, EngineError> {
        let files = self.store.files(&project.id).await?;
        let typed = Typed::new(path);
        let named = |file: &FileRecord| typed.names(&file.path, file.origin.as_deref());
        let found: Vec<FileRecord> = files.into_iter().filter(named).collect();
        match found.is_empty() {
            true => Err(EngineError::not_found(
                "file",
                path,
                format!("list what there is: dossier list files --project \"{}\"", project.name),
            )),
            false => Ok(found),
        }
    }

    /// What is hidden under this name or id, and can still be brought back: one project or thread,
    /// or the files at a path. Threads and files are looked for in one project.
    pub async fn hidden_named(
        &self,
        kind: HoldingKind,
        project: Option<&Project>,
        name: &str,
        now: Timestamp,
    ) -> Result<Vec<Hidden>, EngineError> {
        let mut found = self.hidden(now).await?;
        found.retain(|hidden| {
            HoldingKind::of(&hidden.holding) == kind
                && project.is_none_or(|project| project.id == hidden.project)
        });
        let known: Vec<String> = found.iter().take(10).map(|hidden| hidden.name.clone()).collect();
        let files = match (kind, project) {
            (HoldingKind::File, Some(project)) => self.store.hidden_files(&project.id).await?,
            _ => Vec::new(),
        };
        let typed = Typed::new(name);
        let origins: HashMap<&FileId, &str> =
            files.iter().filter_map(|file| Some((&file.id, file.origin.as_deref()?))).collect();
        found.retain(|hidden| match &hidden.holding {
            Holding::File(id) => typed.names(&hidden.name, origins.get(id).copied()),
            holding => hidden.name == name || holding.as_str() == name,
        });
        if found.is_empty() {
            let mend = match known.as_slice() {
                [] => "none is hidden; see: dossier list --hidden".to_owned(),
                known => format!("hidden ones: {}", known.join(", ")),
            };
            return Err(EngineError::not_found(kind.as_str(), name, mend));
        }
        if found.len() > 1 && kind != HoldingKind::File {
            let ids: Vec<&str> = found.iter().map(|hidden| hidden.holding.as_str()).collect();
            return Err(EngineError::Invalid(format!(
                "{} hidden ones are called `{name}`; name one by its id: {}",
                ids.len(),
                ids.join(", ")
            )));
        }
        Ok(found)
    }
}

/// A path that someone typed: one of the project, or one on disk.
struct Typed {
    path: String,
    /// Where it leads on disk.
    real: Option<PathBuf>,
}

impl Typed {
    fn new(typed: &str) -> Self {
        let path = typed.trim_start_matches("./").trim_end_matches('/').to_owned();
        let absolute = std::path::absolute(typed).ok().filter(|_| !typed.is_empty());
        // The file itself may be gone from the disk, its folder less likely.
        let real = absolute.and_then(|path| {
            let beside = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
            path.canonicalize().ok().or_else(beside)
        });
        Self { path, real }
    }

    /// Whether it names a file, or a folder around it.
    fn names(&self, path: &str, origin: Option<&str>) -> bool {
        let in_project = !self.path.is_empty() && Path::new(path).starts_with(&self.path);
        let on_disk = match (&self.real, origin) {
            (Some(real), Some(origin)) => Path::new(origin).starts_with(real),
            _ => false,
        };
        in_project || on_disk
    }
}
