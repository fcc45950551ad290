//! A project's index made anew from the stored contents, some sources at a time, so that all of it
//! stays searchable meanwhile and stopping loses nothing. Vectors are kept where the words are the
//! same.

use super::{Progress, drafts};
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::chunk::{Draft, Origin, draft};
use dossier_core::hash::ContentHash;
use dossier_core::id::ProjectId;
use std::collections::HashMap;

/// Sources that are exchanged together.
const BATCH: usize = 64;

impl Workspace {
    /// Returns the number of chunks. A file whose content is lost keeps the chunks it has.
    pub async fn rebuild(
        &self,
        project: &ProjectId,
        progress: &dyn Progress,
    ) -> Result<usize, EngineError> {
        let mut chunks = 0;
        let files = self.store.files(project).await?;
        for (batch, done) in files.chunks(BATCH).zip((0_u64..).step_by(BATCH)) {
            progress.reading(done, files.len() as u64);
            let (mut sources, mut new) = (Vec::new(), Vec::new());
            for file in batch {
                let Some(text) = self.store.file_content(&file.id).await? else { continue };
                sources.push((Origin::File(file.id.clone()), Some(file.content.clone())));
                new.extend(drafts(&file.metadata, &file.id, &file.path, &text));
            }
            chunks += new.len();
            self.store.replace_chunks(project, &sources, &new).await?;
        }
        for thread in self.store.threads(project).await? {
            let messages = self.store.messages(&thread.id).await?;
            let mut new: HashMap<Origin, Vec<Draft>> = HashMap::new();
            for draft in draft::of_thread(&messages) {
                chunks += 1;
                new.entry(draft.origin.clone()).or_default().push(draft);
            }
            for batch in messages.chunks(BATCH) {
                let sources: Vec<(Origin, Option<ContentHash>)> = batch
                    .iter()
                    .map(|message| (Origin::Message(message.id.clone()), None))
                    .collect();
                let own: Vec<Draft> = sources
                    .iter()
                    .flat_map(|(own, _)| new.remove(own).unwrap_or_default())
                    .collect();
                self.store.replace_chunks(project, &sources, &own).await?;
            }
        }
        Ok(chunks)
    }
}
