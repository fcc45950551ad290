//! Memory joins a dossier: the facts that bear on the question, and what they make of the messages
//! beside them.

use super::{Candidate, Fact, Memory, Remembered, Scored, Sought, item, top};
use crate::chunk::Location;
use crate::guard::masked;
use crate::item::{Form, Item, Kind, Mode};
use crate::message::Role;
use crate::time::Timestamp;
use crate::tokens::Tokenizer;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Stands where a message said what does not hold any more.
const OUT_OF_DATE: &str = "[out of date]";

/// What memory is asked.
#[derive(Debug, Clone, Copy)]
pub struct Recall<'a> {
    pub sought: &'a Sought,
    pub tags: &'a [String],
    pub count: Option<usize>,
    pub now: Timestamp,
}

impl Recall<'_> {
    /// The facts that bear on it most, best first.
    pub fn top<'a>(&self, known: &'a Memory) -> Vec<Scored<'a>> {
        let similarities = known.similarities(self.sought);
        let candidates = known
            .iter()
            .zip(similarities)
            .map(|(known, similarity)| Candidate { fact: &known.fact, similarity });
        top(candidates, self.tags, self.count, self.now)
    }
}

/// Adds facts behind the items of a dossier. One whose message is sure to be shown whole is left
/// out, since the message says it already.
pub fn join(
    items: &mut Vec<Item>,
    known: &Memory,
    recall: Recall<'_>,
    budget: u32,
    tokenizer: Tokenizer,
) {
    let whole = surely_whole(items, budget);
    for scored in recall.top(known) {
        let mut item = item(&scored, tokenizer);
        let source = scored.fact.source.message.as_ref();
        if let Some(message) = source.filter(|message| whole.contains(message.as_str())) {
            item.leave_out(&format!("{message} says it already"));
        }
        items.push(item);
    }
}

/// The messages that no fitting will take away: the newest round, and the best passages within half
/// of the budget.
fn surely_whole(items: &[Item], budget: u32) -> BTreeSet<String> {
    let is_whole = |item: &&Item| item.kind == Kind::Message && item.form == Form::Full;
    let of = |mode: Mode| items.iter().filter(move |item| item.mode == mode);
    let newest = of(Mode::Recent).filter_map(|item| item.group).max();
    let recent = of(Mode::Recent).filter(|item| item.group == newest);
    let mut room = budget / 2;
    let passages =
        of(Mode::Retrieved).filter(|item| item.form != Form::Dropped).take_while(|item| {
            let fits = item.tokens <= room;
            room = room.saturating_sub(item.tokens);
            fits
        });
    recent.chain(passages).filter(is_whole).map(|item| item.source.id.clone()).collect()
}

/// Takes out of messages what facts among the items have made stale, also where models repeat it:
/// what is out of date must not stand beside what holds. A message that says
/// nothing else is left out, or keeps its place in the conversation by a mark. Nothing where nothing
/// is stale.
pub fn without_stale(
    items: &[Item],
    known: &[Arc<Remembered>],
    tokenizer: Tokenizer,
) -> Option<(Vec<Item>, Relied)> {
    // Before fitting, a fact is dropped only where its message says it.
    let facts = items.iter().filter(|item| item.kind == Kind::Fact);
    let facts: BTreeSet<String> = facts.map(|item| item.source.id.clone()).collect();
    let stale = stale(known, &facts);
    if stale.is_empty() {
        return None;
    }
    let mut items = items.to_vec();
    let mut relied_on = BTreeSet::new();
    for item in items.iter_mut().filter(|item| item.kind == Kind::Message) {
        for (fact, newer) in &stale {
            if is_said_anew(item, fact) {
                continue;
            }
            let text = item.text.replace(&*masked(&fact.source.quote), OUT_OF_DATE);
            if text == item.text {
                continue;
            }
            relied_on.insert(*newer);
            let says_more = text.replace(OUT_OF_DATE, "").contains(char::is_alphanumeric);
            if says_more || item.mode == Mode::Recent {
                item.tokens = tokenizer.count(&text);
                item.text = text;
                item.form = item.form.max(Form::Trimmed);
                item.reason.push_str(&format!("; shortened: out of date, see {newer}"));
            } else {
                item.leave_out(&format!("out of date, see {newer}"));
            }
        }
    }
    let relied_on = known.iter().map(|known| &known.fact).filter_map(|fact| {
        let message = fact.source.message.as_ref().map(ToString::to_string);
        relied_on.contains(fact.id.as_str()).then(|| (fact.id.to_string(), message))
    });
    Some((items, Relied(relied_on.collect())))
}

/// The facts of messages whose place one of these has taken, at once or in several steps, with that
/// one. What holds again is not stale.
fn stale<'a>(known: &'a [Arc<Remembered>], shown: &BTreeSet<String>) -> Vec<(&'a Fact, &'a str)> {
    let closed: HashMap<&str, &str> = known
        .iter()
        .filter_map(|known| Some((known.fact.id.as_str(), known.fact.superseded_by.as_ref()?)))
        .map(|(id, by)| (id, by.as_str()))
        .collect();
    if closed.is_empty() {
        return Vec::new();
    }
    let holding: HashMap<&str, &Remembered> = known
        .iter()
        .map(|known| (known.fact.id.as_str(), known.as_ref()))
        .filter(|(id, _)| shown.contains(*id))
        .collect();
    let told = known.iter().filter(|known| known.fact.source.message.is_some());
    told.filter_map(|known| {
        // What came in an archive may go round in circles.
        let next = |id: &&'a str| closed.get(*id).copied();
        let steps = std::iter::successors(next(&known.fact.id.as_str()), next);
        let newer = steps.take(closed.len()).find_map(|id| holding.get(id))?;
        let again = newer.words.say_all_of(&known.words);
        (!again).then_some((&known.fact, newer.fact.id.as_str()))
    })
    .collect()
}

/// Whether a person says after a fact was closed what it says. A model only repeats it.
fn is_said_anew(item: &Item, fact: &Fact) -> bool {
    match (&item.location, fact.valid_until) {
        (Some(Location::Message { speaker, created_at, .. }), Some(until)) => {
            speaker.role == Role::User && *created_at >= until
        }
        _ => false,
    }
}

/// Facts that have taken the place of what messages said, each with its own message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relied(Vec<(String, Option<String>)>);

impl Relied {
    /// Whether each of them stands in the fitted dossier, as a fact or in the words of its message.
    /// Otherwise the messages must stay as they were.
    pub fn stands(&self, fitted: &[Item]) -> bool {
        let shown: BTreeSet<&str> = fitted
            .iter()
            .filter(|item| item.form == Form::Full)
            .map(|item| item.source.id.as_str())
            .collect();
        self.0.iter().all(|(fact, message)| {
            let said = message.as_ref().is_some_and(|message| shown.contains(message.as_str()));
            said || shown.contains(fact.as_str())
        })
    }
}
