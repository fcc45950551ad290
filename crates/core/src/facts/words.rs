//! What two statements are compared by: what they say, word for word and in order, and whether they
//! deny. One other word makes another fact: a name, a number, a sign, who does it to whom.

use crate::analyse;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use unicode_normalization::char::is_combining_mark;

/// Words that change nothing about what is said. What something is, it need not have.
const EMPTY: [&str; 9] = ["a", "an", "the", "that", "so", "now", "just", "is", "are"];
/// Words that a note leaves out.
const OMITTED: [&str; 7] = ["our", "my", "on", "of", "for", "in", "at"];
const NEGATIONS: [&str; 7] = ["not", "no", "never", "without", "against", "cannot", "nobody"];
/// Contractions, and what they stand for.
const CONTRACTIONS: [(&str, &str); 10] = [
    ("’", "'"),
    ("cannot", "can not"),
    ("can't", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("'s", " "),
    ("'re", " are"),
    ("'ve", " "),
    ("'ll", " will"),
    ("'m", " am"),
];

/// The words of a text, as numbers: memory holds many of them, and compares them often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    /// What it is about, sorted.
    pub terms: Vec<u64>,
    /// All that tells something, in order: who pays whom is told by nothing else.
    said: Vec<u64>,
    negated: bool,
}

pub(super) fn terms(text: &str) -> Vec<u64> {
    let mut terms = numbered(analyse::terms(text));
    terms.sort_unstable();
    terms.dedup();
    terms
}

fn numbered(words: impl IntoIterator<Item = String>) -> Vec<u64> {
    words.into_iter().map(|word| numbered_word(&word)).collect()
}

fn numbered_word(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

/// The words that tell something, in order and without their endings, and the signs among them.
fn said(text: &str) -> Vec<u64> {
    let small = text.to_lowercase();
    let plain = CONTRACTIONS.iter().fold(small, |text, (short, long)| text.replace(short, long));
    let words = signs_apart(&plain);
    let telling = words.split_whitespace().filter(|word| !EMPTY.contains(word));
    let stems = telling.flat_map(|word| {
        let is_kept = analyse::is_stopword(word) || !word.contains(char::is_alphanumeric);
        if is_kept { vec![word.to_owned()] } else { analyse::terms(word) }
    });
    numbered(stems)
}

/// The text with nothing but words and the signs that tell something: `$5` is not `€5`, nor C++ C#.
fn signs_apart(text: &str) -> String {
    let mut apart = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let leads_a_digit = letters.peek().is_some_and(|next| next.is_ascii_digit());
        let is_minus =
            matches!(letter, '-' | '−' | '–') && !before.is_alphanumeric() && leads_a_digit;
        let is_name = matches!(letter, '+' | '#') && !before.is_whitespace();
        // 1.5 is neither 1-5 nor 1/5.
        let is_in_number = matches!(letter, '.' | ',' | '/' | '-' | ':')
            && before.is_ascii_digit()
            && leads_a_digit;
        if is_minus {
            apart.push_str(" - ");
        } else if is_name || is_in_number || is_sign(letter) {
            apart.extend([' ', letter, ' ']);
        } else if letter.is_alphanumeric() || letter == '_' || is_combining_mark(letter) {
            apart.push(letter);
        } else {
            apart.push(' ');
        }
        before = letter;
    }
    apart
}

/// What is reckoned, compared or paid with.
fn is_sign(letter: char) -> bool {
    matches!(letter, '$' | '%' | '<' | '>' | '=' | '¢'..='¥' | '°' | '±' | '×' | '÷' | '‰')
        || matches!(letter, '\u{20a0}'..='\u{20cf}' | '\u{2190}'..='\u{22ff}')
}

fn negates(text: &str) -> bool {
    let contracted = text.contains("n't") || text.contains("n’t");
    contracted || analyse::words(text).iter().any(|word| NEGATIONS.contains(&word.as_str()))
}

/// How many numbers stand in both lists.
fn common(left: &[u64], right: &[u64]) -> usize {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut common = 0;
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                common += 1;
                left.next();
                right.next();
            }
        }
    }
    common
}

/// The cosine of two sets of words.
pub(super) fn likeness(left: &[u64], right: &[u64]) -> f32 {
    let lengths = (left.len() * right.len()) as f32;
    if lengths == 0.0 { 0.0 } else { common(left, right) as f32 / lengths.sqrt() }
}

pub(super) fn is_subset(part: &[u64], whole: &[u64]) -> bool {
    common(part, whole) == part.len()
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        Self { terms: terms(text), said: said(text), negated: negates(text) }
    }

    /// Whether nobody would find it again.
    pub(super) fn say_too_little(&self) -> bool {
        self.terms.len() < 2
    }

    pub(super) fn denies(&self) -> bool {
        self.negated
    }

    /// Whether they say the same, or the same "and" more. Any other word that is added or missing
    /// may be what matters: "on Sundays", "if it rains", a name.
    pub(super) fn say_all_of(&self, other: &Words) -> bool {
        let rest = self.said.strip_prefix(other.said.as_slice());
        rest.is_some_and(|rest| rest.first().is_none_or(|next| *next == numbered_word("and")))
    }

    /// Whether they say the same and no more.
    pub(super) fn say_just(&self, other: &Words) -> bool {
        self.said == other.said
    }

    /// Whether one sentence of the text says them: in a long text any words can be found. A note may
    /// say it in fewer words, and what a sentence denies after them is something else.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        let omitted = OMITTED.map(numbered_word);
        let negations = NEGATIONS.map(numbered_word);
        let words: Vec<u64> =
            self.said.iter().copied().filter(|word| !omitted.contains(word)).collect();
        let mut sentences = text.lines().flat_map(|line| line.split(". "));
        sentences.any(|sentence| {
            let shown = said(sentence);
            is_subset(&self.terms, &terms(sentence))
                && end_in_order(&words, &shown).is_some_and(|end| {
                    shown[..end].iter().any(|word| negations.contains(word)) == self.negated
                })
        })
    }
}

/// Where the others have said the words in their order, with whatever between them.
fn end_in_order(words: &[u64], others: &[u64]) -> Option<usize> {
    let mut end = 0;
    for word in words {
        end += 1 + others[end..].iter().position(|other| other == word)?;
    }
    Some(end)
}
