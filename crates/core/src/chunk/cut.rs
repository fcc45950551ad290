//! Cutting text that has no better place to be cut. Every cut is between characters, and the parts
//! put together are the text.

use std::ops::Range;

/// Parts of at most `limit` characters (2 or more), each cut after a line break or else after
/// white space in its second half, and between two characters where there is none. A carriage
/// return stays with its line feed.
pub(crate) fn bounded(text: &str, limit: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = &text[start..];
        if rest.is_empty() {
            return None;
        }
        let part = start..start + place(rest, limit.max(2));
        start = part.end;
        Some(part)
    })
}

fn place(text: &str, limit: usize) -> usize {
    // No text has more characters than bytes: most is short enough without counting.
    let Some((most, _)) = (text.len() > limit).then(|| text.char_indices().nth(limit)).flatten()
    else {
        return text.len();
    };
    let after = |found: fn(char) -> bool| {
        let (at, c) = text[..most].char_indices().rev().find(|(_, c)| found(*c))?;
        (at >= most / 2).then_some(at + c.len_utf8())
    };
    let cut = after(|c| c == '\n').or_else(|| after(char::is_whitespace)).unwrap_or(most);
    let splits_line_end = text[..cut].ends_with('\r') && text[cut..].starts_with('\n');
    if splits_line_end { cut - 1 } else { cut }
}

/// The range without white space around it; empty for blank text.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, limit: usize, expected: &[&str]) {
        let parts: Vec<&str> = bounded(text, limit).map(|part| &text[part]).collect();
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_part_ends_at_a_line_break_before_white_space_before_a_character() {
        check("", 5, &[]);
        check("short", 5, &["short"]);
        check("ab cd ef", 6, &["ab cd ", "ef"]);
        check("abc\nd efgh", 6, &["abc\n", "d efgh"]);
        check("ééééééé", 3, &["ééé", "ééé", "é"]);
        check("a bcdefgh", 6, &["a bcde", "fgh"]);
    }

    #[test]
    fn a_carriage_return_stays_with_its_line_feed() {
        check("abc\r\n", 4, &["abc", "\r\n"]);
    }
}
