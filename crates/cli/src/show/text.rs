//! Text for a terminal: measured as it is seen, wrapped, cut, and freed of what could disturb the
//! terminal or deceive its reader.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Text without control characters and invisible marks that turn its direction; line ends stay.
pub fn harmless(text: &str) -> String {
    let harmful = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(|c| !harmful(*c)).collect()
}

/// The text on one line, each run of blanks as one space.
pub fn one_line(text: &str) -> String {
    harmless(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The text, followed by blanks up to a width.
pub fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text, preceded by blanks up to a width.
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The beginning of a text, as much of it as the columns hold.
pub fn beginning(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let kept = fitting(text.chars(), columns.saturating_sub(1));
    format!("{}…", kept.into_iter().collect::<String>().trim_end())
}

/// The end of a text, where paths differ.
pub fn end(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let kept = fitting(text.chars().rev(), columns.saturating_sub(1));
    format!("…{}", kept.into_iter().rev().collect::<String>())
}

fn fitting(characters: impl Iterator<Item = char>, columns: usize) -> Vec<char> {
    let mut used = 0;
    characters
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= columns
        })
        .collect()
}

/// The text in lines of at most so many columns, broken between words; a word that is longer than
/// a line is broken too.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        while width(&line) > columns {
            let head: String = match fitting(line.chars(), columns) {
                // A character wider than the line stands alone.
                none if none.is_empty() => line.chars().take(1).collect(),
                head => head.into_iter().collect(),
            };
            line.drain(..head.len());
            lines.push(head);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// A number with a comma at every thousand.
pub fn number(value: impl Into<u64>) -> String {
    let digits = value.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of something.
pub fn counted(count: impl Into<u64>, one: &str, many: &str) -> String {
    let count = count.into();
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// Bytes in the unit that suits them.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KiB", number(bytes.div_ceil(1 << 10))),
        _ => format!("{} MiB", number(bytes.div_ceil(1 << 20))),
    }
}

/// Parts as they stand in a sentence.
pub fn listed(parts: &[String]) -> String {
    match parts {
        [] => "nothing".to_owned(),
        parts => parts.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas_at_thousands() {
        assert_eq!(
            [0_u32, 12, 999, 1_000, 1_234_567].map(number),
            ["0", "12", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn lines_break_between_words_and_inside_words_that_are_too_long() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("日本語", 4), ["日本", "語"]);
        assert_eq!(wrapped("日本", 1), ["日", "本"]);
        assert!(wrapped("  \n ", 8).is_empty());
    }

    #[test]
    fn a_cut_shows_where_text_is_missing() {
        assert_eq!(beginning("abcdef", 6), "abcdef");
        assert_eq!(beginning("abcdef", 4), "abc…");
        assert_eq!(end("src/very/long/path.rs:1-50", 12), "…ath.rs:1-50");
    }

    #[test]
    fn escapes_and_turned_directions_do_not_reach_the_terminal() {
        assert_eq!(harmless("a\u{1b}[31mb\u{9b}c\u{202e}d\ne"), "a[31mbcd\ne");
        assert_eq!(one_line(" a\t\r\n b "), "a b");
    }
}
