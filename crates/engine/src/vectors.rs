//! Vectors follow the words: chunks without them are embedded in batches that are stored one by
//! one, so that stopping loses a batch at the most and going on repeats nothing.

use crate::error::EngineError;
use crate::index::Progress;
use crate::workspace::Workspace;
use dossier_core::chunk::{Chunk, windows};
use dossier_core::hash::ContentHash;
use dossier_core::id::ProjectId;
use dossier_core::vector::Quantised;
use dossier_embed::{EmbedError, Embedder};
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;

/// What an embedding run has done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VectorReport {
    pub embedded: usize,
    /// Why the run stopped early; what is missing is found by words alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Workspace {
    /// Embeds every chunk of the project that has no vectors yet. A failing embedder is reported,
    /// not an error: words still find everything.
    pub async fn embed_pending(
        &self,
        project: &ProjectId,
        progress: &dyn Progress,
    ) -> Result<VectorReport, EngineError> {
        let mut report = VectorReport::default();
        let model = match self.space().await? {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(report),
            Err(error) => {
                report.problem = Some(error.to_string());
                return Ok(report);
            }
        };
        let model = model.as_str();
        let coverage = self.store.coverage(project, model).await?;
        let total = coverage.chunks.saturating_sub(coverage.with_vectors);
        loop {
            let batch = self.embedder.at_once();
            let chunks = self.store.pending_vectors(project, model, batch).await?;
            if chunks.is_empty() {
                self.store.pack_vectors(project, model).await?;
                return Ok(report);
            }
            progress.embedding(report.embedded as u64, total);
            let embedder = Arc::clone(&self.embedder);
            let batch = chunks.clone();
            let vectors =
                tokio::task::spawn_blocking(move || embed_chunks(&embedder, &batch)).await?;
            match vectors {
                Ok(vectors) => self.store.put_vectors(model, &vectors).await?,
                Err(error) => {
                    report.problem = Some(error.to_string());
                    return Ok(report);
                }
            }
            report.embedded += chunks.len();
        }
    }

    /// The name that the embedder's vectors are stored under; none without an embedder.
    async fn space(&self) -> Result<Result<Option<String>, EmbedError>, EngineError> {
        let embedder = Arc::clone(&self.embedder);
        let model = move || Ok(embedder.model()?.map(str::to_owned));
        Ok(tokio::task::spawn_blocking(model).await?)
    }

    /// The vectors of some short texts for someone who waits, and the name they go under; or why
    /// there are none.
    pub(crate) async fn embed_texts(
        &self,
        texts: Vec<String>,
    ) -> Result<Result<(String, Vec<Quantised>), EmbedError>, EngineError> {
        let embedder = Arc::clone(&self.embedder);
        let vectors = tokio::task::spawn_blocking(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let vectors = embedder.embed_soon(&texts)?;
            let model = embedder.model()?.unwrap_or_default().to_owned();
            Ok((model, vectors.iter().map(|vector| Quantised::of(vector)).collect()))
        });
        Ok(vectors.await?)
    }
}

/// The vectors of chunks, by the hash of what was embedded: one for each window of a chunk.
fn embed_chunks(
    embedder: &Embedder,
    chunks: &[Arc<Chunk>],
) -> Result<Vec<(ContentHash, Vec<Quantised>)>, EmbedError> {
    // Two places are taken by the marks at the beginning and the end.
    let limit = embedder.max_tokens().saturating_sub(2);
    let texts: Vec<Cow<'_, str>> = chunks.iter().map(|chunk| chunk.embedded()).collect();
    let pieces: Vec<Vec<&str>> = texts
        .iter()
        .map(|text| {
            let ranges = windows(text, limit, |piece| embedder.count(piece));
            ranges.into_iter().map(|range| &text[range]).collect()
        })
        .collect();
    let flat: Vec<&str> = pieces.iter().flatten().copied().collect();
    let mut vectors = embedder.embed(&flat)?.into_iter();
    let of_chunk = |count: usize| vectors.by_ref().take(count).map(|v| Quantised::of(&v)).collect();
    let grouped: Vec<Vec<Quantised>> = pieces.iter().map(Vec::len).map(of_chunk).collect();
    Ok(chunks.iter().map(|chunk| chunk.hash()).zip(grouped).collect())
}
