//! The words of a chunk, counted: what keyword ranking needs to know of it.

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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    terms: BTreeMap<String, Counts>,
    lengths: Counts,
}

impl Profile {
    pub fn add(&mut self, field: Field, terms: impl IntoIterator<Item = String>) {
        for term in terms {
            self.terms.entry(term).or_default()[field as usize] += 1;
            self.lengths[field as usize] += 1;
        }
    }

    /// How often the term stands in each field.
    pub fn counts(&self, term: &str) -> Counts {
        self.terms.get(term).copied().unwrap_or_default()
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

    /// The distinct terms, sorted: what the store's index holds.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.keys().map(String::as_str)
    }

    /// The stored form: a term and its counts by field, with zeros at the end left out; one term
    /// a line.
    pub fn encode(&self) -> String {
        let mut text = String::new();
        for (term, counts) in &self.terms {
            text.push_str(term);
            let used = counts.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
            for count in &counts[..used] {
                // Writing to a String cannot fail.
                let _ = write!(text, " {count}");
            }
            text.push('\n');
        }
        text
    }

    /// Reads the stored form. Unknown parts are passed over: a damaged profile costs rank, not
    /// the request, and rebuilding the index mends it.
    pub fn decode(text: &str) -> Self {
        let mut profile = Self::default();
        for line in text.lines() {
            let mut parts = line.split(' ');
            let Some(term) = parts.next().filter(|term| !term.is_empty()) else { continue };
            let mut counts = Counts::default();
            for ((count, length), part) in counts.iter_mut().zip(&mut profile.lengths).zip(parts) {
                *count = part.parse().unwrap_or(0);
                *length = length.saturating_add(*count);
            }
            profile.terms.insert(term.to_owned(), counts);
        }
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_survives_its_stored_form() {
        let mut profile = Profile::default();
        profile.add(Field::Body, ["run", "test", "run"].map(str::to_owned));
        profile.add(Field::Label, ["2023"].map(str::to_owned));
        assert_eq!(profile.encode(), "2023 0 1\nrun 2\ntest 1\n");
        assert_eq!(Profile::decode(&profile.encode()), profile);
        assert_eq!((profile.length(), Profile::weigh(profile.counts("run"))), (4, 2.0));
    }
}
