//! What a call can search: the files that its model is not shown, and the attachments.
//!
//! Invariant: it lives in memory with its call. Nothing of it is stored, so whatever ends the call
//! ends it as well. It is read when somebody searches, not before.

use super::given_up::{GivenUp, WhileWanted};
use super::material::Material;
use super::tools::{cut, in_turns};
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::chunk::{Chunk, Location, draft};
use dossier_core::id::{ChunkId, FileId};
use dossier_core::item::Item;
use dossier_core::rank::{self, Candidate, Ranked, Signal, Statistics};
use dossier_core::vector::Quantised;
use dossier_files::{Found, Limits, SkipReason, read};
use futures::future::{BoxFuture, FutureExt as _, Shared, TryFutureExt as _};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::spawn_blocking;

/// Of so many passages that share words with the query the meaning is looked at as well.
const BY_MEANING: usize = 200;

/// A passage that shares no word with the query and is less like it is no find.
const UNRELATED: f32 = 0.25;

/// How long one search may take, with all its queries.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct View {
    /// All that may be opened, by name.
    files: BTreeMap<String, Found>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    names: BTreeSet<String>,
    building: Option<Building>,
}

/// The index while it is made and afterwards. It is made on, though whoever searches has waited
/// long enough; the next search finds it further. Without a view it is given up.
struct Building {
    index: Shared<BoxFuture<'static, Result<Arc<Index>, String>>>,
    _while_wanted: WhileWanted,
}

impl fmt::Debug for Building {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Building")
    }
}

impl Building {
    fn of(files: Vec<(String, Found)>) -> Self {
        let while_wanted = WhileWanted::default();
        let given_up = while_wanted.given_up();
        let index = spawn_blocking(move || Arc::new(Index::of(&files, &given_up)));
        let index = index.map_err(|error| error.to_string()).boxed().shared();
        Self { index, _while_wanted: while_wanted }
    }
}

/// The passages of the open files.
#[derive(Debug, Default)]
struct Index {
    chunks: Vec<Arc<Chunk>>,
    statistics: Statistics,
}

impl View {
    pub(super) fn of(material: &Material) -> Self {
        let mut files = material.attachments.clone();
        files.extend(material.files.clone());
        Self { files, open: Mutex::default() }
    }

    /// Lets these files be searched and no others.
    pub(super) fn open(&self, names: BTreeSet<String>) {
        let mut open = self.lock();
        if open.names != names {
            *open = Open { names, building: None };
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().names.is_empty()
    }

    /// The file of this name, if it may be searched.
    pub(super) fn file(&self, name: &str) -> Option<Found> {
        let open = self.lock();
        self.files.get(name).filter(|_| open.names.contains(name)).cloned()
    }

    /// All that may be searched, by name.
    pub(super) fn opened(&self) -> Vec<(String, Found)> {
        let names = self.lock().names.clone();
        names
            .into_iter()
            .filter_map(|name| Some((name.clone(), self.files.get(&name)?.clone())))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn index(&self) -> Result<Arc<Index>, EngineError> {
        let index = {
            let mut open = self.lock();
            let Open { names, building } = &mut *open;
            let named = |name: &String| Some((name.clone(), self.files.get(name)?.clone()));
            let building = building
                .get_or_insert_with(|| Building::of(names.iter().filter_map(named).collect()));
            building.index.clone()
        };
        index.await.map_err(EngineError::Invalid)
    }

    /// The passages that fit a query, best first.
    async fn ranked(&self, workspace: &Workspace, query: &str) -> Result<Vec<Ranked>, EngineError> {
        let index = self.index().await?;
        let question = Question::new(query);
        let candidate =
            |chunk: &Arc<Chunk>| Candidate { chunk: Arc::clone(chunk), similarities: Vec::new() };
        let all = index.chunks.iter().map(candidate).collect();
        let mut ranked = rank::rank(&question, all, &index.statistics);
        ranked.truncate(BY_MEANING);
        let topics = rank::topics(&question).iter().map(|topic| (*topic).to_owned()).collect();
        let chunks: Vec<Arc<Chunk>> = ranked.iter().map(|one| Arc::clone(&one.chunk)).collect();
        if let Some((topics, vectors)) = workspace.view_vectors(topics, &chunks).await? {
            let candidates = chunks
                .into_iter()
                .zip(vectors)
                .map(|(chunk, vectors)| Candidate { chunk, similarities: alike(&topics, &vectors) })
                .collect();
            ranked = rank::rank(&question, candidates, &index.statistics);
        }
        ranked.retain(|one| {
            one.signal(Signal::Keywords) > 0.0
                || one.similarity.is_some_and(|similarity| similarity >= UNRELATED)
        });
        Ok(ranked)
    }

    /// The best passages for several queries, each once, in turns; an error where that takes too
    /// long.
    pub(super) async fn search(
        &self,
        workspace: &Workspace,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<String>, EngineError> {
        let found = self.found(workspace, queries, limit);
        tokio::time::timeout(PATIENCE, found).await.unwrap_or_else(|_| {
            let seconds = PATIENCE.as_secs();
            Err(EngineError::Invalid(format!(
                "the files are still being read after {seconds} s; search again"
            )))
        })
    }

    async fn found(
        &self,
        workspace: &Workspace,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<String>, EngineError> {
        let mut lists = Vec::with_capacity(queries.len());
        for query in queries {
            lists.push(self.ranked(workspace, query).await?);
        }
        let found = in_turns(lists, limit, |one: &Ranked| one.chunk.id);
        Ok(found.iter().map(shown).collect())
    }

    /// The best passages as items of a dossier, for a model that cannot search.
    pub(super) async fn best(
        &self,
        workspace: &Workspace,
        question: &str,
        tokens: u32,
    ) -> Result<Vec<Item>, EngineError> {
        let mut left = tokens;
        let mut items = Vec::new();
        for ranked in self.ranked(workspace, question).await? {
            let item = Item { score: ranked.score, ..Item::found(&ranked.chunk) };
            // What stands around a passage takes a little as well.
            let Some(rest) = left.checked_sub(item.tokens + 30) else { break };
            left = rest;
            items.push(Item {
                reason: "found for the question, of files not shown".to_owned(),
                ..item
            });
        }
        Ok(items)
    }
}

impl Index {
    fn of(files: &[(String, Found)], given_up: &GivenUp) -> Self {
        let mut index = Self::default();
        for (name, found) in files.iter().take_while(|_| !given_up.is_so()) {
            let text = match read(found, &Limits::default()) {
                Ok(text) => text,
                Err(reason) => {
                    index.add_reason(name, &reason);
                    continue;
                }
            };
            let id = FileId::from(name.as_str());
            for draft in draft::of_document(&id, name, &text.content, &text.places) {
                index.add(draft);
            }
        }
        index
    }

    fn add(&mut self, draft: dossier_core::chunk::Draft) {
        self.statistics.documents += 1;
        self.statistics.total_length += u64::from(draft.profile.length());
        for (term, _) in draft.profile.terms() {
            *self.statistics.frequency.entry(term.to_owned()).or_default() += 1;
        }
        let id = ChunkId(self.chunks.len() as i64);
        self.chunks.push(Arc::new(Chunk::new(id, draft)));
    }

    /// Whoever looks for a file that cannot be read finds out why.
    fn add_reason(&mut self, name: &str, reason: &SkipReason) {
        let text = format!("{name} cannot be searched: {reason}");
        for draft in draft::of_file(&FileId::from(name), name, &text) {
            self.add(draft);
        }
    }
}

/// How like each topic the nearest of these vectors is.
fn alike(topics: &[Quantised], vectors: &[Quantised]) -> Vec<f32> {
    let nearest = |topic: &Quantised| {
        vectors.iter().map(|vector| topic.similarity(vector)).fold(f32::MIN, f32::max)
    };
    if vectors.is_empty() { Vec::new() } else { topics.iter().map(nearest).collect() }
}

/// Where it stands, and the passage.
fn shown(ranked: &Ranked) -> String {
    let item = Item::found(&ranked.chunk);
    let lines = match &ranked.chunk.location {
        Location::File { start_line, end_line, place: Some(_), .. } => {
            format!(" (lines {start_line}-{end_line})")
        }
        _ => String::new(),
    };
    format!("{}{lines}\n{}", item.source, cut(&item.text).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use dossier_core::id::OwnerId;
    use dossier_embed::Embedder;
    use dossier_files::walk;
    use std::future::pending;
    use tokio::time::Instant;

    fn view(folder: &tempfile::TempDir) -> View {
        std::fs::write(folder.path().join("a.md"), "The walrus sleeps on the pier.\n").unwrap();
        let found = walk(&[folder.path().to_owned()], &Limits::default()).unwrap().found;
        let files: BTreeMap<_, _> =
            found.into_iter().map(|found| (found.path.clone(), found)).collect();
        let view = View { files, open: Mutex::default() };
        view.open(BTreeSet::from(["a.md".to_owned()]));
        view
    }

    #[tokio::test]
    async fn an_index_is_made_on_though_the_search_that_wanted_it_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let view = view(&folder);
        // Whoever waits too long drops the search where it is.
        let _ = view.index().now_or_never();
        let begun = view.lock().building.as_ref().unwrap().index.clone();
        let index = view.index().await.unwrap();
        assert!(Arc::ptr_eq(&index, &begun.await.unwrap()));
        assert_eq!(index.chunks.len(), 1);
    }

    #[tokio::test]
    async fn an_index_that_nobody_can_search_any_more_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let view = view(&folder);
        let _ = view.index().now_or_never();
        let given_up = {
            let open = view.lock();
            open.building.as_ref().unwrap()._while_wanted.given_up()
        };
        assert!(!given_up.is_so());
        let files = view.opened();
        drop(view);
        assert!(given_up.is_so());
        assert_eq!(Index::of(&files, &given_up).chunks.len(), 0);
        assert_eq!(Index::of(&files, &GivenUp::default()).chunks.len(), 1);
    }

    async fn workspace(folder: &tempfile::TempDir) -> Workspace {
        let url = format!("sqlite:{}", folder.path().join("dossier.db").display());
        Engine::open(&url, Embedder::none()).await.unwrap().owner(&OwnerId::local())
    }

    #[tokio::test]
    async fn a_search_ends_in_time_though_the_files_are_still_being_read() {
        let folder = tempfile::tempdir().unwrap();
        let (view, workspace) = (view(&folder), workspace(&folder).await);
        let index = pending().boxed().shared();
        let never = Building { index, _while_wanted: WhileWanted::default() };
        view.lock().building = Some(never);
        tokio::time::pause();
        let begun = Instant::now();
        let late = view.search(&workspace, &["walrus".to_owned()], 10).await.unwrap_err();
        let told = "the files are still being read after 30 s; search again";
        assert_eq!((late.to_string().as_str(), begun.elapsed().as_secs()), (told, 30));
    }

    #[tokio::test]
    async fn a_long_passage_is_shown_with_its_first_thousand_characters() {
        let folder = tempfile::tempdir().unwrap();
        let (view, workspace) = (view(&folder), workspace(&folder).await);
        let long = format!("The walrus sleeps on {}.", "the pier and on ".repeat(200));
        std::fs::write(folder.path().join("a.md"), &long).unwrap();
        let found = view.search(&workspace, &["walrus".to_owned()], 10).await.unwrap();
        let (place, passage) = found[0].split_once('\n').unwrap();
        assert_eq!((place, passage), ("a.md:1-1", format!("{}…", &long[..1_000]).as_str()));
    }
}
