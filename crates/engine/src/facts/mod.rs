//! Memory: what is remembered of a project, by itself or because somebody said so; looked up,
//! mended and forgotten.

mod learn;
mod vectors;

pub(crate) use learn::said;

use crate::browse::MOST_HITS;
use crate::changes::{Action, Change};
use crate::error::EngineError;
use crate::mint;
use crate::search::{Hit, SearchRequest};
use crate::workspace::Workspace;
use dossier_core::facts::{
    self, BadFact, Candidate, Draft, Fact, FactKind, Ledger, Recall, Scored, Sought, Utterance,
};
use dossier_core::guard::masked;
use dossier_core::id::{FactId, ProjectId};
use dossier_core::message::Speaker;
use dossier_core::time::Timestamp;
use std::collections::HashMap;
use std::time::Instant;

/// How often a write is tried again when others write at the same time.
const ATTEMPTS: usize = 10;
/// The most tags of a fact, and the longest.
const MOST_TAGS: usize = 20;
const LONGEST_TAG: usize = 100;

/// Facts that are less like a question have nothing to do with it.
const UNRELATED: f32 = 0.25;
/// The passages that are recalled beside facts, unless another number is asked for.
const PASSAGES: usize = 5;

/// Whether a fact is shown to models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactState {
    Holds,
    /// Something newer has taken its place, or its time is over.
    Closed,
    /// It waits for a person.
    Doubtful,
}

impl FactState {
    pub const ALL: [FactState; 3] = [FactState::Holds, FactState::Closed, FactState::Doubtful];

    pub fn as_str(self) -> &'static str {
        match self {
            FactState::Holds => "holds",
            FactState::Closed => "closed",
            FactState::Doubtful => "doubtful",
        }
    }

    fn of(fact: &Fact, now: Timestamp) -> Self {
        match fact {
            fact if fact.holds(now) => FactState::Holds,
            Fact { doubt: Some(_), .. } => FactState::Doubtful,
            _ => FactState::Closed,
        }
    }
}

/// A fact with where it belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct FactShown {
    pub project: ProjectId,
    pub fact: Fact,
    pub state: FactState,
}

/// A fact that was looked for, with what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    pub shown: FactShown,
    pub similarity: f32,
    pub shared_tags: usize,
    pub freshness: f32,
}

/// Something that a person wants to be remembered.
#[derive(Debug, Clone, Default)]
pub struct NewFact {
    pub text: String,
    /// Told from the text when it is missing.
    pub kind: Option<FactKind>,
    pub tags: Vec<String>,
    pub pinned: bool,
}

/// What is to be different about a fact.
#[derive(Debug, Clone, Default)]
pub struct FactChange {
    pub text: Option<String>,
    pub kind: Option<FactKind>,
    pub tags: Option<Vec<String>>,
    pub pinned: Option<bool>,
    /// From when on it does not hold; nothing lets it hold without end.
    pub valid_until: Option<Option<Timestamp>>,
    /// A person has looked at it and found it right.
    pub accepted: bool,
}

/// Which facts are listed.
#[derive(Debug, Clone, Default)]
pub struct FactFilter {
    /// All of the owner's when it is missing.
    pub project: Option<ProjectId>,
    pub state: Option<FactState>,
    pub kind: Option<FactKind>,
    pub tag: Option<String>,
    /// Words that all stand in its text, its quote or its tags, whole or in part.
    pub text: Option<String>,
}

/// Some facts, and where the next begin.
#[derive(Debug, Clone, PartialEq)]
pub struct FactPage {
    pub facts: Vec<FactShown>,
    pub next: Option<(Timestamp, FactId)>,
    pub total: usize,
    /// Of those that would be listed whatever their state.
    pub counts: FactCounts,
}

/// How many facts are in which state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FactCounts {
    pub holds: usize,
    pub closed: usize,
    pub doubtful: usize,
}

impl FactCounts {
    fn add(&mut self, state: FactState) {
        match state {
            FactState::Holds => self.holds += 1,
            FactState::Closed => self.closed += 1,
            FactState::Doubtful => self.doubtful += 1,
        }
    }
}

impl Workspace {
    /// Facts, the last confirmed first, after one that was shown.
    pub async fn list_facts(
        &self,
        filter: &FactFilter,
        after: Option<&(Timestamp, FactId)>,
        most: usize,
        now: Timestamp,
    ) -> Result<FactPage, EngineError> {
        let words = filter.text.as_deref().unwrap_or_default().to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut found: Vec<FactShown> = Vec::new();
        let mut counts = FactCounts::default();
        for project in self.projects_of_facts(filter.project.as_ref()).await? {
            let known = self.store.facts(&project).await?;
            let alike = known.facts.iter().map(|known| &known.fact).filter(|fact| {
                filter.kind.is_none_or(|kind| fact.kind == kind)
                    && filter.tag.as_ref().is_none_or(|tag| fact.tags.contains(tag))
                    && says(fact, &words)
            });
            for fact in alike {
                let shown = shown(&project, fact, now);
                counts.add(shown.state);
                if filter.state.is_none_or(|state| shown.state == state) {
                    found.push(shown);
                }
            }
        }
        let place = |shown: &FactShown| (shown.fact.confirmed_at, shown.fact.id.clone());
        found.sort_by_key(|shown| std::cmp::Reverse(place(shown)));
        let total = found.len();
        let mut rest =
            found.into_iter().filter(|shown| after.is_none_or(|after| place(shown) < *after));
        let facts: Vec<FactShown> = rest.by_ref().take(most).collect();
        let next = rest.next().and(facts.last()).map(place);
        Ok(FactPage { facts, next, total, counts })
    }

    /// One project, or all of the owner's.
    async fn projects_of_facts(
        &self,
        project: Option<&ProjectId>,
    ) -> Result<Vec<ProjectId>, EngineError> {
        match project {
            Some(project) => {
                self.expect_project(project).await?;
                Ok(vec![project.clone()])
            }
            None => Ok(self.projects().await?.into_iter().map(|project| project.id).collect()),
        }
    }

    pub async fn fact(&self, id: &FactId, now: Timestamp) -> Result<FactShown, EngineError> {
        let found = self.store.fact(id).await?;
        let (project, fact) = found.ok_or_else(|| unknown(id))?;
        Ok(shown(&project, &fact, now))
    }

    /// The facts that bear on a question, best first: 8 to 20 of them, of a project or of all.
    pub async fn top_facts(
        &self,
        project: Option<&ProjectId>,
        query: &str,
        tags: &[String],
        count: Option<usize>,
        now: Timestamp,
    ) -> Result<Vec<Recalled>, EngineError> {
        crate::assemble::check_length(query)?;
        let query = masked(query).into_owned();
        let began = Instant::now();
        let mut at_hand = Vec::new();
        for project in self.projects_of_facts(project).await? {
            let known = self.store.facts(&project).await?;
            at_hand.push((project, known.facts));
        }
        // A failing embedder costs quality, never the request.
        let is_empty = at_hand.iter().all(|(_, known)| known.is_empty());
        let vectors = match self.embedder.is_none() || is_empty {
            true => None,
            false => self.embed_texts(vec![query.clone()]).await?.ok(),
        };
        let tags = facts::tags(tags.iter().map(String::as_str));
        let sought = Sought::new(&query, vectors);
        let recall = Recall { sought: &sought, tags: &tags, count, now };
        let mut homes = HashMap::new();
        let mut best = Vec::new();
        for (project, known) in &at_hand {
            for Scored { fact, similarity, .. } in recall.top(known) {
                homes.insert(&fact.id, project);
                best.push(Candidate { fact, similarity });
            }
        }
        let recalled = facts::top(best, &tags, count, now).into_iter().filter_map(|scored| {
            Some(Recalled {
                shown: shown(homes.get(&scored.fact.id)?, scored.fact, now),
                similarity: scored.similarity,
                shared_tags: scored.shared_tags,
                freshness: scored.weight,
            })
        });
        let recalled = recalled.collect();
        self.figures.recalled(began.elapsed());
        Ok(recalled)
    }

    /// What is known about a question: facts, and what was said in conversations.
    pub async fn recall(
        &self,
        project: &ProjectId,
        query: &str,
        passages: Option<usize>,
        now: Timestamp,
    ) -> Result<(Vec<Recalled>, Vec<Hit>), EngineError> {
        let mut facts = self.top_facts(Some(project), query, &[], None, now).await?;
        facts.retain(|recalled| recalled.similarity >= UNRELATED);
        let request = SearchRequest {
            project: project.clone(),
            query: query.to_owned(),
            limit: MOST_HITS,
            exclude: None,
        };
        let mut said = self.search(&request).await?.hits;
        said.retain(|hit| hit.source.speaker.is_some());
        said.truncate(passages.unwrap_or(PASSAGES));
        Ok((facts, said))
    }

    /// Remembers what a person says. What is known already is confirmed.
    pub async fn remember(
        &self,
        project: &ProjectId,
        new: &NewFact,
        now: Timestamp,
    ) -> Result<FactShown, EngineError> {
        self.expect_project(project).await?;
        let text = checked_text(&new.text)?;
        let tags = checked_tags(&new.tags)?;
        let drafted = facts::extract(Utterance { speaker: &Speaker::user(), content: &text });
        let draft = match <[Draft; 1]>::try_from(drafted) {
            Ok([draft]) => Draft { quote: 0..text.len(), text, doubt: None, ..draft },
            Err(_) => Draft {
                kind: FactKind::Fact,
                quote: 0..text.len(),
                text,
                topic: None,
                replaces: None,
                tags: Vec::new(),
                doubt: None,
            },
        };
        let all = draft.tags.iter().chain(&tags).map(String::as_str);
        let draft = Draft { tags: facts::tags(all), kind: new.kind.unwrap_or(draft.kind), ..draft };
        for _ in 0..ATTEMPTS {
            let known = self.store.facts(project).await?;
            let mut ledger = Ledger::new(known.facts.to_vec());
            let id = ledger.write_down(&draft, now, mint::id());
            let Some(id) = id else {
                return Err(EngineError::Invalid(
                    "this says too little to be found again; write a whole sentence".to_owned(),
                ));
            };
            if new.pinned {
                ledger.pin(&id);
            }
            let lesson = ledger.lesson(facts::Caps::default(), now);
            if self.store.write_facts(project, &known, &lesson.written, &lesson.dropped).await? {
                self.tell(Change::fact(Action::Created, project, &id));
                return self.fact(&id, now).await;
            }
        }
        Err(busy())
    }

    /// Changes a fact.
    pub async fn change_fact(
        &self,
        id: &FactId,
        change: &FactChange,
        now: Timestamp,
    ) -> Result<FactShown, EngineError> {
        for _ in 0..ATTEMPTS {
            let project = self.fact(id, now).await?.project;
            // As it is at the moment that the write is compared with.
            let known = self.store.facts(&project).await?;
            let found = known.facts.iter().find(|known| known.fact.id == *id);
            let mut fact = found.ok_or_else(|| unknown(id))?.fact.clone();
            apply(&mut fact, change)?;
            if self.store.write_facts(&project, &known, &[fact], &[]).await? {
                self.tell(Change::fact(Action::Changed, &project, id));
                return self.fact(id, now).await;
            }
        }
        Err(busy())
    }

    /// Deletes a fact for good, with what receipts quote of it.
    pub async fn forget_fact(&self, id: &FactId, now: Timestamp) -> Result<FactShown, EngineError> {
        let found = self.fact(id, now).await?;
        if !self.store.forget_fact(&found.project, id).await? {
            return Err(unknown(id));
        }
        self.tell(Change::fact(Action::Deleted, &found.project, id));
        Ok(found)
    }
}

/// Whether all words stand in a fact somewhere, whole or in part.
fn says(fact: &Fact, words: &[&str]) -> bool {
    if words.is_empty() {
        return true;
    }
    let all = [&fact.text, &fact.source.quote].into_iter().chain(&fact.tags);
    let text = all.map(|text| text.to_lowercase()).collect::<Vec<_>>().join(" ");
    words.iter().all(|word| text.contains(word))
}

fn apply(fact: &mut Fact, change: &FactChange) -> Result<(), EngineError> {
    if let Some(text) = &change.text {
        let text = checked_text(text)?;
        if text != fact.text {
            // What it was said of need not be the same any more.
            let drafted = facts::extract(Utterance { speaker: &Speaker::user(), content: &text });
            fact.topic = drafted.into_iter().next().and_then(|draft| draft.topic);
            fact.text = text;
        }
    }
    if let Some(kind) = change.kind {
        fact.kind = kind;
    }
    if let Some(tags) = &change.tags {
        fact.tags = checked_tags(tags)?;
    }
    if let Some(pinned) = change.pinned {
        fact.pinned = pinned;
    }
    if let Some(until) = change.valid_until {
        fact.valid_until = until;
        fact.superseded_by = None;
    }
    if change.accepted {
        fact.doubt = None;
    }
    Ok(())
}

fn checked_text(text: &str) -> Result<String, EngineError> {
    let text = text.replace('\0', "\u{fffd}");
    facts::text(&masked(&text)).map_err(|error: BadFact| EngineError::Invalid(error.to_string()))
}

fn checked_tags(tags: &[String]) -> Result<Vec<String>, EngineError> {
    let tags = facts::tags(tags.iter().map(String::as_str));
    let fits =
        |tag: &String| tag.chars().count() <= LONGEST_TAG && !tag.chars().any(char::is_control);
    match tags.len() <= MOST_TAGS && tags.iter().all(fits) {
        true => Ok(tags),
        false => Err(EngineError::Invalid(format!(
            "a fact has up to {MOST_TAGS} tags, each of 1 to {LONGEST_TAG} characters"
        ))),
    }
}

fn shown(project: &ProjectId, fact: &Fact, now: Timestamp) -> FactShown {
    let state = FactState::of(fact, now);
    FactShown { project: project.clone(), fact: fact.clone(), state }
}

fn unknown(id: &FactId) -> EngineError {
    EngineError::not_found("fact", id.as_str(), "it was forgotten; see dossier facts list")
}

fn busy() -> EngineError {
    EngineError::Conflict("memory is written to without pause; try again".to_owned())
}
