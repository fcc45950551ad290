//! Files that someone sends instead of a folder that is walked: single texts, uploads, and changes
//! to what is there. Every one passes the guard that folders pass, and is searchable by its words
//! when the call returns.

use crate::error::EngineError;
use crate::index::drafts;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chunk::Draft;
use dossier_core::fileset;
use dossier_core::hash::ContentHash;
use dossier_core::id::{FileId, ProjectId};
use dossier_core::time::Timestamp;
use dossier_files::{SkipReason, Text};
use dossier_store::{FileMetadata, FileRecord};
use tokio::task::spawn_blocking;

/// The most bytes that one file may have which someone sends.
pub const UPLOAD_BYTES: u64 = 10 << 20;

const MOST_TAGS: usize = 50;
/// In characters.
const LONGEST_TAG: usize = 100;
const LONGEST_SUMMARY: usize = 10_000;

/// What to do when there is a file at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    Refuse,
    Replace,
}

/// A text and its place in the project.
#[derive(Debug, Clone)]
pub struct NewFile {
    pub path: String,
    pub content: String,
    pub metadata: FileChange,
}

/// Bytes and their place in the project.
#[derive(Debug, Clone)]
pub struct Upload {
    pub path: String,
    pub content: Vec<u8>,
}

/// An upload that was not taken, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedUpload {
    pub path: String,
    pub reason: String,
}

/// What came of some uploads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uploaded {
    pub files: Vec<FileRecord>,
    pub skipped: Vec<SkippedUpload>,
}

/// How a file is to take part in assembling; what is not given stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileChange {
    pub always_in_context: Option<bool>,
    pub retrieval_eligible: Option<bool>,
    pub tool_accessible: Option<bool>,
    pub tags: Option<Vec<String>>,
    /// `Some(None)` takes the summary away.
    pub summary: Option<Option<String>>,
}

type Written = (FileRecord, String, Vec<Draft>);

impl Workspace {
    /// All files of a project, by path.
    pub async fn files(&self, project: &ProjectId) -> Result<Vec<FileRecord>, EngineError> {
        self.project_by_id(project).await?;
        Ok(self.store.files(project).await?)
    }

    pub async fn file(&self, project: &ProjectId, id: &FileId) -> Result<FileRecord, EngineError> {
        let file = self.store.file(id).await?.filter(|file| file.project == *project);
        file.ok_or_else(|| EngineError::not_found("file", id.as_str(), "list the project's files"))
    }

    /// The text of a file; none for one that is kept without being text.
    pub async fn file_text(&self, file: &FileRecord) -> Result<Option<String>, EngineError> {
        let bytes = self.store.blob(&file.content).await?;
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// Adds a text to the project.
    pub async fn create_file(
        &self,
        project: &ProjectId,
        given: NewFile,
        existing: Existing,
        now: Timestamp,
    ) -> Result<FileRecord, EngineError> {
        self.project_by_id(project).await?;
        let path = dossier_files::virtual_path(&given.path)?;
        let known = self.vacant(project, &path, existing).await?;
        let text = text_of(path.clone(), given.content.into_bytes()).await?;
        let mut record = record(project, known, path, &text, now);
        given.metadata.apply(&mut record.metadata)?;
        self.store_text(record, text.content).await
    }

    /// Adds what can be read; the rest is named with the reason. All of it is stored at once.
    pub async fn upload(
        &self,
        project: &ProjectId,
        uploads: Vec<Upload>,
        existing: Existing,
        now: Timestamp,
    ) -> Result<Uploaded, EngineError> {
        self.project_by_id(project).await?;
        let mut writes: Vec<Written> = Vec::new();
        let mut skipped = Vec::new();
        for Upload { path: given, content } in uploads {
            match self.drafted_upload(project, &given, content, existing, now).await {
                Ok(write) if writes.iter().any(|(known, ..)| known.path == write.0.path) => {
                    let reason = "it came twice; the first was taken".to_owned();
                    skipped.push(SkippedUpload { path: write.0.path, reason });
                }
                Ok(write) => writes.push(write),
                Err(EngineError::NotTaken { path, reason }) => {
                    skipped.push(SkippedUpload { path, reason: reason.to_string() });
                }
                Err(error @ (EngineError::Files(_) | EngineError::Conflict(_))) => {
                    skipped.push(SkippedUpload { path: given, reason: error.to_string() });
                }
                Err(error) => return Err(error),
            }
        }
        self.store.put_files(&writes).await?;
        let files = writes.into_iter().map(|(record, ..)| record).collect();
        Ok(Uploaded { files, skipped })
    }

    async fn drafted_upload(
        &self,
        project: &ProjectId,
        path: &str,
        content: Vec<u8>,
        existing: Existing,
        now: Timestamp,
    ) -> Result<Written, EngineError> {
        let path = dossier_files::virtual_path(path)?;
        let known = self.vacant(project, &path, existing).await?;
        let text = text_of(path.clone(), content).await?;
        let record = record(project, known, path, &text, now);
        let drafts = drafts(&record.metadata, &record.id, &record.path, &text.content);
        Ok((record, text.content, drafts))
    }

    /// Gives a file another text, and if one is given another path.
    pub async fn replace_file(
        &self,
        project: &ProjectId,
        id: &FileId,
        path: Option<&str>,
        content: String,
        now: Timestamp,
    ) -> Result<FileRecord, EngineError> {
        let known = self.file(project, id).await?;
        let path = match path {
            Some(path) => dossier_files::virtual_path(path)?,
            None => known.path.clone(),
        };
        if path != known.path {
            self.vacant(project, &path, Existing::Refuse).await?;
        }
        let text = text_of(path.clone(), content.into_bytes()).await?;
        let record = record(project, Some(known), path, &text, now);
        self.store_text(record, text.content).await
    }

    pub async fn change_file(
        &self,
        project: &ProjectId,
        id: &FileId,
        change: FileChange,
        now: Timestamp,
    ) -> Result<FileRecord, EngineError> {
        let known = self.file(project, id).await?;
        let mut metadata = known.metadata.clone();
        change.apply(&mut metadata)?;
        let is_searched_otherwise =
            metadata.retrieval_eligible != known.metadata.retrieval_eligible;
        let changed = FileRecord { metadata, updated_at: now, ..known };
        match self.file_text(&changed).await? {
            Some(text) if is_searched_otherwise => self.store_text(changed, text).await,
            _ => {
                self.store.set_file_metadata(id, &changed.metadata, now).await?;
                Ok(changed)
            }
        }
    }

    async fn store_text(
        &self,
        record: FileRecord,
        content: String,
    ) -> Result<FileRecord, EngineError> {
        let drafts = drafts(&record.metadata, &record.id, &record.path, &content);
        self.store.put_file(&record, &content, &drafts).await?;
        Ok(record)
    }

    /// What is at a path, if that may be replaced.
    async fn vacant(
        &self,
        project: &ProjectId,
        path: &str,
        existing: Existing,
    ) -> Result<Option<FileRecord>, EngineError> {
        let known = self.store.file_at(project, path).await?;
        if known.is_some() && existing == Existing::Refuse {
            return Err(EngineError::Conflict(format!(
                "there is a file {path} already; replace it, or choose another path"
            )));
        }
        Ok(known)
    }
}

/// Taking the text out of a document can be long work.
async fn text_of(path: String, bytes: Vec<u8>) -> Result<Text, EngineError> {
    let text = spawn_blocking(move || {
        let text = dossier_files::read_upload(&path, &bytes, UPLOAD_BYTES);
        text.map_err(|reason: SkipReason| EngineError::NotTaken { path, reason })
    });
    text.await?
}

fn record(
    project: &ProjectId,
    known: Option<FileRecord>,
    path: String,
    text: &Text,
    now: Timestamp,
) -> FileRecord {
    let (id, metadata, created_at) = match known {
        Some(known) => (known.id, known.metadata, known.created_at),
        None => (mint::id(), FileMetadata::default(), now),
    };
    FileRecord {
        id,
        project: project.clone(),
        origin: None,
        content: ContentHash::of(&text.content),
        canonical: fileset::canonical(&text.content),
        mime: dossier_files::mime(&path).to_owned(),
        size: text.content.len() as i64,
        modified_ns: None,
        metadata: FileMetadata { places: text.places.clone(), ..metadata },
        created_at,
        updated_at: now,
        path,
    }
}

impl FileChange {
    fn apply(self, metadata: &mut FileMetadata) -> Result<(), EngineError> {
        if let Some(tags) = self.tags {
            metadata.tags = checked_tags(tags)?;
        }
        if let Some(summary) = self.summary {
            let too_long = |text: &String| text.chars().count() > LONGEST_SUMMARY;
            if summary.as_ref().is_some_and(too_long) {
                return Err(EngineError::Invalid(format!(
                    "a summary has up to {LONGEST_SUMMARY} characters"
                )));
            }
            metadata.summary = summary.map(|summary| summary.replace('\0', "\u{fffd}"));
        }
        let FileMetadata { always_in_context, retrieval_eligible, tool_accessible, .. } = metadata;
        for (given, kept) in [
            (self.always_in_context, always_in_context),
            (self.retrieval_eligible, retrieval_eligible),
            (self.tool_accessible, tool_accessible),
        ] {
            *kept = given.unwrap_or(*kept);
        }
        Ok(())
    }
}

fn checked_tags(tags: Vec<String>) -> Result<Vec<String>, EngineError> {
    let mut checked: Vec<String> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
    checked.sort();
    checked.dedup();
    let is_tag = |tag: &String| {
        (1..=LONGEST_TAG).contains(&tag.chars().count()) && !tag.chars().any(char::is_control)
    };
    match checked.len() <= MOST_TAGS && checked.iter().all(is_tag) {
        true => Ok(checked),
        false => Err(EngineError::Invalid(format!(
            "a file has up to {MOST_TAGS} tags, each of 1 to {LONGEST_TAG} characters on one line"
        ))),
    }
}
