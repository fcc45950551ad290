//! A project's files as models and programs read them: what is stored, never the disk, only files
//! that tools may reach, without secrets and within bounds.

use crate::error::EngineError;
use crate::search::{Hit, SearchRequest};
use crate::workspace::Workspace;
use dossier_core::chunk::Location;
use dossier_core::guard;
use dossier_core::id::{ChunkId, FileId, ProjectId, ThreadId};
use dossier_files::virtual_path;
use dossier_store::{FileRecord, Project};
use std::fmt;

/// The most characters that are given at once.
pub(crate) const LONGEST: usize = 40_000;

/// The most files that are listed at once.
const MOST_FILES: usize = 500;

/// The most passages that are found at once.
pub const MOST_HITS: usize = 50;

/// The most chunks that are looked for one by one, where a filter lets through no others.
const MOST_WITHIN: usize = 20_000;

/// Some lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    pub path: String,
    /// The first one and the last one, counted from 1.
    pub first: usize,
    pub last: usize,
    /// How many the file has.
    pub of: usize,
    pub text: String,
}

impl Lines {
    pub(crate) fn of(
        path: String,
        text: &str,
        start: Option<usize>,
        end: Option<usize>,
    ) -> Result<Self, EngineError> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let first = start.unwrap_or(1).max(1);
        let last = end.unwrap_or(lines.len()).min(lines.len());
        if first > last.max(1) {
            return Err(EngineError::Invalid(format!(
                "{path} has {} lines; ask for start_line <= end_line within them",
                lines.len()
            )));
        }
        let wanted: String = lines.get(first - 1..last).unwrap_or_default().concat();
        Ok(Self { path, first, last, of: lines.len(), text: shortened(&wanted) })
    }
}

/// As a model reads them.
impl fmt::Display for Lines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, first, last, of, text } = self;
        write!(formatter, "{path}, lines {first}-{last} of {of}\n{text}")
    }
}

/// Files of a project.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// Those that there is room for, by their paths.
    pub files: Vec<FileRecord>,
    /// How many fit in all.
    pub total: usize,
}

/// Where to look for passages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Endings of names; any, if there is none.
    pub file_types: Vec<String>,
    /// Beginnings of paths; any, if there is none.
    pub paths: Vec<String>,
    pub exclude_conversations: bool,
    /// A round of a thread that is not wanted.
    pub except: Option<(ThreadId, i64)>,
}

impl Filter {
    pub(crate) fn lets_through(&self, location: &Location) -> bool {
        match location {
            Location::Message { thread, round, .. } => {
                let is_excepted = self
                    .except
                    .as_ref()
                    .is_some_and(|(own, answered)| own == thread && answered == round);
                !self.exclude_conversations && !is_excepted
            }
            Location::File { path, .. } => self.lets_path_through(path),
        }
    }

    fn lets_path_through(&self, path: &str) -> bool {
        let of_type = |kind: &String| path.ends_with(&format!(".{}", kind.trim_start_matches('.')));
        let below = |prefix: &String| path.starts_with(prefix.as_str());
        (self.file_types.is_empty() || self.file_types.iter().any(of_type))
            && (self.paths.is_empty() || self.paths.iter().any(below))
    }
}

impl Workspace {
    /// Lines of a file, all of them where no bounds are given.
    pub async fn read_lines(
        &self,
        project: &Project,
        path: &str,
        start: Option<usize>,
        end: Option<usize>,
    ) -> Result<Lines, EngineError> {
        let (path, text) = self.read_whole(project, path).await?;
        Lines::of(path, &text, start, end)
    }

    /// The text of a file that tools may read, with its path.
    pub(crate) async fn read_whole(
        &self,
        project: &Project,
        path: &str,
    ) -> Result<(String, String), EngineError> {
        let path = virtual_path(path)?;
        let file = self.store.file_at(&project.id, &path).await?;
        let file = file.filter(|file| file.metadata.tool_accessible).ok_or_else(|| {
            EngineError::not_found("file", &path, "list_project_files tells which there are")
        })?;
        let text = self.store.file_content(&file.id).await?.unwrap_or_default();
        Ok((path, text))
    }

    /// The files below a prefix that have all of these tags.
    pub async fn list_files(
        &self,
        project: &Project,
        prefix: &str,
        tags: &[String],
    ) -> Result<Listing, EngineError> {
        if !prefix.is_empty() {
            virtual_path(prefix.trim_end_matches('/'))?;
        }
        let wanted = |file: &FileRecord| {
            file.metadata.tool_accessible
                && file.path.starts_with(prefix)
                && tags.iter().all(|tag| file.metadata.tags.contains(tag))
        };
        let mut files = self.store.files(&project.id).await?;
        files.retain(wanted);
        let total = files.len();
        files.truncate(MOST_FILES);
        Ok(Listing { files, total })
    }

    /// The best passages that the filter lets through.
    pub async fn search_within(
        &self,
        project: &Project,
        query: String,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Hit>, EngineError> {
        let request = SearchRequest {
            project: project.id.clone(),
            query,
            limit: limit.clamp(1, MOST_HITS),
            exclude: None,
        };
        let mut hits = self.search_through(&request, filter).await?.hits;
        for hit in &mut hits {
            hit.text = guard::masked(&hit.text).into_owned();
        }
        Ok(hits)
    }

    /// The chunks of the files that the filter lets through, so that what is better elsewhere does not
    /// hide them; none where it lets all of them through, or so many that some will be found anyway.
    pub(crate) async fn chunks_within(
        &self,
        project: &ProjectId,
        filter: &Filter,
    ) -> Result<Vec<ChunkId>, EngineError> {
        let Filter { file_types, paths, exclude_conversations, except: _ } = filter;
        if file_types.is_empty() && paths.is_empty() && !exclude_conversations {
            return Ok(Vec::new());
        }
        let mut files = self.store.paths(project).await?;
        files.retain(|(_, path)| filter.lets_path_through(path));
        if files.is_empty() || files.len() > MOST_WITHIN {
            return Ok(Vec::new());
        }
        let files: Vec<FileId> = files.into_iter().map(|(id, _)| id).collect();
        let mut chunks = self.store.chunks_of_files(&files, MOST_WITHIN + 1).await?;
        if chunks.len() > MOST_WITHIN {
            chunks.clear();
        }
        Ok(chunks)
    }
}

/// As much as may be given at once, without secrets.
pub(crate) fn shortened(text: &str) -> String {
    let text = guard::masked(text);
    match text.char_indices().nth(LONGEST) {
        None => text.into_owned(),
        Some((end, _)) => {
            format!("{}\n[cut here: {} more bytes; ask for a part]", &text[..end], text.len() - end)
        }
    }
}
