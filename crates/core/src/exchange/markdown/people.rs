//! Logs in which people speak under their own names, such as `## Ana` and `## Ben`. Any document
//! has headings, so these must be names that come again and again, one after another; what is in
//! doubt is no log.

use super::super::{Bundle, Conversation, ConversationMessage, LeftOut};
use super::log::fence_after;
use std::collections::BTreeMap;

/// Fewer turns may be sections of a short document.
const FEWEST_TURNS: usize = 4;
const MOST_PEOPLE: usize = 6;
const LONGEST_NAME: usize = 30;
const MOST_WORDS: usize = 3;

/// Headings that documents repeat: those of change logs, of comparisons, of lists of cases.
const NO_NAMES: &[&str] = &[
    "added",
    "changed",
    "fixed",
    "removed",
    "deprecated",
    "security",
    "features",
    "bugs",
    "notes",
    "note",
    "example",
    "examples",
    "usage",
    "summary",
    "description",
    "details",
    "overview",
    "installation",
    "parameters",
    "arguments",
    "returns",
    "options",
    "pros",
    "cons",
    "advantages",
    "disadvantages",
    "input",
    "output",
    "problem",
    "solution",
    "before",
    "after",
    "request",
    "response",
    "question",
    "answer",
    "expected",
    "actual",
    "given",
    "when",
    "then",
    "setup",
    "steps",
    "results",
    "result",
    "references",
    "see also",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "done",
    "todo",
    "next",
];

/// The conversation, if it is one.
pub(super) fn read(text: &str) -> Option<Bundle> {
    let mut title = None;
    let mut messages: Vec<ConversationMessage> = Vec::new();
    let mut preamble = false;
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let heading = line.strip_prefix("## ").filter(|_| fence.is_none());
        let chapter = line.strip_prefix("# ").filter(|_| fence.is_none());
        fence = fence_after(fence, line);
        match (heading, chapter, messages.last_mut()) {
            (Some(name), _, _) => messages.push(ConversationMessage {
                id: None,
                speaker: person(name)?.to_owned(),
                content: String::new(),
                created_at: None,
                section: None,
            }),
            // People who talk do not begin chapters.
            (None, Some(_), Some(_)) => return None,
            (None, _, Some(message)) => {
                message.content.push_str(line);
                message.content.push('\n');
            }
            (None, Some(heading), None) if title.is_none() => {
                title = Some(heading.trim().to_owned());
            }
            (None, _, None) => preamble |= !line.trim().is_empty(),
        }
    }
    for message in &mut messages {
        message.content = message.content.trim().to_owned();
    }
    is_talk(&messages).then_some(())?;
    let left_out = if preamble { [(LeftOut::Preamble, 1)].into() } else { Default::default() };
    let conversation = Conversation { title, messages, left_out, ..Conversation::default() };
    Some(Bundle { conversations: vec![conversation], ..Bundle::default() })
}

/// A few people, each of whom speaks more than once, and never twice in a row.
fn is_talk(messages: &[ConversationMessage]) -> bool {
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    for message in messages {
        *turns.entry(&message.speaker).or_default() += 1;
    }
    let in_turn = messages.windows(2).all(|pair| pair[0].speaker != pair[1].speaker);
    messages.len() >= FEWEST_TURNS
        && (2..=MOST_PEOPLE).contains(&turns.len())
        && turns.values().all(|count| *count > 1)
        && in_turn
        && messages.iter().all(|message| !message.content.is_empty())
}

/// The heading as a name: a few capitalised words of letters.
fn person(heading: &str) -> Option<&str> {
    let name = heading.trim().trim_end_matches(':');
    let is_word = |word: &str| {
        word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '.'))
    };
    let is_name = name.chars().count() <= LONGEST_NAME
        && (1..=MOST_WORDS).contains(&name.split(' ').count())
        && name.split(' ').all(is_word)
        && !NO_NAMES.contains(&name.to_lowercase().as_str());
    is_name.then_some(name)
}
