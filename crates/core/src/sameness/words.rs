//! The words of a question, as comparing needs them: contractions taken apart, and whatever is not
//! plainly punctuation kept.
//!
//! A comma is a word of its own, and so is the end of a sentence within the text. A capital is kept
//! unless it is known to say nothing: `-O` is not `-o`, `MW` is not `mW`, and Swift is no swift.

use super::rules::RULES;

pub(super) const COMMA: &str = ",";
pub(super) const STOP: &str = ".";
/// What was a genitive: `India's` is `India` and this.
pub(super) const GENITIVE: &str = "'s";

const AROUND: [char; 13] = ['"', '“', '”', '(', ')', '[', ']', '{', '}', '«', '»', '`', '\''];
const AFTER: [char; 8] = ['.', '?', '!', '…', ',', ';', ':', '¿'];

pub(super) fn words(text: &str) -> Vec<String> {
    let case = Case::of(text);
    let mut words: Vec<String> = Vec::new();
    for run in text.split_whitespace() {
        let run = straight(run);
        let begins = words.last().is_none_or(|word| word == STOP);
        let (core, end) = strip(&run);
        if !core.is_empty() {
            expand(core, case, begins, &mut words);
        }
        words.extend(end.map(str::to_owned));
    }
    while words.last().is_some_and(|word| word == STOP || word == COMMA) {
        words.pop();
    }
    words
}

/// Whether a text is nothing but words, numbers and the marks of sentences. Any other sign may be
/// what is asked about: brackets, quotes, flags, operators, the `!` of a factorial.
pub(super) fn is_plain(text: &str) -> bool {
    let runs: Vec<String> = text.split_whitespace().map(straight).collect();
    runs.iter().enumerate().all(|(at, run)| {
        let next = runs.get(at + 1).map(String::as_str);
        is_abbreviation(run) || {
            let core = run.strip_suffix(['.', '?', '!', ',']).unwrap_or(run);
            let core =
                if is_abbreviation(&run[..core.len()]) { &core[..core.len() - 1] } else { core };
            is_word(core) && is_mark(core, &run[core.len()..], next)
        }
    })
}

/// Whether what follows a word can only be a mark of the sentence: `empty?` within one is a name.
fn is_mark(word: &str, mark: &str, next: Option<&str>) -> bool {
    let spoken = word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
    match (mark, next) {
        ("", _) | ("." | "?", None) | (",", Some(_)) => true,
        ("!", None) => spoken,
        ("." | "?" | "!", Some(next)) => spoken && next.starts_with(char::is_uppercase),
        // After an abbreviation: "in the U.S.?"
        (".?" | ".!", None) | (".,", Some(_)) => word.contains('.'),
        _ => false,
    }
}

/// Letters and digits with single signs between them, such as `max_retries` and `3.5`; `C++`, `C#`,
/// `5%` and `$5` as well.
fn is_word(run: &str) -> bool {
    let money = run.strip_prefix('$').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let core = money.unwrap_or(run).trim_end_matches(['+', '#', '%']);
    let mut joined = true;
    for sign in core.chars() {
        let joins = "'-_./:@&,".contains(sign);
        if (joined && joins) || !(joins || sign.is_alphanumeric()) {
            return false;
        }
        joined = joins;
    }
    !joined
}

/// `U.S.` and `e.g.` end in a stop of their own.
fn is_abbreviation(run: &str) -> bool {
    run.matches('.').count() > 1
        && run.ends_with('.')
        && run
            .split_terminator('.')
            .all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}

/// The run with the apostrophe of typewriters.
fn straight(run: &str) -> String {
    run.replace(['’', 'ʼ'], "'")
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

/// The word as it stands, or in small letters where its capitals are known to say nothing: the
/// words that hold a sentence together, where it begins, and names that are no other word.
fn cased(word: &str, case: Case, begins: bool, before: Option<&String>) -> String {
    let small = word.to_lowercase();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let all_large = letters > 1 && !word.contains(char::is_lowercase);
    let telling = case == Case::Telling;
    if word == "I" {
        // "Can I" speaks of someone, "the key I" of a letter.
        let pronoun = begins || before.is_some_and(|before| RULES.before_i.contains(before));
        return if pronoun { small } else { word.to_owned() };
    }
    let letter = letters == 1 && !begins;
    let initials = all_large && telling;
    let holds = RULES.english.contains(&small) && (begins || !telling) && !initials && !letter;
    let opens = begins && !initials && RULES.opening.contains(&small);
    let title = word.chars().skip(1).all(char::is_lowercase);
    let name = title && RULES.names.contains(&small);
    if holds || opens || name { small } else { word.to_owned() }
}

/// Punctuation around a word goes; a comma or the end of a sentence after it stays as a mark.
fn strip(run: &str) -> (&str, Option<&'static str>) {
    let core = run.trim_start_matches(AROUND).trim_start_matches('¿');
    let mut word = core.trim_end_matches(|c| AROUND.contains(&c) || AFTER.contains(&c));
    if core.get(..=word.len()).is_some_and(is_abbreviation) {
        word = &core[..=word.len()];
    }
    let after = &core[word.len()..];
    let end = match after {
        after if after.contains(['.', '?', '!', '…']) => Some(STOP),
        after if after.contains([',', ';', ':']) => Some(COMMA),
        _ => None,
    };
    (word, end)
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

fn expand(word: &str, case: Case, begins: bool, words: &mut Vec<String>) {
    let mut push = |parts: &[&str]| words.extend(parts.iter().map(|part| (*part).to_owned()));
    let small = word.to_lowercase();
    match small.as_str() {
        "cannot" => return push(&["can't"]),
        "let's" => return push(&["let", "us"]),
        "whats" => return push(&["what", "is"]),
        "dont" => return push(&["don't"]),
        "doesnt" => return push(&["doesn't"]),
        "isnt" => return push(&["isn't"]),
        // How not eating helps is another question than how eating doesn't.
        small if small.ends_with("n't") => return push(&[small]),
        _ => {}
    }
    let endings = [("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am")];
    let contracted = endings
        .iter()
        .find_map(|(ending, expanded)| Some((word.strip_suffix(ending)?, *expanded)))
        .or_else(|| word.strip_suffix(GENITIVE).map(|stem| (stem, GENITIVE)))
        .filter(|(stem, _)| !stem.is_empty());
    let (stem, ending) = contracted.map_or((word, None), |(stem, end)| (stem, Some(end)));
    // Before a verb "I" is someone.
    let stem = match (stem, ending) {
        ("I", Some("am" | "have" | "will")) => "i".to_owned(),
        (stem, _) => cased(stem, case, begins, words.last()),
    };
    let is = ending == Some(GENITIVE) && BEFORE_IS.contains(&stem.as_str());
    words.push(stem);
    words.extend(ending.map(|ending| if is { "is" } else { ending }.to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(words(text).join(" "), expected, "{text}");
    }

    #[test]
    fn contractions_are_taken_apart() {
        check("What's wrong? I don't know.", "what is wrong . i don't know");
        check("Why can’t Milan's team win", "why can't Milan 's team win");
    }

    #[test]
    fn what_is_not_plainly_punctuation_stays() {
        check("Is C++ > C# (by 3.5%)?", "is C++ > C# by 3.5%");
        check(
            "a man-eating fish, for -5 on 2024-03-05",
            "a man-eating fish , for -5 on 2024-03-05",
        );
        check("e.g. the U.S.", "e.g. the U.S.");
    }

    #[test]
    fn capitals_stay_unless_they_say_nothing() {
        check("Is vitamin A sold in the US by Apple", "is vitamin A sold in the US by Apple");
        check("is vitamin a sold by apple to us", "is vitamin a sold by apple to us");
        check("HOW DO I GET IT", "how do i GET it");
        check("When will the band The Who play in Peru", "when will the band The Who play in peru");
        check("Where can I press I", "where can i press I");
    }

    #[test]
    fn a_sign_that_is_no_mark_of_a_sentence_makes_a_text_more_than_words() {
        for plain in [
            "What is C++ in the U.S., or C# elsewhere? Thanks!",
            "What is sold in the U.S.?",
            "Who's that, Ann? Why?",
            "Is $5 more than 3.5% of max_retries, e.g. in src/main.rs at 10:30?",
            "What is 5?",
        ] {
            assert!(is_plain(plain), "{plain}");
        }
        for more in [
            "What is 5!",
            "What is 5!?",
            "What does x! do?",
            "What does empty? do?",
            "What does [] do?",
            "What is \"love\"?",
            "Where is .env?",
            "What does tar -c do?",
            "What does a; do?",
            "What is the dogs' name?",
            "Is 5–3 two?",
            "What is 😀?",
        ] {
            assert!(!is_plain(more), "{more}");
        }
    }
}
