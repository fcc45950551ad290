//! Paths into a document, as compressed texts write them and people ask for them:
//! `items[].full_name`, `items[10:20]`, `items[3].user`, `*.title`, `**.id`.

use super::Json;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Key(String),
    /// Any member.
    AnyKey,
    /// At any depth.
    AnyDepth,
    /// Items from one index on and before another; no end means all that follow.
    Items(usize, Option<usize>),
}

/// Steps from the root of a document; none is the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Path(Vec<Step>);

impl Path {
    /// None for what is no path. A name with a dot or a bracket in it is written in quotes:
    /// `files."src/main.rs"`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        let mut rest = text.trim();
        rest = rest.strip_prefix('$').unwrap_or(rest);
        while !rest.is_empty() {
            let (step, after) = match rest.strip_prefix('[') {
                Some(index) => {
                    let (index, after) = index.split_once(']')?;
                    (items(index)?, after)
                }
                None => key(rest.strip_prefix('.').unwrap_or(rest))?,
            };
            steps.push(step);
            rest = after;
        }
        // Two of them would look at everything below everything.
        let depths = steps.iter().filter(|step| **step == Step::AnyDepth).count();
        (depths <= 1).then_some(Self(steps))
    }

    pub(crate) fn of(steps: Vec<Step>) -> Self {
        Self(steps)
    }

    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Everything that the path leads to, in the document's order.
    pub fn select<'a>(&self, json: &'a Json) -> Vec<&'a Json> {
        let mut found = Vec::new();
        select(json, &self.0, &mut found);
        found
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            if index > 0 && !matches!(step, Step::Items(..)) {
                f.write_str(".")?;
            }
            match step {
                Step::Key(name) => f.write_str(&Self::name(name))?,
                Step::AnyKey => f.write_str("*")?,
                Step::AnyDepth => f.write_str("**")?,
                Step::Items(0, None) => f.write_str("[]")?,
                Step::Items(from, Some(to)) if *to == from + 1 => write!(f, "[{from}]")?,
                Step::Items(from, None) => write!(f, "[{from}:]")?,
                Step::Items(from, Some(to)) => write!(f, "[{from}:{to}]")?,
            }
        }
        Ok(())
    }
}

impl Path {
    /// A name as it stands in a path.
    pub fn name(name: &str) -> std::borrow::Cow<'_, str> {
        let plain = |c: char| !c.is_whitespace() && !"\".[]*$".contains(c);
        if !name.is_empty() && name.chars().all(plain) {
            name.into()
        } else {
            serde_json::to_string(name).unwrap_or_default().into()
        }
    }
}

fn items(index: &str) -> Option<Step> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    match index.split_once(':') {
        None if index.trim().is_empty() || index.trim() == "*" => Some(Step::Items(0, None)),
        None => number(index).map(|at| Step::Items(at, Some(at.saturating_add(1)))),
        Some((from, to)) => {
            let from = if from.trim().is_empty() { 0 } else { number(from)? };
            let to = if to.trim().is_empty() { None } else { Some(number(to)?) };
            Some(Step::Items(from, to))
        }
    }
}

fn key(text: &str) -> Option<(Step, &str)> {
    if text.starts_with('"') {
        let mut names = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = names.next()?.ok()?;
        return Some((Step::Key(name), &text[names.byte_offset()..]));
    }
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let step = match &text[..end] {
        "" => return None,
        "*" => Step::AnyKey,
        "**" => Step::AnyDepth,
        name => Step::Key(name.to_owned()),
    };
    Some((step, &text[end..]))
}

/// A name that is asked of a list is asked of its items.
fn select<'a>(json: &'a Json, steps: &[Step], found: &mut Vec<&'a Json>) {
    let Some((step, rest)) = steps.split_first() else {
        found.push(json);
        return;
    };
    match (step, json) {
        (Step::AnyDepth, _) => {
            // A name goes to the items of a list by itself, and they come next.
            let passed_on =
                matches!((json, rest.first()), (Json::List(_), Some(Step::Key(_) | Step::AnyKey)));
            if !passed_on {
                select(json, rest, found);
            }
            match json {
                Json::List(items) => items.iter().for_each(|item| select(item, steps, found)),
                Json::Object(members) => {
                    members.iter().for_each(|(_, value)| select(value, steps, found));
                }
                _ => {}
            }
        }
        (Step::Items(from, to), Json::List(items)) => {
            let to = to.unwrap_or(items.len()).min(items.len());
            let items = items.get(*from..to).unwrap_or_default();
            items.iter().for_each(|item| select(item, rest, found));
        }
        (Step::Key(_) | Step::AnyKey, Json::List(items)) => {
            items.iter().for_each(|item| select(item, steps, found));
        }
        (Step::Key(key), Json::Object(members)) => {
            for (_, value) in members.iter().filter(|(name, _)| name == key) {
                select(value, rest, found);
            }
        }
        (Step::AnyKey, Json::Object(members)) => {
            members.iter().for_each(|(_, value)| select(value, rest, found));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_as_it_is_read() {
        for path in [
            "items[].full_name",
            "a[3].b",
            "a[2:5]",
            "a[2:]",
            "**.id",
            "*.x",
            "a.\"b.c\".d",
            "[]",
            "",
        ] {
            assert_eq!(Path::parse(path).map(|path| path.to_string()).as_deref(), Some(path));
        }
        assert_eq!(Path::parse("$.a").map(|path| path.to_string()).as_deref(), Some("a"));
        for path in ["a..b", "a[", "a[x]", "a[-1]", ".", "a.\"b", "**.a.**"] {
            assert_eq!(Path::parse(path), None, "{path}");
        }
    }

    #[test]
    fn a_path_leads_to_every_place_it_names() {
        let json = Json::parse(
            r#"{"items":[{"id":1,"tags":["a","b"]},{"id":2,"x":{"id":3}}],"other":{"id":4}}"#,
        )
        .unwrap();
        let check = |path: &str, expected: &[&str]| {
            let found: Vec<String> =
                Path::parse(path).unwrap().select(&json).into_iter().map(Json::minified).collect();
            assert_eq!(found, expected, "{path}");
        };
        check("items[].id", &["1", "2"]);
        check("items.id", &["1", "2"]);
        check("items[1].x.id", &["3"]);
        check("items[1:9].id", &["2"]);
        check("items[7:].id", &[]);
        check("items[].tags[]", &["\"a\"", "\"b\""]);
        check("*.id", &["1", "2", "4"]);
        check("**.id", &["1", "2", "3", "4"]);
        check("none.id", &[]);
    }
}
