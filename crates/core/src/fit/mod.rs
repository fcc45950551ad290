//! Fitting: which items stay, and in which form, so that the rendered whole keeps the budget.
//!
//! Items are admitted in an order that does not depend on the budget, and what fits is a prefix
//! of that order. So a larger budget never loses an item that a smaller one held whole, and the
//! whole is counted as it is rendered, since the sum of the parts is no upper bound.

mod admission;
mod trim;

use crate::item::{Form, Item, Kind, Mode, Section};
use crate::profile::{Excerpts, Profile};
use crate::render::{self, Asking, Block, WireMessage};
use crate::tier::Tier;
use crate::tokens::{Tally, Tokenizer};
use admission::Group;
use std::collections::BTreeMap;

/// What the reason of an item says that found no room. No word of a question can look like it.
pub const OVER_BUDGET: &str = "over the budget of";

/// The frame a dossier must fit.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    pub profile: &'a Profile,
    pub budget: u32,
    pub tier: Tier,
    pub tokenizer: Tokenizer,
    pub asking: Asking<'a>,
}

/// Items in their final forms, with what is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    pub items: Vec<Item>,
    pub blocks: Vec<Block>,
    pub messages: Vec<WireMessage>,
    /// Tokens of the rendered whole.
    pub used: u32,
    pub sections: BTreeMap<Section, u32>,
    pub fitting: Fitting,
    pub warnings: Vec<String>,
}

/// How far the budget went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fitting {
    /// All of the last turns and of the facts that were to be shown; of what was found there is
    /// always more.
    Whole,
    /// Some of them had to go.
    Trimmed,
    /// The question and little else.
    Minimal,
}

impl Fitting {
    pub const ALL: [Self; 3] = [Self::Whole, Self::Trimmed, Self::Minimal];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Trimmed => "trimmed",
            Self::Minimal => "minimal",
        }
    }
}

/// Pinned items and the question alone are too large.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{needed} tokens are needed for the question and what is always sent{}, and the budget is \
     {budget}; raise the budget, shorten the question, or unpin files with dossier index --no-always",
    listed(pinned)
)]
pub struct TooLarge {
    pub budget: u32,
    pub needed: u32,
    /// Each pinned item with its tokens, the largest first.
    pub pinned: Vec<String>,
}

/// Fits items, which stand in this order: pinned ones, recent ones by time, retrieved ones by rank.
pub fn fit(mut items: Vec<Item>, frame: Frame<'_>) -> Result<Fitted, TooLarge> {
    let best = admission::best_passage(&items);
    for item in &mut items {
        let is_passage =
            item.mode == Mode::Retrieved && matches!(item.kind, Kind::File | Kind::Message);
        if is_passage && item.score < best * frame.profile.least_share {
            item.leave_out("it is hardly related");
        }
        shape(item, frame);
    }
    let pinned: Vec<bool> = items.iter().map(|item| item.mode == Mode::Always).collect();
    let scale = &mut Scale { frame, tally: Tally::new(frame.tokenizer) };
    let base = scale.weigh(&items, pinned);
    if base.used > frame.budget {
        return Err(too_large(&items, base.used, frame.budget));
    }
    let groups = admission::order(&items, frame.profile);
    let (kept, mut whole) = longest_prefix(&items, base, &groups, scale);
    let mut warnings = Vec::new();
    let left_out = groups[kept..].iter().flat_map(|group| &group.members);
    let mut fitting = match left_out.map(|index| &items[*index]).any(is_wanted) {
        true => Fitting::Trimmed,
        false => Fitting::Whole,
    };
    if let (0, Some(first)) = (kept, groups.first()) {
        fitting = Fitting::Minimal;
        warnings.push(format!(
            "context was trimmed: {} tokens hold the question and little else",
            frame.budget
        ));
        let index = minimal(&items, first);
        let forms = std::iter::once(items[index].clone());
        let shorter = trim::shorter_forms(items[index].clone(), frame.budget, frame.tokenizer);
        whole = place(&mut items, whole, index, forms.chain(shorter), scale);
    } else if let Some([index]) = groups.get(kept).map(|group| group.members.as_slice()) {
        let room = frame.budget - whole.used;
        let shorter = trim::shorter_forms(items[*index].clone(), room, frame.tokenizer);
        whole = place(&mut items, whole, *index, shorter, scale);
    }
    Ok(Fitted { warnings, ..finish(items, whole, frame, fitting) })
}

/// Whether an item is missed when it is not shown.
fn is_wanted(item: &Item) -> bool {
    item.mode == Mode::Recent || item.kind == Kind::Fact
}

/// A choice of items, rendered and counted.
struct Whole {
    shown: Vec<bool>,
    blocks: Vec<Block>,
    messages: Vec<WireMessage>,
    used: u32,
}

/// Renders and counts one choice after the other. They have most lines in common, which are counted
/// once.
struct Scale<'a> {
    frame: Frame<'a>,
    tally: Tally,
}

impl Scale<'_> {
    fn weigh(&mut self, items: &[Item], shown: Vec<bool>) -> Whole {
        let blocks = render::blocks(items, &shown, self.frame.asking);
        let messages = render::messages(&blocks);
        let used = render::tally(&messages, &mut self.tally);
        Whole { shown, blocks, messages, used }
    }

    /// The same with these groups besides.
    fn weigh_with(&mut self, whole: &Whole, items: &[Item], groups: &[Group]) -> Whole {
        let mut shown = whole.shown.clone();
        for index in groups.iter().flat_map(|group| &group.members) {
            shown[*index] = true;
        }
        self.weigh(items, shown)
    }
}

/// The form an item has whatever the budget: pointers for models that read for themselves, an
/// excerpt of what is very long.
fn shape(item: &mut Item, frame: Frame<'_>) {
    if item.mode != Mode::Retrieved || item.form == Form::Dropped {
        return;
    }
    if frame.profile.excerpts == Excerpts::ByTier && frame.tier.reads_for_itself() {
        trim::to_pointer(item, frame.tokenizer);
    }
    let longest = frame.profile.longest_excerpt;
    match item.kind {
        // Cut in its middle a message loses most of itself, so only a very long one is.
        Kind::Message if item.tokens > 2 * longest => trim::to_middle(item, frame.tokenizer),
        Kind::File if item.tokens > longest => trim::to_tokens(item, longest, frame.tokenizer),
        _ => {}
    }
}

/// How many groups fit, and the whole with them. A guess from the parts comes first; the rendered
/// whole decides.
fn longest_prefix(
    items: &[Item],
    base: Whole,
    groups: &[Group],
    scale: &mut Scale<'_>,
) -> (usize, Whole) {
    let budget = scale.frame.budget;
    let mut kept = admission::guess(items, groups, budget - base.used);
    let mut whole = scale.weigh_with(&base, items, &groups[..kept]);
    while whole.used > budget {
        let excess = whole.used - budget;
        let mut freed = 0;
        while kept > 0 && freed < excess {
            kept -= 1;
            freed += groups[kept].tokens;
        }
        whole = scale.weigh_with(&base, items, &groups[..kept]);
    }
    while let Some(group) = groups.get(kept) {
        if whole.used + group.least(items) > budget {
            break;
        }
        let more = scale.weigh_with(&whole, items, std::slice::from_ref(group));
        if more.used > budget {
            break;
        }
        whole = more;
        kept += 1;
    }
    (kept, whole)
}

/// What stands by itself when nothing fits whole: the last reply of the newest round, or else the
/// best passage.
fn minimal(items: &[Item], first: &Group) -> usize {
    let reply = first.members.iter().rfind(|index| trim::is_reply(&items[**index]));
    reply.copied().unwrap_or(first.members[0])
}

/// Shows an item in the first of the forms that fits, or not at all.
fn place(
    items: &mut [Item],
    whole: Whole,
    index: usize,
    forms: impl Iterator<Item = Item>,
    scale: &mut Scale<'_>,
) -> Whole {
    let original = items[index].clone();
    let group = Group { members: vec![index], tokens: 0 };
    for form in forms {
        items[index] = form;
        let with = scale.weigh_with(&whole, items, std::slice::from_ref(&group));
        if with.used <= scale.frame.budget {
            return with;
        }
    }
    items[index] = original;
    whole
}

fn finish(mut items: Vec<Item>, whole: Whole, frame: Frame<'_>, fitting: Fitting) -> Fitted {
    let Whole { shown, blocks, messages, used } = whole;
    let mut sections: BTreeMap<Section, u32> = BTreeMap::new();
    for (item, shown) in items.iter_mut().zip(shown) {
        if shown {
            *sections.entry(item.section()).or_default() += item.tokens;
        } else if item.form != Form::Dropped {
            let budget = frame.budget;
            item.leave_out(&format!("{OVER_BUDGET} {budget} tokens"));
        }
    }
    let named: u32 = sections.values().sum();
    sections.insert(Section::Question, used.saturating_sub(named));
    Fitted { items, blocks, messages, used, sections, fitting, warnings: Vec::new() }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

fn too_large(items: &[Item], needed: u32, budget: u32) -> TooLarge {
    let mut pinned: Vec<&Item> = items.iter().filter(|item| item.mode == Mode::Always).collect();
    pinned.sort_by_key(|item| std::cmp::Reverse(item.tokens));
    let name = |item: &&Item| {
        let name = item.source.path.as_ref().unwrap_or(&item.source.id);
        format!("{name} ({} tokens)", item.tokens)
    };
    TooLarge { budget, needed, pinned: pinned.iter().map(name).collect() }
}
