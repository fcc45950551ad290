//! Gathering: candidates for a question, one list per signal, ranked by `core`. Words always work;
//! a missing or failing embedder costs quality, never the request.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::chunk::{Chunk, Location};
use dossier_core::id::{ChunkId, ProjectId};
use dossier_core::rank::{self, Candidate, Ranked};
use dossier_core::receipt::Coverage;
use dossier_core::vector::Quantised;
use std::collections::HashSet;
use std::sync::Arc;

/// The most chunks that words bring into the pool: the rarest terms of the question that hold no
/// more together.
const BY_WORDS: usize = 4_000;
/// The most chunks that meaning brings into the pool, for each topic.
const BY_MEANING: usize = 500;

/// Of so many of the best messages the neighbours are looked at, when words are all there is.
const WITH_NEIGHBOURS: usize = 200;
/// How far a neighbour may stand.
const NEIGHBOURS: i64 = 3;

/// The ranked pool of a question.
#[derive(Debug)]
pub(crate) struct Pool {
    pub ranked: Vec<Ranked>,
    pub coverage: Coverage,
    /// Chunks of the project that were not ranked.
    pub beyond: u64,
    pub warnings: Vec<String>,
}

impl Workspace {
    /// Everything in the project that may bear on the question, best first.
    pub(crate) async fn gather(
        &self,
        project: &ProjectId,
        question: &Question,
    ) -> Result<Pool, EngineError> {
        let terms: Vec<String> = question.terms.iter().cloned().collect();
        let statistics = self.store.statistics(project, &terms).await?;
        let affordable = statistics.affordable(&terms, BY_WORDS as u64);
        let found = self.store.matching(project, &affordable, BY_WORDS).await?;
        let mut chunks = self.store.chunks(&found).await?;
        let mut warnings = Vec::new();
        let meaning = match self.meaning(question, &chunks).await? {
            Ok(meaning) => meaning,
            Err(problem) => {
                warnings.push(format!("found by words alone: {problem}"));
                None
            }
        };
        let mut coverage =
            Coverage { embedder: None, chunks: statistics.documents, with_vectors: 0 };
        let candidates = match meaning {
            Some(Meaning { model, topics }) => {
                chunks = self.with_nearest(project, model, &topics, chunks).await?;
                let similarities = self.similarities(project, model, &topics, &chunks).await?;
                coverage.with_vectors = self.store.coverage(project, model).await?.with_vectors;
                coverage.embedder = Some(model.to_owned());
                candidates(chunks, similarities)
            }
            None => {
                let ranked = rank::rank(question, candidates(chunks, Vec::new()), &statistics);
                let chunks = self.with_neighbours(ranked).await?;
                candidates(chunks, Vec::new())
            }
        };
        let beyond = statistics.documents.saturating_sub(candidates.len() as u64);
        let ranked = rank::rank(question, candidates, &statistics);
        Ok(Pool { ranked, coverage, beyond, warnings })
    }

    /// The question's topics as vectors. Speakers whom it names are put in the first person, as
    /// they speak of themselves.
    async fn meaning(
        &self,
        question: &Question,
        chunks: &[Arc<Chunk>],
    ) -> Result<Result<Option<Meaning>, String>, EngineError> {
        let Some(model) = self.embedder.model() else { return Ok(Ok(None)) };
        let speakers = rank::speakers(chunks.iter().map(Arc::as_ref));
        let named = question.named(speakers.iter().map(String::as_str));
        let texts: Vec<String> = rank::topics(question)
            .iter()
            .map(|topic| Question::in_first_person(topic, &named))
            .collect();
        let topics = self.embed_texts(texts).await?;
        Ok(topics.map(|topics| Some(Meaning { model, topics })).map_err(|error| error.to_string()))
    }

    /// The chunks together with those nearest to each topic.
    async fn with_nearest(
        &self,
        project: &ProjectId,
        model: &str,
        topics: &[Quantised],
        mut chunks: Vec<Arc<Chunk>>,
    ) -> Result<Vec<Arc<Chunk>>, EngineError> {
        let mut known: HashSet<ChunkId> = chunks.iter().map(|chunk| chunk.id).collect();
        let mut new = Vec::new();
        for topic in topics {
            let nearest = self.store.nearest(project, model, topic, BY_MEANING).await?;
            new.extend(nearest.into_iter().map(|(id, _)| id).filter(|id| known.insert(*id)));
        }
        chunks.extend(self.store.chunks(&new).await?);
        Ok(chunks)
    }

    /// The chunks together with what was said around the best of them: an answer need not share
    /// a word with its question.
    async fn with_neighbours(&self, ranked: Vec<Ranked>) -> Result<Vec<Arc<Chunk>>, EngineError> {
        let best: Vec<ChunkId> = ranked
            .iter()
            .take(WITH_NEIGHBOURS)
            .filter(|ranked| matches!(ranked.chunk.location, Location::Message { .. }))
            .map(|ranked| ranked.chunk.id)
            .collect();
        let mut chunks: Vec<Arc<Chunk>> = ranked.into_iter().map(|ranked| ranked.chunk).collect();
        let known: HashSet<ChunkId> = chunks.iter().map(|chunk| chunk.id).collect();
        let mut near = self.store.neighbours(&best, NEIGHBOURS).await?;
        near.retain(|id| !known.contains(id));
        chunks.extend(self.store.chunks(&near).await?);
        Ok(chunks)
    }

    /// For each chunk its similarity to each topic; empty where it has no vectors.
    async fn similarities(
        &self,
        project: &ProjectId,
        model: &str,
        topics: &[Quantised],
        chunks: &[Arc<Chunk>],
    ) -> Result<Vec<Vec<f32>>, EngineError> {
        let ids: Vec<ChunkId> = chunks.iter().map(|chunk| chunk.id).collect();
        let mut similarities = vec![Vec::new(); chunks.len()];
        for topic in topics {
            let values = self.store.similarities(project, model, topic, &ids).await?;
            for (similarities, value) in similarities.iter_mut().zip(values) {
                similarities.extend(value);
            }
        }
        Ok(similarities)
    }
}

struct Meaning {
    model: &'static str,
    topics: Vec<Quantised>,
}

/// Chunks with their similarities; with none where the list has come to its end.
fn candidates(chunks: Vec<Arc<Chunk>>, similarities: Vec<Vec<f32>>) -> Vec<Candidate> {
    let similarities = similarities.into_iter().chain(std::iter::repeat_with(Vec::new));
    let candidate = |(chunk, similarities)| Candidate { chunk, similarities };
    chunks.into_iter().zip(similarities).map(candidate).collect()
}
