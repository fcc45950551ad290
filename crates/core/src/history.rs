//! What of a thread's last turns a dossier carries, and in which form. Between ageing steps the
//! result only grows at its end, so that a vendor's prompt cache keeps its prefix; nothing is
//! dropped without being counted.

use crate::compress::{self, Age};
use crate::item::{Form, Item};
use crate::message::Message;
use crate::profile::Profile;
use crate::tier::Tier;
use crate::tokens::Tokenizer;
use serde::{Deserialize, Serialize};

/// Rounds between two ageing steps.
pub const EPOCH: i64 = 3;

/// Older rounds that are kept at a step, so that a compressed history holds the last five to
/// eight.
const KEPT: usize = 5;

/// What happens to a history that grows too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// No recent turns at all: messages come by search alone.
    None,
    /// Everything, in full; too long means the thread is over.
    Fixed { tokens: u32 },
    /// The oldest rounds go, whole.
    Truncate { tokens: u32 },
    /// Older rounds are shortened in steps, then left to search.
    Compress { tokens: u32 },
    /// So many rounds in full; older ones are left to search.
    Recent { rounds: u32 },
}

/// A policy by its name; its numbers come from the profile, the model and the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyKind {
    None,
    Fixed,
    Truncate,
    Compress,
    Recent,
}

impl PolicyKind {
    /// `Fixed` may fill the budget; what is shortened keeps to the share of history.
    pub fn policy(self, profile: &Profile, tier: Tier, budget: u32) -> Policy {
        let share = profile.floors.history.min(budget);
        match self {
            Self::None => Policy::None,
            Self::Fixed => Policy::Fixed { tokens: budget },
            Self::Truncate => Policy::Truncate { tokens: share },
            Self::Compress => Policy::Compress { tokens: share },
            Self::Recent => Policy::Recent { rounds: tier.recent_rounds() },
        }
    }
}

/// The recent turns a dossier may carry, oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    pub items: Vec<Item>,
    /// Rounds that are no longer carried; search still finds them.
    pub left_out: usize,
}

/// A fixed history that its limit no longer holds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the thread holds {used} tokens and its limit is {limit}; start a new thread, or choose \
     another history policy for this one"
)]
pub struct WindowFull {
    pub used: u32,
    pub limit: u32,
}

/// Chooses and shapes the messages before `round`, which must be in order.
pub fn recent(
    messages: &[Message],
    round: i64,
    policy: Policy,
    tokenizer: Tokenizer,
) -> Result<History, WindowFull> {
    let full = |message: &Message| Item::recent(message, tokenizer.count(&message.content));
    let rounds = || by_round(messages.iter().filter(|message| message.round < round));
    match policy {
        Policy::None => Ok(History::default()),
        Policy::Fixed { tokens } => {
            let items: Vec<Item> = rounds().into_iter().flatten().map(full).collect();
            let used = items.iter().map(|item| item.tokens).sum();
            if used > tokens {
                return Err(WindowFull { used, limit: tokens });
            }
            Ok(History { items, left_out: 0 })
        }
        Policy::Truncate { tokens } => Ok(newest(shape(rounds(), |message| full(message)), tokens)),
        Policy::Recent { rounds: most } => {
            let all = shape(rounds(), |message| full(message));
            let left_out = all.len().saturating_sub(most as usize);
            Ok(History { items: all.into_iter().skip(left_out).flatten().collect(), left_out })
        }
        Policy::Compress { tokens } => Ok(compressed(rounds(), round, tokens, tokenizer)),
    }
}

/// Rounds before the last step are shown by the age they had at that step, and take at most half
/// of the limit; rounds since then are in full. Where these alone are too long, they are aged at
/// once: the prefix changes, and the receipt shows it.
fn compressed(rounds: Vec<Vec<&Message>>, now: i64, limit: u32, tokenizer: Tokenizer) -> History {
    let step = now - now.rem_euclid(EPOCH);
    let (aged, live): (Vec<_>, Vec<_>) =
        rounds.into_iter().partition(|round| round.first().is_some_and(|first| first.round < step));
    let at = |when: i64| move |message: &Message| aged_item(message, when, tokenizer);
    let forgotten = aged.len().saturating_sub(KEPT);
    let aged: Vec<_> = aged.into_iter().skip(forgotten).collect();
    let mut kept = newest(shape(aged, at(step)), limit / 2);
    kept.left_out += forgotten;
    let left = limit.saturating_sub(kept.items.iter().map(|item| item.tokens).sum());
    let mut recent = newest(shape(live.clone(), at(step)), left);
    if recent.left_out > 0 {
        kept =
            History { left_out: kept.left_out + count_rounds(&kept.items), ..History::default() };
        recent = newest(shape(live, at(now)), limit);
    }
    kept.left_out += recent.left_out;
    kept.items.extend(recent.items);
    kept
}

fn aged_item(message: &Message, step: i64, tokenizer: Tokenizer) -> Item {
    let age = Age::of(u32::try_from(step - message.round).unwrap_or(0));
    let shortened = compress::by_age(&message.content, age, message.id.as_str());
    let mut item = Item::recent(message, tokenizer.count(&shortened.text));
    item.text = shortened.text;
    item.form = shortened.form;
    if item.form != Form::Full {
        let age = step - message.round;
        item.reason.push_str(&format!(", shortened: {age} rounds old at the last ageing step"));
    }
    item
}

fn by_round<'a>(messages: impl Iterator<Item = &'a Message>) -> Vec<Vec<&'a Message>> {
    let mut rounds: Vec<Vec<&Message>> = Vec::new();
    for message in messages {
        match rounds.last_mut() {
            Some(round) if round[0].round == message.round => round.push(message),
            _ => rounds.push(vec![message]),
        }
    }
    rounds
}

fn shape(rounds: Vec<Vec<&Message>>, item: impl Fn(&Message) -> Item) -> Vec<Vec<Item>> {
    rounds.into_iter().map(|round| round.into_iter().map(&item).collect()).collect()
}

/// The newest whole rounds that the limit holds.
fn newest(rounds: Vec<Vec<Item>>, limit: u32) -> History {
    let mut room = limit;
    let kept = rounds
        .iter()
        .rev()
        .take_while(|round| {
            let tokens = round.iter().map(|item| item.tokens).sum::<u32>();
            let fits = tokens <= room;
            room = room.saturating_sub(tokens);
            fits
        })
        .count();
    let left_out = rounds.len() - kept;
    History { items: rounds.into_iter().skip(left_out).flatten().collect(), left_out }
}

fn count_rounds(items: &[Item]) -> usize {
    let mut rounds: Vec<_> = items.iter().map(|item| item.group).collect();
    rounds.dedup();
    rounds.len()
}
