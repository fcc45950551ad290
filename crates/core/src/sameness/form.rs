//! A question in the form in which it is compared.
//!
//! Each step replaces words by others that say the same in this place, or takes away words that
//! say nothing. A step that is not sure leaves the words as they are: then a paraphrase is missed,
//! and the question is answered anew. So articles, the number of a noun and all commas stay, and a
//! question that holds other signs than those of a sentence, or that is about words, is compared
//! as it was written.

use super::numbers;
use super::rules::{RULES, Rule};
use super::words::{COMMA, GENITIVE, STOP, is_plain, words};
use std::collections::HashSet;

/// Words that carry a question, as `don't` does too.
const AUXILIARIES: [&str; 14] = [
    "be", "am", "was", "do", "does", "did", "can", "could", "will", "would", "should", "have",
    "had", "may",
];

/// Longer texts carry material of their own, and are compared with nothing.
const MOST_WORDS: usize = 60;

/// Rewritings at the start may uncover others: "hi, please, could you tell me…".
const MOST_OPENINGS: usize = 6;

/// The words of a question that its answer depends on, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Form {
    /// The auxiliary of the main clause: it moves when a question is asked indirectly.
    pub(super) auxiliary: Option<String>,
    pub(super) words: Vec<String>,
}

/// Why a question has no form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It wants something done or made, or asks nothing.
    NoQuestion,
    /// This word refers to something outside the question.
    Outside(String),
    /// It is not known to be English, so nobody knows what it refers to.
    Language,
    /// It carries material of its own.
    Long,
}

impl Form {
    /// The form of a question that stands alone.
    pub fn of(text: &str) -> Result<Self, Unfit> {
        let mut words = words(text);
        if words.len() > MOST_WORDS || text.contains("```") {
            return Err(Unfit::Long);
        }
        let small = lowered(&words);
        let english = small.iter().any(|word| RULES.english.contains(word));
        if !english || small.iter().any(|word| RULES.foreign.contains(word)) {
            return Err(Unfit::Language);
        }
        let about_words = small.iter().any(|word| RULES.wording.contains(word));
        let rules: &[Rule] = &RULES.anywhere;
        rules.iter().for_each(|rule| rule.everywhere(&mut words));
        let indirect = trim(&mut words);
        let small = lowered(&words);
        if let Some(word) = reference(&small) {
            return Err(Unfit::Outside(word));
        }
        let asks = text.trim_end().ends_with(['?', '？'])
            || small.first().is_some_and(|word| RULES.starts.contains(word));
        if !asks || wants_action(&small) || !names_something(&small) {
            return Err(Unfit::NoQuestion);
        }
        if about_words || !is_plain(text) {
            return Ok(Self { auxiliary: None, words: vec![text.trim().to_owned()] });
        }
        Ok(Self::shaped(numbers::normal(words), indirect))
    }

    fn shaped(mut words: Vec<String>, indirect: bool) -> Self {
        there(&mut words);
        let several = words.iter().any(|word| word == "are" || word == "were");
        words.iter_mut().for_each(|word| *word = inflected(word));
        // "Which is Ann?" asks for one of several, "what is Ann?" does not.
        if words.get(1).is_some_and(|noun| words[0] == "which" && !is_auxiliary(noun)) {
            words[0] = "what".to_owned();
        }
        genitive_to_of(&mut words);
        how_to(&mut words);
        rewrite(&RULES.frames, &mut words, Rule::whole);
        rewrite(&RULES.verbs, &mut words, Rule::at_start);
        symmetric(&mut words);
        // The king was one, the kings were several, and so may be the fish.
        let several = several && words.iter().any(|word| word == "be" || word == "was");
        let auxiliary = take_auxiliary(&mut words, indirect);
        if several {
            words.push("several".to_owned());
        }
        Self { auxiliary, words }
    }
}

/// The words in small letters, but for those that would be others then: `US` and `IT`.
fn lowered(words: &[String]) -> Vec<String> {
    let small = |word: &String| {
        let small = word.to_lowercase();
        if RULES.ambiguous.contains(&small) { word.clone() } else { small }
    };
    words.iter().map(small).collect()
}

/// The first word that refers to something outside the question.
fn reference(words: &[String]) -> Option<String> {
    if let Some(first) = words.first().filter(|word| RULES.joining.contains(*word)) {
        return Some(first.clone());
    }
    let goes_on =
        |at: usize| RULES.going_on.iter().any(|rule| rule.at_start(&words[at..]).is_some());
    let named_before = |at: usize| {
        let unspecified = words
            .get(at + 1)
            .is_none_or(|next| RULES.english.contains(next) && !RULES.specifying.contains(next));
        at > 0 && words[at - 1] == "the" && RULES.contextual.contains(&words[at]) && unspecified
    };
    let refers =
        |at: &usize| RULES.outside.contains(&words[*at]) || named_before(*at) || goes_on(*at);
    (0..words.len()).find(refers).map(|at| words[at].clone())
}

/// "Why?" and "can you explain?" ask about something that was said before.
fn names_something(words: &[String]) -> bool {
    words.iter().any(|word| {
        let mark = word == COMMA || word == STOP;
        let carries = RULES.english.contains(word) || word.ends_with("n't");
        !mark && !carries && !RULES.speech.contains(word)
    })
}

/// "Create a task", "could you create a task": an answer would not do it again.
fn wants_action(words: &[String]) -> bool {
    let verb = match words {
        [can, you, verb, ..]
            if you == "you" && ["can", "could", "will", "would"].contains(&can.as_str()) =>
        {
            Some(verb)
        }
        [verb, ..] => Some(verb),
        [] => None,
    };
    verb.is_some_and(|verb| RULES.actions.contains(verb))
}

/// Takes away what is said before and after a question, and tells whether the question was asked
/// indirectly.
fn trim(words: &mut Vec<String>) -> bool {
    let mut indirect = false;
    for _ in 0..MOST_OPENINGS {
        let mut changed = rewrite(&RULES.greetings, words, |rule, words| {
            rule.at_start(words).filter(|words| begins_with(words, &RULES.opening))
        });
        if rewrite(&RULES.indirect, words, |rule, words| {
            rule.at_start(words).filter(|words| begins_with(words, &RULES.asking))
        }) {
            (changed, indirect) = (true, true);
        }
        changed |= rewrite(&RULES.closing, words, Rule::at_end);
        if !changed {
            break;
        }
    }
    indirect
}

/// "Can I ask Ann?" asks for nothing that Ann could be.
fn begins_with(words: &[String], openings: &HashSet<String>) -> bool {
    words.first().is_some_and(|word| openings.contains(&word.to_lowercase()))
}

/// Applies the first rule that fits and leaves something to ask.
fn rewrite(
    rules: &[Rule],
    words: &mut Vec<String>,
    apply: impl Fn(&Rule, &[String]) -> Option<Vec<String>>,
) -> bool {
    let found = rules.iter().find_map(|rule| apply(rule, words).filter(|words| !words.is_empty()));
    let changed = found.is_some();
    if let Some(rewritten) = found {
        *words = rewritten;
    }
    changed
}

/// How many there are in a place is how many are in it.
fn there(words: &mut [String]) {
    let [how, many, ..] = &*words else { return };
    let counts = how == "how" && ["many", "much"].contains(&many.as_str());
    for word in words.iter_mut().filter(|_| counts) {
        match word.as_str() {
            "are_there" => *word = "are".to_owned(),
            "is_there" => *word = "is".to_owned(),
            _ => {}
        }
    }
}

/// Forms of "be" without number.
fn inflected(word: &str) -> String {
    match word {
        "is" | "are" => "be",
        "were" => "was",
        word => word,
    }
    .to_owned()
}

/// "India's population" is "the population of India", but Ann's picture may show somebody else: only
/// for what belongs to a thing in one way, at the end of a question.
fn genitive_to_of(words: &mut Vec<String>) {
    let [.., genitive, head] = words.as_slice() else { return };
    if genitive != GENITIVE || !RULES.belongings.contains(head) {
        return;
    }
    let at = words.len() - 2;
    let plain = |word: &String| !RULES.english.contains(word) && word != GENITIVE && word != COMMA;
    let start = words[..at].iter().rposition(|word| !plain(word)).map_or(0, |index| index + 1);
    if start == at || start == 0 || !["be", "was"].contains(&words[start - 1].as_str()) {
        return;
    }
    let turned = ["the", head, "of"].map(str::to_owned);
    words.truncate(at);
    words.splice(start..start, turned);
}

/// "How do I", "how can I" and "how does one" ask for the same instructions, unless they ask how
/// somebody is: "how do I look in red?" What "you" do is another question.
fn how_to(words: &mut Vec<String>) {
    const OTHERS: [&str; 8] = ["you", "your", "yours", "me", "us", "we", "our", "i"];
    if let [how, auxiliary, person, verb, rest @ ..] = words.as_slice() {
        let asks = how == "how" && ["do", "can"].contains(&auxiliary.as_str()) && person == "i";
        let others = rest.iter().any(|word| OTHERS.contains(&word.as_str()));
        if asks && !others && !RULES.states.contains(verb) {
            words.splice(1..3, ["to".to_owned()]);
        }
    }
    if words.len() > 3 && words[..3] == ["how", "to", "best"] {
        words.remove(2);
    }
}

/// The difference between two things is the same in both directions.
fn symmetric(words: &mut [String]) {
    const NOUNS: [&str; 6] =
        ["difference", "differences", "similarities", "similarity", "relationship", "distance"];
    let Some(between) =
        words.windows(2).position(|pair| NOUNS.contains(&pair[0].as_str()) && pair[1] == "between")
    else {
        return;
    };
    let pair = &mut words[between + 2..];
    let Some(and) = pair.iter().position(|word| word == "and") else { return };
    let (one, other) = (&pair[..and], &pair[and + 1..]);
    // Otherwise a word may belong to both: Java and Python programs.
    let alike = one.len() == other.len() && is_thing(one) && is_thing(other);
    let single = one.len() == 1 || one.first().is_some_and(|first| is_article(first));
    if !alike || !single {
        return;
    }
    if other < one {
        let turned = [other, &pair[and..=and], one].concat();
        pair.clone_from_slice(&turned);
    }
}

fn is_article(word: &str) -> bool {
    ["a", "an", "the"].contains(&word)
}

/// Words for one thing, perhaps with its article, and no number: numbers may be subtracted.
fn is_thing(words: &[String]) -> bool {
    let noun = match words {
        [article, noun @ ..] if is_article(article) => noun,
        noun => noun,
    };
    let plain = |word: &String| {
        !RULES.english.contains(word)
            && word != COMMA
            && word != GENITIVE
            && !word.starts_with(|c: char| c.is_ascii_digit())
    };
    !noun.is_empty() && noun.iter().all(plain)
}

fn is_auxiliary(word: &str) -> bool {
    AUXILIARIES.contains(&word) || word.ends_with("n't")
}

/// The auxiliary of the main clause, taken out of a question that begins with a question word:
/// "why is the sky blue", and indirectly "why the sky is blue".
fn take_auxiliary(words: &mut Vec<String>, indirect: bool) -> Option<String> {
    /// Words that begin another clause: what stands behind them is not the question's own.
    const BORDERS: [&str; 12] = [
        "that", "which", "who", "if", "because", "and", "or", "when", "while", "to", "not", "than",
    ];
    let [first, second, ..] = words.as_slice() else { return None };
    let adverb = ["why", "how", "when", "where"].contains(&first.as_str());
    if is_auxiliary(second) && (adverb || ["what", "who"].contains(&first.as_str())) {
        return Some(words.remove(1));
    }
    if !adverb {
        // "tell me what the capital of France is"
        return words.pop_if(|last| indirect && is_auxiliary(last));
    }
    if RULES.degrees.contains(second) || BORDERS.contains(&second.as_str()) {
        return None;
    }
    let border = words.iter().skip(1).position(|word| BORDERS.contains(&word.as_str()));
    let clause = &words[..border.map_or(words.len(), |at| at + 1)];
    match clause.iter().position(|word| is_auxiliary(word)) {
        // "How cold is water?" is not "how is cold water?"
        Some(at)
            if first == "how" && (at + 1 == words.len() || !begins_clause(second, indirect)) =>
        {
            None
        }
        Some(at) => Some(words.remove(at)),
        None => Some(hidden_do(words)),
    }
}

/// Whether the word after "how" is the start of a clause, and not what is asked for the degree of.
fn begins_clause(word: &str, indirect: bool) -> bool {
    indirect || ["the", "a", "an", "i", "we", "you", "my", "your", "our"].contains(&word)
}

/// The "do" that a clause does not need: why birds fly is why they do, and how it works is how it
/// does. The verb is known only at the end.
fn hidden_do(words: &mut [String]) -> String {
    let verb = words.last_mut().filter(|word| {
        word.len() > 3
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
            && word.ends_with('s')
            && !["ss", "us", "is", "as"].iter().any(|end| word.ends_with(end))
    });
    match verb {
        Some(verb) => {
            verb.pop();
            "does"
        }
        None => "do",
    }
    .to_owned()
}
