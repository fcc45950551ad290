//! Finding the values of a text: what must never be altered. Every value is a slice of the text,
//! values do not overlap, and a value found alone is found again as itself.

use super::kind::Kind;
use std::collections::BTreeSet;
use std::ops::Range;

/// A value where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value<'a> {
    pub(super) text: &'a str,
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

/// Ids, URLs, addresses, refs, paths and numbers with their units, each once, in order: what comes
/// through every compression unaltered or stays reachable.
pub fn protected(text: &str) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    values(text).into_iter().map(|value| value.text).filter(|value| seen.insert(*value)).collect()
}

pub(super) fn values(text: &str) -> Vec<Value<'_>> {
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(fragment) = next_fragment(text, at) {
        let url = url(text, &fragment);
        let rest = url.as_ref().map_or(fragment.end, |url| url.start);
        let found = classified(text, fragment.start..rest);
        at = fragment.end;
        for (range, kind) in found.into_iter().chain(url.map(|url| (url, Kind::Url))) {
            at = at.max(range.end);
            values.push(Value { text: &text[range.clone()], range, kind });
        }
    }
    values
}

/// The next run of characters that may be a value.
fn next_fragment(text: &str, from: usize) -> Option<Range<usize>> {
    let opening = |c: char| c.is_alphanumeric() || is_sign(c) || "/.~\\#@".contains(c);
    let start = from + text[from..].find(|c| opening(c) && !is_delimiter(c))?;
    let end = text[start..]
        .char_indices()
        .skip(1)
        .filter(|(_, c)| !c.is_ascii_alphanumeric())
        .find(|(at, _)| ends_fragment(&text[start..start + at], &text[start + at..]));
    Some(start..end.map_or(text.len(), |(at, _)| start + at))
}

/// What stands between fragments. A text is cut beside one of these, or it would make fragments
/// that it does not have.
pub(super) fn is_delimiter(c: char) -> bool {
    // Scripts without spaces between words, emoji and typographic signs: no value has them.
    let foreign = c >= '\u{590}' && !c.is_numeric() && !is_sign(c);
    c.is_whitespace() || c.is_control() || "\"'`<>()[]{}|,;:=".contains(c) || foreign
}

/// Signs of amounts.
fn is_sign(c: char) -> bool {
    matches!(c, '$' | '£' | '¥' | '+' | '-' | '\u{2212}' | '\u{20a0}'..='\u{20cf}')
}

/// Whether a fragment ends between these two parts of the text. A comma or an apostrophe may stand
/// in a number, though not in an endless list of them; a colon in anything but a label, such as a
/// time, a ref, or the letter of a drive.
fn ends_fragment(before: &str, after: &str) -> bool {
    const LONGEST_LABEL: usize = 40;
    const LONGEST_NUMBER: usize = 32;
    let Some(c) = after.chars().next() else { return true };
    let next = after[c.len_utf8()..].chars().next();
    match c {
        ',' | '\'' => {
            let inside = before.ends_with(char::is_numeric) && next.is_some_and(char::is_numeric);
            !inside || before.len() > LONGEST_NUMBER
        }
        ':' => {
            let word = |c: char| c.is_alphabetic() || c == '_';
            let label = before.len() <= LONGEST_LABEL && before.chars().all(word);
            let drive = before.len() == 1 && matches!(next, Some('/' | '\\'));
            label && before != "ref" && !drive || after.starts_with("://")
        }
        _ => is_delimiter(c),
    }
}

/// The URL whose scheme ends the fragment, or that the fragment starts with `www.`.
fn url(text: &str, fragment: &Range<usize>) -> Option<Range<usize>> {
    let word = &text[fragment.clone()];
    let (start, address) = if text[fragment.end..].starts_with("://") {
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
        let scheme = word.rsplit(|c| !is_scheme(c)).next().unwrap_or_default();
        let scheme = scheme.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        (fragment.end - scheme.len(), fragment.end + "://".len())
    } else if word.starts_with("www.") {
        (fragment.start, fragment.start + "www.".len())
    } else {
        return None;
    };
    if start == fragment.end {
        return None;
    }
    let end = address + url_length(&text[address..]);
    (end > address).then_some(start..end)
}

/// How far a URL goes: to white space, a quote or a bracket that was not opened in it, and without
/// the punctuation of the sentence around it.
fn url_length(text: &str) -> usize {
    let mut open = Vec::new();
    let end = text.find(|c: char| match c {
        '(' | '[' | '{' => {
            open.push(c);
            false
        }
        ')' => open.pop() != Some('('),
        ']' => open.pop() != Some('['),
        '}' => open.pop() != Some('{'),
        _ => c.is_whitespace() || c.is_control() || "<>\"`。，、；：！？）」』】》".contains(c),
    });
    let whole = &text[..end.unwrap_or(text.len())];
    whole.trim_end_matches(|c| ".,;:!?'*_~\\|…([{".contains(c)).len()
}

fn classified(text: &str, fragment: Range<usize>) -> Option<(Range<usize>, Kind)> {
    let value = trimmed(text, fragment.clone());
    match Kind::of(&text[value.clone()])? {
        Kind::Number => Some((with_unit(text, value), Kind::Number)),
        // A script at which the fragment stops may go on with the path: half of one leads nowhere.
        Kind::Path if is_broken(text, &fragment) => Some((value, Kind::Number)),
        kind => Some((value, kind)),
    }
}

fn is_broken(text: &str, fragment: &Range<usize>) -> bool {
    text[fragment.end..].starts_with(char::is_alphabetic)
        || text[..fragment.start].ends_with(char::is_alphabetic)
}

/// The fragment without the marks of sentences and of Markdown after it.
fn trimmed(text: &str, fragment: Range<usize>) -> Range<usize> {
    let closing = |c: char| c.is_alphanumeric() || is_sign(c) || "%°/\\#".contains(c);
    let value = text[fragment.clone()].trim_end_matches(|c| !closing(c));
    fragment.start..fragment.start + value.len()
}

/// A plain number with what belongs to it: groups of three digits, the parts of a telephone
/// number, a unit.
fn with_unit(text: &str, number: Range<usize>) -> Range<usize> {
    const MOST_GROUPS: usize = 5;
    if !is_plain(&text[number.clone()]) {
        return number;
    }
    let telephone = text[number.clone()].starts_with('+');
    let next = |end: &usize| group_after(text, *end, telephone);
    let groups = std::iter::successors(Some(number.end), next).take(MOST_GROUPS);
    let end = groups.last().unwrap_or(number.end);
    number.start..unit_after(text, end).unwrap_or(end)
}

fn is_plain(number: &str) -> bool {
    number.chars().all(|c| c.is_numeric() || is_sign(c) || ".,'".contains(c))
}

/// The end of the group of digits that stands one space further.
fn group_after(text: &str, at: usize, telephone: bool) -> Option<usize> {
    let from = after_space(text, at)?;
    let digits = text[from..].chars().take_while(char::is_ascii_digit).count();
    let group = trimmed(text, next_fragment(text, from)?);
    let belongs = digits == 3 || digits > 0 && telephone;
    (belongs && is_plain(&text[group.clone()])).then_some(group.end)
}

const UNITS: [&str; 51] = [
    "%", "°", "°C", "°F", "K", "€", "$", "£", "¥", "EUR", "USD", "GBP", "CHF", "JPY", "k", "M",
    "bn", "million", "billion", "B", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "ns", "µs",
    "ms", "s", "min", "h", "d", "mm", "cm", "m", "km", "mg", "g", "kg", "t", "ml", "l", "W", "kW",
    "kWh", "V", "Hz", "GHz",
];

/// The end of the unit that stands one space further, such as `MB` or `MB/s`.
fn unit_after(text: &str, at: usize) -> Option<usize> {
    let from = after_space(text, at)?;
    let length = text[from..].find(is_delimiter).unwrap_or(text.len() - from);
    let unit = trimmed(text, from..from + length);
    let base = text[unit.clone()].split('/').next()?;
    UNITS.contains(&base).then_some(unit.end)
}

fn after_space(text: &str, at: usize) -> Option<usize> {
    let space = text[at..].chars().next().filter(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}'))?;
    Some(at + space.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(protected(text), expected, "{text}");
        for value in expected {
            assert_eq!(protected(&format!("x, {value}, y")), [*value], "alone");
        }
    }

    #[test]
    fn a_text_without_values_has_none() {
        check("", &[]);
        check("Plain words, and/or more: none — really! 🦀 日本語", &[]);
    }

    #[test]
    fn urls_end_where_the_sentence_or_the_bracket_around_them_begins() {
        check("See https://a.org/b?c=d,e&f=1#g. Then", &["https://a.org/b?c=d,e&f=1#g"]);
        check(
            "[x](https://a.org/b), (http://c.org/D_(e))",
            &["https://a.org/b", "http://c.org/D_(e)"],
        );
        check("url:https://a.org/é。次", &["https://a.org/é"]);
        check(
            "{\"u\":\"git+ssh://a.org:22/b\"} http://[::1]:80/x",
            &["git+ssh://a.org:22/b", "http://[::1]:80/x"],
        );
        check("www.example.org/x! ://", &["www.example.org/x"]);
    }

    #[test]
    fn ids_refs_addresses_and_paths_come_without_what_surrounds_them() {
        check(
            "**ABC-123**, id:msg_01hqvj (ref:file:9f2c).",
            &["ABC-123", "msg_01hqvj", "ref:file:9f2c"],
        );
        check(
            "<ana@example.org> `src/main.rs:12` </div> it's",
            &["ana@example.org", "src/main.rs:12"],
        );
        check("sha256:9f2c4e1a0b, #12; key=9f2c4e1", &["sha256:9f2c4e1a0b", "#12", "9f2c4e1"]);
    }

    #[test]
    fn numbers_come_with_their_signs_groups_and_units() {
        check(
            "Pay $4,000.50 or 1'200 € by 2026-03-01, 10:30!",
            &["$4,000.50", "1'200 €", "2026-03-01", "10:30"],
        );
        check(
            "12 345 678 km, 5 MB/s. −40 °C and 99.9%",
            &["12 345 678 km", "5 MB/s", "−40 °C", "99.9%"],
        );
        check("call +49 30 123456, 7 times", &["+49 30 123456", "7"]);
        check("価格は12345円です", &["12345"]);
    }

    #[test]
    fn an_endless_list_of_numbers_is_many_values() {
        let list = "1,".repeat(10_000);
        assert!(values(&list).iter().all(|value| value.text.len() < 40));
    }

    #[test]
    fn a_path_through_another_script_is_no_path_to_carry() {
        let kinds: Vec<Kind> =
            values("/home/x/ユーザ/y/z").iter().map(|value| value.kind).collect();
        assert_eq!(kinds, [Kind::Number, Kind::Number]);
    }
}
