//! Words, stems and parts of identifiers.

use rust_stemmers::{Algorithm, Stemmer};
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longer runs of letters are no words (encoded data, mostly) and are cut here.
const LONGEST_TERM: usize = 64;

/// Words that tell nothing about a text's subject.
static STOPWORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../../data/stopwords.txt").lines().collect());

/// Porter's second stemmer for English.
static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

pub fn is_stopword(word: &str) -> bool {
    STOPWORDS.contains(word)
}

/// The terms of a text in order, with repeats.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::with_capacity(text.len() / 6);
    each_term(text, |term| terms.push(term.to_owned()));
    terms
}

/// Looks at the terms of a text in order.
pub fn each_term(text: &str, mut look: impl FnMut(&str)) {
    for run in runs(text) {
        terms_of(run, &mut look);
    }
}

/// The plain words of a text, in lower case and without accents, neither stemmed nor sifted.
pub fn words(text: &str) -> Vec<String> {
    runs(text).map(fold).filter(|word| !word.is_empty()).collect()
}

/// Unbroken runs of letters, digits and underscores.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| !c.is_ascii() && is_combining_mark(c);
    text.split(move |c: char| !(c.is_alphanumeric() || c == '_' || is_mark(c)))
        .filter(|run| !run.is_empty())
}

fn terms_of(run: &str, look: &mut impl FnMut(&str)) {
    if is_plain(run) {
        return term(run).iter().for_each(|term| look(term));
    }
    if run.chars().any(is_unspaced) {
        return pairs_of(run, look);
    }
    let whole = fold(run.trim_matches('_'));
    if whole.is_empty() {
        return;
    }
    let parts = parts(run);
    if parts.len() <= 1 {
        return term(&whole).iter().for_each(|term| look(term));
    }
    look(shorten(&whole));
    for part in parts {
        let part = fold(part);
        if part.chars().nth(1).is_some() {
            term(&part).iter().for_each(|term| look(term));
        }
    }
}

/// Scripts that are written without spaces: every two neighbours make a term.
fn pairs_of(run: &str, look: &mut impl FnMut(&str)) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let kind = is_unspaced(first);
        let end = rest.find(|c: char| is_unspaced(c) != kind).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        if !kind {
            terms_of(piece, look);
            continue;
        }
        let letters: Vec<char> = piece.chars().collect();
        match letters.as_slice() {
            [_] => look(piece),
            letters => letters.windows(2).for_each(|pair| look(&pair.iter().collect::<String>())),
        }
    }
}

fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF
        | 0x0E00..=0x0EFF | 0x1780..=0x17FF)
}

/// The parts of an identifier: `HTTPServer2_fast` is `HTTP`, `Server`, `2`, `fast`.
fn parts(run: &str) -> Vec<&str> {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Upper,
        Lower,
        Digit,
        Break,
    }
    let class = |c: char| match c {
        '_' => Class::Break,
        c if c.is_numeric() => Class::Digit,
        c if c.is_uppercase() => Class::Upper,
        _ => Class::Lower,
    };
    let letters: Vec<(usize, Class)> = run.char_indices().map(|(at, c)| (at, class(c))).collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, window) in letters.windows(2).enumerate() {
        let [(_, left), (at, right)] = [window[0], window[1]];
        let next = letters.get(index + 2).map(|(_, class)| *class);
        let border = match (left, right) {
            (Class::Upper, Class::Lower) => false,
            // The last capital of a run belongs to the word it begins.
            (Class::Upper, Class::Upper) => next == Some(Class::Lower),
            (left, right) => left != right,
        };
        if border {
            parts.push(&run[start..at]);
            start = at;
        }
    }
    parts.push(&run[start..]);
    parts.retain(|part| !part.is_empty() && !part.starts_with('_'));
    parts
}

/// Lower case, without accents.
fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// Whether a run is one word of plain letters, as most are: the first of them may be a capital.
fn is_plain(run: &str) -> bool {
    let rest = run.strip_prefix(|first: char| first.is_ascii_alphabetic());
    rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// The stem of a word, which may have capitals if it is of plain letters; none of one that tells
/// nothing.
fn term(word: &str) -> Option<Rc<str>> {
    /// Words that a thread remembers, each in the one place that it can have.
    const REMEMBERED: usize = 4096;
    type Known = (Box<str>, Option<Rc<str>>);
    thread_local! {
        static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
    }
    if word.len() > 4 * LONGEST_TERM {
        return Some(STEMMER.stem(shorten(&word.to_ascii_lowercase())).into());
    }
    let hash = word.bytes().fold(0_u32, |hash, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x9E37_79B1)
    });
    KNOWN.with_borrow_mut(|known| {
        known.resize(REMEMBERED, Known::default());
        let known = &mut known[hash as usize >> (32 - REMEMBERED.ilog2())];
        if !known.0.eq_ignore_ascii_case(word) {
            let word = word.to_ascii_lowercase();
            let is_telling = !is_stopword(&word);
            let stem = is_telling.then(|| STEMMER.stem(shorten(&word)).into());
            *known = (word.into(), stem);
        }
        known.1.clone()
    })
}

fn shorten(term: &str) -> &str {
    term.char_indices().nth(LONGEST_TERM).map_or(term, |(end, _)| &term[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(terms(text).join(" "), expected, "{text}");
    }

    #[test]
    fn words_are_folded_and_stemmed_and_stopwords_go() {
        check("When did Melanie paint the sunrises?", "melani paint sunris");
        check("Café, NAÏVE café", "cafe naiv cafe");
        check("Caroline's dogs", "carolin dog");
    }

    #[test]
    fn an_identifier_gives_itself_and_its_parts() {
        check("read_project_file", "read_project_file read project file");
        check("HTTPServer2", "httpserver2 http server");
        check("RaisesExc", "raisesexc rais exc");
        check("__init__", "init");
        check("src/_pytest/mark.py", "src pytest mark py");
    }

    #[test]
    fn writing_without_spaces_gives_pairs() {
        check("東京都 rust言語", "東京 京都 rust 言語");
    }

    #[test]
    fn hostile_text_gives_only_harmless_terms() {
        check("\" OR * NEAR( \0 -- ';", "near");
        let long = "x".repeat(10_000);
        assert_eq!(terms(&long), ["x".repeat(LONGEST_TERM)]);
    }
}
