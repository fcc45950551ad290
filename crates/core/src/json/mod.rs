//! JSON as it was written: numbers keep their digits and members their order, so that what is
//! shown of a document is the document. Parsing takes linear time, and nesting is bounded, so that
//! everything that walks a document may recurse.

mod parse;
mod path;

pub use path::{Path, Step};

use std::fmt::Write;

/// A JSON value. Two documents are equal if their members stand in the same order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    Null,
    Bool(bool),
    /// As it was written.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The document; none for anything but valid JSON, and for nesting beyond 128.
    pub fn parse(text: &str) -> Option<Self> {
        parse::document(text)
    }

    pub fn member(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Null, and what has nothing in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Json::Null => true,
            Json::Text(text) => text.is_empty(),
            Json::List(items) => items.is_empty(),
            Json::Object(members) => members.is_empty(),
            Json::Bool(_) | Json::Number(_) => false,
        }
    }

    /// The value as words: a text without its quotes; none for lists and objects.
    pub fn scalar(&self) -> Option<&str> {
        match self {
            Json::Null => Some("null"),
            Json::Bool(true) => Some("true"),
            Json::Bool(false) => Some("false"),
            Json::Number(text) | Json::Text(text) => Some(text),
            Json::List(_) | Json::Object(_) => None,
        }
    }

    /// Without white space, members in their order.
    pub fn minified(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, Order::Written);
        text
    }

    /// Without white space, members sorted by name: the same for documents that mean the same.
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, Order::Sorted);
        text
    }

    /// Every scalar of the document, in order, with the name of the member it stands in.
    pub fn scalars<'a>(&'a self, visit: &mut impl FnMut(Option<&'a str>, &'a Json)) {
        self.visit(None, visit);
    }

    fn visit<'a>(
        &'a self,
        key: Option<&'a str>,
        visit: &mut impl FnMut(Option<&'a str>, &'a Json),
    ) {
        match self {
            Json::List(items) => items.iter().for_each(|item| item.visit(key, visit)),
            Json::Object(members) => {
                members.iter().for_each(|(name, value)| value.visit(Some(name), visit));
            }
            _ => visit(key, self),
        }
    }

    fn write(&self, text: &mut String, order: Order) {
        match self {
            Json::Null | Json::Bool(_) | Json::Number(_) => {
                text.push_str(self.scalar().unwrap_or_default());
            }
            Json::Text(value) => quote(value, text),
            Json::List(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    item.write(text, order);
                }
                text.push(']');
            }
            Json::Object(members) => {
                let mut members: Vec<&(String, Json)> = members.iter().collect();
                if order == Order::Sorted {
                    members.sort_by(|left, right| left.0.cmp(&right.0));
                }
                text.push('{');
                for (index, (name, value)) in members.into_iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    quote(name, text);
                    text.push(':');
                    value.write(text, order);
                }
                text.push('}');
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Written,
    Sorted,
}

fn quote(value: &str, text: &mut String) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c < ' ' => {
                // Writing to a string does not fail.
                let _ = write!(text, "\\u{:04x}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, minified: Option<&str>) {
        assert_eq!(Json::parse(text).map(|json| json.minified()).as_deref(), minified, "{text}");
    }

    #[test]
    fn a_document_is_read_and_written_as_it_is() {
        check(
            " { \"b\" : [ 1 , 2.50 , -3e+7 ] , \"a\" : null } ",
            Some(r#"{"b":[1,2.50,-3e+7],"a":null}"#),
        );
        check("12345678901234567890123.4500", Some("12345678901234567890123.4500"));
        check(r#""é\u00e9\ud83e\udd80\n\"\\\/\u0001""#, Some("\"éé🦀\\n\\\"\\\\/\\u0001\""));
        check("[]", Some("[]"));
        check("{}", Some("{}"));
        check("true", Some("true"));
    }

    #[test]
    fn what_is_no_document_is_none() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\"}",
            "{\"a\":1,}",
            "01",
            "1.",
            "-",
            ".5",
            "1e",
            "nul",
            "\"",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"a\nb\"",
            "[1] 2",
            "{a:1}",
            "'a'",
            "+1",
            "[1 2]",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Json::parse(&nested(128)).is_some());
        assert_eq!(Json::parse(&nested(129)), None);
        assert_eq!(Json::parse(&"[".repeat(1_000_000)), None);
    }

    #[test]
    fn the_canonical_form_does_not_know_the_order_of_members() {
        let canonical = |text| Json::parse(text).map(|json| json.canonical());
        assert_eq!(
            canonical(r#"{"b":{"d":1,"c":2},"a":3}"#),
            canonical(r#"{"a":3,"b":{"c":2,"d":1}}"#)
        );
        assert_eq!(canonical(r#"{"b":1,"a":[2,1]}"#).as_deref(), Some(r#"{"a":[2,1],"b":1}"#));
    }
}
