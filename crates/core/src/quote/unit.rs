//! What is quoted at least: a sentence of prose, some lines of anything else.

use super::passage::Passage;
use crate::analyse::{terms, words};
use crate::chunk::sentences;
use std::collections::BTreeMap;
use std::ops::Range;

/// A piece of a passage.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    pub passage: usize,
    pub range: Range<usize>,
    /// Units of one paragraph can be quoted together.
    paragraph: usize,
    pub words: usize,
    /// How often it holds each term of the question; a little for what its source is called.
    pub counts: Vec<f32>,
    /// Whether it is a question.
    pub asks: bool,
    /// Whether it is made of sentences.
    says: bool,
    /// Whether it leans on what stands before it.
    leans: bool,
}

/// Lines of code that are quoted together.
const LINES: usize = 8;
/// A longer sentence is a list, and is cut at its lines.
const LONGEST: usize = 400;
/// A quote is widened up to so many words.
const WIDE: usize = 60;
/// A shorter sentence says little by itself.
const SHORT: usize = 12;
/// What a term counts that stands in the name of the source only.
const NAMED: f32 = 0.5;

pub(super) fn units(passages: &[Passage<'_>], asked: &[String]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut paragraph = 0;
    for (number, passage) in passages.iter().enumerate() {
        let source = terms(&passage.label);
        let mut named = source.clone();
        for block in paragraphs(passage.text) {
            paragraph += 1;
            // A heading is no answer, but it names what stands below it.
            if let Some(heading) = heading(&passage.text[block.clone()]) {
                named = [source.clone(), terms(heading)].concat();
                continue;
            }
            for range in pieces(passage, block) {
                units.push(unit(number, passage, range, paragraph, (asked, &named)));
            }
        }
    }
    units
}

fn unit(
    number: usize,
    passage: &Passage<'_>,
    range: Range<usize>,
    paragraph: usize,
    (asked, named): (&[String], &[String]),
) -> Unit {
    let text = passage.text[range.clone()].trim();
    let mut held: BTreeMap<String, f32> = BTreeMap::new();
    for term in terms(text) {
        *held.entry(term).or_default() += 1.0;
    }
    let count = |term: &String| {
        let in_name = if named.contains(term) { NAMED } else { 0.0 };
        held.get(term).copied().unwrap_or(in_name)
    };
    let words = words(text);
    let leaning = ["it", "this", "that", "these", "they", "he", "she", "so", "but", "and", "then"];
    Unit {
        passage: number,
        range,
        paragraph,
        words: words.len(),
        counts: asked.iter().map(count).collect(),
        asks: text.ends_with('?'),
        says: !passage.is_code() && is_prose(text),
        leans: words.first().is_some_and(|word| leaning.contains(&word.as_str())),
    }
}

/// Pieces of a text between empty lines.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut paragraphs: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        if line.trim().is_empty() {
            open = false;
        } else if open && let Some(last) = paragraphs.last_mut() {
            last.end = range.end;
        } else {
            paragraphs.push(range);
            open = true;
        }
    }
    paragraphs
}

/// A heading of Markdown that stands alone.
fn heading(paragraph: &str) -> Option<&str> {
    let line = paragraph.trim_end();
    let text = line.trim_start_matches('#');
    (text.len() < line.len() && text.starts_with(' ') && !line.contains('\n')).then_some(text)
}

fn pieces(passage: &Passage<'_>, block: Range<usize>) -> Vec<Range<usize>> {
    let text = &passage.text[block.clone()];
    let moved = |range: Range<usize>| block.start + range.start..block.start + range.end;
    if passage.is_code() || !passage.is_message && !is_prose(text) {
        return lines(text, LINES).into_iter().map(moved).collect();
    }
    let cut = |range: Range<usize>| {
        let within = |part: Range<usize>| range.start + part.start..range.start + part.end;
        if range.len() <= LONGEST {
            return vec![range];
        }
        lines(&text[range.clone()], 1).into_iter().map(within).collect()
    };
    sentences(text).into_iter().flat_map(cut).map(moved).collect()
}

/// So many lines each.
fn lines(text: &str, each: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        match ranges.last_mut() {
            Some(last) if number % each != 0 => last.end = end,
            _ => ranges.push(start..end),
        }
        start = end;
    }
    ranges
}

/// Whether a text is made of words rather than of signs.
fn is_prose(text: &str) -> bool {
    let all = text.chars().filter(|c| !c.is_whitespace()).count();
    let letters = text.chars().filter(|c| c.is_alphabetic() || ",.'’".contains(*c)).count();
    letters * 100 >= all * 88
}

/// What each unit's score is multiplied by: a question is no answer, code and lists say less than
/// sentences, and one that asks for a number or a reason is answered by one.
pub(super) fn fitness(question: &str, passages: &[Passage<'_>], units: &[Unit]) -> Vec<f32> {
    const ASKS: f32 = 0.3;
    const SUITS: f32 = 1.25;
    const SIGNS: f32 = 0.6;
    let asked = words(question);
    let says = |word: &str| asked.iter().any(|own| own == word);
    let numbers = says("when") || says("much") || says("many") || says("long") || says("date");
    let reasons = says("why");
    units
        .iter()
        .map(|unit| {
            let text = &passages[unit.passage].text[unit.range.clone()];
            let counts = numbers && text.chars().any(|c| c.is_ascii_digit());
            let explains = reasons
                && words(text).iter().any(|word| {
                    matches!(word.as_str(), "because" | "since" | "therefore" | "so" | "reason")
                });
            let suits = if counts || explains { SUITS } else { 1.0 };
            let says = if unit.says { 1.0 } else { SIGNS };
            if unit.asks { ASKS } else { suits * says }
        })
        .collect()
}

/// A unit with what belongs to it: what it leans on, and what goes on where it is short or the
/// next says more about the question.
pub(super) fn widened(units: &[Unit], number: usize) -> Range<usize> {
    let unit = &units[number];
    let (mut start, mut end, mut words) = (unit.range.start, unit.range.end, unit.words);
    let near = |other: &&Unit| other.passage == unit.passage && other.paragraph == unit.paragraph;
    let before = number.checked_sub(1).and_then(|before| units.get(before)).filter(near);
    if let Some(before) = before.filter(|before| unit.leans && before.words + words <= WIDE) {
        start = before.range.start;
        words += before.words;
    }
    for next in units.iter().skip(number + 1).take(2).take_while(near) {
        let more = next.counts.iter().any(|count| *count >= 1.0);
        if !(words < SHORT || more || next.leans) || words + next.words > WIDE {
            break;
        }
        end = next.range.end;
        words += next.words;
    }
    start..end
}
