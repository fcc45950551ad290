//! What a message wants, told from its words, and how much context that calls for. The same
//! message always has the same intent; a word that decides stands in one table.

use serde::{Deserialize, Serialize};

/// What the writer of a message wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Have something written down.
    QuickCapture,
    /// Find something that is known.
    ContextLookup,
    /// Understand something.
    DeepAnalysis,
    /// Decide what to do.
    Planning,
}

/// How much of what was found and remembered an intent calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    /// The most passages that search may bring in.
    pub passages: usize,
    /// Nuggets of memory, 8 to 20.
    pub facts: u32,
}

impl Intent {
    pub fn as_str(self) -> &'static str {
        match self {
            Intent::QuickCapture => "quick_capture",
            Intent::ContextLookup => "context_lookup",
            Intent::DeepAnalysis => "deep_analysis",
            Intent::Planning => "planning",
        }
    }

    /// The pack this intent selects. To have something written down takes little; all else takes
    /// what the budget holds.
    pub fn pack(self) -> Pack {
        let (passages, facts) = match self {
            Intent::QuickCapture => (10, 8),
            Intent::ContextLookup => (usize::MAX, 20),
            Intent::DeepAnalysis => (usize::MAX, 16),
            Intent::Planning => (usize::MAX, 20),
        };
        Pack { passages, facts }
    }
}

/// Where in a message a phrase decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the start of a message that asks nothing.
    StatementStart,
    Start,
    Anywhere,
}

/// The rules, best first: the first whose phrase stands at its place decides. What was said or
/// when something is comes before planning and analysis, so that "when is the review?" and "what
/// did we plan?" are looked up. Nothing found means looking up. Phrases are words in lower case,
/// without punctuation.
const RULES: [(Intent, Place, &str); 4] = [
    (
        Intent::QuickCapture,
        Place::StatementStart,
        "remember, please remember, note, make a note, take a note, \
         save this, save that, store this, store that, log this, log that, record this, record that, \
         jot, capture this, capture that, add to, add this, write down, keep in mind, don t forget, remind me, todo, to do, \
         fyi, for the record, heads up",
    ),
    (
        Intent::ContextLookup,
        Place::Start,
        "when, where, who, which, what did, what was, what were, what s the status, did, \
         do you remember, do you know, remind me, find, search, look up, show me, have we, have i, has",
    ),
    (
        Intent::Planning,
        Place::Anywhere,
        "plan, plans, planning, roadmap, schedule, milestone, milestones, timeline, next step, \
         next steps, steps to, break down, break this down, prioritise, prioritize, strategy, agenda, \
         backlog, how should we, how should i, what should we, what should i, what to do",
    ),
    (
        Intent::DeepAnalysis,
        Place::Anywhere,
        "analyse, analyze, analysis, compare, comparison, evaluate, assess, review, critique, \
         investigate, debug, diagnose, why, root cause, trade off, trade offs, tradeoff, tradeoffs, \
         pros and cons, in depth, in detail, deep dive, step by step, implications, consequences, \
         explain how, explain why, reason about, think through",
    ),
];

/// A request stands at the ends of a message; what lies between is often pasted.
const END: usize = 400;

/// The intent of a message, by its words alone.
pub fn detect(message: &str) -> Intent {
    let (start, end) = ends(message.trim());
    let words = format!("{}{}", words(start), words(end));
    let asks = start.contains(['?', '？']) || end.contains(['?', '？']);
    let stands = |place: Place, phrase: &str| {
        let phrase = format!(" {phrase} ");
        match place {
            Place::StatementStart => !asks && words.starts_with(&phrase),
            Place::Start => words.starts_with(&phrase),
            Place::Anywhere => words.contains(&phrase),
        }
    };
    RULES
        .iter()
        .find(|(_, place, phrases)| phrases.split(", ").any(|phrase| stands(*place, phrase)))
        .map_or(Intent::ContextLookup, |(intent, ..)| *intent)
}

/// The first and the last characters of a message, without overlap.
fn ends(message: &str) -> (&str, &str) {
    let first = message.char_indices().nth(END).map_or(message.len(), |(at, _)| at);
    let (start, rest) = message.split_at(first);
    let last = rest.char_indices().nth_back(END - 1).map_or(0, |(at, _)| at);
    (start, &rest[last..])
}

/// The words in lower case, one space before, between and after them.
fn words(text: &str) -> String {
    let mut words = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.extend(word.chars().flat_map(char::to_lowercase));
        words.push(' ');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(intent: Intent, messages: &[&str]) {
        for message in messages {
            assert_eq!(detect(message), intent, "{message}");
        }
    }

    #[test]
    fn a_message_that_hands_something_over_is_captured() {
        check(
            Intent::QuickCapture,
            &[
                "Remember that the door code is 4711.",
                "note: Ana prefers mornings",
                "Don’t forget the milk",
                "FYI the plan is on hold",
            ],
        );
    }

    #[test]
    fn a_question_for_something_known_is_looked_up() {
        check(
            Intent::ContextLookup,
            &[
                "Do you remember why we chose Rust?",
                "What did we plan for May?",
                "When is the review?",
                "Remind me what she said?",
                "Is it raining?",
                "I moved to Berlin.",
                "",
                "🦀",
            ],
        );
    }

    #[test]
    fn a_question_for_reasons_is_analysed() {
        check(
            Intent::DeepAnalysis,
            &[
                "Why does the build fail?",
                "Compare SQLite with PostgreSQL",
                "What are the trade-offs here?",
                "How does this work? Explain in detail.",
            ],
        );
    }

    #[test]
    fn a_question_for_steps_is_planned() {
        check(
            Intent::Planning,
            &[
                "Plan the release",
                "What are the next steps?",
                "How should we analyse this?",
                "Help me break this down.",
            ],
        );
    }

    #[test]
    fn pasted_text_in_the_middle_does_not_decide() {
        let pasted = "the roadmap says nothing ".repeat(1_000);
        let filler = "lorem ipsum ".repeat(40);
        check(Intent::DeepAnalysis, &[&format!("{filler}{pasted}{filler}Why is that?")]);
    }

    #[test]
    fn an_intent_is_written_in_snake_case() {
        assert_eq!(serde_json::to_string(&Intent::QuickCapture).unwrap(), "\"quick_capture\"");
        assert_eq!(
            serde_json::from_str::<Intent>("\"deep_analysis\"").unwrap(),
            Intent::DeepAnalysis
        );
    }

    #[test]
    fn every_pack_keeps_the_documented_bounds() {
        for intent in
            [Intent::QuickCapture, Intent::ContextLookup, Intent::DeepAnalysis, Intent::Planning]
        {
            let pack = intent.pack();
            assert!((8..=20).contains(&pack.facts), "{intent:?}");
        }
    }
}
