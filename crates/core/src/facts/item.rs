//! Facts in a dossier: as items of their own, and in place of the messages that they make stale.

use super::{Fact, Scored};
use crate::guard::masked;
use crate::item::{Form, Item, Kind, Mode, Scores, Source};
use crate::tokens::Tokenizer;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A fact as something a model may see, with what put it into its place.
pub fn item(scored: &Scored<'_>, tokenizer: Tokenizer) -> Item {
    let Scored { fact, similarity, shared_tags, weight } = scored;
    let text = format!("[remembered {}] {}", fact.confirmed_at.date(), masked(&fact.text));
    let tokens = tokenizer.count(&text);
    let scores =
        [("similarity", *similarity), ("tags", *shared_tags as f32), ("freshness", *weight)];
    let pinned = if fact.pinned { "pinned, " } else { "" };
    let reason = format!(
        "{pinned}{} remembered; similarity {similarity:.2}, {shared_tags} shared tags, freshness \
         {weight:.2}",
        fact.kind.as_str()
    );
    Item {
        mode: Mode::Retrieved,
        score: *similarity,
        scores: scores
            .into_iter()
            .map(|(name, score)| (Cow::Borrowed(name), score))
            .collect::<Scores>(),
        ..Item::pinned(Kind::Fact, source(fact), text, tokens, &reason)
    }
}

fn source(fact: &Fact) -> Source {
    Source { created_at: Some(fact.created_at), ..Source::fact(fact.id.as_str()) }
}

/// Leaves out every message that a closed fact was taken from, where the fact that took its place
/// is shown: what is out of date must not stand beside what holds. Where the newer one is not
/// shown, the message says more than nothing and stays.
pub fn hide_stale(items: &mut [Item], closed: &[Fact]) {
    let shown: Vec<String> = items
        .iter()
        .filter(|item| item.kind == Kind::Fact && item.form != Form::Dropped)
        .map(|item| item.source.id.clone())
        .collect();
    let stale: BTreeMap<&str, &str> = closed
        .iter()
        .filter_map(|fact| {
            let newer = fact.superseded_by.as_ref()?.as_str();
            Some((fact.source.message.as_ref()?.as_str(), newer))
        })
        .filter(|(_, newer)| shown.iter().any(|id| id == newer))
        .collect();
    for item in items.iter_mut().filter(|item| item.kind == Kind::Message) {
        if let Some(newer) = stale.get(item.source.id.as_str()) {
            item.leave_out(&format!("out of date, see {newer}"));
        }
    }
}
