//! A question as search sees it: its distinct terms, its quoted phrases, the words it would be
//! embedded by.

use super::words::{terms, words};
use std::collections::{BTreeMap, BTreeSet};

/// Further phrases of a question count as plain words.
const MOST_PHRASES: usize = 8;

/// A question, analysed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    pub text: String,
    /// Distinct terms, sorted.
    pub terms: BTreeSet<String>,
    /// What stood in double quotes, as plain words.
    pub phrases: Vec<String>,
    /// The word as it was asked, for each term.
    asked: BTreeMap<String, String>,
}

impl Question {
    pub fn new(text: &str) -> Self {
        let mut asked = BTreeMap::new();
        for word in words(text) {
            for term in terms(&word) {
                asked.entry(term).or_insert_with(|| word.clone());
            }
        }
        Self {
            text: text.to_owned(),
            terms: terms(text).into_iter().collect(),
            phrases: phrases(text),
            asked,
        }
    }

    /// The word of the question that a term comes from.
    pub fn word<'a>(&'a self, term: &'a str) -> &'a str {
        self.asked.get(term).map_or(term, String::as_str)
    }

    /// Those of the names that the question mentions by one of their words.
    pub fn named<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let asked: BTreeSet<String> = words(&self.text).into_iter().collect();
        names
            .into_iter()
            .filter(|name| words(name).iter().any(|word| asked.contains(word)))
            .collect()
    }

    /// The terms without those of the names: who speaks is told by the speaker, not by the words.
    /// A question that asks for nothing but a name keeps it.
    pub fn terms_without(&self, names: &[&str]) -> BTreeSet<String> {
        let named: BTreeSet<String> = names.iter().flat_map(|name| terms(name)).collect();
        let rest: BTreeSet<String> = self.terms.difference(&named).cloned().collect();
        if rest.is_empty() { self.terms.clone() } else { rest }
    }

    /// The text as the speakers themselves would put it: their names become "I" and "my". A name
    /// would pull every message of that speaker closer, whatever it says.
    pub fn in_first_person(text: &str, names: &[&str]) -> String {
        let named: BTreeSet<String> = names.iter().flat_map(|name| words(name)).collect();
        let replaced: Vec<String> = text
            .split_whitespace()
            .map(|word| match words(word).as_slice() {
                [name] if named.contains(name) && word.ends_with(['\'', '’']) => "my".to_owned(),
                [name] if named.contains(name) => format!("I{}", punctuation_after(word)),
                [name, s] if named.contains(name) && s == "s" => "my".to_owned(),
                _ => word.to_owned(),
            })
            .collect();
        replaced.join(" ")
    }
}

fn punctuation_after(word: &str) -> &str {
    word.char_indices()
        .rev()
        .take_while(|(_, c)| !c.is_alphanumeric())
        .last()
        .map_or("", |(start, _)| &word[start..])
}

/// The texts between pairs of double quotes. A quote that is never closed means nothing.
fn phrases(text: &str) -> Vec<String> {
    let quotes: Vec<&str> = text.split(['"', '“', '”']).collect();
    let closed = quotes.len().saturating_sub(1) / 2;
    (0..closed)
        .map(|pair| words(quotes[2 * pair + 1]).join(" "))
        .filter(|phrase| !phrase.is_empty())
        .take(MOST_PHRASES)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_closed_quotes_make_phrases() {
        assert_eq!(Question::new(r#"who said "Hello, World" and "x"#).phrases, ["hello world"]);
        assert_eq!(Question::new(r#"a " b"#).phrases, Vec::<String>::new());
    }

    #[test]
    fn names_of_speakers_are_taken_out_of_a_question() {
        let question = Question::new("When did Caroline's mother visit Melanie?");
        let names = question.named(["Caroline", "Jon", "Melanie"]);
        assert_eq!(names, ["Caroline", "Melanie"]);
        let asked = Question::in_first_person(&question.text, &names);
        assert_eq!(asked, "When did my mother visit I?");
        let terms: Vec<String> = question.terms_without(&names).into_iter().collect();
        assert_eq!(terms, ["mother", "visit"]);
    }

    #[test]
    fn a_question_for_a_name_alone_keeps_it() {
        let question = Question::new("Caroline?");
        assert_eq!(question.terms_without(&["Caroline"]), question.terms);
    }
}
