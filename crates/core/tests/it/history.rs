//! History grows at its end between ageing steps, and says what it leaves out.

use crate::material::{message, rounds};
use dossier_core::history::{EPOCH, Policy, recent};
use dossier_core::item::Form;
use dossier_core::message::Message;
use dossier_core::tokens::Tokenizer;

fn texts(messages: &[Message], round: i64, policy: Policy) -> Vec<String> {
    let history = recent(messages, round, policy, Tokenizer::O200k).unwrap();
    history.items.into_iter().map(|item| item.text).collect()
}

#[test]
fn between_ageing_steps_history_only_grows_at_its_end() {
    let messages = rounds(40);
    let policy = Policy::Compress { tokens: 1_000 };
    let mut changed = 0;
    for round in 2..40 {
        let before = texts(&messages, round, policy);
        let after = texts(&messages, round + 1, policy);
        if !after.starts_with(&before) {
            changed += 1;
            assert_eq!((round + 1) % EPOCH, 0, "round {round} changed its past");
        }
    }
    assert!(changed > 0, "old rounds are never shortened");
}

#[test]
fn older_rounds_are_shortened_and_keep_their_links() {
    let history =
        recent(&rounds(12), 13, Policy::Compress { tokens: 1_000 }, Tokenizer::O200k).unwrap();
    let oldest = history.items.iter().find(|item| item.form == Form::Line).unwrap();
    assert!(oldest.text.contains(&oldest.source.id), "{}", oldest.text);
    let links = history.items.iter().filter(|item| item.text.contains("https://example.org/"));
    assert_eq!(links.count(), history.items.len() / 2);
    assert_eq!(history.items.last().unwrap().form, Form::Full);
}

#[test]
fn a_compressed_history_keeps_its_limit_whatever_the_messages() {
    let long: Vec<Message> = (0..30)
        .map(|at| message(at, at + 1, "user", &format!("{at} {}", "long words. ".repeat(200))))
        .collect();
    for round in 1..31 {
        let history =
            recent(&long, round, Policy::Compress { tokens: 1_000 }, Tokenizer::O200k).unwrap();
        let tokens: u32 = history.items.iter().map(|item| item.tokens).sum();
        assert!(tokens <= 1_000, "{tokens} at round {round}");
        let cut = history.items.last().filter(|item| item.form != Form::Full);
        assert!(cut.is_none_or(|item| !item.reason.contains("rounds old")), "{cut:?}");
        let newest = history.items.last().and_then(|item| item.source.round);
        assert_eq!(newest, (round > 1).then_some(round - 1), "the newest round is always there");
    }
}

#[test]
fn a_log_of_errors_that_was_pasted_leaves_room_for_the_rest_of_the_conversation() {
    let log = "2026-03-01 ERROR pump 4 has failed\n".repeat(600);
    let messages = [
        message(0, 1, "user", &format!("What is broken here?\n\n{log}")),
        message(1, 1, "m", "Pump 4."),
    ];
    let history =
        recent(&messages, 2, Policy::Compress { tokens: 1_000 }, Tokenizer::O200k).unwrap();
    let [question, reply] = history.items.as_slice() else { panic!("{history:?}") };
    let behind = format!("[in short; expand_ref {} for all of it]\n", question.source.id);
    assert!(question.text.starts_with(&behind), "{}", question.text);
    assert!(question.text.contains("What is broken here?"), "{}", question.text);
    assert!(question.tokens < 200 && dossier_core::compress::is_cut(&question.text));
    assert_eq!((question.form, reply.form), (Form::Line, Form::Full));
}

#[test]
fn a_truncated_history_drops_the_oldest_whole_pairs_and_counts_them() {
    let policy = Policy::Truncate { tokens: 200 };
    let history = recent(&rounds(10), 11, policy, Tokenizer::O200k).unwrap();
    assert_eq!(history.items.len() % 2, 0);
    assert_eq!(history.left_out + history.items.len() / 2, 10);
    assert_eq!(history.items.last().unwrap().source.round, Some(10));
}

#[test]
fn a_fixed_history_that_is_full_says_what_to_do() {
    let policy = Policy::Fixed { tokens: 100 };
    assert_eq!(texts(&rounds(1), 2, policy).len(), 2);
    let error = recent(&rounds(10), 11, policy, Tokenizer::O200k).unwrap_err().to_string();
    assert!(error.contains("start a new thread"), "{error}");
}

#[test]
fn a_recent_history_holds_so_many_rounds() {
    let history = recent(&rounds(10), 11, Policy::Recent { rounds: 3 }, Tokenizer::O200k).unwrap();
    assert_eq!(history.items.len() / 2 + history.left_out, 10);
    assert!((1..=3).contains(&(history.items.len() / 2)), "{}", history.items.len());
}

#[test]
fn a_window_of_rounds_moves_in_steps() {
    let messages = rounds(30);
    let policy = Policy::Recent { rounds: 8 };
    let moved = (10..30)
        .filter(|round| {
            let before = texts(&messages, *round, policy);
            !texts(&messages, round + 1, policy).starts_with(&before)
        })
        .count();
    assert!(moved <= 20 / EPOCH as usize + 1, "{moved} of 20 turns changed their past");
}

#[test]
fn long_rounds_change_the_past_no_more_often_than_twice_a_step() {
    let messages: Vec<Message> = (0..30)
        .map(|at| message(at, at + 1, "user", &format!("{at}. {}", "some words here. ".repeat(80))))
        .collect();
    let policy = Policy::Compress { tokens: 1_000 };
    let changed = (2..30)
        .filter(|round| {
            let before = texts(&messages, *round, policy);
            !texts(&messages, round + 1, policy).starts_with(&before)
        })
        .count();
    assert!(changed <= 2 * 28 / EPOCH as usize + 1, "{changed} of 28 turns changed their past");
}
