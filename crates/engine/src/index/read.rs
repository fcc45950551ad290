//! Reading a batch of files on all cores: text, and the chunks that come of it.

use super::plan::Work;
use dossier_core::chunk::Draft;
use dossier_files::{Limits, SkipReason, Text};
use dossier_store::FileMetadata;
use std::thread;

/// A file's text and its chunks.
#[derive(Debug)]
pub(super) struct ReadFile {
    pub content: String,
    /// As it was, with the places of this text.
    pub metadata: FileMetadata,
    pub drafts: Vec<Draft>,
}

/// Reads every file of a batch; the results keep its order.
pub(super) fn batch(
    batch: Vec<Work>,
    limits: &Limits,
) -> Vec<(Work, Result<ReadFile, SkipReason>)> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = batch.len().div_ceil(cores).max(1);
    let mut shares: Vec<Vec<Work>> = Vec::new();
    let mut rest = batch.into_iter().peekable();
    while rest.peek().is_some() {
        shares.push(rest.by_ref().take(share).collect());
    }
    thread::scope(|scope| {
        let readers: Vec<_> = shares
            .into_iter()
            .map(|share| {
                scope.spawn(move || {
                    share
                        .into_iter()
                        .map(|work| {
                            let text = read(&work, limits);
                            (work, text)
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        readers
            .into_iter()
            .flat_map(|reader| {
                reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    })
}

fn read(work: &Work, limits: &Limits) -> Result<ReadFile, SkipReason> {
    let Text { content, places, .. } = dossier_files::read(&work.found, limits)?;
    let known = work.known.as_ref().map(|known| known.metadata.clone());
    let metadata = FileMetadata { places, ..known.unwrap_or_default() };
    let drafts = super::drafts(&metadata, &work.id, &work.path, &content);
    Ok(ReadFile { content, metadata, drafts })
}
