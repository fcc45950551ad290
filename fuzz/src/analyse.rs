//! Analysing: terms that both databases take as one word, no more of them than the text explains,
//! and the same every time.

use crate::{repeated, text};
use dossier_core::analyse::{
    AskedMonths, Field, Profile, Question, Term, date_terms, terms, words,
};
use dossier_core::intent;
use dossier_core::time::Timestamp;
use std::collections::BTreeSet;

pub fn analyse(data: &[u8]) {
    let text = text(data);
    check_terms(&text);
    check_question(&text);
    check_profile(&text);
    check_times(&text, data);
    if let Some(long) = repeated(&text) {
        check_terms(&long);
        Question::new(&long);
    }
}

/// The store's rule: all the syntax of its queries consists of other characters.
fn is_term(term: &str) -> bool {
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || !c.is_ascii();
    !term.is_empty() && term.len() <= 512 && term.chars().all(word)
}

fn check_terms(text: &str) {
    let found = terms(text);
    assert_eq!(found, terms(text));
    for term in &found {
        assert!(is_term(term), "{term:?}");
        assert!(!term.contains(|c: char| c.is_whitespace() || c.is_control()), "{term:?}");
    }
    let characters = text.chars().count();
    // An identifier gives itself besides its parts.
    assert!(found.len() <= 2 * characters, "{} terms of {characters} characters", found.len());
    let words = words(text);
    assert!(words.len() <= characters);
    assert!(words.iter().all(|word| !word.is_empty()));
}

fn check_question(text: &str) {
    let question = Question::new(text);
    assert_eq!(question, Question::new(text));
    assert_eq!(question.terms, terms(text).into_iter().collect::<BTreeSet<_>>());
    assert!(question.phrases.len() <= 8);
    assert!(question.phrases.iter().all(|phrase| !phrase.is_empty()));
    assert!(question.terms.iter().all(|term| !question.word(term).is_empty()));

    let names: Vec<&str> = text.split_whitespace().take(3).collect();
    let named = question.named(names.iter().copied());
    assert!(named.iter().all(|name| names.contains(name)));
    let left = question.terms_without(&named);
    assert!(left.is_subset(&question.terms));
    assert_eq!(left.is_empty(), question.terms.is_empty());

    let plain: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(Question::in_first_person(text, &[]), plain.join(" "));
    let asked = Question::in_first_person(text, &named);
    assert_eq!(asked.split_whitespace().count(), plain.len());
    assert_eq!(intent::detect(text), intent::detect(text));
}

fn check_profile(text: &str) {
    let profile = Profile::of([(Field::Body, terms(text)), (Field::Near, words(text))]);
    assert_eq!(Profile::decode(profile.encoded().to_owned()), profile);
    for (term, counts) in profile.terms() {
        assert_eq!(profile.counts(Term::new(term)), counts);
    }
    // A damaged profile costs rank, not the request.
    let damaged = Profile::decode(text.to_owned());
    assert!(damaged.terms().all(|(term, _)| !term.is_empty()));
    damaged.counts(Term::new(text));
}

fn check_times(text: &str, data: &[u8]) {
    let months = AskedMonths::of(text);
    assert_eq!(months, AskedMonths::of(text));
    let mut times: Vec<Timestamp> = Timestamp::parse(text).into_iter().collect();
    for time in &times {
        assert_eq!(Timestamp::parse(&time.to_string()).as_ref(), Ok(time));
    }
    times
        .extend(data.first_chunk().map(|bytes| Timestamp::from_millis(i64::from_le_bytes(*bytes))));
    for time in times {
        // The year before Christ has a sign, which the store passes over.
        let terms = date_terms(time);
        assert!(terms.iter().all(|term| is_term(term.trim_start_matches('-'))), "{terms:?}");
        assert!(!(months.is_empty() && months.hold(time)));
    }
}
