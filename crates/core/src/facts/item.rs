//! Facts as items of a dossier.

use super::{Fact, Scored};
use crate::guard::masked;
use crate::item::{Item, Kind, Mode, Scores, Source};
use crate::tokens::Tokenizer;
use std::borrow::Cow;

/// A fact as something a model may see, with what put it into its place.
pub fn item(scored: &Scored<'_>, tokenizer: Tokenizer) -> Item {
    let Scored { fact, similarity, shared_tags, weight } = scored;
    let text = format!("[remembered {}] {}", fact.confirmed_at.date(), masked(&fact.text));
    let tokens = tokenizer.recount(&text);
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
