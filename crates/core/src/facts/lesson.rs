//! Learning: what memory becomes when something was said. Nothing is taken twice, so learning the
//! same message again changes nothing but the time at which it was confirmed.

use super::gate::{Pins, holding, placed};
use super::words::Words;
use super::{
    Admission, Caps, Draft, Fact, FactKind, Quotation, Refusal, Remembered, admit, overflow,
};
use crate::guard::masked;
use crate::id::FactId;
use crate::message::Message;
use crate::time::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is to be written down of a message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lesson {
    /// New facts, and older ones as they are now.
    pub written: Vec<Fact>,
    /// Facts that there is no room for any more.
    pub dropped: Vec<FactId>,
}

impl Lesson {
    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.dropped.is_empty()
    }
}

/// What a person has done with a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amendment {
    /// Found it right, whatever else is known.
    Accepted,
    /// Written it anew.
    Edited,
}

/// What a project knows, while it learns.
#[derive(Debug, Clone)]
pub struct Ledger {
    known: Vec<Arc<Remembered>>,
    changed: BTreeSet<FactId>,
}

impl Ledger {
    pub fn new(known: Vec<Arc<Remembered>>) -> Self {
        Self { known, changed: BTreeSet::new() }
    }

    /// Takes what a message states. `recalled` are texts that its writer was shown.
    pub fn hear(
        &mut self,
        message: &Message,
        drafts: &[Draft],
        recalled: &[&str],
        mut id: impl FnMut() -> FactId,
    ) {
        for draft in drafts {
            let source = Quotation {
                thread: Some(message.thread.clone()),
                message: Some(message.id.clone()),
                quote: message.content[draft.quote.clone()].to_owned(),
            };
            self.take(draft, recalled, source, message.created_at, id());
        }
    }

    /// Takes what a person wrote down as a fact. Tells under which id it is known, unless it says
    /// too little.
    pub fn write_down(&mut self, draft: &Draft, now: Timestamp, id: FactId) -> Option<FactId> {
        let source = Quotation { thread: None, message: None, quote: draft.text.clone() };
        self.take(draft, &[], source, now, id)
    }

    pub fn pin(&mut self, id: &FactId) {
        self.change(id, |fact| fact.pinned = true);
    }

    /// Takes a fact as a person has set it right, as if it had been said at a time: what says the
    /// same or is contradicted by it gives way, what is pinned only to a fact that was accepted.
    pub fn amend(
        &mut self,
        mut fact: Fact,
        replaces: Option<String>,
        amendment: Amendment,
        said_at: Timestamp,
    ) -> Result<(), Refusal> {
        let words = Words::of(&fact.text);
        if words.say_too_little() {
            return Err(Refusal::Empty);
        }
        let id = fact.id.clone();
        let draft = Draft {
            kind: fact.kind,
            text: fact.text.clone(),
            quote: 0..0,
            topic: fact.topic.clone(),
            replaces,
            tags: Vec::new(),
            doubt: None,
        };
        let pins = match amendment {
            Amendment::Accepted => Pins::Yield,
            Amendment::Edited => Pins::Hold,
        };
        let holding: Vec<&Remembered> =
            holding(&self.known, said_at).into_iter().filter(|known| known.fact.id != id).collect();
        let is_same =
            |known: &&Remembered| known.fact.kind == draft.kind && words.say_all_of(&known.words);
        let (same, others): (Vec<&Remembered>, Vec<&Remembered>) =
            holding.into_iter().partition(is_same);
        let same: Vec<(FactId, bool)> =
            same.iter().map(|known| (known.fact.id.clone(), known.fact.pinned)).collect();
        let closes = match placed(&draft, &others, said_at, pins) {
            Admission::New { closes } => closes,
            Admission::Past { by, until } => {
                fact.valid_until = Some(until);
                fact.superseded_by = Some(by);
                Vec::new()
            }
            Admission::Doubtful(doubt) => {
                fact.doubt = Some(doubt);
                Vec::new()
            }
            Admission::Known(_) | Admission::Refused(_) => Vec::new(),
        };
        // What waits for a person takes nobody's place.
        if fact.doubt.is_none() {
            fact.pinned |= same.iter().any(|(_, pinned)| *pinned);
            for closed in closes.into_iter().chain(same.into_iter().map(|(id, _)| id)) {
                self.change(&closed, |closed| {
                    closed.doubt = None;
                    closed.valid_until = Some(said_at);
                    closed.superseded_by = Some(id.clone());
                });
            }
        }
        self.change(&id, |known| *known = fact);
        Ok(())
    }

    fn take(
        &mut self,
        draft: &Draft,
        recalled: &[&str],
        source: Quotation,
        said_at: Timestamp,
        id: FactId,
    ) -> Option<FactId> {
        let mut fact = Fact {
            id,
            kind: draft.kind,
            text: masked(&draft.text).into_owned(),
            source,
            topic: draft.topic.clone(),
            tags: draft.tags.clone(),
            created_at: said_at,
            confirmed_at: said_at,
            valid_from: said_at,
            valid_until: None,
            superseded_by: None,
            pinned: false,
            doubt: None,
        };
        match admit(draft, &self.known, recalled, said_at) {
            Admission::Refused(_) => return None,
            Admission::Known(known) => {
                self.change(&known, |known| {
                    known.confirmed_at = known.confirmed_at.max(said_at);
                });
                return Some(known);
            }
            Admission::New { closes } => {
                for closed in closes {
                    self.change(&closed, |closed| {
                        closed.valid_until = Some(said_at);
                        closed.superseded_by = Some(fact.id.clone());
                    });
                }
            }
            Admission::Past { by, until } => {
                fact.valid_until = Some(until);
                fact.superseded_by = Some(by);
            }
            Admission::Doubtful(doubt) => fact.doubt = Some(doubt),
        }
        let id = fact.id.clone();
        self.changed.insert(id.clone());
        self.known.push(Arc::new(Remembered::new(fact, None)));
        Some(id)
    }

    fn change(&mut self, id: &FactId, change: impl FnOnce(&mut Fact)) {
        let Some(at) = self.known.iter().position(|known| known.fact.id == *id) else { return };
        let mut fact = self.known[at].fact.clone();
        change(&mut fact);
        if fact != self.known[at].fact {
            let embedding = self.known[at].embedding.clone();
            self.known[at] = Arc::new(Remembered::new(fact, embedding));
            self.changed.insert(id.clone());
        }
    }

    /// What was learned.
    pub fn lesson(self, caps: Caps, now: Timestamp) -> Lesson {
        if self.changed.is_empty() {
            return Lesson::default();
        }
        let facts = || self.known.iter().map(|known| &known.fact);
        let dropped: Vec<FactId> =
            FactKind::ALL.iter().flat_map(|kind| overflow(facts(), *kind, caps, now)).collect();
        let written = |fact: &&Fact| self.changed.contains(&fact.id) && !dropped.contains(&fact.id);
        Lesson { written: facts().filter(written).cloned().collect(), dropped }
    }
}
