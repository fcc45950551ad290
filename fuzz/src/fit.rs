//! Fitting: the budget holds, the receipt's figures are those of what is sent, every form is true
//! to its original, and more budget loses nothing.

use crate::chunk::Counter;
use dossier_core::chunk::{Draft, Location, draft};
use dossier_core::compress::{Age, honest};
use dossier_core::fit::{Fitted, Frame, TooLarge, fit};
use dossier_core::id::{FileId, MessageId, ThreadId};
use dossier_core::item::{Form, Item, Kind, Mode, Source};
use dossier_core::message::{Message, Speaker};
use dossier_core::profile::Profile;
use dossier_core::render::{self, Asking};
use dossier_core::tier::Tier;
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;

const TOKENIZER: Tokenizer = Tokenizer::O200k;

pub(crate) fn check(text: &str, budget: u32) {
    let items = items(text);
    let profiles = [Profile::lean(), Profile::project(Tier::Smart), Profile::project(Tier::Fast)];
    let profile = &profiles[budget as usize % profiles.len()];
    let first = fitted(&items, profile, budget);
    assert_eq!(first, fitted(&items, profile, budget));
    let Ok(small) = first else { return };
    check_whole(&small, budget);
    for (before, after) in items.iter().zip(&small.items) {
        check_form(before, after);
    }
    let Ok(large) = fitted(&items, profile, budget + 100) else {
        unreachable!("what fits a budget fits a larger one")
    };
    for (small, large) in small.items.iter().zip(&large.items) {
        assert!(small.form != Form::Full || large.form == Form::Full, "{small:?} was lost");
    }
}

fn fitted(items: &[Item], profile: &Profile, budget: u32) -> Result<Fitted, TooLarge> {
    let asking = Asking { question: "What does it say?", reader: None, standing: None };
    let tier = Tier::Smart;
    fit(items.to_vec(), Frame { profile, budget, tier, tokenizer: TOKENIZER, asking })
}

/// The paragraphs of a text as the thread's last turns, found messages and found files in turn,
/// after a pinned rule.
fn items(text: &str) -> Vec<Item> {
    let rules = Source::profile("rules");
    let tokens = TOKENIZER.count("Be brief.");
    let mut items =
        vec![Item::pinned(Kind::Rules, rules, "Be brief.".to_owned(), tokens, "pinned")];
    let paragraphs: Vec<&str> = text.split("\n\n").take(15).collect();
    let every_third = |from: usize| paragraphs.iter().enumerate().skip(from).step_by(3);
    for (at, paragraph) in every_third(0) {
        items.push(Item::recent(&message(at, paragraph), Age::Fresh, TOKENIZER));
    }
    let found: Vec<Draft> = every_third(1)
        .filter_map(|(at, paragraph)| draft::of_message(&message(at, paragraph), None))
        .chain(every_third(2).flat_map(|(at, paragraph)| {
            draft::of_file(&FileId::from(format!("fil_{at}")), &format!("{at}.rs"), paragraph)
        }))
        // All of it in one file, which a small budget trims.
        .chain(draft::of_file(&FileId::from("fil_all"), "all.md", text))
        .collect();
    let scored = |(place, draft): (usize, &Draft)| Item {
        score: 2.0 - place as f32 / 1_000.0,
        ..Item::retrieved(draft)
    };
    items.extend(found.iter().enumerate().map(scored));
    items
}

fn message(at: usize, content: &str) -> Message {
    Message {
        id: MessageId::from(format!("msg_{at}")),
        thread: ThreadId::from("thr_1"),
        parent: None,
        position: at as i64,
        round: at as i64 / 2 + 1,
        speaker: Speaker::parse(["user", "agent:o3", "Ann"][at % 3]),
        section: None,
        content: content.to_owned(),
        external_id: None,
        created_at: Timestamp::from_millis(at as i64 * 86_400_000),
    }
}

fn check_whole(fitted: &Fitted, budget: u32) {
    assert!(fitted.used <= budget, "{} of {budget}", fitted.used);
    assert_eq!(fitted.messages, render::messages(&fitted.blocks));
    assert_eq!(fitted.used, render::count(&fitted.messages, TOKENIZER));
    let disturbing = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r');
    assert!(!fitted.messages.iter().any(|message| message.content.contains(disturbing)));
    for (index, item) in fitted.items.iter().enumerate() {
        let shown = fitted.blocks.iter().any(|block| block.item == Some(index));
        assert_eq!(shown, item.form != Form::Dropped, "{item:?}");
        assert!(item.mode != Mode::Always || item.form == Form::Full);
    }
}

fn check_form(before: &Item, after: &Item) {
    match (after.form, &after.location) {
        (Form::Full, _) => assert_eq!(before.text, after.text),
        (
            Form::Trimmed,
            Some(Location::File { start_line, end_line, start_char, end_char, .. }),
        ) => {
            assert!(!after.text.is_empty() && before.text.starts_with(&after.text));
            assert_eq!(end_char - start_char, after.text.chars().count() as u64);
            assert_eq!(Counter::from(*start_line).read(&after.text), (*start_line, *end_line));
            assert_eq!(after.source.lines, Some((*start_line, *end_line)));
        }
        (Form::Trimmed | Form::Line, _) => {
            assert!(honest(&before.text, &after.text, &after.source.id), "{:?}", after.text);
        }
        (Form::Pointer, Some(Location::File { path, .. })) => {
            assert!(after.text.starts_with(&format!("- {path}, lines ")), "{:?}", after.text);
        }
        (Form::Pointer, location) => unreachable!("a pointer to {location:?}"),
        (Form::Dropped, _) => {
            assert!(after.reason.contains("left out: "));
            return;
        }
    }
    assert_eq!(after.tokens, TOKENIZER.count(&after.text));
}
