//! Pages compared whole, as they look without colours.

use super::*;
use dossier_core::item::Source;
use dossier_core::message::Speaker;
use dossier_core::render::{WireMessage, WireRole};
use dossier_core::time::Timestamp;
use dossier_engine::{Hit, IndexReport};

fn view(width: usize) -> View {
    View { width, everything: false }
}

fn verbose(width: usize) -> View {
    View { width, everything: true }
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn names() -> Names {
    Names { project: "default".to_owned(), thread: Some("Counting".to_owned()) }
}

#[test]
fn a_receipt_is_a_page_of_a_hundred_columns() {
    insta::assert_snapshot!(plain(&receipt(&sample::receipt(), &names(), view(100))));
}

#[test]
fn a_narrow_terminal_gets_a_narrow_page() {
    insta::assert_snapshot!(plain(&receipt(&sample::receipt(), &names(), view(60))));
}

#[test]
fn verbose_shows_every_item_and_every_signal() {
    insta::assert_snapshot!(plain(&receipt(&sample::receipt(), &names(), verbose(100))));
}

#[test]
fn a_receipt_of_nothing_is_short() {
    let names = Names { project: "empty".to_owned(), thread: None };
    insta::assert_snapshot!(plain(&receipt(&sample::empty_receipt(), &names, view(100))));
}

#[test]
fn no_line_of_a_page_is_wider_than_the_terminal() {
    for width in [60, 77, 100, 140] {
        let page = plain(&receipt(&sample::receipt(), &names(), verbose(width)));
        for line in page.lines() {
            assert!(text::width(line) <= width, "{width}: {line}");
        }
    }
}

#[test]
fn a_very_long_question_is_shown_in_part_with_its_length() {
    let mut long = sample::empty_receipt();
    long.question = "why ".repeat(10_000);
    let page = plain(&receipt(&long, &names(), view(100)));
    assert_eq!(page.lines().nth(3), Some("… (40,000 bytes)"));
}

#[test]
fn a_path_cannot_disturb_the_terminal() {
    let mut deceptive = sample::receipt();
    deceptive.items[4].source.path = Some("a\u{1b}]0;title\u{7}\u{202e}b".to_owned());
    deceptive.question = "\u{1b}[2J?".to_owned();
    let page = receipt(&deceptive, &names(), view(100));
    assert!(page.contains("a]0;titleb:1-50"), "{page}");
    assert!(!page.contains("\u{1b}[2J") && !page.contains('\u{7}') && !page.contains('\u{202e}'));
}

#[test]
fn hits_are_numbered_with_their_places_scores_and_words() {
    let said_by = |id: &str, round: i64, speaker: &str| {
        Source::message(id, round, &Speaker::parse(speaker), Timestamp::from_millis(0))
    };
    let hit = |source, text: &str, matched: &[&str]| Hit {
        source,
        text: text.to_owned(),
        tokens: 10,
        score: 1.234,
        scores: Default::default(),
        matched: matched.iter().map(|word| (*word).to_owned()).collect(),
        preview: None,
    };
    let said = "We said that the factor errs on the high side. ".repeat(12);
    let found = [
        hit(
            Source::file("fil_1", "src/tokens.rs", (1, 50)),
            "//! Counting\n//! tokens",
            &["token"],
        ),
        hit(said_by("msg_1", 12, "Caroline"), &said, &["factor", "side"]),
        hit(said_by("msg_2", 13, "user"), "And\u{1b}[31m why?", &[]),
    ];
    insta::assert_snapshot!(plain(&hits(&found, view(100))));
}

#[test]
fn an_indexing_run_is_told_in_numbers_with_what_it_left_out() {
    let file =
        |path: &str, reason: &str| LeftOut { path: path.to_owned(), reason: reason.to_owned() };
    let mut left_out: Vec<_> = (1..=7).map(|n| file(&format!("logo{n}.png"), "binary")).collect();
    left_out.push(file("huge.log", "too large: 60 bytes, the limit is 50"));
    let report = IndexReport { added: 1_200, unchanged: 3, chunks: 5_000, ..Default::default() };
    let remark = Some("left for the next run");
    let run = Indexed { project: "default", report: &report, vectors: 0, remark, left_out };
    insta::assert_snapshot!(plain(&indexed(&run, view(100))));
}

#[test]
fn messages_are_rendered_below_their_roles() {
    let message = |role, content: &str| WireMessage { role, content: content.to_owned() };
    let messages = [
        message(WireRole::System, "Rules.\n"),
        message(WireRole::User, "Why?"),
        message(WireRole::Assistant, "Because."),
    ];
    insta::assert_snapshot!(plain(&rendered(&messages)));
}
