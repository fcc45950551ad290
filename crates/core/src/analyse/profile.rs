//! The words of a chunk, counted: what keyword ranking needs to know of it.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Where in a chunk's indexed text a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The chunk's own words.
    Body,
    /// What it is filed under: the date of a message, the path of a file.
    Label,
    /// Words of the question that a message answers: the answer rarely repeats them.
    Asked,
    /// Words of the previous message where that was no question.
    Near,
}

impl Field {
    pub const ALL: [Field; 4] = [Field::Body, Field::Label, Field::Asked, Field::Near];

    /// What a word in this field counts, against one in the text itself.
    pub fn weight(self) -> f32 {
        match self {
            Field::Body | Field::Label | Field::Asked => 1.0,
            Field::Near => 0.3,
        }
    }
}

/// How often a term stands in each field.
pub type Counts = [u32; Field::ALL.len()];

/// The terms of a chunk with their counts, and the length of each field.
///
/// It is kept in its stored form, which is sorted: a question asks for a handful of terms of
/// hundreds of chunks, so finding them must not begin with reading all the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    encoded: String,
    lengths: Counts,
    marks: Marks,
}

/// A bit for each term by its hash: most chunks do not hold most terms of a question, and are told
/// at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Marks([u64; 4]);

impl Marks {
    const START: u32 = 0x811c_9dc5;

    /// The hash of a term so far, with one byte more (FNV-1a).
    fn hash(hash: u32, byte: u8) -> u32 {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    }

    fn set(&mut self, hash: u32) {
        let bit = hash >> 24;
        self.0[(bit / 64) as usize] |= 1 << (bit % 64);
    }

    fn hold(&self, hash: u32) -> bool {
        let bit = hash >> 24;
        self.0[(bit / 64) as usize] >> (bit % 64) & 1 == 1
    }
}

/// A term that is looked for in many profiles.
#[derive(Debug, Clone, Copy)]
pub struct Term<'a> {
    text: &'a str,
    hash: u32,
}

impl<'a> Term<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, hash: text.bytes().fold(Marks::START, Marks::hash) }
    }
}

impl Profile {
    /// The profile of a chunk whose fields hold these terms.
    pub fn of(fields: impl IntoIterator<Item = (Field, Vec<String>)>) -> Self {
        let mut terms: BTreeMap<String, Counts> = BTreeMap::new();
        let mut lengths = Counts::default();
        for (field, words) in fields {
            lengths[field as usize] += words.len() as u32;
            for word in words {
                terms.entry(word).or_default()[field as usize] += 1;
            }
        }
        let encoded = terms.iter().map(|(term, counts)| line(term, *counts)).collect();
        let mut marks = Marks::default();
        terms.keys().for_each(|term| marks.set(Term::new(term).hash));
        Self { encoded, lengths, marks }
    }

    /// How often the term stands in each field.
    pub fn counts(&self, term: Term<'_>) -> Counts {
        if !self.marks.hold(term.hash) {
            return Counts::default();
        }
        let bytes = self.encoded.as_bytes();
        let (mut from, mut to) = (0, bytes.len());
        while from < to {
            // A line begins within the range, and its end is not beyond it.
            let before = bytes[from..(from + to) / 2].iter().rposition(|byte| *byte == b'\n');
            let middle = before.map_or(from, |end| from + end + 1);
            let line = &bytes[middle..to];
            let Some(length) = line.iter().position(|byte| matches!(byte, b' ' | b'\n')) else {
                break;
            };
            let end = line[length..].iter().position(|byte| *byte == b'\n');
            let Some(end) = end.map(|end| middle + length + end) else { break };
            match line[..length].cmp(term.text.as_bytes()) {
                Ordering::Equal => return parse(&self.encoded[middle..end]).1,
                Ordering::Less => from = end + 1,
                Ordering::Greater => to = middle,
            }
        }
        Counts::default()
    }

    /// Counts as one number, each field by its weight.
    pub fn weigh(counts: Counts) -> f32 {
        Field::ALL.iter().map(|field| field.weight() * counts[*field as usize] as f32).sum()
    }

    /// Number of words, each field by its weight, rounded.
    pub fn length(&self) -> u32 {
        let weighted = |field: &Field| field.weight() * self.lengths[*field as usize] as f32;
        Field::ALL.iter().map(weighted).sum::<f32>().round() as u32
    }

    /// Number of words of one field.
    pub fn field_length(&self, field: Field) -> u32 {
        self.lengths[field as usize]
    }

    /// The distinct terms with their counts, sorted.
    pub fn terms(&self) -> impl Iterator<Item = (&str, Counts)> {
        self.encoded.lines().map(parse).filter(|(term, _)| !term.is_empty())
    }

    /// The stored form, one term a line: the term and its counts by field, with zeros at the end
    /// left out. A term that stands once in the text, as most do, stands alone.
    pub fn encoded(&self) -> &str {
        &self.encoded
    }

    /// Takes the stored form. A damaged one costs rank, not the request, and rebuilding the index
    /// mends it.
    pub fn decode(encoded: String) -> Self {
        let mut lengths = Counts::default();
        let mut marks = Marks::default();
        // Byte by byte: hundreds of chunks are decoded for one question.
        let (mut column, mut number, mut hash) = (0, 0_u32, Marks::START);
        for byte in encoded.bytes() {
            match byte {
                b' ' | b'\n' => {
                    let field = column.max(1) - 1;
                    let ends_term = column == 0;
                    if ends_term {
                        marks.set(hash);
                        hash = Marks::START;
                    }
                    let count = if ends_term { u32::from(byte == b'\n') } else { number };
                    if let Some(length) = lengths.get_mut(field) {
                        *length = length.saturating_add(count);
                    }
                    column = if byte == b'\n' { 0 } else { column + 1 };
                    number = 0;
                }
                _ if column == 0 => hash = Marks::hash(hash, byte),
                b'0'..=b'9' => {
                    number = number.saturating_mul(10).saturating_add(u32::from(byte - b'0'));
                }
                _ => {}
            }
        }
        Self { encoded, lengths, marks }
    }
}

const ONCE: Counts = [1, 0, 0, 0];

fn line(term: &str, counts: Counts) -> String {
    let mut line = term.to_owned();
    if counts != ONCE {
        let used = counts.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        for count in &counts[..used] {
            // Writing to a String cannot fail.
            let _ = write!(line, " {count}");
        }
    }
    line.push('\n');
    line
}

fn parse(line: &str) -> (&str, Counts) {
    let Some((term, numbers)) = line.split_once(' ') else { return (line, ONCE) };
    let mut counts = Counts::default();
    for (count, number) in counts.iter_mut().zip(numbers.split(' ')) {
        *count = number.parse().unwrap_or(0);
    }
    (term, counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn profile(body: &[&str], label: &[&str]) -> Profile {
        let owned = |terms: &[&str]| terms.iter().map(|term| (*term).to_owned()).collect();
        Profile::of([(Field::Body, owned(body)), (Field::Label, owned(label))])
    }

    #[test]
    fn a_profile_survives_its_stored_form() {
        let profile = profile(&["run", "test", "run"], &["2023"]);
        assert_eq!(profile.encoded(), "2023 0 1\nrun 2\ntest\n");
        assert_eq!(Profile::decode(profile.encoded().to_owned()), profile);
        assert_eq!((profile.length(), Profile::weigh(profile.counts(Term::new("run")))), (4, 2.0));
    }

    proptest! {
        #[test]
        fn every_term_is_found_and_no_other(
            body in prop::collection::vec("[a-d]{1,3}", 0..40),
            label in prop::collection::vec("[a-dü]{1,3}", 0..10),
            other in "[a-dü]{0,3}",
        ) {
            let count = |terms: &[String], term: &str| {
                terms.iter().filter(|held| *held == term).count() as u32
            };
            let profile = Profile::of([(Field::Body, body.clone()), (Field::Label, label.clone())]);
            for term in body.iter().chain(&label).chain([&other]) {
                let expected = [count(&body, term), count(&label, term), 0, 0];
                prop_assert_eq!(profile.counts(Term::new(term)), expected, "{}", term);
            }
        }

        #[test]
        fn rubbish_in_a_stored_profile_does_no_harm(text in "\\PC*", term in "\\PC*") {
            let profile = Profile::decode(text);
            profile.counts(Term::new(&term));
            profile.terms().count();
        }
    }
}
