//! What of a thread's last turns a dossier carries, and in which form. Between ageing steps the
//! result only grows at its end, so that a vendor's prompt cache keeps its prefix; nothing is
//! dropped without being counted.

use crate::compress::content::{Content, summary};
use crate::compress::{Age, in_short};
use crate::item::{Form, Item, LAST_TURN, Mode};
use crate::message::{Message, Role};
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
    /// The oldest rounds go, whole; one that lacks its question or its answer is not carried.
    Truncate { tokens: u32 },
    /// Older rounds are shortened in steps, then left to search.
    Compress { tokens: u32 },
    /// So many rounds in full; older ones are left to search.
    Recent { rounds: u32 },
}

impl Policy {
    /// The most rounds that are carried, where their number is the limit.
    pub fn most_rounds(self) -> Option<usize> {
        match self {
            Policy::None | Policy::Fixed { .. } | Policy::Truncate { .. } => None,
            Policy::Compress { .. } => Some(KEPT + EPOCH as usize),
            Policy::Recent { rounds } => Some(rounds as usize),
        }
    }

    /// A fixed history must be there as a whole, also after fitting; others may lose items.
    pub fn is_kept(self, fitted: &[Item]) -> Result<(), WindowFull> {
        let Policy::Fixed { tokens: limit } = self else { return Ok(()) };
        let recent = fitted.iter().filter(|item| item.mode == Mode::Recent);
        if recent.clone().all(|item| item.form != Form::Dropped) {
            return Ok(());
        }
        Err(WindowFull { used: recent.map(|item| item.tokens).sum(), limit })
    }
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

impl History {
    /// These rounds out of so many.
    fn of(rounds: Vec<Vec<Item>>, total: usize) -> Self {
        let left_out = total - rounds.len();
        Self { items: rounds.into_iter().flatten().collect(), left_out }
    }
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
    let full = |message: &Message| Item::recent(message, Age::Fresh, tokenizer);
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
        Policy::Truncate { tokens } => {
            let mut rounds = rounds();
            rounds.retain(|round| is_pair(round));
            let kept = newest(shape(&rounds, full), tokens);
            let whole = kept.len() == rounds.len();
            Ok(History::of(in_steps(kept, !whole), rounds.len()))
        }
        Policy::Recent { rounds: most } => {
            let rounds = rounds();
            let first = rounds.len().saturating_sub(most as usize);
            let kept = shape(&rounds[first..], full);
            Ok(History::of(in_steps(kept, first > 0), rounds.len()))
        }
        Policy::Compress { tokens } => Ok(compressed(rounds(), round, tokens, tokenizer)),
    }
}

/// Rounds before the last step are shown by the age they had at that step, and take at most half
/// of the limit, though the newest of them always stays; rounds since then are in full. Where these
/// leave no room the aged ones go, all at once; where these alone are too long they are aged as
/// they stand. Both change the prefix, and the receipt shows it.
fn compressed(rounds: Vec<Vec<&Message>>, now: i64, limit: u32, tokenizer: Tokenizer) -> History {
    let step = now - now.rem_euclid(EPOCH);
    let total = rounds.len();
    let since = rounds.iter().position(|round| round[0].round >= step).unwrap_or(total);
    let (aged, live) = rounds.split_at(since);
    let aged = &aged[aged.len().saturating_sub(KEPT)..];
    let shaper = |when: i64| move |message: &Message| aged_item(message, when, tokenizer);
    let mut items = at_least_one(aged, step, (limit / 2, tokenizer), shaper);
    let full = shape(live, shaper(step));
    match tokens(&full) {
        long if long > limit => items = at_least_one(live, now, (limit, tokenizer), shaper),
        rest if rest + tokens(&items) > limit => items = full,
        _ => items.extend(full),
    }
    History::of(items, total)
}

/// The newest rounds by their age at some time; the last one even if it must be cut for it.
fn at_least_one<S: Fn(&Message) -> Item>(
    rounds: &[Vec<&Message>],
    when: i64,
    (limit, tokenizer): (u32, Tokenizer),
    shaper: impl Fn(i64) -> S,
) -> Vec<Vec<Item>> {
    let kept = newest(shape(rounds, shaper(when)), limit);
    if !kept.is_empty() {
        return kept;
    }
    let last = &rounds[rounds.len().saturating_sub(1)..];
    // As if it were two rounds older: cut in its middle.
    let mut cut = shape(last, shaper(when + 2));
    for item in cut.iter_mut().flatten() {
        if item.form == Form::Full && item.tokens > limit {
            told(item, tokenizer);
        }
        if item.form != Form::Full {
            item.reason = format!("{LAST_TURN}, shortened: longer than the history's share");
        }
    }
    cut
}

/// What a message is and where its errors stand, in place of what must not be cut and yet leaves
/// room for nothing else: a log that was pasted, say. Its id stands for all of it.
fn told(item: &mut Item, tokenizer: Tokenizer) {
    let content = Content::new(&item.text, None);
    let said = summary(&content, content.kind().as_str());
    item.text = in_short(&item.source.id, &said);
    item.tokens = tokenizer.count(&item.text);
    item.form = Form::Line;
}

fn aged_item(message: &Message, step: i64, tokenizer: Tokenizer) -> Item {
    let age = Age::of(u32::try_from(step - message.round).unwrap_or(0));
    let mut item = Item::recent(message, age, tokenizer);
    if item.form != Form::Full {
        let age = step - message.round;
        item.reason = format!("{LAST_TURN}, shortened: {age} rounds old at the last ageing step");
    }
    item
}

/// Whether these last messages of a thread hold all that the policy can want of the rounds before
/// `round`. Of the oldest of them some may be missing.
pub fn is_enough(messages: &[Message], round: i64, policy: Policy) -> bool {
    let rounds = by_round(messages.iter().filter(|message| message.round < round));
    policy.most_rounds().is_some_and(|most| rounds.len() > most)
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

fn is_pair(round: &[&Message]) -> bool {
    let says = |role: Role| round.iter().any(|message| message.speaker.role == role);
    says(Role::User) && says(Role::Agent)
}

fn shape(rounds: &[Vec<&Message>], item: impl Fn(&Message) -> Item) -> Vec<Vec<Item>> {
    rounds.iter().map(|round| round.iter().map(|message| item(message)).collect()).collect()
}

fn tokens(rounds: &[Vec<Item>]) -> u32 {
    rounds.iter().flatten().map(|item| item.tokens).sum()
}

/// The newest whole rounds that the limit holds.
fn newest(mut rounds: Vec<Vec<Item>>, limit: u32) -> Vec<Vec<Item>> {
    let mut room = limit;
    let fits = |round: &&Vec<Item>| {
        let tokens = tokens(std::slice::from_ref(*round));
        let fits = tokens <= room;
        room = room.saturating_sub(tokens);
        fits
    };
    let kept = rounds.iter().rev().take_while(fits).count();
    rounds.split_off(rounds.len() - kept)
}

/// Drops rounds from the front until the first is at a step, so that the front moves in steps and
/// not with every round. The last round stays.
fn in_steps(rounds: Vec<Vec<Item>>, dropped: bool) -> Vec<Vec<Item>> {
    let at_step = |round: &[Item]| {
        round.first().and_then(|item| item.source.round).is_some_and(|round| round % EPOCH == 1)
    };
    let start = rounds.iter().position(|round| at_step(round)).filter(|_| dropped).unwrap_or(0);
    rounds.into_iter().skip(start).collect()
}
