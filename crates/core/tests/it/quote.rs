//! Quotes from whole dossiers.

use crate::material::{file_drafts, message, retrieved, rules};
use dossier_core::chat::{Message, Prompt};
use dossier_core::chunk::{Draft, draft};
use dossier_core::fit::{Frame, fit};
use dossier_core::profile::Profile;
use dossier_core::quote::{OPENING, Quote, quotes};
use dossier_core::render::Asking;
use dossier_core::tier::Tier;
use dossier_core::tokens::Tokenizer;
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// The sample that comes with the repository: what was said, and the files.
fn ferry() -> Vec<Draft> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
    let talk: Value = serde_json::from_str(&read("ferry-talk.json")).unwrap();
    let said = talk["messages"].as_array().unwrap().iter().enumerate().map(|(at, said)| {
        let text = |name: &str| said[name].as_str().unwrap().to_owned();
        let at = i64::try_from(at).unwrap();
        let message = message(at, at / 4 + 1, &text("speaker"), &text("content"));
        dossier_core::message::Message { section: Some(text("section")), ..message }
    });
    let mut drafts: Vec<Draft> =
        said.filter_map(|message| draft::of_message(&message, None)).collect();
    for path in [
        "ferry/README.md",
        "ferry/docs/decisions.md",
        "ferry/docs/operations.md",
        "ferry/src/bookings.py",
        "ferry/src/weather.py",
    ] {
        drafts.extend(file_drafts(path, &read(path)));
    }
    drafts
}

fn asked(question: &str) -> Prompt {
    let profile = &Profile::lean();
    let asking = Asking { question, reader: None, standing: None };
    let tokenizer = Tokenizer::O200k;
    let frame = Frame { profile, budget: 20_000, tier: Tier::Balanced, tokenizer, asking };
    let mut items = vec![rules("Answer from the dossier.")];
    items.extend(retrieved(&ferry()));
    Prompt::rendered(&fit(items, frame).unwrap().messages)
}

#[test]
fn the_sentences_that_answer_are_quoted_with_their_sources() {
    let mut picture = String::new();
    for question in [
        "Why are bookings refused when the wind is strong, and who decided the limit?",
        "What is the limit for gusts?",
        "Is there a waiting list for cancelled crossings?",
        "How do I run the tests?",
        "Which colour has the ferry's hull?",
        "Hello!",
    ] {
        writeln!(picture, "=== {question}").unwrap();
        for Quote { source, text } in quotes(&asked(question).messages) {
            writeln!(picture, "{text}\n— {source}\n").unwrap();
        }
    }
    insta::assert_snapshot!(picture);
}

#[test]
fn files_of_an_earlier_question_are_quoted_by_their_names() {
    let mut earlier = asked("How do I run the tests?").messages;
    let question = "What is the limit for gusts?";
    let now = quotes(&asked(question).messages);
    earlier.extend([Message::assistant("With pytest."), Message::user(question)]);
    assert_eq!(quotes(&earlier), now);
}

#[test]
fn what_was_said_in_this_conversation_is_quoted_but_no_earlier_quotes() {
    let messages = [
        Message::user("The pump in cellar three leaks oil."),
        Message::assistant(format!("{OPENING}\n> The pump leaks water.")),
        Message::user("What does the pump leak?"),
    ];
    let expected = Quote {
        source: "user, in this conversation".to_owned(),
        text: "The pump in cellar three leaks oil.".to_owned(),
    };
    assert_eq!(quotes(&messages), [expected]);
}

proptest! {
    #[test]
    fn a_quote_is_a_piece_of_the_prompt_and_always_the_same(
        body in "(\\[[a-z ,]{0,9}2024-01-0[1-9]\\]\n|[A-Z][a-z]{0,5}: |<file path=\"[a-z.]{0,5}\" lines=\"[0-9-]{0,4}\">\n|</file>\n|[a-d ?.\n]{0,12}|\\PC){0,40}",
        question in "[a-d ]{0,12}",
    ) {
        let drafts = file_drafts("a.md", &body);
        let profile = &Profile::bare();
        let asking = Asking { question: &question, reader: None, standing: None };
        let tokenizer = Tokenizer::O200k;
        let frame = Frame { profile, budget: 20_000, tier: Tier::Balanced, tokenizer, asking };
        let rendered = Prompt::rendered(&fit(retrieved(&drafts), frame).unwrap().messages);
        for messages in [rendered.messages, vec![Message::user(body), Message::user(question)]] {
            let whole: String = messages.iter().map(Message::text).collect();
            let found = quotes(&messages);
            prop_assert!(found.len() <= 4);
            for quote in &found {
                prop_assert!(!quote.text.is_empty() && whole.contains(&quote.text));
            }
            prop_assert_eq!(found, quotes(&messages));
        }
    }
}
