//! The order in which groups of items are admitted. It comes from the profile alone: first what
//! each section is sure of, class by class, then the rest by rank.

use crate::chunk::Location;
use crate::item::{Form, Item, Kind, Mode, Section};
use crate::profile::{Class, Floors, Profile};
use crate::render;
use jiff::civil::Date;
use std::collections::HashSet;

/// Facts below this similarity are shed before others.
const WEAK_FACT: f32 = 0.35;
/// A file excerpt is sure of its section's room only if it scores at least this share of the best;
/// otherwise it waits for its place in the ranking.
const COMPETING: f32 = 0.5;
/// As many facts are kept as long as anything else can go.
const BEST_FACTS: usize = 10;

/// Items that stay or go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub members: Vec<usize>,
    /// A guess at what the group adds to the whole.
    pub tokens: u32,
}

impl Group {
    /// What the group adds at the least: its texts, less what may merge at their borders.
    pub(super) fn least(&self, items: &[Item]) -> u32 {
        self.members.iter().map(|index| items[*index].tokens.saturating_sub(2)).sum()
    }
}

/// Every group of items that is not pinned, first admitted first.
pub(super) fn order(items: &[Item], profile: &Profile) -> Vec<Group> {
    let is_oversize = |group: &Group| {
        items[group.members[0]].mode == Mode::Retrieved
            && group.tokens > profile.longest_excerpt * 2
    };
    // What is very long and must not be cut, such as an error with its trace, comes last: in its
    // own place it would keep out everything below.
    let (oversize, mut waiting): (Vec<Group>, Vec<Group>) =
        groups(items).into_iter().partition(is_oversize);
    let mut admitted = Vec::new();
    let mut room = Room(profile.floors);
    let best = best_passage(items);
    for class in profile.admission {
        let (taken, rest) = take(waiting, items, *class, best, &mut room);
        admitted.extend(taken);
        waiting = rest;
    }
    admitted.extend(oversize);
    admitted
}

/// The best score of what was ranked; facts have scores of another kind.
pub(super) fn best_passage(items: &[Item]) -> f32 {
    let passages = items.iter().filter(|item| item.kind != Kind::Fact);
    passages.map(|item| item.score).fold(0.0, f32::max)
}

/// How many groups will fit into so many tokens, judging by their parts.
pub(super) fn guess(items: &[Item], groups: &[Group], room: u32) -> usize {
    let mut headings = HashSet::new();
    let mut sum = 0_u32;
    let fits = |group: &&Group| {
        let headings =
            group.members.iter().filter(|index| headings.insert(heading(&items[**index])));
        sum = sum.saturating_add(group.tokens + headings.count() as u32 * render::HEADING);
        sum <= room
    };
    groups.iter().take_while(fits).count()
}

/// What a retrieved message stands under.
fn heading(item: &Item) -> Option<(&str, Option<&str>, Date)> {
    match &item.location {
        Some(Location::Message { thread, section, created_at, .. })
            if item.mode == Mode::Retrieved =>
        {
            Some((thread.as_str(), section.as_deref(), created_at.date()))
        }
        _ => None,
    }
}

/// Groups in the order of the ranking: retrieved ones as they come, recent ones newest first.
fn groups(items: &[Item]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let waiting = |item: &Item| item.mode != Mode::Always && item.form != Form::Dropped;
    for (index, item) in items.iter().enumerate().filter(|(_, item)| waiting(item)) {
        let tokens = item.tokens + render::wrapping(item);
        let same = |group: &&mut Group| {
            let first = &items[group.members[0]];
            item.group.is_some() && first.group == item.group && first.mode == item.mode
        };
        match groups.last_mut().filter(same) {
            Some(group) => {
                group.members.push(index);
                group.tokens += tokens;
            }
            None => groups.push(Group { members: vec![index], tokens }),
        }
    }
    let recent = groups
        .iter()
        .position(|group| items[group.members[0]].mode == Mode::Retrieved)
        .unwrap_or(groups.len());
    groups[..recent].reverse();
    groups
}

/// Takes the groups of a class as long as their section is sure of room. The newest round and what
/// is ranked need no such assurance.
fn take(
    waiting: Vec<Group>,
    items: &[Item],
    class: Class,
    best: f32,
    room: &mut Room,
) -> (Vec<Group>, Vec<Group>) {
    let mut facts = 0;
    let mut full = false;
    waiting.into_iter().partition(|group| {
        let item = &items[group.members[0]];
        facts += usize::from(item.kind == Kind::Fact);
        let competes = item.kind != Kind::File || item.score >= best * COMPETING;
        if full || !belongs(item, class, facts) || (class != Class::Ranked && !competes) {
            return false;
        }
        let sure = room.take(item.section(), group.tokens);
        match class {
            Class::Ranked => true,
            Class::NewestRound => {
                full = true;
                true
            }
            _ => {
                full = !sure;
                sure
            }
        }
    })
}

fn belongs(item: &Item, class: Class, facts_so_far: usize) -> bool {
    let weak = item.kind == Kind::Fact && item.score < WEAK_FACT;
    match class {
        Class::BestFacts => item.kind == Kind::Fact && !weak && facts_so_far <= BEST_FACTS,
        Class::FactsBeyondTen => item.kind == Kind::Fact && !weak,
        Class::WeakFacts => weak,
        Class::FreshSummaries => item.section() == Section::Summaries && !item.stale,
        Class::StaleSummaries => item.section() == Section::Summaries && item.stale,
        Class::NewestRound | Class::History => item.mode == Mode::Recent,
        Class::Ranked => true,
    }
}

/// What is left of each section's floor.
struct Room(Floors);

impl Room {
    fn take(&mut self, section: Section, tokens: u32) -> bool {
        let left = match section {
            Section::History => &mut self.0.history,
            Section::Facts => &mut self.0.facts,
            _ => &mut self.0.summaries,
        };
        let fits = tokens <= *left;
        *left = left.saturating_sub(tokens);
        fits
    }
}
