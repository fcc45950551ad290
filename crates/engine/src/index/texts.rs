//! Texts that come without a file on disk: uploads, and the material of an evaluation.

use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chunk::Draft;
use dossier_core::fileset;
use dossier_core::hash::ContentHash;
use dossier_core::id::{FileId, ProjectId};
use dossier_core::time::Timestamp;
use dossier_store::{FileMetadata, FileRecord};

impl Workspace {
    /// Stores texts under paths of the project, replacing what was there. Searchable by their
    /// words when the call returns; the ids come in the order of the texts.
    pub async fn put_texts(
        &self,
        project: &ProjectId,
        texts: &[(&str, &str)],
        now: Timestamp,
    ) -> Result<Vec<FileId>, EngineError> {
        let writes = self.drafted_texts(project, texts, now).await?;
        self.store.put_files(&writes).await?;
        Ok(writes.into_iter().map(|(record, ..)| record.id).collect())
    }

    /// Texts as files of the project, ready to be stored.
    pub(crate) async fn drafted_texts(
        &self,
        project: &ProjectId,
        texts: &[(&str, &str)],
        now: Timestamp,
    ) -> Result<Vec<(FileRecord, String, Vec<Draft>)>, EngineError> {
        let mut writes = Vec::with_capacity(texts.len());
        for (path, content) in texts {
            let path = dossier_files::virtual_path(path)?;
            let content = content.replace('\0', "\u{fffd}");
            let known = self.store.file_at(project, &path).await?;
            let record = FileRecord {
                id: known.as_ref().map_or_else(mint::id, |known| known.id.clone()),
                project: project.clone(),
                origin: None,
                content: ContentHash::of(&content),
                canonical: fileset::canonical(&content),
                mime: dossier_files::mime(&path).to_owned(),
                size: content.len() as i64,
                modified_ns: None,
                metadata: FileMetadata {
                    places: Vec::new(),
                    ..known.as_ref().map(|known| known.metadata.clone()).unwrap_or_default()
                },
                created_at: known.as_ref().map_or(now, |known| known.created_at),
                updated_at: now,
                path,
            };
            let drafts = super::drafts(&record.metadata, &record.id, &record.path, &content);
            writes.push((record, content, drafts));
        }
        Ok(writes)
    }
}
