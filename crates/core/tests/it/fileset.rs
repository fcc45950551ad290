//! Files of a consultation: what is sent, skipped and searched from turn to turn.

use dossier_core::fileset::{Crowded, FileState, Map, Measured, Room, Seen, Split, Used, sides};
use dossier_core::tokens::Tokenizer;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A disk of files with their tokens, and a session that is asked about them.
#[derive(Default)]
struct Story {
    disk: BTreeMap<String, (Seen, u32)>,
    state: FileState,
    rounds: BTreeSet<i64>,
    used: u32,
}

const ROOM: Room = Room { inline: 150_000, whole: 171_000, most: 175_000 };

impl Story {
    fn write(&mut self, path: &str, tokens: u32, modified_ns: i64) {
        let seen = Seen { path: path.to_owned(), size: u64::from(tokens) * 4, modified_ns };
        self.disk.insert(path.to_owned(), (seen, tokens));
    }

    fn split(&self, priority: &[&str], room: Room) -> Result<Split, Crowded> {
        let priority: BTreeSet<String> = priority.iter().map(|path| (*path).to_owned()).collect();
        let files = self.disk.values().map(|(seen, _)| seen.clone());
        let sides = sides(files, &self.state, &priority, &self.rounds);
        let measure =
            |file: &Seen| Measured { file: file.clone(), tokens: self.disk[&file.path].1 };
        let measured = sides.due.iter().chain(&sides.new).map(measure).collect();
        let used = Used { whole: self.used, files: self.state.tokens_held(&self.rounds) };
        Split::of(sides, measured, &self.state, &priority, room, used)
    }

    /// Asks, and is answered.
    fn turn(&mut self, priority: &[&str], room: Room) -> Result<Split, Crowded> {
        let split = self.split(priority, room)?;
        let round = self.rounds.len() as i64 + 1;
        self.state = self.state.after(&split, round);
        self.rounds.insert(round);
        self.used += split.sent_tokens();
        Ok(split)
    }
}

/// How many files are sent, skipped and left to search.
fn figures(split: &Split) -> (usize, usize, usize) {
    (split.send.len(), split.unchanged.len(), split.searchable.len())
}

fn paths(files: &[Measured]) -> Vec<&str> {
    files.iter().map(|file| file.file.path.as_str()).collect()
}

#[test]
fn a_typical_session_sends_only_what_changed() {
    let mut story = Story::default();
    for number in 0..40 {
        story.write(&format!("src/small_{number:02}.rs"), 3_000, 1);
    }
    for number in 0..10 {
        story.write(&format!("src/large_{number:02}.rs"), 6_000, 1);
    }
    let room = Room { inline: 124_000, ..ROOM };
    let first = story.turn(&[], room).unwrap();
    assert_eq!(figures(&first), (40, 0, 10));
    assert_eq!(first.sent_tokens(), 120_000);
    assert!(first.searchable.iter().all(|file| file.path.starts_with("src/large")));

    for number in 0..3 {
        story.write(&format!("src/small_{number:02}.rs"), 3_000, 2);
    }
    let second = story.turn(&[], room).unwrap();
    assert_eq!(figures(&second), (3, 37, 10));
    assert_eq!((second.sent_tokens(), second.saved_tokens()), (9_000, 111_000));

    for number in 0..20 {
        story.write(&format!("tests/t_{number:02}.rs"), 10, 1);
    }
    let third = story.turn(&[], room).unwrap();
    assert_eq!(figures(&third), (0, 40, 30));
    assert_eq!(story.state.inline, first.inline);
}

#[test]
fn what_was_inline_stays_inline_when_more_is_named() {
    let mut story = Story::default();
    for number in 0..100 {
        story.write(&format!("api/{number:03}"), 3_000, 1);
    }
    let first = story.turn(&[], ROOM).unwrap();
    assert_eq!(figures(&first), (50, 0, 50));
    for number in 0..20 {
        story.write(&format!("tests/{number:03}"), 2_500, 1);
    }
    let second = story.turn(&[], ROOM).unwrap();
    assert_eq!(figures(&second), (0, 50, 70));
    assert_eq!(second.inline, first.inline);
    assert!(second.frozen);
}

#[test]
fn a_file_that_is_named_again_and_again_is_sent_once() {
    let mut story = Story::default();
    story.write("api/server.go", 1_000, 1);
    let sent: u32 = (0..3).map(|_| story.turn(&[], ROOM).unwrap().sent_tokens()).sum();
    assert_eq!(sent, 1_000);
}

#[test]
fn a_session_that_is_full_says_so_and_a_new_one_begins_anew() {
    let mut story = Story::default();
    for number in 0..16 {
        story.write(&format!("{number:02}"), 10_000, 1);
    }
    let list = story.turn(&[], ROOM).unwrap().inline;
    for turn in 2..=15 {
        story.write("00", 1_500, turn);
        let split = story.turn(&[], ROOM).unwrap();
        assert_eq!((figures(&split), &split.inline), ((1, 14, 1), &list), "turn {turn}");
    }
    story.write("00", 1_500, 16);
    let full = story.turn(&[], ROOM).unwrap_err();
    let largest = vec!["00 (1500 tokens)".to_owned()];
    assert_eq!(full, Crowded { needed: 1_500, left: 0, largest });

    story.write("15", 100, 16);
    let mut next = Story { disk: story.disk, ..Story::default() };
    let first = next.turn(&[], ROOM).unwrap();
    assert_eq!(figures(&first), (16, 0, 0));
    assert_eq!(first.inline.difference(&list).collect::<Vec<_>>(), ["15"]);
}

#[test]
fn the_list_grows_while_everything_fits_and_closes_at_the_first_overflow() {
    let mut story = Story::default();
    story.write("a", 50_000, 1);
    assert!(!story.turn(&[], ROOM).unwrap().frozen);
    story.write("b", 60_000, 1);
    let second = story.turn(&[], ROOM).unwrap();
    assert_eq!((paths(&second.send), second.frozen), (vec!["b"], false));
    story.write("c", 30_000, 1);
    story.write("d", 30_000, 1);
    let third = story.turn(&[], ROOM).unwrap();
    assert_eq!(paths(&third.send), ["c"]);
    assert_eq!((third.searchable[0].path.as_str(), third.frozen), ("d", true));
    story.write("e", 1, 1);
    let fourth = story.turn(&[], ROOM).unwrap();
    assert_eq!(figures(&fourth), (0, 3, 2));
}

#[test]
fn ties_are_broken_by_path() {
    let mut story = Story::default();
    for path in ["z", "m", "a"] {
        story.write(path, 60_000, 1);
    }
    assert_eq!(paths(&story.turn(&[], ROOM).unwrap().send), ["a", "m"]);
}

#[test]
fn what_the_history_no_longer_holds_is_sent_again() {
    let mut story = Story::default();
    story.write("a", 1_000, 1);
    story.turn(&[], ROOM).unwrap();
    story.write("b", 1_000, 1);
    story.turn(&[], ROOM).unwrap();
    story.rounds.remove(&1);
    let split = story.split(&[], ROOM).unwrap();
    assert_eq!((paths(&split.send), paths(&split.unchanged)), (vec!["a"], vec!["b"]));
}

#[test]
fn what_is_insisted_on_is_inline_beyond_the_budget_and_never_beyond_the_window() {
    let mut story = Story::default();
    story.write("huge", 160_000, 1);
    story.write("small", 10, 1);
    let without = story.split(&[], ROOM).unwrap();
    assert_eq!(paths(&without.send), ["small"]);
    let with = story.split(&["huge"], ROOM).unwrap();
    assert_eq!(paths(&with.send), ["huge"]);
    assert_eq!(with.searchable[0].path, "small");

    // On a closed list it is sent, and stays where it was.
    story.turn(&[], ROOM).unwrap();
    let later = story.turn(&["huge"], ROOM).unwrap();
    assert_eq!((paths(&later.send), later.inline.contains("huge")), (vec!["huge"], false));
    let again = story.turn(&["huge"], ROOM).unwrap();
    assert_eq!(figures(&again), (0, 2, 0));

    story.write("huger", 176_000, 1);
    let crowded = Story { disk: story.disk, ..Story::default() }.split(&["huger"], ROOM);
    let largest = vec!["huger (176000 tokens)".to_owned()];
    assert_eq!(crowded, Err(Crowded { needed: 176_000, left: 175_000, largest }));
}

#[test]
fn what_was_insisted_on_once_the_list_is_closed_is_before_the_model_until_it_changes() {
    let mut story = Story::default();
    for number in 0..20 {
        story.write(&format!("{number:02}"), 10_000, 1);
    }
    assert_eq!(figures(&story.turn(&[], ROOM).unwrap()), (15, 0, 5));
    assert_eq!(figures(&story.turn(&["17"], ROOM).unwrap()), (1, 15, 4));
    let third = story.turn(&[], ROOM).unwrap();
    assert_eq!(figures(&third), (0, 16, 4));
    assert!(!third.inline.contains("17"), "it is on no other side than before");
    story.write("17", 10_000, 2);
    let fourth = story.turn(&[], ROOM).unwrap();
    assert_eq!(figures(&fourth), (0, 15, 5));
    let is_outdated = |file: &&Seen| story.state.is_outdated(file, &story.rounds);
    let outdated: Vec<&str> =
        fourth.searchable.iter().filter(is_outdated).map(|file| file.path.as_str()).collect();
    assert_eq!(outdated, ["17"]);
}

#[test]
fn the_map_tells_what_is_where_and_stays_small() {
    let mut story = Story::default();
    for number in 0..20 {
        story.write(&format!("src/{number:02}.rs"), 10_000, 1);
    }
    story.turn(&[], ROOM).unwrap();
    story.write("src/03.rs", 10_000, 2);
    let split = story.split(&[], ROOM).unwrap();
    let again = BTreeSet::from(["src/03.rs".to_owned()]);
    let seen = |path: &str| Seen { path: path.to_owned(), size: 1, modified_ns: 1 };
    let map = Map {
        split: &split,
        again: &again,
        outdated: &["src/16.rs".to_owned()],
        gone: &["src/old.rs".to_owned()],
        attachments: &[seen("docs/rules.pdf")],
        tools: Some("search_files"),
    };
    let expected = "Files: 1 in this message, 14 unchanged in earlier ones, 6 to be searched.\n\
                    Changed since they were sent; go by the new text: src/03.rs\n\
                    Changed since they were sent, and not sent again; the new text is not shown: \
                    src/16.rs\n\
                    No longer there: src/old.rs\n\
                    Attached, reached by search_files:\ndocs/: rules.pdf\n\
                    Not shown, reached by search_files:\n\
                    src/: 15.rs, 16.rs, 17.rs, 18.rs, 19.rs\n";
    assert_eq!(map.text(Tokenizer::O200k).unwrap(), expected);

    let searchable =
        (0..10_000).map(|n| seen(&format!("folder_{}/file_{n}.rs", n % 300))).collect();
    let many = Split { searchable, ..Split::default() };
    let map = Map {
        split: &many,
        again: &BTreeSet::new(),
        outdated: &[],
        gone: &[],
        attachments: &[],
        ..map
    };
    let text = map.text(Tokenizer::O200k).unwrap();
    assert!(Tokenizer::O200k.count(&text) < 800, "{text}");
    assert!(text.contains("files in other folders"), "{text}");

    let nothing = Split::default();
    let map = Map {
        split: &nothing,
        again: &BTreeSet::new(),
        outdated: &[],
        gone: &[],
        attachments: &[],
        ..map
    };
    assert_eq!(map.text(Tokenizer::O200k), None);
}

/// One thing that happens to a session.
#[derive(Debug, Clone)]
enum Step {
    Write { path: u8, tokens: u32 },
    Remove { path: u8 },
    Ask { priority: Option<u8> },
    Forget { round: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..12_u8, 1..60_000_u32).prop_map(|(path, tokens)| Step::Write { path, tokens }),
        1 => (0..12_u8).prop_map(|path| Step::Remove { path }),
        4 => prop::option::weighted(0.2, 0..12_u8).prop_map(|priority| Step::Ask { priority }),
        1 => (1..6_i64).prop_map(|round| Step::Forget { round }),
    ]
}

proptest! {
    #[test]
    fn no_file_ever_changes_sides(steps in prop::collection::vec(step(), 1..60)) {
        let mut story = Story::default();
        let mut sides: BTreeMap<String, bool> = BTreeMap::new();
        for (time, step) in (1..).zip(steps) {
            match step {
                Step::Write { path, tokens } => story.write(&path.to_string(), tokens, time),
                Step::Remove { path } => drop(story.disk.remove(&path.to_string())),
                Step::Forget { round } => drop(story.rounds.remove(&round)),
                Step::Ask { priority } => {
                    let priority = priority.map(|path| path.to_string());
                    let priority: Vec<&str> = priority.iter().map(String::as_str).collect();
                    story.used = story.state.tokens_held(&story.rounds);
                    let before = story.state.clone();
                    let Ok(split) = story.split(&priority, ROOM) else { continue };
                    prop_assert!(before.inline.is_subset(&split.inline));
                    prop_assert!(!before.frozen || before.inline == split.inline);
                    let whole = story.used + split.sent_tokens();
                    prop_assert!(whole <= ROOM.most);
                    story.state = before.after(&split, time);
                    story.rounds.insert(time);
                    // Every file on the disk is somewhere, once.
                    let mut all: Vec<&str> = paths(&split.send);
                    all.extend(paths(&split.unchanged));
                    all.extend(split.searchable.iter().map(|file| file.path.as_str()));
                    all.sort_unstable();
                    let disk: Vec<&str> = story.disk.keys().map(String::as_str).collect();
                    prop_assert_eq!(all, disk);
                    for path in story.disk.keys() {
                        let inline = split.inline.contains(path);
                        if !inline && !split.frozen {
                            prop_assert!(false, "{} is on no side", path);
                        }
                        let was = *sides.entry(path.clone()).or_insert(inline);
                        prop_assert_eq!(was, inline, "{} changed sides", path);
                    }
                }
            }
        }
    }
}
