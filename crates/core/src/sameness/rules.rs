//! The rewritings of `data/sameness.toml`: patterns of words, and what they become.
//!
//! Data that cannot be read would be no data, and without it no question is known to be English:
//! that costs hits and never lets a wrong one through.

use crate::phrase::{End, Pattern};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Everything that is data about sameness.
pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let text: Text = toml::from_str(include_str!("../../data/sameness.toml")).unwrap_or_default();
    Rules::of(text)
});

#[derive(Debug, Default, Deserialize)]
struct Text {
    anywhere: Vec<String>,
    greetings: Vec<String>,
    indirect: Vec<String>,
    closing: Vec<String>,
    frames: Vec<String>,
    synonyms: Vec<String>,
    fillers: String,
    outside: String,
    going_on: Vec<String>,
    joining: String,
    contextual: String,
    specifying: String,
    speech: String,
    actions: String,
    starts: String,
    personal: String,
    degrees: String,
    unchanged: String,
    plurals: HashMap<String, String>,
    labels: String,
    ambiguous: String,
    english: String,
    foreign: String,
    units: String,
}

#[derive(Debug, Default)]
pub(super) struct Rules {
    pub anywhere: Vec<Rule>,
    pub greetings: Vec<Rule>,
    /// Ways to begin a question that then stands as a clause: "could you tell me".
    pub indirect: Vec<Rule>,
    pub closing: Vec<Rule>,
    pub frames: Vec<Rule>,
    /// Words that say the same, each with the first of its line.
    pub synonyms: HashMap<String, String>,
    pub fillers: HashSet<String>,
    /// Words that refer to something outside the question.
    pub outside: HashSet<String>,
    /// Phrases that go on from what was said.
    pub going_on: Vec<Rule>,
    /// Words with which a question goes on.
    pub joining: HashSet<String>,
    /// Nouns that refer to something named before, unless it is said which.
    pub contextual: HashSet<String>,
    pub specifying: HashSet<String>,
    /// Verbs that only ask for words.
    pub speech: HashSet<String>,
    /// Verbs that ask for something to be done or made, not for an answer.
    pub actions: HashSet<String>,
    /// Words that begin a question without a question mark.
    pub starts: HashSet<String>,
    /// Verbs for which "you" is the one who is asked.
    pub personal: HashSet<String>,
    /// Words that belong to "how": how many.
    pub degrees: HashSet<String>,
    /// Words that end in "s" and have no singular, or one that means something else.
    pub unchanged: HashSet<String>,
    pub plurals: HashMap<String, String>,
    /// Nouns after which "a" is a name: vitamin A.
    pub labels: HashSet<String>,
    /// Words that are another word when written large: apple, polish, may.
    pub ambiguous: HashSet<String>,
    pub english: HashSet<String>,
    pub foreign: HashSet<String>,
    /// Units that are written onto a number.
    pub units: HashSet<String>,
}

impl Rules {
    fn of(text: Text) -> Self {
        let rules = |lines: Vec<String>| lines.iter().filter_map(|line| Rule::read(line)).collect();
        let set = |words: String| words.split_whitespace().map(str::to_owned).collect();
        let mut synonyms = HashMap::new();
        for line in &text.synonyms {
            let mut words = line.split_whitespace();
            if let Some(first) = words.next() {
                synonyms.extend(words.map(|word| (word.to_owned(), first.to_owned())));
            }
        }
        Self {
            anywhere: rules(text.anywhere),
            greetings: rules(text.greetings),
            indirect: rules(text.indirect),
            closing: rules(text.closing),
            frames: rules(text.frames),
            synonyms,
            fillers: set(text.fillers),
            outside: set(text.outside),
            going_on: rules(text.going_on),
            joining: set(text.joining),
            contextual: set(text.contextual),
            specifying: set(text.specifying),
            speech: set(text.speech),
            actions: set(text.actions),
            starts: set(text.starts),
            personal: set(text.personal),
            degrees: set(text.degrees),
            unchanged: set(text.unchanged),
            plurals: text.plurals,
            labels: set(text.labels),
            ambiguous: set(text.ambiguous),
            english: set(text.english),
            foreign: set(text.foreign),
            units: set(text.units),
        }
    }
}

/// A pattern and what it becomes.
#[derive(Debug)]
pub(super) struct Rule {
    pattern: Pattern,
    becomes: Vec<String>,
}

impl Rule {
    fn read(line: &str) -> Option<Self> {
        let (pattern, becomes) = line.split_once("=>").unwrap_or((line, ""));
        let becomes = becomes.split_whitespace().map(str::to_owned).collect();
        Some(Self { pattern: Pattern::read(pattern)?, becomes })
    }

    /// Rewrites the start of the words.
    pub fn at_start(&self, words: &[String]) -> Option<Vec<String>> {
        self.at(words, 0, End::Anywhere)
    }

    /// Rewrites all of the words, or nothing.
    pub fn whole(&self, words: &[String]) -> Option<Vec<String>> {
        self.at(words, 0, End::AtTheEnd)
    }

    /// Rewrites the end of the words.
    pub fn at_end(&self, words: &[String]) -> Option<Vec<String>> {
        (0..words.len()).find_map(|start| self.at(words, start, End::AtTheEnd))
    }

    /// Rewrites every place in the words, from left to right.
    pub fn everywhere(&self, words: &mut Vec<String>) {
        let mut start = 0;
        while start < words.len() {
            match self.at(words, start, End::Anywhere) {
                Some(rewritten) => {
                    *words = rewritten;
                    start += self.becomes.len();
                }
                None => start += 1,
            }
        }
    }

    fn at(&self, words: &[String], start: usize, end: End) -> Option<Vec<String>> {
        let found = self.pattern.at(words, start, end)?;
        let mut result = words[..start].to_vec();
        for word in &self.becomes {
            match (word.as_str(), found.gaps.first()) {
                ("*", Some(gap)) => result.extend_from_slice(&words[gap.clone()]),
                (word, _) => result.push(word.to_owned()),
            }
        }
        result.extend_from_slice(&words[found.end..]);
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_rewrites_what_its_pattern_finds() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
        let check = |rule: &str, text: &str, expected: Option<&str>| {
            let rewritten = Rule::read(rule).and_then(|rule| rule.whole(&words(text)));
            assert_eq!(rewritten, expected.map(words), "{rule}: {text}");
        };
        let cost = "how much do * cost => what be price of *";
        check(cost, "how much do a car cost", Some("what be price of a car"));
        check(cost, "how much do a car", None);
    }

    #[test]
    fn the_data_can_be_read_whole() {
        let text: Text = toml::from_str(include_str!("../../data/sameness.toml")).unwrap();
        let lines = [&text.anywhere, &text.greetings, &text.indirect, &text.closing, &text.frames]
            .map(Vec::len);
        let rules = Rules::of(text);
        let read =
            [&rules.anywhere, &rules.greetings, &rules.indirect, &rules.closing, &rules.frames]
                .map(Vec::len);
        assert_eq!(read, lines);
        assert!(rules.foreign.is_disjoint(&rules.english));
    }
}
