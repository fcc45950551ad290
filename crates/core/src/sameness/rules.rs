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
    verbs: Vec<String>,
    outside: String,
    going_on: Vec<String>,
    joining: String,
    contextual: String,
    specifying: String,
    speech: String,
    actions: String,
    starts: String,
    asking: String,
    polite: String,
    before_i: String,
    states: String,
    degrees: String,
    belongings: String,
    wording: String,
    names: String,
    ambiguous: String,
    english: String,
    foreign: String,
    units: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct Rules {
    pub anywhere: Vec<Rule>,
    pub greetings: Vec<Rule>,
    /// Ways to begin a question that then stands as a clause: "could you tell me".
    pub indirect: Vec<Rule>,
    pub closing: Vec<Rule>,
    pub frames: Vec<Rule>,
    /// Verbs that ask the same at the start of a question, where no noun can be meant.
    pub verbs: Vec<Rule>,
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
    /// Words with which a question stands as a clause.
    pub asking: HashSet<String>,
    /// Words that begin a sentence before what it is about, politely or not.
    pub opening: HashSet<String>,
    /// Words after which "I" is the one who asks, and not a letter.
    pub before_i: HashSet<String>,
    /// Verbs with which "how do I" asks for no instructions.
    pub states: HashSet<String>,
    /// Words that belong to "how": how many.
    pub degrees: HashSet<String>,
    /// What belongs to a thing in one way alone: the population of India is India's.
    pub belongings: HashSet<String>,
    /// Words of questions about words, in which every letter tells.
    pub wording: HashSet<String>,
    /// Names that mean the same when written small.
    pub names: HashSet<String>,
    /// Words that hold sentences together, and are names when written large: US, May.
    pub ambiguous: HashSet<String>,
    pub english: HashSet<String>,
    pub foreign: HashSet<String>,
    /// Units after a number, each with how it is written short.
    pub units: HashMap<String, String>,
}

impl Rules {
    fn of(text: Text) -> Self {
        let rules = |lines: Vec<String>| lines.iter().filter_map(|line| Rule::read(line)).collect();
        let set = |words: String| words.split_whitespace().map(str::to_owned).collect();
        let opening = [&text.starts, &text.speech, &text.polite].map(String::as_str).join(" ");
        let units = text.units.iter();
        let units = units.flat_map(|line| {
            let unit = line.split_whitespace().next().unwrap_or_default();
            line.split_whitespace().map(move |name| (name.to_owned(), unit.to_owned()))
        });
        let units = units.collect();
        Self {
            anywhere: rules(text.anywhere),
            greetings: rules(text.greetings),
            indirect: rules(text.indirect),
            closing: rules(text.closing),
            frames: rules(text.frames),
            verbs: rules(text.verbs),
            outside: set(text.outside),
            going_on: rules(text.going_on),
            joining: set(text.joining),
            contextual: set(text.contextual),
            specifying: set(text.specifying),
            speech: set(text.speech),
            actions: set(text.actions),
            starts: set(text.starts),
            asking: set(text.asking),
            opening: set(opening),
            before_i: set(text.before_i),
            states: set(text.states),
            degrees: set(text.degrees),
            belongings: set(text.belongings),
            wording: set(text.wording),
            names: set(text.names),
            ambiguous: set(text.ambiguous),
            english: set(text.english),
            foreign: set(text.foreign),
            units,
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
        let (greetings, indirect) = (&text.greetings, &text.indirect);
        let lines = [&text.anywhere, greetings, indirect, &text.closing, &text.frames, &text.verbs]
            .map(Vec::len);
        let rules = Rules::of(text);
        let (greetings, indirect) = (&rules.greetings, &rules.indirect);
        let (frames, verbs) = (&rules.frames, &rules.verbs);
        let read = [&rules.anywhere, greetings, indirect, &rules.closing, frames, verbs];
        assert_eq!(read.map(Vec::len), lines);
        assert!(rules.foreign.is_disjoint(&rules.english));
    }
}
