//! Vectors follow the words: chunks without them are embedded in batches that are stored one by
//! one, so that stopping loses two batches at the most and going on repeats nothing. While one
//! batch is embedded the next is fetched and the last is stored, so the embedder need not wait.

mod batch;

use crate::error::EngineError;
use crate::index::{EmbeddingProgress, Progress};
use crate::workspace::Workspace;
use batch::{Batch, Embedded, Prepared};
use dossier_core::chunk::Chunk;
use dossier_core::guard::masked;
use dossier_core::hash::ContentHash;
use dossier_core::id::ProjectId;
use dossier_core::vector::Quantised;
use dossier_embed::EmbedError;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

/// Texts of so many bytes together are embedded where they are asked for: to hand them to another
/// thread and be told of its end takes as long.
const SHORT: usize = 200;

/// What an embedding run has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VectorReport {
    pub embedded: usize,
    /// How long the run took, and for how much of it the embedder worked.
    pub elapsed: Duration,
    pub busy: Duration,
    /// Why the run stopped early; what is missing is found by words alone.
    pub problem: Option<String>,
}

impl Workspace {
    /// Embeds every chunk and fact of the project that has no vectors yet. A failing embedder is reported,
    /// not an error: words still find everything. Several processes may do this at once.
    pub async fn embed_pending(
        &self,
        project: &ProjectId,
        progress: &dyn Progress,
    ) -> Result<VectorReport, EngineError> {
        let began = Instant::now();
        let mut report = VectorReport::default();
        match self.space().await? {
            Ok(Some(model)) => {
                self.follow(project, &model, progress, &mut report).await?;
                if report.problem.is_none() {
                    report.problem = self.embed_facts(project).await?;
                }
            }
            Ok(None) => {}
            Err(error) => report.problem = Some(error.to_string()),
        }
        report.elapsed = began.elapsed();
        Ok(report)
    }

    /// Embeds in rounds, since chunks may be added meanwhile.
    async fn follow(
        &self,
        project: &ProjectId,
        model: &str,
        progress: &dyn Progress,
        report: &mut VectorReport,
    ) -> Result<(), EngineError> {
        loop {
            let pending = self.store.pending_vectors(project, model).await?;
            let seed = ulid::Ulid::generate().random() as u64;
            let batches = batch::batches(&pending, &self.embedder, seed);
            let before = report.embedded;
            let mut so_far = EmbeddingProgress {
                of_chunks: pending.len() as u64,
                of_tokens: batches.iter().map(|batch| batch.tokens).sum(),
                ..EmbeddingProgress::default()
            };
            if so_far.of_chunks > 0 {
                progress.embedding(so_far);
            }
            let (to_embed, prepared) = mpsc::channel(1);
            let (to_store, embedded) = mpsc::channel(1);
            tokio::try_join!(
                self.prepare_batches(model, batches, to_embed),
                self.embed_batches(prepared, to_store, &mut report.busy, &mut report.problem),
                self.store_batches(model, embedded, |tokens, chunks| {
                    so_far.tokens += tokens;
                    so_far.chunks += chunks as u64;
                    report.embedded += chunks;
                    progress.embedding(so_far);
                }),
            )?;
            if report.problem.is_some() || report.embedded == before {
                return Ok(self.store.pack_vectors(project, model).await?);
            }
        }
    }

    /// Fetches the chunks of each batch that still have no vectors, and cuts them into windows.
    async fn prepare_batches(
        &self,
        model: &str,
        batches: Vec<Batch>,
        to_embed: mpsc::Sender<Prepared>,
    ) -> Result<(), EngineError> {
        for Batch { chunks, tokens } in batches {
            let chunks = self.store.still_pending(model, &chunks).await?;
            let embedder = Arc::clone(&self.embedder);
            let prepare = move || Prepared::new(&embedder, &chunks, tokens);
            // Nobody takes it when the embedder has failed.
            if to_embed.send(spawn_blocking(prepare).await?).await.is_err() {
                break;
            }
        }
        Ok(())
    }

    async fn embed_batches(
        &self,
        mut prepared: mpsc::Receiver<Prepared>,
        to_store: mpsc::Sender<Embedded>,
        busy: &mut Duration,
        problem: &mut Option<String>,
    ) -> Result<(), EngineError> {
        while let Some(batch) = prepared.recv().await {
            let embedder = Arc::clone(&self.embedder);
            let began = Instant::now();
            let embedded = spawn_blocking(move || batch.embed(&embedder)).await?;
            *busy += began.elapsed();
            match embedded {
                // The receiver is there until this ends.
                Ok(embedded) => drop(to_store.send(embedded).await),
                Err(error) => {
                    *problem = Some(error.to_string());
                    break;
                }
            }
        }
        Ok(())
    }

    /// Stores what comes, and tells how many tokens and chunks that were.
    async fn store_batches(
        &self,
        model: &str,
        mut embedded: mpsc::Receiver<Embedded>,
        mut stored: impl FnMut(u64, usize),
    ) -> Result<(), EngineError> {
        while let Some(Embedded { vectors, tokens }) = embedded.recv().await {
            if !vectors.is_empty() {
                self.store.put_vectors(model, &vectors).await?;
            }
            stored(tokens, vectors.len());
        }
        Ok(())
    }

    /// The vectors of some chunks for someone who waits, by the hash of what was embedded.
    pub(crate) async fn chunk_vectors(
        &self,
        chunks: Vec<Arc<Chunk>>,
    ) -> Result<Result<Vec<(ContentHash, Vec<Quantised>)>, EmbedError>, EngineError> {
        let embedder = Arc::clone(&self.embedder);
        let made = spawn_blocking(move || {
            let embedded = Prepared::new(&embedder, &chunks, 0).embed(&embedder);
            embedded.map(|embedded| embedded.vectors)
        });
        Ok(made.await?)
    }

    /// The name that the embedder's vectors are stored under; none without an embedder.
    pub(crate) async fn space(&self) -> Result<Result<Option<String>, EmbedError>, EngineError> {
        let embedder = Arc::clone(&self.embedder);
        Ok(spawn_blocking(move || Ok(embedder.model()?.map(str::to_owned))).await?)
    }

    /// The vectors of some short texts for someone who waits, and the name they go under; or why
    /// there are none.
    pub(crate) async fn embed_texts(
        &self,
        texts: Vec<String>,
    ) -> Result<Result<(String, Vec<Quantised>), EmbedError>, EngineError> {
        let embedder = Arc::clone(&self.embedder);
        let is_service = embedder.is_service();
        let is_short = texts.iter().map(String::len).sum::<usize>() <= SHORT;
        let embed = move || {
            let shown = |text: &String| match is_service {
                true => masked(text).into_owned(),
                false => text.clone(),
            };
            let texts: Vec<String> = texts.iter().map(shown).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let vectors = embedder.embed_soon(&texts)?;
            let model = embedder.model()?.unwrap_or_default().to_owned();
            Ok((model, vectors.iter().map(|vector| Quantised::of(vector)).collect()))
        };
        match is_short && !is_service && !self.embedder.is_unloaded() {
            true => Ok(embed()),
            false => Ok(spawn_blocking(embed).await?),
        }
    }
}
