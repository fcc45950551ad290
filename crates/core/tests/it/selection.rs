//! How well a selection served a reply.

use crate::material::{file_drafts, message, recent, retrieved, rules};
use dossier_core::chunk::draft;
use dossier_core::fit::{Fitted, Frame, fit};
use dossier_core::hash::ContentHash;
use dossier_core::item::{Form, Item, Kind, Mode, Source};
use dossier_core::profile::Profile;
use dossier_core::receipt::ReceiptItem;
use dossier_core::refs::{Kind as RefKind, RefName};
use dossier_core::render::Asking;
use dossier_core::selection::{Fetched, Selection, Served};
use dossier_core::tier::Tier;
use dossier_core::tokens::Tokenizer;

const QUESTION: &str = "How is the cellar kept dry?";

fn fitted(items: Vec<Item>, budget: u32) -> Fitted {
    let asking = Asking { question: QUESTION, reader: None, standing: None };
    let (profile, tokenizer) = (&Profile::bare(), Tokenizer::O200k);
    fit(items, Frame { profile, budget, tier: Tier::Balanced, tokenizer, asking }).unwrap()
}

fn selection(fitted: &Fitted) -> Selection {
    let items: Vec<ReceiptItem> = fitted.items.iter().map(Into::into).collect();
    Selection::of(items, &fitted.blocks)
}

/// Two passages of one file, one of another, something said, and what was not chosen: the rules and
/// the last turn.
fn cellar() -> Vec<Item> {
    let siphon = "A copper siphon drains it beside the boiler, under the stairs.\n".repeat(50);
    let valve = "A brass valve shuts whenever the gutter overflows again.\n".repeat(50);
    let mut drafts = file_drafts("house/cellar.md", &format!("{siphon}{valve}"));
    assert_eq!(drafts.len(), 2, "{drafts:?}");
    drafts.extend(file_drafts("garden.md", "Tulips and crocuses flower in March."));
    let said = message(1, 1, "Ann", "Grandmother hung lavender from the rafters.");
    drafts.extend(draft::of_message(&said, None));
    let mut items = vec![rules("Answer briefly, and mention plumbing.")];
    items.extend(recent(&[message(8, 4, "user", "Is the plumber called Horatio?")]));
    items.extend(retrieved(&drafts));
    items
}

/// The lines of an item that is shown.
fn lines(fitted: &Fitted, nth: usize) -> (u32, u32) {
    let of_file = |item: &&Item| item.source.path.as_deref() == Some("house/cellar.md");
    fitted.items.iter().filter(of_file).nth(nth).and_then(|item| item.source.lines).unwrap()
}

fn file(path: &str, lines: (u32, u32)) -> Fetched {
    Fetched::File { path: path.to_owned(), lines }
}

/// How many of the four items a reply uses.
fn check(reply: &str, used: u32) {
    let served = selection(&fitted(cellar(), 3_000)).served(reply, None);
    assert_eq!(served, Served { shown: 4, used, ..Served::default() }, "{reply}");
}

#[test]
fn an_item_is_used_whose_own_words_are_repeated() {
    check("By a copper siphon next to the boiler.", 1);
    check("A copper siphon by the boiler, and a brass valve if the gutter overflows.", 2);
    check("Horatio keeps the cellar dry; he is good at plumbing.", 0);
    check("I do not know.", 0);
    check("", 0);
}

#[test]
fn one_word_of_a_long_item_is_chance_and_half_of_a_short_one_is_not() {
    check("It has a valve.", 0);
    // Of four words two are half.
    check("Tulips flower.", 1);
    check("In March.", 0);
}

#[test]
fn words_that_stand_elsewhere_in_the_dossier_are_nobodys_own() {
    let drafts = file_drafts("a.md", "Copper siphons drain cellars.");
    let mut items = retrieved(&drafts);
    items.extend(retrieved(&file_drafts("b.md", "Copper siphons drain cellars quickly.")));
    let served = selection(&fitted(items, 3_000)).served("Copper siphons drain cellars.", None);
    assert_eq!((served.shown, served.used), (2, 0));
}

#[test]
fn a_cited_passage_is_used_and_its_neighbour_is_not() {
    let fitted = fitted(cellar(), 3_000);
    let (first, last) = lines(&fitted, 1);
    check(&format!("See house/cellar.md:{first}-{last}."), 1);
    // Which of the two is not said.
    check("See house/cellar.md.", 0);
    check("See `garden.md`.", 1);
    check("As msg_001 has it.", 1);
}

#[test]
fn what_was_fetched_is_counted_by_what_was_shown_of_it() {
    let mut items = cellar();
    let long = "Mortar and lime.\n".repeat(700);
    items.extend(retrieved(&file_drafts("walls.md", &long)));
    let fitted = fitted(items, 2_500);
    let dropped = fitted.items.iter().filter(|item| item.form == Form::Dropped).count();
    assert!(
        dropped > 0 && fitted.items.iter().filter(|item| item.form != Form::Dropped).count() > 4
    );
    let selection = selection(&fitted);
    let shown = lines(&fitted, 0);
    let fetched = [
        file("walls.md", (690, 700)),
        file("walls.md", (690, 700)),
        file("unheard-of.md", (1, 5)),
        file("house/cellar.md", shown),
        Fetched::Found(Vec::new()),
        Fetched::Found(vec![Source::file("fil_house/cellar.md", "house/cellar.md", shown)]),
        Fetched::Found(vec![
            Source::file("fil_house/cellar.md", "house/cellar.md", shown),
            Source::file("fil_new", "new.md", (1, 2)),
        ]),
    ];
    let served = selection.served("", Some(&fetched));
    assert_eq!((served.could_fetch, served.missed, served.followed), (true, 3, 0));
    assert_eq!(served.left_out as usize, dropped);
    assert!(!selection.served("", None).could_fetch);
}

#[test]
fn a_pointer_that_is_followed_and_a_ref_that_is_opened_were_shown_in_short() {
    let whole = RefName::whole(RefKind::new("log").unwrap(), &ContentHash::of("the log"));
    let text = format!("{}: three errors", whole.shown([]));
    let summary = Item {
        mode: Mode::Retrieved,
        ..Item::pinned(Kind::Summary, Source::reference(&whole.to_string()), text, 9, "named")
    };
    let mut items = cellar();
    items.push(summary);
    let mut fitted = fitted(items, 3_000);
    for item in &mut fitted.items {
        if item.kind == Kind::File {
            item.form = Form::Pointer;
        }
    }
    let selection = selection(&fitted);
    let fetched = [
        file("house/cellar.md", lines(&fitted, 0)),
        file("garden.md", (1, 1)),
        Fetched::Rest(whole.shown([]).to_string()),
        // It came with what another tool gave.
        Fetched::Rest("ref:log:0123456789ab".to_owned()),
        // It was shown whole.
        Fetched::Rest("msg_001".to_owned()),
        file("house/cellar.md", (9_000, 9_001)),
    ];
    let served = selection.served(&format!("As {whole} says."), Some(&fetched));
    assert_eq!((served.missed, served.followed), (1, 3));
    assert_eq!((served.shown, served.used), (5, 1));
}

#[test]
fn a_message_in_short_can_be_asked_for_and_one_that_was_left_out_is_missed() {
    let mut fitted = fitted(cellar(), 3_000);
    let id = "msg_001";
    for (form, expected) in [(Form::Line, (0, 1)), (Form::Trimmed, (0, 1)), (Form::Dropped, (1, 0))]
    {
        for item in fitted.items.iter_mut().filter(|item| item.source.id == id) {
            item.form = form;
        }
        let fetched = [Fetched::Rest(id.to_owned())];
        let served = selection(&fitted).served("", Some(&fetched));
        assert_eq!((served.missed, served.followed), expected, "{form:?}");
    }
}
