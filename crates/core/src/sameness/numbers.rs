//! Numbers, units and dates in one way of writing: `1,000`, `5km` and `5 kilometres`, `March 5th,
//! 2024`. A value is never changed, and what may be read in two ways (`03/05/2024`) stays.

use super::rules::RULES;
use super::words::COMMA;

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

const NAMED: [(&str, &str); 24] = [
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("seventy", "70"),
    ("eighty", "80"),
    ("ninety", "90"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("fourth", "4th"),
    ("fifth", "5th"),
    ("tenth", "10th"),
];

/// Every number, unit and date of the words in its one form.
pub(super) fn normal(words: Vec<String>) -> Vec<String> {
    let mut normal = Vec::with_capacity(words.len());
    for word in words {
        push(&word, &mut normal);
    }
    dates(normal)
}

fn push(word: &str, words: &mut Vec<String>) {
    let after_number = words.last().is_some_and(|last| is_number(last));
    if let Some((_, digits)) = NAMED.iter().find(|(name, _)| *name == word) {
        // "second" is a unit after a number.
        words.push(if word == "second" && after_number { word } else { digits }.to_owned());
        return;
    }
    if let Some(unit) = RULES.units.get(word).filter(|_| after_number) {
        words.push(unit.clone());
        return;
    }
    let (sign, rest) = word.strip_prefix('$').map_or(("", word), |rest| ("dollars", rest));
    let digits = rest.find(|c: char| !(c.is_ascii_digit() || ".,-+".contains(c)));
    let (number, unit) = rest.split_at(digits.unwrap_or(rest.len()));
    let unit = if unit == "%" { "percent" } else { unit };
    // Only what is written short is written onto a number.
    let known = unit.is_empty()
        || unit == "percent"
        || RULES.units.get(unit).is_some_and(|short| short == unit);
    match thousands(number) {
        Some(number) if known => {
            words.push(number);
            words.extend(
                [sign, unit].iter().filter(|unit| !unit.is_empty()).map(|unit| (*unit).to_owned()),
            );
        }
        _ => words.push(word.to_owned()),
    }
}

/// A number without the commas between its thousands; nothing else is a number here.
fn thousands(text: &str) -> Option<String> {
    let whole = text.trim_start_matches(['-', '+']);
    let groups: Vec<&str> = whole.split(',').collect();
    let grouped = groups
        .iter()
        .skip(1)
        .all(|group| group.split('.').next().is_some_and(|digits| digits.len() == 3));
    let leads = groups.len() == 1
        || groups
            .first()
            .is_some_and(|group| (1..4).contains(&group.len()) && !group.starts_with('0'));
    let plain = text.replace(',', "");
    (grouped && leads && is_number(&plain)).then_some(plain)
}

pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c))
        && word.parse::<f64>().is_ok()
}

/// A day with its month and year, in whichever order, becomes one word.
fn dates(words: Vec<String>) -> Vec<String> {
    let mut dated = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let window: Vec<(usize, &str)> = (at..words.len())
            .map(|index| (index, words[index].as_str()))
            .filter(|(_, word)| *word != COMMA && *word != "of")
            .take(3)
            .collect();
        let found = match window[..] {
            [(first, one), (_, two), (last, three)] if first == at => {
                day(one, two, three).map(|date| (date, last))
            }
            _ => None,
        };
        match found {
            Some((date, last)) => {
                dated.push(date);
                at = last + 1;
            }
            None => {
                dated.push(words[at].clone());
                at += 1;
            }
        }
    }
    dated
}

fn day(one: &str, two: &str, three: &str) -> Option<String> {
    let year: u32 = three.parse().ok().filter(|year| (1000..3000).contains(year))?;
    let (month, day) = match month(one) {
        Some(month) => (month, two),
        None => (month(two)?, one),
    };
    let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|ending| day.strip_suffix(ending));
    let digits = ordinal.unwrap_or(day);
    let day: u32 = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// The number of a month. Written short it takes three letters and no full stop, and "may" and
/// "march" keep the capital that makes them months.
fn month(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let names = |month: &&str| **month == *word || (word.len() == 3 && month.starts_with(&word));
    MONTHS.iter().position(names).map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let words = text.split(' ').map(str::to_owned).collect();
        assert_eq!(normal(words).join(" "), expected, "{text}");
    }

    #[test]
    fn a_value_has_one_way_of_writing() {
        check("1,000 5km $20 10% ten", "1000 5 km 20 dollars 10 percent 10");
        check("march 5th , 2024", "2024-03-05");
        check("the 5 of March 2024 and 5 mar 2024", "the 2024-03-05 and 2024-03-05");
    }

    #[test]
    fn what_may_be_read_in_two_ways_stays() {
        for text in ["03/05/2024 1,00 12,34 0,500 v1.2 3d 5 seconds", "5g 5m 5kM", "5x March 2024"]
        {
            check(text, text);
        }
        check("march 2024", "march 2024");
    }
}
