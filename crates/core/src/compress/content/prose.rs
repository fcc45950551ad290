//! Prose by extraction: the sentences that say most of what the whole is about, as they stand, in
//! their order. Headings, first sentences and warnings come before others.

use super::limits::Room;
use super::sheet::Sheet;
use super::texts::{Gaps, beginning};
use crate::analyse::terms;
use crate::chunk::{prose, sentences};
use crate::compress::is_untouchable;
use crate::rank::Statistics;
use crate::refs::lines;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

/// A longer sentence is cut.
const WIDTH: usize = 600;
/// Sentences that are weighed; what a longer text says after them is not told from its words.
const MOST: usize = 4_000;

struct Sentence {
    range: Range<usize>,
    score: f32,
    must: bool,
}

pub(super) fn view(text: &str, gaps: Gaps<'_>, room: Room) -> Sheet {
    let sentences = weighed(text);
    let shown = chosen(&sentences, room);
    let places = Lines::of(text);
    let mut sheet = Sheet::default();
    let (mut end, mut errors) = (0, 0);
    for (sentence, shown) in sentences.iter().zip(&shown) {
        if !shown {
            errors += usize::from(sentence.must);
            continue;
        }
        let held = std::mem::take(&mut errors);
        gap(text, end..sentence.range.start, held, &places, gaps, &mut sheet);
        end = sentence.range.end;
        let words = text[sentence.range.clone()].trim_end();
        if words.len() > WIDTH && !is_untouchable(words) {
            sheet.append(beginning(words, WIDTH, gaps.path));
        } else {
            sheet.quote(words);
        }
    }
    gap(text, end..text.len(), errors, &places, gaps, &mut sheet);
    sheet
}

/// What stands between two sentences that are shown: the space as it is, or what is missing.
fn gap(
    text: &str,
    range: Range<usize>,
    errors: usize,
    places: &Lines,
    gaps: Gaps<'_>,
    sheet: &mut Sheet,
) {
    let between = &text[range.clone()];
    let missing = between.trim();
    if missing.is_empty() {
        let space = if between.contains("\n\n") {
            "\n\n"
        } else if between.contains('\n') {
            "\n"
        } else {
            " "
        };
        if !sheet.text.is_empty() && range.end < text.len() {
            sheet.quote(space);
        }
        return;
    }
    let start = range.start + (between.len() - between.trim_start().len());
    let (first, last) = (places.at(start), places.at(start + missing.len() - 1));
    if !sheet.text.is_empty() {
        sheet.quote(if between.starts_with('\n') { "\n" } else { " " });
    }
    gaps.lines(sheet, first, last - first + 1, errors);
    if range.end < text.len() {
        sheet.quote(if between.ends_with('\n') { "\n" } else { " " });
    }
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        let mut at = 0;
        let starts = lines(text).into_iter().map(|line| {
            at += line.len();
            at - line.len()
        });
        Self(starts.collect())
    }

    fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte).saturating_sub(1)
    }
}

fn weighed(text: &str) -> Vec<Sentence> {
    let mut found: Vec<(Range<usize>, bool)> = Vec::new();
    for piece in prose(text) {
        // A piece that was cut out of something without spaces may begin or end inside a value.
        let solid = |c: char| !c.is_whitespace();
        if text[..piece.start].ends_with(solid) || text[piece.end..].starts_with(solid) {
            continue;
        }
        let begins = piece.start == 0 || text[..piece.start].trim_end_matches(' ').ends_with('\n');
        for (number, sentence) in sentences(&text[piece.clone()]).into_iter().enumerate() {
            let range = piece.start + sentence.start..piece.start + sentence.end;
            found.push((range, number == 0 && begins));
        }
    }
    let words: Vec<BTreeSet<String>> = found
        .iter()
        .take(MOST)
        .map(|(range, _)| terms(&text[range.clone()]).into_iter().collect())
        .collect();
    // What is said again in the same words tells nothing new.
    let mut said: HashSet<&BTreeSet<String>> = HashSet::new();
    let is_new: Vec<bool> = words.iter().map(|words| said.insert(words)).collect();
    let mut frequency: BTreeMap<String, u64> = BTreeMap::new();
    for term in said.iter().copied().flatten() {
        *frequency.entry(term.clone()).or_default() += 1;
    }
    let statistics = Statistics {
        documents: said.len() as u64,
        total_length: said.iter().map(|words| words.len() as u64).sum(),
        frequency,
        ..Statistics::default()
    };
    let score = |number: usize| {
        let new = words.get(number).filter(|_| is_new[number]);
        new.map_or(0.0, |words| {
            // What is said often is what it is about, and rare words say the most of it.
            let worth = |term: &String| {
                let often = statistics.frequency.get(term).copied().unwrap_or(0) as f32;
                (often - 1.0).max(0.0).sqrt() * statistics.rarity(term)
            };
            let sum: f32 = words.iter().map(worth).sum();
            sum / (words.len().max(6) as f32).sqrt()
        })
    };
    let best = (0..found.len()).map(score).fold(1.0, f32::max);
    found
        .into_iter()
        .enumerate()
        .map(|(number, (range, first))| {
            let words = text[range.clone()].trim();
            let heads = words.starts_with('#') && words.len() < 120;
            let bonus = if number == 0 {
                1.0
            } else if heads {
                0.8
            } else if first {
                0.3
            } else {
                0.0
            };
            let numbers = if words.contains(|c: char| c.is_ascii_digit()) { 0.15 } else { 0.0 };
            let score = score(number) / best + bonus + numbers;
            Sentence { must: is_untouchable(words), score, range }
        })
        .collect()
}

fn chosen(sentences: &[Sentence], room: Room) -> Vec<bool> {
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by(|left, right| {
        let (a, b) = (&sentences[*left], &sentences[*right]);
        b.must.cmp(&a.must).then(b.score.total_cmp(&a.score)).then(left.cmp(right))
    });
    let mut shown = vec![false; sentences.len()];
    let mut used = 0;
    for number in order {
        let Sentence { range, must, .. } = &sentences[number];
        let most = if *must { room.errors } else { room.bytes };
        // With what is said of the gap beside it.
        let cost = range.len().min(WIDTH) + 24;
        if used + cost <= most {
            shown[number] = true;
            used += cost;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::super::texts::Counted;
    use super::*;

    #[test]
    fn the_sentences_that_say_most_stay_in_order() {
        let filler = "The weather was nice and somebody sang a song. ";
        let text = format!(
            "# Pump report\n\nThe pump lost pressure on 2026-03-01. {}\n\n{}The pump pressure fell to 3 bar. Warning: never share the password.\n\n{}",
            filler.repeat(5),
            filler.repeat(5),
            filler.repeat(5)
        );
        let gaps = Gaps { path: "", lines: Counted::AsStored };
        let shown = view(&text, gaps, Room::within(260)).text;
        assert_eq!(
            shown,
            "# Pump report\n\nThe pump lost pressure on 2026-03-01. [… 3 lines at offset 2] The pump pressure fell to 3 bar. Warning: never share the password.\n[… 1 line at offset 6]"
        );
    }

    #[test]
    fn a_short_text_is_itself() {
        let text = "One sentence. Another one.\n\nA paragraph.";
        let gaps = Gaps { path: "", lines: Counted::AsStored };
        assert_eq!(view(text, gaps, Room::within(4_000)).text, text);
    }
}
