//! Summaries as items of a dossier: of a conversation's rounds that are no longer carried, and of
//! refs that are spoken of. Each names what it stands for, so that it can be asked for.
//!
//! Invariant: a ref is shown only where the question or a message that is carried names it. What it
//! quotes may have been hidden or forgotten since, and then nothing that can be seen names it.

use crate::guard::masked;
use crate::history::History;
use crate::id::ThreadId;
use crate::item::{Form, Item, Kind, Mode, Source};
use crate::refs::{RefName, STALE, names};
use crate::time::Timestamp;
use crate::tokens::Tokenizer;
use std::cmp::Reverse;

/// The most refs that are shown.
const MOST_REFS: usize = 3;

/// What is known of a thread's earlier rounds.
#[derive(Debug, Clone, Copy)]
pub struct Earlier<'a> {
    pub thread: &'a ThreadId,
    pub summary: &'a str,
    /// The first and the last round that it stands for, if that was noted.
    pub rounds: Option<(i64, i64)>,
}

/// A ref in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// With every digit.
    pub whole: RefName,
    /// As texts show it.
    pub name: RefName,
    pub summary: String,
    pub is_stale: bool,
    pub refreshed_at: Timestamp,
}

/// The summary of a thread, where some of the rounds that it stands for are not carried.
pub fn of_thread(earlier: Earlier<'_>, history: &History, tokenizer: Tokenizer) -> Option<Item> {
    let Earlier { thread, summary, rounds } = earlier;
    let carried = history.items.iter().filter_map(|item| item.source.round).min();
    let is_carried = rounds.zip(carried).is_some_and(|((first, _), carried)| carried <= first);
    if history.left_out == 0 || is_carried || summary.trim().is_empty() {
        return None;
    }
    let of = match rounds {
        Some((first, last)) => format!("rounds {first}-{last}"),
        None => "earlier rounds".to_owned(),
    };
    let text = format!("[summary of {of}] {}", one_line(&masked(summary)));
    let reason = format!("the conversation's summary; {of} are not all shown");
    Some(found(Source::thread(thread.as_str()), text, reason, tokenizer))
}

/// The refs that are spoken of: those that the question names, then those of recent messages.
pub fn of_refs(
    known: &[Brief],
    question: &str,
    history: &History,
    tokenizer: Tokenizer,
) -> Vec<Item> {
    let said = || history.items.iter().map(|item| item.text.as_str());
    let mut spoken_of: Vec<(&'static str, &Brief)> = known
        .iter()
        .filter_map(|brief| {
            let is_named = |text: &str| names(text).iter().any(|name| brief.is_named(name));
            match is_named(question) {
                true => Some((ASKED, brief)),
                false => said().any(is_named).then_some((RECENT, brief)),
            }
        })
        .collect();
    spoken_of.sort_by_key(|(reason, brief)| {
        (*reason == RECENT, Reverse(brief.refreshed_at), brief.whole.to_string())
    });
    let shown = |text: &str, brief: &Brief| {
        names(text)
            .iter()
            .any(|name| brief.is_named(name) && text.contains(&format!("expand_ref {name}")))
    };
    let mut items = Vec::with_capacity(spoken_of.len());
    let mut left = MOST_REFS;
    for (reason, brief) in spoken_of {
        let mut item = brief.item(reason, tokenizer);
        let mut whole = history.items.iter().filter(|item| item.form == Form::Full);
        if shown(question, brief) || whole.any(|item| shown(&item.text, brief)) {
            item.leave_out("the conversation shows it in short");
        } else if left == 0 {
            item.leave_out(&format!("{MOST_REFS} refs are enough"));
        } else {
            left -= 1;
        }
        items.push(item);
    }
    items
}

const ASKED: &str = "the question names it";
const RECENT: &str = "a recent message names it";

impl Brief {
    fn is_named(&self, name: &RefName) -> bool {
        name.kind == self.whole.kind && self.whole.digits().starts_with(name.digits())
    }

    fn item(&self, reason: &str, tokenizer: Tokenizer) -> Item {
        let mark = if self.is_stale { STALE } else { "" };
        let text = format!("{}: {mark}{}", self.name, one_line(&self.summary));
        let source = Source::reference(&self.whole.to_string());
        Item { stale: self.is_stale, ..found(source, text, reason.to_owned(), tokenizer) }
    }
}

/// What was said before and behind it stands on lines of its own.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn found(source: Source, text: String, reason: String, tokenizer: Tokenizer) -> Item {
    let tokens = tokenizer.recount(&text);
    Item { mode: Mode::Retrieved, ..Item::pinned(Kind::Summary, source, text, tokens, &reason) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::ContentHash;
    use crate::message::Speaker;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    /// A history that carries messages of these rounds.
    fn history(left_out: usize, said: &[(i64, &str)]) -> History {
        let item = |(round, text): &(i64, &str)| {
            let source = Source::message("msg_1", *round, &Speaker::user(), at(0));
            Item::pinned(Kind::Message, source, (*text).to_owned(), 1, "")
        };
        History { items: said.iter().map(item).collect(), left_out }
    }

    fn brief(text: &str, summary: &str) -> Brief {
        let kind = crate::refs::Kind::new("log").unwrap();
        let whole = RefName::whole(kind, &ContentHash::of(text));
        Brief {
            name: whole.shown([]),
            whole,
            summary: summary.to_owned(),
            is_stale: false,
            refreshed_at: at(0),
        }
    }

    fn told(items: &[Item]) -> Vec<(String, &str)> {
        let shown = |item: &Item| if item.form == Form::Dropped { "out" } else { "in" };
        items
            .iter()
            .map(|item| (format!("{}: {}", shown(item), item.reason), item.text.as_str()))
            .collect()
    }

    #[test]
    fn a_thread_is_summed_up_where_rounds_of_it_are_not_carried() {
        let thread = ThreadId::from("thr_1");
        let check = |rounds, history: &History, expected: Option<&str>| {
            let earlier = Earlier { thread: &thread, summary: "About\na ferry.", rounds };
            let item = of_thread(earlier, history, Tokenizer::O200k);
            assert_eq!(item.map(|item| item.text).as_deref(), expected, "{rounds:?}");
        };
        let late = history(6, &[(7, "x"), (8, "y")]);
        check(Some((1, 10)), &late, Some("[summary of rounds 1-10] About a ferry."));
        check(None, &late, Some("[summary of earlier rounds] About a ferry."));
        // All that it stands for is there.
        check(Some((7, 10)), &late, None);
        check(Some((1, 2)), &history(0, &[(1, "x")]), None);
    }

    #[test]
    fn refs_are_shown_where_they_are_named() {
        let named = brief("a", "The nightly backup of the harbour failed.");
        let recent = brief("b", "A backup.");
        let alike = brief("c", "The nightly backup of the harbour failed again.");
        let known = [alike, recent.clone(), named.clone()];
        let question = format!("Why did the backup of the harbour fail, says {}?", named.name);
        let history = history(0, &[(1, &format!("See {} first.", recent.name))]);
        let items = of_refs(&known, &question, &history, Tokenizer::O200k);
        let line = |brief: &Brief| format!("{}: {}", brief.name, brief.summary);
        assert_eq!(
            told(&items),
            [
                ("in: the question names it".to_owned(), line(&named).as_str()),
                ("in: a recent message names it".to_owned(), &line(&recent)),
            ]
        );
    }

    #[test]
    fn what_the_conversation_shows_in_short_is_not_told_again_and_three_are_enough() {
        let known: Vec<Brief> =
            (0..5).map(|number| brief(&number.to_string(), "The harbour backup.")).collect();
        let shown = format!("[in part; expand_ref {} for the rest]\nstep 1", known[4].name);
        let history = history(0, &[(1, &shown)]);
        let names: Vec<String> = known[..4].iter().map(|brief| brief.name.to_string()).collect();
        let question = format!("What of {}?", names.join(", "));
        let items = of_refs(&known, &question, &history, Tokenizer::O200k);
        let left: Vec<String> = told(&items).into_iter().map(|(reason, _)| reason).collect();
        assert_eq!(
            left,
            [
                "in: the question names it",
                "in: the question names it",
                "in: the question names it",
                "out: the question names it; left out: 3 refs are enough",
                "out: a recent message names it; left out: the conversation shows it in short",
            ]
        );
    }

    #[test]
    fn a_stale_ref_says_so() {
        let stale = Brief { is_stale: true, ..brief("a", "The harbour backup.") };
        let question = format!("What of {}?", stale.name);
        let known = std::slice::from_ref(&stale);
        let items = of_refs(known, &question, &History::default(), Tokenizer::O200k);
        let expected =
            format!("{}: [stale; expand it to look again] The harbour backup.", stale.name);
        assert_eq!((items[0].text.as_str(), items[0].stale), (expected.as_str(), true));
    }
}
