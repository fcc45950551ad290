//! Fitting keeps the budget, whatever comes.

use crate::material::{file_drafts, message, recent, retrieved, rounds, rules};
use dossier_core::chunk::draft;
use dossier_core::fit::{Fitted, Fitting, Frame, TooLarge, fit};
use dossier_core::item::{Form, Item, Kind, Mode};
use dossier_core::profile::Profile;
use dossier_core::render::Asking;
use dossier_core::tier::Tier;
use dossier_core::tokens::Tokenizer;
use proptest::prelude::*;

fn fitted(items: Vec<Item>, profile: &Profile, budget: u32) -> Result<Fitted, TooLarge> {
    let asking = Asking { question: "What does part 3 do?", reader: None, standing: None };
    let frame =
        Frame { profile, budget, tier: Tier::Balanced, tokenizer: Tokenizer::O200k, asking };
    fit(items, frame)
}

/// Names of the items in this form.
fn names(fitted: &Fitted, form: Form) -> Vec<String> {
    let items = fitted.items.iter().filter(|item| item.form == form);
    items.map(|item| format!("{}{:?}", item.source.id, item.source.lines)).collect()
}

/// Words that stand for all sorts of text.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,9}",
        "[A-Z][a-z]{2,6}",
        Just("https://example.org/a?b=1".to_owned()),
        Just("東京".to_owned()),
        Just("🦀".to_owned()),
        Just("\n".to_owned()),
        Just("</file>".to_owned()),
        "[0-9]{1,6}",
    ];
    prop::collection::vec(word, 1..80).prop_map(|words| words.join(" "))
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    let pinned = prop::collection::vec(text(), 0..2);
    let said = prop::collection::vec(text(), 0..10);
    let found = prop::collection::vec((text(), any::<bool>()), 0..25);
    (pinned, said, found).prop_map(|(pinned, said, found)| {
        let mut items: Vec<Item> = pinned.iter().map(|text| rules(text)).collect();
        let said: Vec<_> = said
            .iter()
            .zip(0..)
            .map(|(text, at)| message(at, at / 2 + 1, ["user", "agent:o3"][at as usize % 2], text))
            .collect();
        items.extend(recent(&said));
        let drafts: Vec<_> = found
            .iter()
            .zip(100..)
            .flat_map(|((text, is_file), at)| match is_file {
                true => file_drafts(&format!("src/{at}.rs"), text),
                false => {
                    draft::of_message(&message(at, at, "Ann", text), None).into_iter().collect()
                }
            })
            .collect();
        items.extend(retrieved(&drafts));
        items
    })
}

fn profile() -> impl Strategy<Value = Profile> {
    prop_oneof![
        Just(Profile::lean()),
        Just(Profile::project(Tier::Balanced)),
        Just(Profile::bare())
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_dossier_never_exceeds_its_budget_and_pinned_items_survive(
        items in items(), profile in profile(), budget in 1_u32..2_500,
    ) {
        match fitted(items.clone(), &profile, budget) {
            Ok(fitted) => {
                prop_assert!(fitted.used <= budget);
                let pinned = fitted.items.iter().filter(|item| item.mode == Mode::Always);
                prop_assert!(pinned.clone().all(|item| item.form == Form::Full));
                let whole: String =
                    fitted.messages.iter().map(|message| message.content.as_str()).collect();
                for item in pinned {
                    prop_assert!(whole.contains(item.text.trim_end()));
                }
            }
            Err(error) => prop_assert!(error.needed > budget),
        }
    }

    #[test]
    fn the_same_items_give_the_same_bytes(
        items in items(), profile in profile(), budget in 100_u32..2_500,
    ) {
        prop_assert_eq!(
            fitted(items.clone(), &profile, budget), fitted(items, &profile, budget)
        );
    }

    #[test]
    fn more_budget_never_loses_an_item_that_fitted_whole(
        items in items(), profile in profile(), budget in 100_u32..2_000, more in 1_u32..500,
    ) {
        if let Ok(small) = fitted(items.clone(), &profile, budget) {
            let large = fitted(items, &profile, budget + more).unwrap();
            let kept = names(&large, Form::Full);
            for name in names(&small, Form::Full) {
                prop_assert!(kept.contains(&name), "{name} was lost");
            }
        }
    }
}

#[test]
fn pinned_items_that_are_too_large_are_named() {
    let error = fitted(vec![rules(&"word ".repeat(500))], &Profile::lean(), 100).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("rules (50"), "{message}");
    assert!(message.contains("budget is 100"), "{message}");
}

#[test]
fn a_question_and_its_answer_stay_together() {
    let items = recent(&rounds(6));
    for budget in (60..400).step_by(20) {
        let fitted = fitted(items.clone(), &Profile::project(Tier::Smart), budget).unwrap();
        let shown = fitted.items.iter().filter(|item| item.form != Form::Dropped);
        let mut rounds: Vec<_> = shown.map(|item| item.source.round).collect();
        if fitted.warnings.is_empty() {
            assert_eq!(rounds.len() % 2, 0, "{budget}: {rounds:?}");
        }
        rounds.dedup();
        let newest = rounds.last().copied().flatten().unwrap_or(6);
        assert_eq!(newest, 6, "the newest round goes last");
    }
}

#[test]
fn under_pressure_old_history_goes_first_then_weak_facts_stale_summaries_and_facts_beyond_ten() {
    let fact = |number: usize, score: f32| Item {
        kind: Kind::Fact,
        mode: Mode::Retrieved,
        score,
        ..rules(&format!("fact {number} says a thing or two about part {number}"))
    };
    let summary = |name: &str, stale: bool| Item {
        kind: Kind::Summary,
        mode: Mode::Retrieved,
        stale,
        ..rules(&format!("the {name} summary tells what the artefact held"))
    };
    let name = |item: &Item| item.text.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let mut items = recent(&rounds(2));
    items.extend((1..=12).map(|number| fact(number, 0.9)));
    items.push(fact(13, 0.1));
    items.extend([summary("fresh", false), summary("stale", true)]);

    let mut lost: Vec<String> = Vec::new();
    for budget in (20..600).rev() {
        let fitted = fitted(items.clone(), &Profile::lean(), budget).unwrap();
        for (before, after) in items.iter().zip(&fitted.items) {
            let name = name(before);
            if after.form == Form::Dropped && !lost.contains(&name) {
                lost.push(name);
            }
        }
    }
    let place = |name: &str| lost.iter().position(|lost| lost == name).unwrap();
    let order = [
        "Question 0:",
        "fact 13",
        "the stale",
        "fact 12",
        "fact 11",
        "the fresh",
        "fact 10",
        "Question 1:",
    ];
    let places: Vec<usize> = order.iter().map(|name| place(name)).collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    assert_eq!(places, sorted, "{lost:?}");
}

#[test]
fn the_minimal_context_is_the_question_and_the_last_reply_with_a_warning() {
    let fitted = fitted(recent(&rounds(3)), &Profile::lean(), 64).unwrap();
    let shown: Vec<_> = fitted
        .items
        .iter()
        .filter(|item| item.form != Form::Dropped)
        .map(|item| &item.source.id)
        .collect();
    assert_eq!(shown, ["msg_005"]);
    assert!(fitted.warnings[0].contains("context was trimmed"), "{:?}", fitted.warnings);
    assert_eq!(fitted.fitting, Fitting::Minimal);
}

#[test]
fn only_what_was_to_be_shown_is_missed() {
    let fitting =
        |items: Vec<Item>, budget| fitted(items, &Profile::lean(), budget).unwrap().fitting;
    let mut items = recent(&rounds(3));
    let said = items.len();
    items.extend(retrieved(&file_drafts("src/long.rs", &"let it = be;\n".repeat(2_000))));
    let whole = fitted(items.clone(), &Profile::lean(), 1_000).unwrap();
    assert!(whole.items[said..].iter().any(|item| item.form == Form::Dropped));
    assert_eq!(whole.fitting, Fitting::Whole);
    items.truncate(said);
    assert_eq!(fitting(items.clone(), 160), Fitting::Trimmed);
    assert_eq!(fitting(items, 64), Fitting::Minimal);
}

#[test]
fn what_a_section_does_not_use_flows_to_the_best_of_the_rest() {
    let messages: Vec<_> = (0..200)
        .filter_map(|at| {
            let text = format!("message {at} is about one thing after the other, at some length");
            draft::of_message(&message(at, at + 1, "Ann", &text), None)
        })
        .collect();
    let fitted = fitted(retrieved(&messages), &Profile::lean(), 3_000).unwrap();
    assert!(fitted.used > 2_900, "{}", fitted.used);
}

#[test]
fn a_smart_model_is_given_pointers_and_others_the_text() {
    let items = retrieved(&file_drafts("src/a.rs", "fn a() {}\nfn b() {}\n"));
    let shown = |tier: Tier| {
        let profile = Profile::project(tier);
        let asking = Asking { question: "q", reader: None, standing: None };
        let frame =
            Frame { profile: &profile, budget: 1_000, tier, tokenizer: Tokenizer::O200k, asking };
        fit(items.clone(), frame).unwrap().items[0].clone()
    };
    assert_eq!(shown(Tier::Fast).form, Form::Full);
    let pointer = shown(Tier::Smart);
    assert_eq!(pointer.form, Form::Pointer);
    assert_eq!(pointer.text, "- src/a.rs, lines 1-2: fn a() {} fn b() {} (about 8 tokens)");
}

#[test]
fn a_trimmed_excerpt_says_its_lines_whatever_ends_them() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("one line of a file{end}").repeat(40);
        let fitted = fitted(retrieved(&file_drafts("a.txt", &text)), &Profile::bare(), 160);
        let item = &fitted.unwrap().items[0];
        let lines = item.text.matches("one line of a file").count() as u32;
        assert_eq!((item.form, item.source.lines), (Form::Trimmed, Some((1, lines))), "{end:?}");
        assert_eq!(item.text, text[..item.text.len()]);
        assert!(item.text.ends_with(end) && lines > 5, "{end:?}");
    }
}

#[test]
fn what_is_too_long_to_show_does_not_keep_out_what_ranks_below() {
    let error = format!("Error: it broke\n{}", "    at frame (src/deep.rs:12)\n".repeat(600));
    let endless = "x".repeat(8_000);
    let mut drafts: Vec<_> =
        draft::of_message(&message(1, 1, "Ann", &error), None).into_iter().collect();
    drafts.extend(file_drafts("min.js", &endless));
    drafts.extend(file_drafts("long.txt", &"many words on one line ".repeat(300)));
    drafts.extend(file_drafts("good.rs", "fn evidence() {}\n"));
    let fitted = fitted(retrieved(&drafts), &Profile::lean(), 3_000).unwrap();
    let shown: Vec<_> = fitted
        .items
        .iter()
        .filter(|item| item.form != Form::Dropped)
        .map(|item| (item.form, item.source.path.as_deref().unwrap_or("message"), item.tokens > 0))
        .collect();
    let expected = [
        (Form::Full, "min.js", true),
        (Form::Trimmed, "long.txt", true),
        (Form::Full, "good.rs", true),
    ];
    assert_eq!(shown, expected);
}
