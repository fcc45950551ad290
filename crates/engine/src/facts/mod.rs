//! Memory: what is remembered of a project, by itself or because somebody said so; looked up,
//! mended and forgotten.

mod learn;
mod vectors;

pub(crate) use learn::said;

use crate::changes::{Action, Change};
use crate::error::EngineError;
use crate::mint;
use crate::search::{Hit, SearchRequest};
use crate::workspace::Workspace;
use dossier_core::facts::{
    self, Amendment, BadFact, Candidate, Draft, Fact, FactKind, Ledger, Memory, Recall, Scored,
    Sought, Utterance,
};
use dossier_core::guard::masked;
use dossier_core::id::{FactId, ProjectId, SessionId};
use dossier_core::message::Speaker;
use dossier_core::time::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;
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

/// What is sought in memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct FactQuery<'a> {
    /// All of the owner's when it is missing.
    pub project: Option<&'a ProjectId>,
    /// Only what was said in this session's thread.
    pub session: Option<&'a SessionId>,
    pub query: &'a str,
    /// Of two facts that are equally like the query, the one with more of these comes first.
    pub tags: &'a [String],
    /// 8 to 20.
    pub count: Option<usize>,
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

    /// The facts that bear on a question, best first.
    pub async fn top_facts(
        &self,
        sought: &FactQuery<'_>,
        now: Timestamp,
    ) -> Result<Vec<Recalled>, EngineError> {
        let FactQuery { project, session, query, tags, count } = *sought;
        crate::assemble::check_length(query)?;
        let query = masked(query).into_owned();
        let began = Instant::now();
        let thread = match session {
            Some(session) => match self.session_place(session).await?.1 {
                Some(thread) => Some(thread),
                None => return Ok(Vec::new()),
            },
            None => None,
        };
        let mut at_hand = Vec::new();
        for project in self.projects_of_facts(project).await? {
            let known = self.store.facts(&project).await?.facts;
            let known = match &thread {
                Some(thread) => {
                    let said =
                        known.iter().filter(|it| it.fact.source.thread.as_ref() == Some(thread));
                    Arc::new(Memory::new(said.cloned().collect()))
                }
                None => known,
            };
            at_hand.push((project, known));
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
        let sought = FactQuery { project: Some(project), query, ..FactQuery::default() };
        let mut facts = self.top_facts(&sought, now).await?;
        facts.retain(|recalled| recalled.similarity >= UNRELATED);
        let request = SearchRequest {
            project: project.clone(),
            query: query.to_owned(),
            // Files may come before everything that was said.
            limit: usize::MAX,
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
            let id = id.ok_or_else(too_little)?;
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
            let fact = found.ok_or_else(|| unknown(id))?.fact.clone();
            let changed = apply(fact, change, now)?;
            let written = match changed.amendment {
                // What does not hold takes nobody's place.
                Some((amendment, said_at)) if changed.fact.holds(now) => {
                    let mut ledger = Ledger::new(known.facts.to_vec());
                    ledger
                        .amend(changed.fact, changed.replaces, amendment, said_at)
                        .map_err(|_| too_little())?;
                    ledger.lesson(facts::Caps::default(), now).written
                }
                _ => vec![changed.fact],
            };
            if self.store.write_facts(&project, &known, &written, &[]).await? {
                self.tell(Change::fact(Action::Changed, &project, id));
                return self.fact(id, now).await;
            }
        }
        Err(busy())
    }

    /// Deletes a fact for good, with what receipts and kept replies quote of it.
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

/// A fact as a person wants it.
struct Changed {
    fact: Fact,
    /// What it says that it takes the place of.
    replaces: Option<String>,
    /// What was done that bears on other facts, and since when it holds.
    amendment: Option<(Amendment, Timestamp)>,
}

fn apply(mut fact: Fact, change: &FactChange, now: Timestamp) -> Result<Changed, EngineError> {
    let mut replaces = None;
    let mut amendment = None;
    if let Some(text) = &change.text {
        let text = checked_text(text)?;
        if text != fact.text {
            // What it was said of need not be the same any more.
            let drafted = facts::extract(Utterance { speaker: &Speaker::user(), content: &text });
            let draft = drafted.into_iter().next();
            replaces = draft.as_ref().and_then(|draft| draft.replaces.clone());
            fact.topic = draft.and_then(|draft| draft.topic);
            fact.text = text;
            amendment = Some((Amendment::Edited, now));
        }
    }
    if let Some(kind) = change.kind.filter(|kind| *kind != fact.kind) {
        fact.kind = kind;
        amendment = Some((Amendment::Edited, now));
    }
    if let Some(tags) = &change.tags {
        fact.tags = checked_tags(tags)?;
    }
    if let Some(pinned) = change.pinned {
        fact.pinned = pinned;
    }
    if let Some(until) = change.valid_until {
        fact.valid_until = until;
        if fact.superseded_by.take().is_some() {
            // Whoever lets it hold again decides against what had taken its place.
            amendment = Some((Amendment::Accepted, now));
        }
    }
    if change.accepted && fact.doubt.take().is_some() {
        // As it stands it was said then; written anew, it is said now.
        let said_at = amendment.map_or(fact.valid_from, |(_, now)| now);
        amendment = Some((Amendment::Accepted, said_at));
    }
    Ok(Changed { fact, replaces, amendment })
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

fn too_little() -> EngineError {
    EngineError::Invalid(
        "this says too little to be found again; write a whole sentence".to_owned(),
    )
}

fn busy() -> EngineError {
    EngineError::Conflict("memory is written to without pause; try again".to_owned())
}
