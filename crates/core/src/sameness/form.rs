//! A question in the form in which it is compared.
//!
//! Each step replaces words by others that say the same in this place, or takes away words that
//! say nothing. A step that is not sure leaves the words as they are: then a paraphrase is missed,
//! and the question is answered anew.

use super::numbers;
use super::rules::{RULES, Rule};
use super::words::{COMMA, GENITIVE, STOP, words};

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
        let english = words.iter().any(|word| RULES.english.contains(word));
        if !english || words.iter().any(|word| RULES.foreign.contains(word)) {
            return Err(Unfit::Language);
        }
        let rules: &[Rule] = &RULES.anywhere;
        rules.iter().for_each(|rule| rule.everywhere(&mut words));
        let indirect = trim(&mut words);
        if let Some(word) = reference(&words) {
            return Err(Unfit::Outside(word));
        }
        let asks = text.trim_end().ends_with(['?', '？'])
            || words.first().is_some_and(|word| RULES.starts.contains(word));
        if !asks || wants_action(&words) || !names_something(&words) {
            return Err(Unfit::NoQuestion);
        }
        Ok(Self::shaped(numbers::normal(words), indirect))
    }

    fn shaped(mut words: Vec<String>, indirect: bool) -> Self {
        let several = words.iter().any(|word| word == "are" || word == "were");
        front_to_end(&mut words);
        words.retain(|word| !RULES.fillers.contains(word));
        drop_list_commas(&mut words);
        words.iter_mut().for_each(|word| *word = inflected(word));
        if words.first().is_some_and(|word| word == "which") {
            words[0] = "what".to_owned();
        }
        genitive_to_of(&mut words);
        how_to(&mut words);
        drop_articles(&mut words);
        rewrite(&RULES.frames, &mut words, Rule::whole);
        symmetric(&mut words);
        let auxiliary = take_auxiliary(&mut words, indirect);
        for at in 0..words.len() {
            let word = singular(&words[at]);
            // "g" is a gram after a number alone.
            let unit = RULES.units.contains(&word);
            let counted = at > 0 && numbers::is_number(&words[at - 1]);
            let synonym = RULES.synonyms.get(&word).filter(|_| !unit || counted);
            words[at] = synonym.unwrap_or(&word).clone();
        }
        // The best book is one, the best books are several.
        if several && words.iter().any(|word| is_superlative(word)) {
            words.push("several".to_owned());
        }
        Self { auxiliary, words }
    }
}

fn is_superlative(word: &str) -> bool {
    const NOT: [&str; 9] =
        ["test", "request", "interest", "forest", "west", "rest", "guest", "invest", "protest"];
    let others = ["most", "least", "top", "first", "worst"];
    (word.len() > 3 && word.ends_with("est") && !NOT.contains(&word)) || others.contains(&word)
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
        !mark && !RULES.english.contains(word) && !RULES.speech.contains(word)
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
        let mut changed = rewrite(&RULES.greetings, words, Rule::at_start);
        if rewrite(&RULES.indirect, words, Rule::at_start) {
            (changed, indirect) = (true, true);
        }
        changed |= rewrite(&RULES.closing, words, Rule::at_end);
        // Greetings leave their comma.
        while words.first().is_some_and(|word| word == COMMA || word == STOP) {
            words.remove(0);
        }
        while words.last().is_some_and(|word| word == COMMA || word == STOP) {
            words.pop();
        }
        if !changed {
            break;
        }
    }
    indirect
}

/// Applies the first rule that fits and leaves something to ask.
fn rewrite(
    rules: &[Rule],
    words: &mut Vec<String>,
    apply: fn(&Rule, &[String]) -> Option<Vec<String>>,
) -> bool {
    let found = rules.iter().find_map(|rule| apply(rule, words).filter(|words| !words.is_empty()));
    let changed = found.is_some();
    if let Some(rewritten) = found {
        *words = rewritten;
    }
    changed
}

/// "In Python, how do I sort?" asks what "How do I sort in Python?" asks.
fn front_to_end(words: &mut Vec<String>) {
    const BEFORE: [&str; 6] = ["in", "on", "at", "for", "with", "during"];
    const QUESTION: [&str; 8] = ["what", "how", "who", "when", "where", "why", "which", "is"];
    let Some(comma) = words.iter().position(|word| word == COMMA) else { return };
    let introduced = words.first().is_some_and(|word| BEFORE.contains(&word.as_str()));
    let asked = words.get(comma + 1).is_some_and(|word| QUESTION.contains(&word.as_str()));
    let rest_is_plain = words[comma + 1..].iter().all(|word| word != COMMA && word != STOP);
    if introduced && asked && rest_is_plain {
        let front: Vec<String> = words.drain(..=comma).take(comma).collect();
        words.extend(front);
    }
}

/// The comma before "and" says nothing; any other may: "who is eating, Grandma?"
fn drop_list_commas(words: &mut Vec<String>) {
    let mut at = 0;
    while at + 1 < words.len() {
        let joins = ["and", "or"].contains(&words[at + 1].as_str());
        if joins && words[at] == COMMA {
            words.remove(at);
        }
        at += 1;
    }
}

/// Forms of "be", "do" and "have" without number.
fn inflected(word: &str) -> String {
    match word {
        "is" | "are" | "am" => "be",
        "were" => "was",
        "does" => "do",
        "has" => "have",
        word => word,
    }
    .to_owned()
}

/// "India's population" is "population of India", where both are plain nouns.
fn genitive_to_of(words: &mut Vec<String>) {
    let Some(at) = words.iter().position(|word| word == GENITIVE) else { return };
    let plain = |word: &String| !RULES.english.contains(word) && word != GENITIVE;
    let start = words[..at].iter().rposition(|word| !plain(word)).map_or(0, |index| index + 1);
    let end = words[at + 1..]
        .iter()
        .position(|word| !plain(word))
        .map_or(words.len(), |index| at + 1 + index);
    if start == at || end == at + 1 {
        return;
    }
    let mut turned = words[at + 1..end].to_vec();
    turned.push("of".to_owned());
    turned.extend_from_slice(&words[start..at]);
    words.splice(start..end, turned);
}

/// "How do I", "how can you" and "how does one" ask for the same instructions. What belongs to the
/// one who is meant follows: "your" after "you" is "my" after "I", but "your" after "I" is not.
fn how_to(words: &mut Vec<String>) {
    let [how, auxiliary, person, verb, ..] = words.as_slice() else { return };
    let asks = how == "how" && ["do", "can", "could"].contains(&auxiliary.as_str());
    let own: &[(&str, &str)] = match person.as_str() {
        "i" | "one" => &[],
        "you" => &[("your", "my"), ("yourself", "myself")],
        _ => return,
    };
    // "How can you help me?" means these two and no others.
    let others = ["you", "me", "us", "i", "we"];
    // "How do you do?" is no question for instructions, and "how do you live?" hardly one.
    let personal = person == "you" && (RULES.personal.contains(verb) || words.len() < 6);
    if !asks || personal || words[3..].iter().any(|word| others.contains(&word.as_str())) {
        return;
    }
    words.splice(1..3, ["to".to_owned()]);
    for word in words.iter_mut() {
        if let Some((_, mine)) = own.iter().find(|(own, _)| own == word) {
            *word = (*mine).to_owned();
        }
    }
    if words.get(2).is_some_and(|word| word == "best") {
        words.remove(2);
    }
}

/// Articles say nothing, but for "what is the matter?", and where "a" is a name.
fn drop_articles(words: &mut Vec<String>) {
    let asks_for_one =
        words.len() == 4 && words[2] == "the" && ["be", "was"].contains(&words[1].as_str());
    if asks_for_one {
        return;
    }
    let mut kept: Vec<String> = Vec::with_capacity(words.len());
    for word in words.drain(..) {
        let label = kept.last().is_some_and(|last| RULES.labels.contains(last));
        let article = word == "the" || word == "an" || (word == "a" && !label);
        if !article {
            kept.push(word);
        }
    }
    *words = kept;
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
    let plain = |word: &String| !RULES.english.contains(word);
    let (one, other) = (&pair[..and], &pair[and + 1..]);
    if one.is_empty() || other.is_empty() || !one.iter().all(plain) || !other.iter().all(plain) {
        return;
    }
    if other < one {
        let turned = [other, &pair[and..=and], one].concat();
        pair.clone_from_slice(&turned);
    }
}

/// The auxiliary of the main clause, taken out of a question that begins with a question word:
/// "why is the sky blue", and indirectly "why the sky is blue".
fn take_auxiliary(words: &mut Vec<String>, indirect: bool) -> Option<String> {
    const AUXILIARIES: [&str; 12] =
        ["be", "was", "do", "did", "can", "could", "will", "would", "should", "have", "had", "may"];
    /// Words that begin another clause: what stands behind them is not the question's own.
    const BORDERS: [&str; 12] = [
        "that", "which", "who", "if", "because", "and", "or", "when", "while", "to", "not", "than",
    ];
    let is_auxiliary = |word: &String| AUXILIARIES.contains(&word.as_str());
    let first = words.first()?.clone();
    let adverb = ["why", "how", "when", "where"].contains(&first.as_str());
    let at = match words.get(1) {
        Some(second)
            if is_auxiliary(second) && (adverb || ["what", "who"].contains(&first.as_str())) =>
        {
            Some(1)
        }
        Some(second) if adverb && !RULES.degrees.contains(second) => {
            let border = words
                .iter()
                .skip(1)
                .position(|word| BORDERS.contains(&word.as_str()))
                .map_or(words.len(), |at| at + 1);
            words[..border].iter().skip(2).position(is_auxiliary).map(|at| at + 2)
        }
        // "tell me what the capital of France is"
        Some(_) if indirect && words.last().is_some_and(is_auxiliary) => Some(words.len() - 1),
        _ => None,
    }?;
    let auxiliary = words.remove(at);
    // "Do" only carries the question, and "why birds fly" asks why birds do. But "what birds eat"
    // asks for birds, and "what do birds eat" for food.
    (auxiliary != "do" || !adverb).then_some(auxiliary)
}

/// A noun or verb without its "s". Other endings stay: they tell time and person.
fn singular(word: &str) -> String {
    if let Some(singular) = RULES.plurals.get(word) {
        return singular.clone();
    }
    let letters = word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !letters || RULES.unchanged.contains(word) {
        return word.to_owned();
    }
    let stem = |cut: usize, ending: &str| format!("{}{ending}", &word[..word.len() - cut]);
    match word {
        word if word.ends_with("ies") && word.len() > 4 => stem(3, "y"),
        word if ["sses", "ches", "shes", "xes", "zes"].iter().any(|end| word.ends_with(end)) => {
            stem(2, "")
        }
        word if ["ss", "us", "is", "as", "ics"].iter().any(|end| word.ends_with(end)) => {
            word.to_owned()
        }
        word if word.ends_with('s') => stem(1, ""),
        word => word.to_owned(),
    }
}
