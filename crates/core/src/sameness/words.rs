//! The words of a question, as comparing needs them: contractions taken apart, and whatever is not
//! plainly punctuation kept.
//!
//! A comma is a word of its own, and so is the end of a sentence within the text. A word whose
//! capitals tell (`US`, `Polish`, the `A` of "vitamin A") keeps them, so no rule for the small
//! word touches it.

use super::rules::RULES;

pub(super) const COMMA: &str = ",";
pub(super) const STOP: &str = ".";
/// What was a genitive: `India's` is `India` and this.
pub(super) const GENITIVE: &str = "'s";

pub(super) fn words(text: &str) -> Vec<String> {
    let case = Case::of(text);
    let mut words: Vec<String> = Vec::new();
    for (index, run) in text.split_whitespace().enumerate() {
        let run = run.replace(['’', '‘', 'ʼ'], "'").replace(['–', '—'], "-");
        let begins = index == 0 || words.last().is_some_and(|word| word == STOP);
        let (core, end) = strip(&run);
        if !core.is_empty() {
            for part in hyphenated(core) {
                expand(&cased(part, case, begins), &mut words);
            }
        }
        words.extend(end.map(str::to_owned));
    }
    while words.last().is_some_and(|word| word == STOP || word == COMMA) {
        words.pop();
    }
    words
}

/// What capitals say in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Case {
    /// They mark names.
    Telling,
    /// All or most words have them, or none.
    Silent,
}

impl Case {
    fn of(text: &str) -> Self {
        let words = || text.split_whitespace().filter(|word| *word != "I");
        let large = words().filter(|word| word.starts_with(char::is_uppercase)).count();
        let small = words().filter(|word| word.starts_with(char::is_lowercase)).count();
        if large == 0 || large > small * 2 { Case::Silent } else { Case::Telling }
    }
}

/// The word in small letters, unless its capitals make it another word.
fn cased(word: &str, case: Case, begins: bool) -> String {
    let small = word.to_lowercase();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let all_large = !word.contains(char::is_lowercase) && letters > 0;
    let telling = case == Case::Telling;
    let bare = small.trim_end_matches("'s");
    let initials = all_large && letters > 1 && telling && RULES.english.contains(&small);
    let letter = word == "A" && telling && !begins;
    let name = telling
        && !begins
        && word.starts_with(char::is_uppercase)
        && RULES.ambiguous.contains(bare);
    if initials || letter || name { word.to_owned() } else { small }
}

/// Punctuation around a word goes; a comma or the end of a sentence after it stays as a mark.
fn strip(run: &str) -> (&str, Option<&'static str>) {
    const AROUND: [char; 13] = ['"', '“', '”', '(', ')', '[', ']', '{', '}', '«', '»', '`', '\''];
    const AFTER: [char; 8] = ['.', '?', '!', '…', ',', ';', ':', '¿'];
    let core = run.trim_start_matches(AROUND).trim_start_matches('¿');
    let word = core.trim_end_matches(|c| AROUND.contains(&c) || AFTER.contains(&c));
    let after = &core[word.len()..];
    // "U.S." and "e.g." end in a stop of their own.
    let abbreviation = word.contains('.') && after.starts_with('.');
    let end = match after {
        after if after.contains(['?', '!', '…']) => Some(STOP),
        after if after.contains('.') && !abbreviation => Some(STOP),
        after if after.contains([',', ';', ':']) => Some(COMMA),
        _ => None,
    };
    (word, end)
}

/// `step-by-step` is three words; `-5`, `2024-03-05` and `x-1` are one.
fn hyphenated(word: &str) -> Vec<&str> {
    let letters = |part: &str| part.len() > 1 && part.chars().all(char::is_alphabetic);
    let parts: Vec<&str> = word.split('-').collect();
    if parts.len() > 1
        && parts.iter().any(|part| letters(part))
        && parts.iter().all(|part| !part.is_empty() && part.chars().all(char::is_alphabetic))
    {
        parts
    } else {
        vec![word]
    }
}

/// Words after which `'s` is "is": elsewhere it is a genitive.
const BEFORE_IS: [&str; 16] = [
    "what",
    "who",
    "where",
    "when",
    "why",
    "how",
    "which",
    "it",
    "that",
    "this",
    "there",
    "here",
    "he",
    "she",
    "everything",
    "nothing",
];

fn expand(word: &str, words: &mut Vec<String>) {
    let mut push = |parts: &[&str]| words.extend(parts.iter().map(|part| (*part).to_owned()));
    match word {
        "can't" | "cannot" | "cant" => return push(&["can", "not"]),
        "won't" => return push(&["will", "not"]),
        "shan't" => return push(&["shall", "not"]),
        "let's" => return push(&["let", "us"]),
        "whats" => return push(&["what", "is"]),
        "dont" => return push(&["do", "not"]),
        "doesnt" => return push(&["does", "not"]),
        "isnt" => return push(&["is", "not"]),
        _ => {}
    }
    for (ending, expanded) in
        [("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am")]
    {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| !stem.is_empty()) {
            return push(&[stem, expanded]);
        }
    }
    match word.strip_suffix("'s") {
        Some(stem) if BEFORE_IS.contains(&stem) => push(&[stem, "is"]),
        Some(stem) if !stem.is_empty() => push(&[stem, GENITIVE]),
        _ => push(&[word]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(words(text).join(" "), expected, "{text}");
    }

    #[test]
    fn contractions_are_taken_apart() {
        check("What's wrong? I don't know.", "what is wrong . i do not know");
        check("Why can’t India's team win", "why can not india 's team win");
    }

    #[test]
    fn what_is_not_plainly_punctuation_stays() {
        check("Is C++ > C# (by 3.5%)?", "is c++ > c# by 3.5%");
        check(
            "a step-by-step guide, for -5 on 2024-03-05",
            "a step by step guide , for -5 on 2024-03-05",
        );
        check("e.g. the U.S.", "e.g the u.s");
    }

    #[test]
    fn telling_capitals_stay() {
        check("Is vitamin A sold in the US by Apple", "is vitamin A sold in the US by Apple");
        check("is vitamin a sold by apple to us", "is vitamin a sold by apple to us");
        check("HOW DO I GET IT", "how do i get it");
    }
}
