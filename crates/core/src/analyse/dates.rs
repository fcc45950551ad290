//! Dates in texts: the terms of a day, and the months a question asks about.

use super::words::{terms, words};
use crate::time::Timestamp;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Words after which the name of a month is meant as one.
const BEFORE_MONTHS: [&str; 9] =
    ["in", "of", "during", "since", "by", "until", "early", "late", "mid"];

/// The terms of a day: its month, its year and its number.
pub fn date_terms(time: Timestamp) -> Vec<String> {
    let date = time.date();
    let mut terms = terms(MONTHS[month_index(time)]);
    terms.push(date.year().to_string());
    terms.push(date.day().to_string());
    terms
}

fn month_index(time: Timestamp) -> usize {
    usize::from(time.date().month().unsigned_abs()).saturating_sub(1) % MONTHS.len()
}

/// The months a question names, and its year where it names just one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedMonths {
    months: Vec<usize>,
    year: Option<i16>,
}

impl AskedMonths {
    /// Finds months that are meant as such: after a preposition, or beside a number. The word
    /// "may" alone names none.
    pub fn of(question: &str) -> Self {
        let words = words(question);
        let is_number = |at: Option<usize>| {
            at.and_then(|at| words.get(at)).is_some_and(|word| day_number(word))
        };
        let mut months = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let Some(month) = MONTHS.iter().position(|month| month == word) else { continue };
            let before = at.checked_sub(1);
            let introduced = before
                .and_then(|before| words.get(before))
                .is_some_and(|word| BEFORE_MONTHS.contains(&word.as_str()));
            if introduced || is_number(before) || is_number(Some(at + 1)) {
                months.push(month);
            }
        }
        let mut years: Vec<i16> = words.iter().filter_map(|word| year(word)).collect();
        years.dedup();
        let year = if let [year] = years[..] { Some(year) } else { None };
        Self { months, year }
    }

    pub fn is_empty(&self) -> bool {
        self.months.is_empty()
    }

    /// Whether a time lies in one of the months.
    pub fn hold(&self, time: Timestamp) -> bool {
        self.months.contains(&month_index(time))
            && self.year.is_none_or(|year| year == time.date().year())
    }
}

fn year(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| (1900..2200).contains(year))
}

/// `3`, `3rd`, `2023`.
fn day_number(word: &str) -> bool {
    let number = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_day_is_found_by_its_month_its_year_and_its_number() {
        assert_eq!(date_terms(time("2023-07-08T13:56:00Z")), ["juli", "2023", "8"]);
        assert_eq!(terms("on 8 July, 2023"), ["8", "juli", "2023"]);
    }

    #[test]
    fn a_question_names_months_after_a_preposition_or_beside_a_number() {
        let may = time("2023-05-20");
        for question in ["What happened in May?", "Who came on 3rd May", "May 3, 2023: who?"] {
            assert!(AskedMonths::of(question).hold(may), "{question}");
        }
        for question in ["What may happen?", "What happened in May 2022?", "in June"] {
            assert!(!AskedMonths::of(question).hold(may), "{question}");
        }
    }
}
