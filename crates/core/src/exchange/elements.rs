//! The elements of a JSON text one after the other: of a list, or standing one after the other.
//! So a large export is never held twice, and nesting of any depth is an error, not an overflow.

use super::ExchangeError;
use serde_json::{Deserializer, Value};
use std::borrow::Cow;

#[derive(Debug)]
pub(super) struct Elements<'a> {
    text: &'a str,
    at: usize,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Begin,
    /// Elements follow each other with nothing but blanks between them.
    Loose,
    /// In a list, before its first element.
    First,
    /// In a list, behind an element.
    Behind,
    End,
}

impl<'a> Elements<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0, state: State::Begin }
    }

    /// The next character that is no blank, left where it is.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn value(&mut self) -> Result<Value, ExchangeError> {
        let mut stream = Deserializer::from_str(&self.text[self.at..]).into_iter();
        match stream.next() {
            Some(Ok(value)) => {
                self.at += stream.byte_offset();
                Ok(value)
            }
            Some(Err(error)) => Err(self.broken_by(&error)),
            None => Err(self.broken("the text ends where a value is expected; it was cut short")),
        }
    }

    /// Goes over blanks and commas to the next element; whether there is one.
    fn advance(&mut self) -> Result<bool, ExchangeError> {
        let next = self.peek();
        match (self.state, next) {
            (State::Begin, Some('[')) => {
                self.at += 1;
                self.state = State::First;
                self.advance()
            }
            (State::Begin, _) => {
                self.state = State::Loose;
                Ok(next.is_some())
            }
            (State::Loose, _) => Ok(next.is_some()),
            (State::First | State::Behind, Some(']')) => {
                self.at += 1;
                match self.peek() {
                    None => Ok(false),
                    Some(_) => Err(self.broken("something follows the end of the list")),
                }
            }
            (State::Behind, Some(',')) => {
                self.at += 1;
                Ok(true)
            }
            (State::First, Some(_)) => Ok(true),
            (State::First | State::Behind, None) => {
                Err(self.broken("the list does not end; the text was cut short"))
            }
            (State::Behind, Some(_)) => {
                Err(self.broken("a comma or the end of the list is missing"))
            }
            (State::End, _) => Ok(false),
        }
    }

    fn broken(&self, what: &str) -> ExchangeError {
        let before = &self.text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        ExchangeError::Broken {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            what: what.to_owned(),
        }
    }

    /// The error of an element, told in lines of the whole text.
    fn broken_by(&self, error: &serde_json::Error) -> ExchangeError {
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or(&text);
        let what = match error.is_eof() {
            true => format!("{what}; the text was cut short"),
            false => what.to_owned(),
        };
        let ExchangeError::Broken { line, column, .. } = self.broken("") else {
            return self.broken(&what);
        };
        let column = match error.line() {
            0 | 1 => (column + error.column()).saturating_sub(1),
            _ => error.column(),
        };
        ExchangeError::Broken { line: line + error.line().saturating_sub(1), column, what }
    }
}

impl Iterator for Elements<'_> {
    type Item = Result<Value, ExchangeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let value = match self.advance() {
            Ok(true) => self.value(),
            Ok(false) => {
                self.state = State::End;
                return None;
            }
            Err(error) => Err(error),
        };
        self.state = match (&value, self.state) {
            (Err(_), _) => State::End,
            (Ok(_), State::Loose) => State::Loose,
            (Ok(_), _) => State::Behind,
        };
        Some(value)
    }
}

/// Programs that count in UTF-16 cut texts inside a character. The half that is left is no text in
/// any other place, and JSON that holds one would be refused whole.
pub(super) fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        let escape = at + found;
        let unit = |from: usize| {
            let digits = text.get(from..from + 6)?.strip_prefix("\\u")?;
            u16::from_str_radix(digits, 16).ok()
        };
        at = match (unit(escape), unit(escape + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => escape + 12,
            (Some(0xd800..=0xdfff), _) => {
                mended.push_str(&text[copied..escape]);
                mended.push_str("\\ufffd");
                copied = escape + 6;
                copied
            }
            (Some(_), _) => escape + 6,
            // Any other escape is two characters, of which the second may be a backslash.
            (None, _) => {
                let after = text[escape + 1..].chars().next().map_or(0, char::len_utf8);
                escape + 1 + after
            }
        };
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    mended.push_str(&text[copied..]);
    Cow::Owned(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements, or where it breaks.
    fn check(text: &str, expected: Result<&[i64], (usize, usize, &str)>) {
        let read: Result<Vec<Value>, _> = Elements::of(text).collect();
        let read = read.map(|values| values.iter().filter_map(Value::as_i64).collect::<Vec<_>>());
        match (read, expected) {
            (Ok(values), Ok(numbers)) => assert_eq!(values, numbers, "{text}"),
            (Err(ExchangeError::Broken { line, column, what }), Err((at, in_line, says))) => {
                assert_eq!((line, column), (at, in_line), "{what}");
                assert!(what.contains(says), "{what}");
            }
            (read, _) => panic!("{read:?}"),
        }
    }

    #[test]
    fn elements_stand_in_a_list_or_one_after_the_other() {
        check("", Ok(&[]));
        check(" [ ] ", Ok(&[]));
        check("1 2\n3", Ok(&[1, 2, 3]));
        check("\n[1, 2\n,3]\n", Ok(&[1, 2, 3]));
    }

    #[test]
    fn what_is_broken_is_told_with_its_place() {
        check("[1,\n 2 3]", Err((2, 4, "a comma")));
        check("[1,\n 2,", Err((2, 4, "cut short")));
        check("[1,\n {\"a\":", Err((2, 6, "cut short")));
        check("[1] 2", Err((1, 5, "something follows")));
        check("{\n\"a\": x}", Err((2, 6, "expected value")));
    }

    #[test]
    fn depth_is_an_error_and_no_overflow() {
        check(&"[".repeat(1_000_000), Err((1, 129, "recursion limit")));
    }

    #[test]
    fn half_a_character_is_replaced_and_whole_ones_stay() {
        let check = |text: &str, expected: &str| {
            assert_eq!(without_lone_surrogates(text), expected, "{text}");
        };
        check(r#""\ud83e\uddad \n é""#, r#""\ud83e\uddad \n é""#);
        check(r#""cut \ud83e""#, r#""cut \ufffd""#);
        check(r#""\uddad\ud83ex""#, r#""\ufffd\ufffdx""#);
        check(r#""\\ud83e""#, r#""\\ud83e""#);
        check(r"\", r"\");
        check("\\é\\u12", "\\é\\u12");
    }
}
