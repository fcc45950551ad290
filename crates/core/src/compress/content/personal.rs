//! Personal data in a text: flagged before anything is made of it. Only how much there is of each
//! kind is told, never what.

use crate::compress::kind::Kind;
use crate::compress::values::Value;
use serde::Serialize;

/// How many different values of each kind a content has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Personal {
    pub addresses: usize,
    pub telephones: usize,
    pub cards: usize,
    pub accounts: usize,
}

impl Personal {
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn count(&mut self, value: &Value<'_>) {
        match value.kind {
            Kind::Address => self.addresses += 1,
            _ if is_telephone(value.text) => self.telephones += 1,
            _ if is_card(value.text) => self.cards += 1,
            _ if is_account(value.text) => self.accounts += 1,
            _ => {}
        }
    }
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// `+49 30 123456`, `(030)` without its area is not told from other numbers.
fn is_telephone(text: &str) -> bool {
    let digits = digits(text).len();
    text.starts_with('+')
        && (8..=15).contains(&digits)
        && text.chars().all(|c| c.is_ascii_digit() || "+ -/().\u{a0}".contains(c))
}

/// A number of 15 or 16 digits that begins and checks as those of cards do.
fn is_card(text: &str) -> bool {
    let numbers = digits(text);
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '-' || c == ' ');
    let sum: u32 = numbers
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| if place % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit })
        .sum();
    plain
        && matches!(numbers.len(), 15 | 16)
        && matches!(numbers.first(), Some(3..=6))
        && sum.is_multiple_of(10)
}

/// An IBAN, by its form and its check digits.
fn is_account(text: &str) -> bool {
    let Some((start, end)) = text.split_at_checked(4).filter(|(start, _)| start.is_ascii()) else {
        return false;
    };
    let country = start[..2].bytes().all(|byte| byte.is_ascii_uppercase());
    let form = country
        && start[2..].bytes().all(|byte| byte.is_ascii_digit())
        && (11..=30).contains(&end.len())
        && end.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let remainder = end
        .chars()
        .chain(start.chars())
        .filter_map(|c| c.to_digit(36))
        .fold(0, |sum, digit| (sum * if digit < 10 { 10 } else { 100 } + digit) % 97);
    form && remainder == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::values::values;

    #[test]
    fn personal_data_is_counted_by_kind() {
        let text = "ana@example.org, +49 30 123456, 4111-1111-1111-1111, DE89370400440532013000, 4111-1111-1111-1112, ABC-123";
        let mut personal = Personal::default();
        values(text).iter().for_each(|value| personal.count(value));
        assert_eq!(personal, Personal { addresses: 1, telephones: 1, cards: 1, accounts: 1 });
    }
}
