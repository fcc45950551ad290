//! What a call can search: the files that its model is not shown, and the attachments.
//!
//! Invariant: it lives in memory with its call. Nothing of it is stored, so whatever ends the call
//! ends it as well. It is read when somebody searches, not before.

use super::material::Material;
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::chunk::{Chunk, Location, draft};
use dossier_core::id::{ChunkId, FileId};
use dossier_core::item::Item;
use dossier_core::rank::{self, Candidate, Ranked, Statistics};
use dossier_core::vector::Quantised;
use dossier_files::{Found, Limits, SkipReason, read};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::spawn_blocking;

/// Of so many passages that share words with the query the meaning is looked at as well.
const BY_MEANING: usize = 200;

/// A passage that shares no word with the query and is less like it is no find.
const UNRELATED: f32 = 0.25;

/// The longest text of a passage, in characters.
const LONGEST: usize = 1_000;

#[derive(Debug)]
pub(super) struct View {
    /// All that may be opened, by name.
    files: BTreeMap<String, Found>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    names: BTreeSet<String>,
    index: Option<Arc<Index>>,
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
            *open = Open { names, index: None };
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
        let names = {
            let open = self.lock();
            if let Some(index) = &open.index {
                return Ok(Arc::clone(index));
            }
            open.names.clone()
        };
        let files: Vec<(String, Found)> = names
            .iter()
            .filter_map(|name| Some((name.clone(), self.files.get(name)?.clone())))
            .collect();
        let index = Arc::new(spawn_blocking(move || Index::of(&files)).await?);
        let mut open = self.lock();
        if open.names == names {
            open.index = Some(Arc::clone(&index));
        }
        Ok(index)
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
            one.scores.contains_key("keywords")
                || one.similarity.is_some_and(|similarity| similarity >= UNRELATED)
        });
        Ok(ranked)
    }

    /// The best passages for several queries, each once, in turns.
    pub(super) async fn search(
        &self,
        workspace: &Workspace,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<String>, EngineError> {
        let mut lists = Vec::with_capacity(queries.len());
        for query in queries {
            lists.push(self.ranked(workspace, query).await?.into_iter());
        }
        let (mut told, mut known) = (Vec::new(), HashSet::new());
        while told.len() < limit {
            let mut found = false;
            for list in &mut lists {
                let next = list.find(|one| known.insert(one.chunk.id));
                found |= next.is_some();
                told.extend(next.map(|one| shown(&one)));
            }
            if !found {
                break;
            }
        }
        told.truncate(limit);
        Ok(told)
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
            let item = Item { score: ranked.score, ..Item::retrieved(&ranked.chunk) };
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
    fn of(files: &[(String, Found)]) -> Self {
        let mut index = Self::default();
        for (name, found) in files {
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
        self.chunks.push(Arc::new(Chunk { id, draft }));
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
    let item = Item::retrieved(&ranked.chunk);
    let text = match item.text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &item.text[..end]),
        None => item.text.clone(),
    };
    let lines = match &ranked.chunk.location {
        Location::File { start_line, end_line, place: Some(_), .. } => {
            format!(" (lines {start_line}-{end_line})")
        }
        _ => String::new(),
    };
    format!("{}{lines}\n{}", item.source, text.trim_end())
}
