//! Ranking: words, structure, ties.

use crate::material::{file_drafts, message};
use dossier_core::analyse::Question;
use dossier_core::chunk::{Chunk, Draft, draft};
use dossier_core::id::ChunkId;
use dossier_core::message::Message;
use dossier_core::rank::{Candidate, Ranked, Statistics, rank, sources};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Statistics of exactly these chunks.
fn statistics(drafts: &[Draft]) -> Statistics {
    let mut frequency: BTreeMap<String, u64> = BTreeMap::new();
    for (term, _) in drafts.iter().flat_map(|draft| draft.profile.terms()) {
        *frequency.entry(term.to_owned()).or_default() += 1;
    }
    Statistics {
        documents: drafts.len() as u64,
        total_length: drafts.iter().map(|draft| u64::from(draft.profile.length())).sum(),
        frequency,
        ..Statistics::default()
    }
}

fn ranked(question: &str, drafts: &[Draft]) -> Vec<Ranked> {
    let candidates = drafts
        .iter()
        .enumerate()
        .map(|(id, draft)| {
            let chunk = Arc::new(Chunk::new(ChunkId(id as i64), draft.clone()));
            Candidate { chunk, similarities: Vec::new() }
        })
        .collect();
    rank(&Question::new(question), candidates, &statistics(drafts))
}

#[test]
fn a_word_of_several_terms_is_named_once() {
    let drafts = file_drafts("a.rs", "fn count_tokens() {}\n");
    let ranked = ranked("where is count_tokens?", &drafts);
    assert_eq!(ranked[0].matched(), ["count_tokens"]);
}

fn check(question: &str, drafts: &[Draft], expected: &[&str]) {
    let ranked = ranked(question, drafts);
    let names: Vec<&str> =
        ranked.iter().take(expected.len()).map(|ranked| ranked.chunk.origin.as_str()).collect();
    assert_eq!(names, expected, "{question}");
}

fn said(lines: &[(&str, &str)]) -> Vec<Draft> {
    let messages: Vec<Message> = lines
        .iter()
        .zip(0..)
        .map(|((speaker, text), at)| message(at, at + 1, speaker, text))
        .collect();
    draft::of_thread(&messages)
}

#[test]
fn an_answer_is_found_by_the_words_of_its_question() {
    let drafts = said(&[
        ("Ann", "The weather is fine today."),
        ("Ben", "Where did you buy the blue bicycle?"),
        ("Ann", "From a shop near the station."),
        ("Ben", "I like trains, and stations, and shops."),
    ]);
    check("Where was the blue bicycle bought?", &drafts, &["msg_001", "msg_002"]);
}

#[test]
fn the_speaker_whom_the_question_names_is_favoured() {
    let drafts = said(&[
        ("Ben", "I went to the mountains."),
        ("Dan", "Something else entirely."),
        ("Dan", "More of something else."),
        ("Ann", "I went to the mountains."),
    ]);
    check("When did Ann go to the mountains?", &drafts, &["msg_003", "msg_000"]);
}

#[test]
fn a_month_in_the_question_favours_its_messages() {
    let drafts: Vec<Draft> = [(10, "lunch with friends"), (40, "lunch with friends")]
        .into_iter()
        .filter_map(|(at, text)| draft::of_message(&message(at, at, "Ann", text), None))
        .collect();
    check("lunch with friends in February 2024", &drafts, &["msg_040", "msg_010"]);
}

#[test]
fn a_file_is_found_by_the_words_of_its_path() {
    let mut drafts = file_drafts("src/config/argparsing.py", "def add(self):\n    pass\n");
    drafts.extend(file_drafts("src/runner.py", "def add(self):\n    pass\n"));
    check("argparsing add", &drafts, &["fil_src/config/argparsing.py"]);
}

#[test]
fn tests_come_after_the_source_unless_they_are_asked_for() {
    let text = "def parse(line):\n    return line\n";
    let mut drafts = file_drafts("src/parser.py", text);
    drafts.extend(file_drafts("tests/parser.py", text));
    check("parse a line", &drafts, &["fil_src/parser.py", "fil_tests/parser.py"]);
    check("the test that parses a line", &drafts, &["fil_tests/parser.py"]);
}

#[test]
fn a_quoted_phrase_comes_first() {
    let drafts = said(&[
        ("Ann", "sunshine eternal, and the mind, spotless mind, eternal mind"),
        ("Ben", "nothing"),
        ("Dan", "I saw Eternal Sunshine of the Spotless Mind"),
    ]);
    check("who saw \"eternal sunshine\"?", &drafts, &["msg_002"]);
}

#[test]
fn every_sentence_of_a_long_question_is_served() {
    let mut lines = vec![("Ann", "The budget of the garden is four hundred.")];
    lines.extend(std::iter::repeat_n(
        ("Ann", "The bridge over the river is closed for repairs."),
        8,
    ));
    let drafts = said(&lines);
    let ranked =
        ranked("Is the bridge over the river closed? What is the budget of the garden?", &drafts);
    let first: Vec<&str> =
        ranked.iter().take(2).map(|ranked| ranked.chunk.origin.as_str()).collect();
    assert!(first.contains(&"msg_000"), "{first:?}");
}

#[test]
fn ties_are_broken_by_place_and_not_by_the_order_or_the_ids_of_candidates() {
    let drafts: Vec<Draft> = ["src/b.py", "src/a.py", "src/c.py"]
        .iter()
        .flat_map(|path| file_drafts(path, "same words\n"))
        .collect();
    check("same words", &drafts, &["fil_src/a.py", "fil_src/b.py", "fil_src/c.py"]);
}

#[test]
fn sources_are_distinct_and_files_stand_by_their_best_excerpts_together() {
    let many = "alpha beta gamma\n".repeat(120);
    let mut drafts = file_drafts("many.py", &many);
    drafts.extend(file_drafts("one.py", "alpha beta gamma\n"));
    let ranked = ranked("alpha gamma", &drafts);
    assert_eq!(sources(&ranked).len(), 2);
}

#[test]
fn nothing_is_ranked_without_candidates() {
    assert!(ranked("anything", &[]).is_empty());
    assert!(ranked("", &said(&[("Ann", "hello")])).len() == 1);
}
