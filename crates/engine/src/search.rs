//! Search as a person sees it: the best passages of a project, with where they stand and why.

use crate::assemble::check_length;
use crate::browse::Filter;
use crate::error::EngineError;
use crate::gather::Search;
use crate::turn::root;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::chunk::Location;
use dossier_core::id::{ProjectId, ThreadId};
use dossier_core::item::{Item, Scores, Source, summary};
use dossier_core::message::Speaker;
use dossier_core::rank::{Ranked, Signal, holds};
use dossier_core::time::Timestamp;
use dossier_store::Project;
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};

/// Passages that share no word with the query and are less like it are no finds.
const UNRELATED: f32 = 0.25;

/// What to look for, and where.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    pub project: ProjectId,
    pub query: String,
    pub limit: usize,
    /// A thread whose messages are not wanted.
    pub exclude: Option<ThreadId>,
}

/// One passage that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    pub source: Source,
    /// Messages in full, the beginning of file excerpts.
    pub text: String,
    pub tokens: u32,
    pub score: f32,
    pub scores: Scores,
    pub matched: Vec<String>,
    /// What the conversation is about that a message was said in, where it has a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
}

/// What a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// What went less well than it could.
    pub warnings: Vec<String>,
}

impl Workspace {
    /// The best passages. A query without words finds nothing; what stands in double quotes must
    /// be there word for word.
    pub async fn search(&self, request: &SearchRequest) -> Result<Found, EngineError> {
        self.search_through(request, &Filter::default()).await
    }

    /// The same among what the filter lets through.
    pub(crate) async fn search_through(
        &self,
        request: &SearchRequest,
        filter: &Filter,
    ) -> Result<Found, EngineError> {
        let question = Question::new(&request.query);
        if question.text.trim().is_empty() {
            return Ok(Found { hits: Vec::new(), warnings: Vec::new() });
        }
        check_length(&request.query)?;
        self.expect_project(&request.project).await?;
        let within = self.chunks_within(&request.project, filter).await?;
        let search = Search::new(&request.project, question).within(within);
        let pool = self.gather(&search).await?;
        let wanted = |ranked: &&Ranked| {
            let excluded = request.exclude.is_some() && said_in(ranked) == request.exclude.as_ref();
            let phrases = search.question.phrases.iter();
            let related = ranked.signal(Signal::Keywords) > 0.0
                || ranked.similarity.is_some_and(|similarity| similarity >= UNRELATED);
            !excluded
                && related
                && filter.lets_through(&ranked.chunk.location)
                && phrases.clone().all(|phrase| holds(&ranked.chunk.content, phrase))
        };
        let found: Vec<&Ranked> = pool.ranked.iter().filter(wanted).collect();
        let threads: BTreeSet<&ThreadId> =
            found.iter().filter_map(|ranked| said_in(ranked)).collect();
        let threads = self.store.threads_among(threads).await?;
        // A branch begins with copies of what was said before it.
        let mut said = HashSet::new();
        let mut hits = Vec::new();
        for ranked in found {
            let thread = said_in(ranked).and_then(|thread| threads.get(thread));
            if hits.len() == request.limit {
                break;
            }
            if thread.is_none_or(|thread| said.insert((root(thread), said_as(ranked)))) {
                let preview = thread.and_then(|thread| thread.summary.clone());
                hits.push(Hit { preview, ..hit(ranked) });
            }
        }
        Ok(Found { hits, warnings: pool.warnings })
    }
}

/// A passage and the project it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct HitIn {
    pub project: Project,
    pub hit: Hit,
}

/// What a search through all projects has found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundEverywhere {
    pub hits: Vec<HitIn>,
    pub warnings: Vec<String>,
}

impl Workspace {
    /// The best passages of all projects. Each project is weighed by its own statistics, and a
    /// score tells how near a passage comes to the best that its project could have.
    pub async fn search_everywhere(
        &self,
        query: &str,
        limit: usize,
    ) -> Result<FoundEverywhere, EngineError> {
        let mut found = FoundEverywhere::default();
        for project in self.projects().await? {
            let request = SearchRequest {
                project: project.id.clone(),
                query: query.to_owned(),
                limit,
                exclude: None,
            };
            let Found { hits, warnings } = self.search(&request).await?;
            found.hits.extend(hits.into_iter().map(|hit| HitIn { project: project.clone(), hit }));
            found.warnings.extend(warnings);
        }
        // Stable, so that equal scores keep the order of the projects' names.
        found.hits.sort_by(|left, right| right.hit.score.total_cmp(&left.hit.score));
        found.hits.truncate(limit);
        found.warnings.dedup();
        Ok(found)
    }
}

/// The thread of a message.
fn said_in(ranked: &Ranked) -> Option<&ThreadId> {
    match &ranked.chunk.location {
        Location::Message { thread, .. } => Some(thread),
        Location::File { .. } => None,
    }
}

/// What a message and its copies have in common: who said it, when, and what.
fn said_as(ranked: &Ranked) -> Option<(&Speaker, Timestamp, &str)> {
    match &ranked.chunk.location {
        Location::Message { speaker, created_at, .. } => {
            Some((speaker, *created_at, &ranked.chunk.content))
        }
        Location::File { .. } => None,
    }
}

fn hit(ranked: &Ranked) -> Hit {
    let item = Item::found(&ranked.chunk);
    let text = match &ranked.chunk.location {
        Location::Message { .. } => item.text,
        Location::File { .. } => summary(&item.text),
    };
    Hit {
        source: item.source,
        text,
        tokens: item.tokens,
        score: ranked.score,
        scores: ranked.scores(),
        matched: ranked.matched().into_iter().map(str::to_owned).collect(),
        preview: None,
    }
}
