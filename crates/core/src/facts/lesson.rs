//! Learning: what memory becomes when something was said. Nothing is taken twice, so learning the
//! same message again changes nothing but the time at which it was confirmed.

use super::{Admission, Caps, Draft, Fact, FactKind, Quotation, Remembered, admit, overflow};
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
