//! How well what was chosen for a question served the reply: how much of it the reply uses, and what
//! its model had to fetch for itself.
//!
//! Invariant: it is counted after the reply and from words alone, asks no model, and changes nothing
//! that is chosen later. What is pinned and the last turns are in every dossier: they were not chosen
//! for the question, and are not counted.

mod cited;

use crate::analyse::each_term;
use crate::item::{Form, Kind, Mode, Source};
use crate::receipt::ReceiptItem;
use crate::refs::{RefName, names};
use crate::render::Block;
use cited::Cited;
use std::collections::{BTreeMap, HashSet};

/// So many of its own words make an item used; of one that has fewer than twice as many, half of them.
const WORDS: usize = 3;

/// The lines of a whole file.
const ALL: (u32, u32) = (1, u32::MAX - 1);

/// The words by which a dossier introduces an item.
const INTRODUCING: &str = "file path place lines";

/// How a selection served one reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Served {
    /// Items that were chosen for the question and shown, in whatever form.
    pub shown: u32,
    /// Those of them that the reply cites, or whose own words it repeats.
    pub used: u32,
    /// Items that were considered and not shown.
    pub left_out: u32,
    /// Whether the model could fetch what it was not shown.
    pub could_fetch: bool,
    /// What it fetched that was not shown, each once.
    pub missed: u32,
    /// What it fetched that was shown in short, each once.
    pub followed: u32,
}

/// What a model's tool has given it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// Lines of a file, the last one included.
    File { path: String, lines: (u32, u32) },
    /// What a search has found.
    Found(Vec<Source>),
    /// What stands behind a ref, or the rest of a message, by its name.
    Rest(String),
}

/// What a dossier chose, and what it showed beside that.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    items: Vec<ReceiptItem>,
    /// The words that only this item brought, of those that were chosen and are shown.
    own: BTreeMap<usize, Vec<Word>>,
    /// The refs that its texts name.
    named: Vec<RefName>,
}

/// What a fetch is beside what was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Met {
    /// It was shown whole, or comes from what was fetched before.
    Again,
    Followed,
    Missed,
}

impl Selection {
    /// What the items of a receipt and the blocks that show them say was chosen.
    pub fn of(items: Vec<ReceiptItem>, blocks: &[Block]) -> Self {
        // Each word with the item it stands in; none for what was not chosen: the question, the
        // rules, the last turns, and what introduces an item.
        let mut held: Vec<(Word, Option<usize>)> = Vec::new();
        for block in blocks {
            let item = block.item.filter(|index| items.get(*index).is_some_and(is_chosen));
            each_term(&block.text, |term| held.push((Word::of(term), item)));
        }
        each_term(INTRODUCING, |term| held.push((Word::of(term), None)));
        held.sort_unstable();
        held.dedup();
        let mut own: BTreeMap<usize, Vec<Word>> = BTreeMap::new();
        for holders in held.chunk_by(|(one, _), (other, _)| one == other) {
            if let [(word, Some(index))] = holders {
                own.entry(*index).or_default().push(*word);
            }
        }
        for (index, words) in &mut own {
            let source = items.get(*index).map(|item| item.source.to_string()).unwrap_or_default();
            each_term(&source, |term| words.retain(|word| *word != Word::of(term)));
        }
        let named = blocks.iter().flat_map(|block| names(&block.text)).collect();
        Self { items, own, named }
    }

    /// How it served a reply whose model has fetched these, or could fetch nothing.
    pub fn served(&self, reply: &str, fetched: Option<&[Fetched]>) -> Served {
        let mut said = HashSet::new();
        each_term(reply, |term| {
            said.insert(Word::of(term));
        });
        let cited = Cited::of(reply);
        let chosen = || self.items.iter().enumerate().filter(|(_, item)| is_candidate(item));
        let shown = chosen().filter(|(_, item)| item.form != Form::Dropped);
        let is_used = |(index, item): &(usize, &ReceiptItem)| {
            self.is_cited(item, &cited) || self.is_repeated(*index, &said)
        };
        let mut distinct: Vec<&Fetched> = Vec::new();
        for fetched in fetched.unwrap_or_default() {
            if !distinct.contains(&fetched) {
                distinct.push(fetched);
            }
        }
        let met = |wanted| count(distinct.iter().filter(|fetched| self.met(fetched) == wanted));
        Served {
            shown: count(shown.clone()),
            used: count(shown.filter(is_used)),
            left_out: count(chosen().filter(|(_, item)| item.form == Form::Dropped)),
            could_fetch: fetched.is_some(),
            missed: met(Met::Missed),
            followed: met(Met::Followed),
        }
    }

    /// Whether a reply names it. Of several passages of one file, the one whose lines it names.
    fn is_cited(&self, item: &ReceiptItem, cited: &Cited<'_>) -> bool {
        let Source { kind, id, path, lines, .. } = &item.source;
        let Some(path) = path else {
            return match kind == "ref" {
                true => cited.refs().iter().any(|name| is_same(name, id)),
                false => cited.names(id),
            };
        };
        let of_file = |other: &&ReceiptItem| {
            is_chosen(other) && other.source.path.as_deref() == Some(path.as_str())
        };
        let is_only = self.items.iter().filter(of_file).count() == 1;
        cited.places(path).iter().any(|place| match (place, lines) {
            (Some(cited), Some(lines)) => overlap(*cited, *lines),
            _ => is_only,
        })
    }

    fn is_repeated(&self, index: usize, said: &HashSet<Word>) -> bool {
        let Some(own) = self.own.get(&index) else { return false };
        let needed = WORDS.min(own.len().div_ceil(2)).max(1);
        own.iter().filter(|word| said.contains(word)).count() >= needed
    }

    fn met(&self, fetched: &Fetched) -> Met {
        match fetched {
            Fetched::File { path, lines } => self.met_file(path, *lines),
            Fetched::Found(sources) => {
                let each = sources.iter().map(|source| match &source.path {
                    Some(path) => self.met_file(path, source.lines.unwrap_or(ALL)),
                    None => self.met_item(|item| item.source.id == source.id, Met::Missed),
                });
                each.max().unwrap_or(Met::Again)
            }
            Fetched::Rest(name) => match name.parse::<RefName>() {
                // What is named nowhere came with the result of a tool, which is counted.
                Ok(asked) if self.named.iter().any(|shown| are_same(shown, &asked)) => {
                    Met::Followed
                }
                Ok(asked) => self.met_item(|item| is_same(&asked, &item.source.id), Met::Again),
                Err(_) => self.met_item(|item| item.source.id == name.trim(), Met::Again),
            },
        }
    }

    /// Among the items that are meant: whole is enough, and in short is more than nothing.
    fn met_item(&self, is_meant: impl Fn(&ReceiptItem) -> bool, none: Met) -> Met {
        let each = self.items.iter().filter(|item| is_meant(item)).map(|item| match item.form {
            Form::Full if item.kind != Kind::Summary => Met::Again,
            Form::Dropped => Met::Missed,
            _ => Met::Followed,
        });
        each.min().unwrap_or(none)
    }

    fn met_file(&self, path: &str, wanted: (u32, u32)) -> Met {
        let of_file = self
            .items
            .iter()
            .filter(|item| item.source.path.as_deref() == Some(path) && item.form != Form::Dropped);
        let (whole, short): (Vec<_>, Vec<_>) = of_file
            .map(|item| (item.form, item.source.lines.unwrap_or(ALL)))
            .partition(|(form, _)| *form == Form::Full);
        let mut whole: Vec<(u32, u32)> = whole.into_iter().map(|(_, lines)| lines).collect();
        whole.sort_unstable();
        if covers(&whole, wanted) {
            Met::Again
        } else if short.iter().any(|(_, lines)| overlap(wanted, *lines)) {
            Met::Followed
        } else {
            Met::Missed
        }
    }
}

/// A term by its hash: a reply is compared with thousands, none of which is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Word(u64);

impl Word {
    fn of(term: &str) -> Self {
        let hash = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(term.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
    }
}

/// Considered for the question.
fn is_candidate(item: &ReceiptItem) -> bool {
    item.include_mode == Mode::Retrieved
}

/// Considered, and shown.
fn is_chosen(item: &ReceiptItem) -> bool {
    is_candidate(item) && item.form != Form::Dropped
}

fn is_same(name: &RefName, whole: &str) -> bool {
    whole.parse().is_ok_and(|whole| are_same(name, &whole))
}

/// Either may show a beginning of the hash.
fn are_same(one: &RefName, other: &RefName) -> bool {
    let (one_digits, other_digits) = (one.digits(), other.digits());
    one.kind == other.kind
        && (one_digits.starts_with(other_digits) || other_digits.starts_with(one_digits))
}

fn overlap(one: (u32, u32), other: (u32, u32)) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}

/// Whether parts, in order, hold all lines of another.
fn covers(parts: &[(u32, u32)], (first, last): (u32, u32)) -> bool {
    let next = parts.iter().fold(first, |next, (from, to)| match *from <= next {
        true => next.max(to.saturating_add(1)),
        false => next,
    });
    next > last
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
