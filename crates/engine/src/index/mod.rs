//! Indexing folders: only changed files are read again, files gone from a folder are removed, and
//! every batch is committed with its words, so that stopping keeps what is done.

mod plan;
mod read;
mod rebuild;
mod texts;

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::chunk::{Draft, draft};
use dossier_core::fileset;
use dossier_core::hash::ContentHash;
use dossier_core::id::{FileId, ProjectId};
use dossier_core::time::Timestamp;
use dossier_files::{Limits, SkipReason, Skipped};
use dossier_store::{FileMetadata, FileRecord, FileStat, StoreError};
use plan::{Plan, Work};
use read::ReadFile;
use std::path::PathBuf;

/// Files that are read and committed together.
const BATCH: usize = 128;

/// What to index.
#[derive(Debug, Clone)]
pub struct IndexRequest {
    pub project: ProjectId,
    pub paths: Vec<PathBuf>,
    pub limits: Limits,
    pub pinning: Pinning,
    pub now: Timestamp,
}

/// Whether files are part of every dossier of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pinning {
    /// As they were; new ones are not.
    Keep,
    Pin,
    Unpin,
}

/// What an indexing run has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexReport {
    pub added: usize,
    pub changed: usize,
    pub unchanged: usize,
    pub removed: usize,
    pub chunks: usize,
    pub skipped: Vec<Skipped>,
    /// The identity of all files of the project, when the run has come to its end.
    pub fileset: Option<ContentHash>,
}

/// Where a long run tells how far it is.
pub trait Progress: Send + Sync {
    /// So many files of so many are read.
    fn reading(&self, done: u64, total: u64);
    /// How far the vectors are.
    fn embedding(&self, so_far: EmbeddingProgress);
}

/// How many chunks have got their vectors so far. What is left to do is told by the tokens, for
/// chunks differ much in length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EmbeddingProgress {
    pub chunks: u64,
    pub of_chunks: u64,
    pub tokens: u64,
    pub of_tokens: u64,
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn reading(&self, _: u64, _: u64) {}
    fn embedding(&self, _: EmbeddingProgress) {}
}

impl Workspace {
    /// Brings the project up to date with the files below the paths. Their words are searchable
    /// when the call returns; vectors follow with [`Workspace::embed_pending`].
    pub async fn index(
        &self,
        request: &IndexRequest,
        progress: &dyn Progress,
    ) -> Result<IndexReport, EngineError> {
        let known = self.store.files(&request.project).await?;
        let (paths, vanished) = plan::vanished(&known, &request.paths);
        let limits = request.limits.clone();
        let walk =
            tokio::task::spawn_blocking(move || dossier_files::walk(&paths, &limits)).await??;
        let hidden = self.store.hidden_files(&request.project).await?;
        let plan = Plan::new(&known, &hidden, walk, &request.paths);
        let mut report = IndexReport {
            unchanged: plan.unchanged,
            skipped: plan.skipped,
            ..IndexReport::default()
        };
        let total = plan.work.len() as u64;
        let mut work = plan.work.into_iter().peekable();
        let mut done = 0;
        let mut room = request.limits.max_total_bytes;
        while work.peek().is_some() {
            progress.reading(done, total);
            let batch: Vec<Work> = work.by_ref().take(BATCH).collect();
            done += batch.len() as u64;
            self.index_batch(request, batch, &mut room, &mut report).await?;
        }
        progress.reading(done, total);
        let gone = [plan.gone, vanished].concat();
        report.removed += self.store.delete_files(&request.project, &gone).await?;
        if request.pinning != Pinning::Keep {
            self.pin(request, &plan.named).await?;
        }
        let files = self.store.files(&request.project).await?;
        let named = files.iter().map(|file| (file.path.as_str(), &file.canonical));
        report.fileset = Some(fileset::identity(named));
        Ok(report)
    }

    /// Reads and commits some files; `room` is what the texts of this run may still take, which
    /// for packed documents is more than their files do.
    async fn index_batch(
        &self,
        request: &IndexRequest,
        batch: Vec<Work>,
        room: &mut u64,
        report: &mut IndexReport,
    ) -> Result<(), EngineError> {
        let limits = request.limits.clone();
        let texts = tokio::task::spawn_blocking(move || read::batch(batch, &limits)).await?;
        let (mut writes, mut written) = (Vec::new(), Vec::new());
        let mut touched = Vec::new();
        let mut refused = Vec::new();
        for (work, text) in texts {
            let text = text.and_then(|text| match room.checked_sub(text.content.len() as u64) {
                Some(rest) => {
                    *room = rest;
                    Ok(text)
                }
                None => Err(SkipReason::TotalExceeded),
            });
            let text = match text {
                Ok(text) => text,
                Err(reason) => {
                    // What is no longer text must not be found any more; what could not be read
                    // this time may be read the next.
                    if !plan::is_passing(&reason) {
                        refused.extend(work.known.map(|known| known.id));
                    }
                    let (path, root) = (work.path, work.found.root);
                    report.skipped.push(Skipped { path, root, reason });
                    continue;
                }
            };
            let hash = ContentHash::of(&text.content);
            let is_same = |known: &&FileRecord| {
                known.content == hash && known.metadata.places == text.metadata.places
            };
            if let Some(known) = work.known.as_ref().filter(is_same).filter(|_| !work.hidden) {
                report.unchanged += 1;
                touched.push(FileStat {
                    id: known.id.clone(),
                    size: work.found.size as i64,
                    modified_ns: Some(work.found.modified_ns),
                });
                continue;
            }
            let record = record(request, &work, hash, &text);
            writes.push((record, text.content, text.drafts));
            written.push(work);
        }
        for (work, chunks) in written.into_iter().zip(self.put_what_fits(&writes).await?) {
            let Some(chunks) = chunks else {
                let (path, root, reason) = (work.path, work.found.root, SkipReason::StoreFull);
                report.skipped.push(Skipped { path, root, reason });
                continue;
            };
            report.chunks += chunks;
            match work.known {
                Some(_) if !work.hidden => report.changed += 1,
                _ => report.added += 1,
            }
        }
        self.store.touch_files(&touched).await?;
        report.removed += self.store.delete_files(&request.project, &refused).await?;
        Ok(())
    }

    /// Stores files in one transaction, or those that the maximum allows one by one; the number of
    /// each file's chunks, or nothing for one that is too much.
    async fn put_what_fits(
        &self,
        writes: &[(FileRecord, String, Vec<Draft>)],
    ) -> Result<Vec<Option<usize>>, EngineError> {
        let chunks = writes.iter().map(|(_, _, drafts)| Some(drafts.len()));
        match self.store.put_files(writes).await {
            Err(StoreError::Exceeded(_)) => {}
            stored => return Ok(stored.map(|()| chunks.collect())?),
        }
        let mut stored = Vec::with_capacity(writes.len());
        for ((file, content, drafts), chunks) in writes.iter().zip(chunks) {
            match self.store.put_file(file, content, drafts).await {
                Err(StoreError::Exceeded(_)) => stored.push(None),
                put => stored.push(put.map(|()| chunks)?),
            }
        }
        Ok(stored)
    }

    /// Marks files as always in context, or takes the mark away.
    async fn pin(&self, request: &IndexRequest, paths: &[String]) -> Result<(), EngineError> {
        for path in paths {
            if let Some(file) = self.store.file_at(&request.project, path).await? {
                let always_in_context = request.pinning == Pinning::Pin;
                let metadata = FileMetadata { always_in_context, ..file.metadata };
                self.store.set_file_metadata(&file.id, &metadata, request.now).await?;
            }
        }
        Ok(())
    }
}

/// What of a file is searchable: nothing, where its owner has said so.
pub(crate) fn drafts(metadata: &FileMetadata, id: &FileId, path: &str, text: &str) -> Vec<Draft> {
    match metadata.retrieval_eligible {
        true => draft::of_document(id, path, text, &metadata.places),
        false => Vec::new(),
    }
}

fn record(
    request: &IndexRequest,
    work: &Work,
    content: ContentHash,
    text: &ReadFile,
) -> FileRecord {
    let known = work.known.as_ref();
    FileRecord {
        id: work.id.clone(),
        project: request.project.clone(),
        path: work.path.clone(),
        origin: Some(work.found.real_path.to_string_lossy().into_owned()),
        content,
        canonical: fileset::canonical(&text.content),
        mime: dossier_files::mime(&work.path).to_owned(),
        size: work.found.size as i64,
        modified_ns: Some(work.found.modified_ns),
        metadata: text.metadata.clone(),
        created_at: known.map_or(request.now, |known| known.created_at),
        updated_at: request.now,
    }
}
