//! Gathering: candidates for a question, one list per signal, ranked by `core`. Words always work;
//! a missing or failing embedder costs quality, never the request.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::chunk::{Chunk, Location};
use dossier_core::facts::Sought;
use dossier_core::id::{ChunkId, ProjectId};
use dossier_core::rank::{self, Candidate, Ranked, Statistics};
use dossier_core::receipt::Coverage;
use dossier_core::vector::Quantised;
use dossier_store::{Alike, FactsAtHand};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tracing::Instrument as _;

/// The most entries of the index that a question looks at.
const ENTRIES: usize = 12_000;
/// The chunks that words bring into the pool.
const BY_WORDS: usize = 400;
/// The most of them, where very many match equally well.
const BY_WORDS_AT_MOST: usize = 500;
/// So many of the best chunks tell who speaks.
const NAMING: usize = 100;
/// The chunks that meaning brings into the pool, for each topic.
const BY_MEANING: usize = 200;

/// Of so many of the best messages the neighbours are looked at, when words are all there is.
const WITH_NEIGHBOURS: usize = 200;
/// How far a neighbour may stand.
const NEIGHBOURS: i64 = 3;

/// A question that is looked for in a project.
#[derive(Debug)]
pub(crate) struct Search {
    project: ProjectId,
    pub question: Question,
    /// Chunks of which the best are to be ranked too, however much better others are.
    within: Vec<ChunkId>,
    /// Whether it is to be told what is newer than what was looked at.
    notes_newest: bool,
    looked: OnceCell<Looked>,
}

impl Search {
    pub(crate) fn new(project: &ProjectId, question: Question) -> Self {
        Self {
            project: project.clone(),
            question,
            within: Vec::new(),
            notes_newest: false,
            looked: OnceCell::new(),
        }
    }

    #[must_use]
    pub(crate) fn within(self, within: Vec<ChunkId>) -> Self {
        Self { within, ..self }
    }

    #[must_use]
    pub(crate) fn noting_newest(self, notes_newest: bool) -> Self {
        Self { notes_newest, ..self }
    }
}

/// What is found without knowing what the question means.
#[derive(Debug)]
struct Looked {
    newest: Option<ChunkId>,
    statistics: Statistics,
    /// The chunks that its words find, best first.
    found: Vec<ChunkId>,
    chunks: Vec<Arc<Chunk>>,
    facts: FactsAtHand,
    facts_took: Duration,
}

/// The ranked pool of a question; nothing by default.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub ranked: Arc<Vec<Ranked>>,
    pub coverage: Coverage,
    /// Chunks of the project that were not ranked.
    pub beyond: u64,
    /// The newest chunk there was before anything was looked for, where that is noted.
    pub newest: Option<ChunkId>,
    pub warnings: Vec<String>,
    /// What is remembered of the project, and what of it is looked for.
    pub facts: FactsAtHand,
    pub sought: Sought,
    /// How long all of it took, and the facts alone.
    pub took: Duration,
    pub facts_took: Duration,
}

impl Workspace {
    /// Everything in the project that may bear on the question, best first.
    pub(crate) async fn gather(&self, search: &Search) -> Result<Pool, EngineError> {
        let began = Instant::now();
        let gathering = self.gathered(search);
        let pool = gathering.instrument(tracing::info_span!("gather")).await?;
        Ok(Pool { took: began.elapsed(), ..pool })
    }

    /// Does what needs no meaning, for whoever gathers meanwhile; what fails here fails there.
    pub(crate) async fn look_ahead(&self, search: &Search) {
        let _ = self.looked(search).await;
    }

    async fn gathered(&self, search: &Search) -> Result<Pool, EngineError> {
        let Search { project, question, .. } = search;
        // First what others do meanwhile: SQLite works in this thread.
        let (guess, (), looked) = tokio::try_join!(
            self.guess(project, question),
            self.get_ready(project),
            self.looked(search),
        )?;
        let Looked { newest, statistics, found, chunks, facts, facts_took } = looked;
        let mut warnings = Vec::new();
        let meaning = self.meaning(project, question, chunks, guess).await?;
        let meaning = meaning.unwrap_or_else(|problem| {
            warnings.push(format!("found by words alone: {problem}"));
            None
        });
        let mut coverage =
            Coverage { embedder: None, chunks: statistics.documents, with_vectors: 0 };
        let vectors =
            meaning.as_ref().map(|meaning| (meaning.model.clone(), meaning.topics.clone()));
        let sought = Sought::new(&question.text, vectors);
        let chunks = chunks.clone();
        let candidates = match meaning {
            Some(Meaning { model, topics }) => {
                let alike = self.store.alike(project, &model, &topics, found, BY_MEANING).await?;
                coverage.with_vectors = alike.with_vectors;
                coverage.embedder = Some(model);
                self.with_alike(chunks, alike).await?
            }
            None => {
                let ranked = rank::rank(question, candidates(chunks), statistics);
                candidates(self.with_neighbours(ranked).await?)
            }
        };
        let beyond = statistics.documents.saturating_sub(candidates.len() as u64);
        let ranked = Arc::new(rank::rank(question, candidates, statistics));
        Ok(Pool {
            ranked,
            coverage,
            beyond,
            newest: *newest,
            warnings,
            facts: facts.clone(),
            sought,
            took: Duration::ZERO,
            facts_took: *facts_took,
        })
    }

    /// What is found by words, looked up once, by whoever comes first.
    async fn looked<'s>(&self, search: &'s Search) -> Result<&'s Looked, EngineError> {
        let Search { project, notes_newest, looked, .. } = search;
        let look = async || {
            self.look_back().await;
            // Before anything is looked for: what comes meanwhile is later, found or not.
            let newest = match notes_newest {
                true => Some(self.store.newest_chunk().await?),
                false => None,
            };
            let (statistics, found) = self.by_words(search).await?;
            let (chunks, ()) = tokio::try_join!(
                async { Ok(self.store.chunks(&found).await?) },
                self.read_ahead(project, &found),
            )?;
            let began = Instant::now();
            let facts = self.store.facts(project).await?;
            let facts_took = began.elapsed();
            Ok(Looked { newest, statistics, found, chunks, facts, facts_took })
        };
        looked.get_or_try_init(look).await
    }

    /// The project's counts, and the chunks that the question's words find, best first.
    async fn by_words(&self, search: &Search) -> Result<(Statistics, Vec<ChunkId>), EngineError> {
        let Search { project, question, within, .. } = search;
        let terms: Vec<String> = question.terms.iter().cloned().collect();
        let statistics = self.store.statistics(project, &terms).await?;
        let lists = statistics.affordable(&terms, ENTRIES as u64);
        let mut postings = self.store.postings(project, lists, ENTRIES).await?;
        let mut found = statistics.shortlist(&postings, BY_WORDS, BY_WORDS_AT_MOST);
        let known: HashSet<ChunkId> = found.iter().copied().collect();
        let more = match within.len() > BY_WORDS {
            // So few are ranked all, whatever their words are.
            false => within.clone(),
            true => {
                let within: HashSet<ChunkId> = within.iter().copied().collect();
                postings.iter_mut().for_each(|(_, list)| list.retain(|id| within.contains(id)));
                statistics.shortlist(&postings, BY_WORDS, BY_WORDS_AT_MOST)
            }
        };
        found.extend(more.into_iter().filter(|id| !known.contains(id)));
        Ok((statistics, found))
    }

    /// Loads what meaning needs while words are looked up: the first question of a process would
    /// wait for one after the other.
    async fn get_ready(&self, project: &ProjectId) -> Result<(), EngineError> {
        if !self.embedder.is_unloaded() {
            return Ok(());
        }
        let embedder = Arc::clone(&self.embedder);
        let loading = spawn_blocking(move || embedder.load());
        self.read_ahead(project, &[]).await?;
        Ok(loading.await?)
    }

    /// Reads what a search by meaning will need, while the question is embedded. A service would
    /// have to be asked first how long its vectors are.
    async fn read_ahead(&self, project: &ProjectId, chunks: &[ChunkId]) -> Result<(), EngineError> {
        if !self.embedder.is_service()
            && let Ok(Some(model)) = self.embedder.model()
        {
            self.store.load_vectors(project, model, chunks).await?;
        }
        Ok(())
    }

    /// The question's topics as vectors, as they will probably be wanted. A service is not asked
    /// twice.
    async fn guess(
        &self,
        project: &ProjectId,
        question: &Question,
    ) -> Result<Option<Guess>, EngineError> {
        if self.embedder.is_none() || self.embedder.is_service() {
            return Ok(None);
        }
        let speakers = self.speakers.guess(self.store.owner(), project);
        let texts = spoken(question, &speakers);
        let meaning = self.embedded(texts.clone()).await?;
        Ok(Some(Guess { texts, meaning }))
    }

    /// The question's topics as vectors. Speakers whom it names are put in the first person, as
    /// they speak of themselves.
    async fn meaning(
        &self,
        project: &ProjectId,
        question: &Question,
        chunks: &[Arc<Chunk>],
        guess: Option<Guess>,
    ) -> Result<Result<Option<Meaning>, String>, EngineError> {
        if self.embedder.is_none() {
            return Ok(Ok(None));
        }
        let speakers = rank::speakers(chunks.iter().take(NAMING).map(Arc::as_ref));
        let texts = spoken(question, &speakers);
        self.speakers.found(self.store.owner(), project, speakers);
        let meaning = match guess {
            Some(guess) if guess.texts == texts => guess.meaning,
            _ => self.embedded(texts).await?,
        };
        Ok(meaning.map(Some))
    }

    async fn embedded(&self, texts: Vec<String>) -> Result<Result<Meaning, String>, EngineError> {
        let embedded = self.embed_texts(texts).await?;
        let meaning = embedded.map(|(model, topics)| Meaning { model, topics });
        Ok(meaning.map_err(|error| error.to_string()))
    }

    /// The chunks together with those that are like a topic, each with its similarities.
    async fn with_alike(
        &self,
        mut chunks: Vec<Arc<Chunk>>,
        alike: Alike,
    ) -> Result<Vec<Candidate>, EngineError> {
        let known: HashSet<ChunkId> = chunks.iter().map(|chunk| chunk.id).collect();
        let mut similarities: HashMap<ChunkId, Vec<f32>> = alike.chunks.into_iter().collect();
        let mut new: Vec<ChunkId> =
            similarities.keys().copied().filter(|id| !known.contains(id)).collect();
        new.sort();
        chunks.extend(self.store.chunks(&new).await?);
        let candidate = |chunk: Arc<Chunk>| {
            let similarities = similarities.remove(&chunk.id).unwrap_or_default();
            Candidate { chunk, similarities }
        };
        Ok(chunks.into_iter().map(candidate).collect())
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
}

struct Meaning {
    model: String,
    topics: Vec<Quantised>,
}

/// The meaning of a question whose speakers are not sure yet.
struct Guess {
    texts: Vec<String>,
    meaning: Result<Meaning, String>,
}

/// The question's topics, in the words of those of the speakers whom it names.
fn spoken(question: &Question, speakers: &[String]) -> Vec<String> {
    let named = question.named(speakers.iter().map(String::as_str));
    let topics = rank::topics(question);
    topics.iter().map(|topic| Question::in_first_person(topic, &named)).collect()
}

/// Chunks of which words alone are known.
fn candidates(chunks: Vec<Arc<Chunk>>) -> Vec<Candidate> {
    let candidate = |chunk| Candidate { chunk, similarities: Vec::new() };
    chunks.into_iter().map(candidate).collect()
}
