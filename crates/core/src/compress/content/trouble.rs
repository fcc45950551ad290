//! Errors and warnings in a document, with where they stand: they are shown whatever else is left
//! out.

use crate::compress::is_untouchable;
use crate::json::{Json, Path};

/// What is wrong at one place: texts with the names of their members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble<'a> {
    pub(super) path: String,
    pub(super) said: Vec<(&'a str, &'a str)>,
}

/// The first troubles of a document, and how many there are.
#[derive(Debug, Default)]
pub(super) struct Troubles<'a> {
    pub(super) first: Vec<Trouble<'a>>,
    pub(super) total: usize,
}

/// No more are told one by one, however short they are.
const MOST: usize = 100;
/// No more members of one object are told.
const MEMBERS: usize = 12;

/// Parts of names of members that hold errors, in lower case.
const NAMES: [&str; 8] =
    ["error", "exception", "stderr", "traceback", "failure", "fatal", "warning", "panic"];
/// Names of members that say how something went, and what they say when it went wrong.
const STATES: [&str; 8] =
    ["level", "severity", "status", "state", "conclusion", "result", "outcome", "levelname"];
const WRONG: [&str; 14] = [
    "error",
    "err",
    "fatal",
    "critical",
    "crit",
    "panic",
    "failed",
    "failure",
    "fail",
    "alert",
    "emergency",
    "timed_out",
    "crashed",
    "aborted",
];

pub(super) fn troubles(json: &Json) -> Troubles<'_> {
    let mut found = Troubles::default();
    walk(json, &mut String::new(), false, &mut found);
    found
}

fn walk<'a>(json: &'a Json, path: &mut String, wrong: bool, found: &mut Troubles<'a>) {
    match json {
        Json::Object(members) if has_failed(members) => {
            let said = members
                .iter()
                .filter(|(_, value)| !value.is_empty())
                .filter_map(|(name, value)| Some((name.as_str(), value.scalar()?)))
                .take(MEMBERS)
                .collect();
            found.add(path, said);
            // What is nested is not among what was said.
            for (name, value) in members.iter().filter(|(_, value)| value.scalar().is_none()) {
                below(path, name, |path| walk(value, path, names_trouble(name), found));
            }
        }
        Json::Object(members) => {
            for (name, value) in members {
                let wrong = wrong || names_trouble(name);
                below(path, name, |path| walk(value, path, wrong, found));
            }
        }
        Json::List(items) => {
            for (index, item) in items.iter().enumerate() {
                let length = path.len();
                path.push_str(&format!("[{index}]"));
                walk(item, path, wrong, found);
                path.truncate(length);
            }
        }
        Json::Text(text) if !text.trim().is_empty() && (wrong || is_untouchable(text)) => {
            found.add(path, vec![("", text.as_str())]);
        }
        _ => {}
    }
}

fn below(path: &mut String, name: &str, visit: impl FnOnce(&mut String)) {
    let length = path.len();
    if length > 0 {
        path.push('.');
    }
    path.push_str(&Path::name(name));
    visit(path);
    path.truncate(length);
}

fn names_trouble(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|part| name.contains(part))
}

fn has_failed(members: &[(String, Json)]) -> bool {
    members.iter().any(|(name, value)| {
        let is =
            |words: &[&str], text: &str| words.iter().any(|word| word.eq_ignore_ascii_case(text));
        is(&STATES, name) && matches!(value, Json::Text(text) if is(&WRONG, text))
    })
}

impl<'a> Troubles<'a> {
    fn add(&mut self, path: &str, said: Vec<(&'a str, &'a str)>) {
        self.total += 1;
        if self.first.len() < MOST {
            self.first.push(Trouble { path: path.to_owned(), said });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let json = Json::parse(text).unwrap();
        let found: Vec<String> = troubles(&json)
            .first
            .iter()
            .map(|trouble| format!("{} {:?}", trouble.path, trouble.said))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn errors_are_told_by_their_names_their_words_and_their_states() {
        check(
            r#"{"a":[{"error":null},{"error":"gone","errors":0}]}"#,
            &[r#"a[1].error [("", "gone")]"#],
        );
        check(r#"{"x":{"error":{"code":7,"text":"no"}}}"#, &[r#"x.error.text [("", "no")]"#]);
        check(r#"["fine","TypeError: x"]"#, &[r#"[1] [("", "TypeError: x")]"#]);
        check(
            r#"[{"level":"info","m":"a"},{"level":"ERROR","m":"b","id":7}]"#,
            &[r#"[1] [("level", "ERROR"), ("m", "b"), ("id", "7")]"#],
        );
        check(r#"{"state":"open","message":"all is well"}"#, &[]);
    }
}
