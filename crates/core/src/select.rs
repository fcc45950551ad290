//! Selecting: from a ranking to the passages that a dossier may hold. What is not wanted stays in
//! the list, left out with its reason, so that the receipt can tell.

use crate::intent::Intent;
use crate::item::{Form, Item, Kind};
use crate::quote::only_quotes;
use crate::rank::{self, Ranked};
use crate::tokens::Tokenizer;
use std::collections::HashSet;

/// The ranking as items, without what `before` (header and history) already shows in full.
pub fn passages(ranked: &[Ranked], before: &[Item], tokenizer: Tokenizer) -> Vec<Item> {
    let full = before.iter().filter(|item| item.form == Form::Full);
    let shown: HashSet<&str> = full.map(|item| item.source.id.as_str()).collect();
    ranked
        .iter()
        .enumerate()
        .filter(|(_, ranked)| !shown.contains(ranked.chunk.origin.as_str()))
        .map(|(place, ranked)| {
            let mut item = Item::found(&ranked.chunk);
            // Stored counts are those of o200k.
            if tokenizer != Tokenizer::O200k {
                item.tokens = tokenizer.recount(&item.text);
            }
            item.score = ranked.score;
            item.scores = ranked.scores();
            item.reason = rank::reason(place + 1, ranked);
            if item.kind == Kind::Message && only_quotes(&item.text) {
                item.leave_out("it only quotes what stands elsewhere");
            }
            item
        })
        .collect()
}

/// Leaves out what is more than the intent calls for.
pub fn enough_for(intent: Intent, items: &mut [Item]) {
    let most = intent.pack().passages;
    for item in items.iter_mut().skip(most) {
        item.leave_out(&format!("{most} passages are enough for {}", intent.as_str()));
    }
}

/// Leaves out what comes after so many passages.
pub fn at_most(most: usize, items: &mut [Item]) {
    let shown = items.iter_mut().filter(|item| item.form != Form::Dropped);
    for item in shown.skip(most) {
        item.leave_out(&format!("the project has {most} passages at the most"));
    }
}

/// Leaves out what says the same words again.
pub fn once(items: &mut [Item]) {
    let mut seen = HashSet::new();
    let shown = items.iter().enumerate().filter(|(_, item)| item.form != Form::Dropped);
    let again = shown.filter(|(_, item)| !seen.insert((&item.source.speaker, &item.text)));
    let again: Vec<usize> = again.map(|(place, _)| place).collect();
    for place in again {
        items[place].leave_out("the same words stand in the dossier already");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Source;

    fn items(texts: &[&str]) -> Vec<Item> {
        let item = |text: &&str| {
            Item::pinned(Kind::Summary, Source::profile("s"), (*text).to_owned(), 1, "rank")
        };
        texts.iter().map(item).collect()
    }

    fn dropped(items: &[Item]) -> Vec<usize> {
        (0..items.len()).filter(|index| items[*index].form == Form::Dropped).collect()
    }

    #[test]
    fn to_have_something_written_down_takes_few_passages() {
        let mut many = items(&["x"; 14]);
        enough_for(Intent::QuickCapture, &mut many);
        assert_eq!(dropped(&many), [10, 11, 12, 13]);
        assert_eq!(many[13].reason, "rank; left out: 10 passages are enough for quick_capture");
    }

    #[test]
    fn the_same_words_are_shown_once() {
        let mut twice = items(&["a", "b", "a"]);
        once(&mut twice);
        assert_eq!(dropped(&twice), [2]);
    }
}
