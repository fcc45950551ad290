//! What is left out of an object because its extractor, or the rule for all documents, does not show
//! it. Invariant: a member that says something is shown whole, or its name or its number stands in a
//! mark beside what is shown: `[… more of items[]: price, stock and 7 others]`.

use super::rules::{Form, Shows};
use super::view::{Place, View};
use crate::json::{Json, Path};
use std::collections::HashSet;

/// Names that a mark tells.
const NAMED: usize = 4;
/// Characters of a name that a mark tells.
const LONGEST: usize = 40;

/// Values that are shown, by where they lie.
type Chosen = HashSet<*const Json>;

impl<'a> View<'a> {
    /// Says what is not shown of an object that stands in lines of its own.
    pub(super) fn left_out_of(&mut self, object: &'a Json, path: &str, indent: usize) {
        let names = self.missing(object, Place::Alone);
        self.mark(&names, path, indent);
    }

    /// Says what is not shown of the rows of a table.
    pub(super) fn left_out_of_rows(&mut self, rows: &[&'a Json], path: &str, indent: usize) {
        let mut known = HashSet::new();
        let mut names: Vec<(bool, &'a str)> =
            rows.iter().flat_map(|row| self.missing(row, Place::Listed)).collect();
        names.retain(|(_, name)| known.insert(*name));
        self.mark(&names, &format!("{path}[]"), indent);
    }

    /// Says what is not shown of a document that is shown as a part of it, or whose items are.
    pub(super) fn left_out_of_root(&mut self, root: &'a Json) {
        match root {
            Json::Object(_) if std::ptr::eq(self.reduced(root), root) => {}
            Json::Object(_) => self.left_out_of(root, "", 0),
            Json::List(items) => {
                let is_reduced = |item: &&Json| !std::ptr::eq(self.reduced(item), *item);
                let reduced: Vec<&'a Json> = items.iter().filter(is_reduced).collect();
                self.left_out_of_rows(&reduced, "", 0);
            }
            _ => {}
        }
    }

    fn mark(&mut self, names: &[(bool, &str)], path: &str, indent: usize) {
        // Where the text was broken off, it says that all the rest is missing.
        if names.is_empty() || self.overflowed {
            return;
        }
        let (boilerplate, telling): (Vec<_>, Vec<_>) = names.iter().partition(|(is, _)| *is);
        let told: Vec<String> =
            telling.iter().chain(&boilerplate).take(NAMED).map(|(_, name)| short(name)).collect();
        let of = if path.is_empty() { String::new() } else { format!(" of {path}") };
        let others = match names.len() - told.len() {
            0 => String::new(),
            1 => " and 1 other".to_owned(),
            others => format!(" and {others} others"),
        };
        self.line(indent);
        self.sheet.frame(format_args!("[… more{of}: {}{others}]", told.join(", ")));
    }

    /// The members of an object that are not shown, or not whole, each with whether it is left out
    /// of every document.
    fn missing(&self, object: &'a Json, place: Place) -> Vec<(bool, &'a str)> {
        let Json::Object(members) = object else { return Vec::new() };
        let telling: HashSet<*const Json> =
            self.rules.telling(members).map(|(_, value)| std::ptr::from_ref(value)).collect();
        let chosen = self.chosen(object, place).unwrap_or_else(|| telling.clone());
        members
            .iter()
            .filter(|(_, value)| !self.is_covered(value, &chosen, place))
            .map(|(name, value)| (!telling.contains(&std::ptr::from_ref(value)), name.as_str()))
            .collect()
    }

    /// What the object's extractor shows of it; none for an object that is not known.
    fn chosen(&self, object: &'a Json, place: Place) -> Option<Chosen> {
        let shape = self.rules.shape(object)?;
        let fields = match (&shape.shows, place) {
            (Shows::Fields { alone, .. }, Place::Alone) => alone,
            (Shows::Fields { listed, .. }, Place::Listed) => listed,
            _ => {
                return shape.inner(object).map(|inner| HashSet::from([std::ptr::from_ref(inner)]));
            }
        };
        // How many words there are says nothing of them.
        let quoted = fields.iter().filter(|field| field.form != Form::Words);
        Some(quoted.flat_map(|field| field.path.select(object)).map(std::ptr::from_ref).collect())
    }

    /// Whether everything in a value that says something is among what is shown.
    fn is_covered(&self, json: &'a Json, chosen: &Chosen, place: Place) -> bool {
        if json.is_empty()
            || chosen.contains(&std::ptr::from_ref(json)) && self.is_told(json, place)
        {
            return true;
        }
        match json {
            Json::Object(members) => {
                members.iter().all(|(_, value)| self.is_covered(value, chosen, place))
            }
            Json::List(items) => items.iter().all(|item| self.is_covered(item, chosen, place)),
            _ => false,
        }
    }

    /// Whether a value that is shown is whole, or has marks of its own.
    fn is_told(&self, json: &'a Json, place: Place) -> bool {
        match json {
            Json::Object(_) if place == Place::Listed || self.is_reduced(json) => {
                self.missing(json, place).is_empty()
            }
            // In a row, a list of objects is shown as their number.
            Json::List(items) if place == Place::Listed => {
                items.iter().any(|item| self.reduced(item).scalar().is_none())
                    || items.iter().all(|item| self.is_told(item, place))
            }
            Json::List(items) => items.iter().all(|item| self.is_told(item, place)),
            _ => true,
        }
    }

    fn is_reduced(&self, json: &'a Json) -> bool {
        !std::ptr::eq(self.reduced(json), json)
    }
}

fn short(name: &str) -> String {
    let name = Path::name(name);
    let end = name.floor_char_boundary(LONGEST);
    if end < name.len() { format!("{}…", &name[..end]) } else { name.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::limits::RUNGS;
    use super::super::rules::{Extractors, Shape};
    use super::super::view::view;
    use super::*;
    use crate::json::Step;

    fn shown(json: &Json) -> String {
        view(json, &Extractors::built_in(), RUNGS[0]).0.text
    }

    /// Puts a value where a path leads, unless something stands there.
    fn put(json: &mut Json, steps: &[Step], value: Json) {
        let Some((step, rest)) = steps.split_first() else {
            if json.is_empty() {
                *json = value;
            }
            return;
        };
        let name = match step {
            Step::Key(name) => name.as_str(),
            Step::AnyKey | Step::AnyDepth => "any",
            Step::Items(..) => {
                if !matches!(json, Json::List(_)) {
                    *json = Json::List(vec![Json::Null]);
                }
                if let Json::List(items) = json {
                    put(&mut items[0], rest, value);
                }
                return;
            }
        };
        if !matches!(json, Json::Object(_)) {
            *json = Json::Object(Vec::new());
        }
        let Json::Object(members) = json else { return };
        let place = members.iter().position(|(own, _)| own == name).unwrap_or_else(|| {
            members.push((name.to_owned(), Json::Null));
            members.len() - 1
        });
        put(&mut members[place].1, rest, value);
    }

    /// An object of a shape, with members that the shape says nothing of.
    fn example(shape: &Shape, number: usize) -> Json {
        let mut json = Json::Object(Vec::new());
        let mut count = 0;
        let mut value = || {
            count += 1;
            Json::Text(format!("w{number}x{count}z"))
        };
        for (path, words) in &shape.equals {
            put(&mut json, path.steps(), Json::Text(words.clone()));
        }
        for path in &shape.addresses {
            put(&mut json, path.steps(), Json::Text(format!("a{number}@example.org")));
        }
        if let Shows::Unwrapped(member) = &shape.shows {
            put(&mut json, &[Step::Key(member.clone())], Json::Text("inside".to_owned()));
            put(&mut json, &[Step::Key("inside".to_owned())], value());
        }
        let fields = match &shape.shows {
            Shows::Fields { alone, listed } => alone.iter().chain(listed).collect(),
            _ => Vec::new(),
        };
        for path in shape.has.iter().chain(fields.iter().map(|field| &field.path)) {
            put(&mut json, path.steps(), value());
        }
        let others: Vec<&str> = match shape.only.is_empty() {
            true => vec!["price", "stock", "avatar_url", "node_id"],
            false => shape.only.iter().map(String::as_str).collect(),
        };
        for name in others {
            put(&mut json, &[Step::Key(name.to_owned())], value());
        }
        json
    }

    /// Every value that is not shown is below a member that a mark names or counts.
    fn check(json: &Json) {
        fn walk<'a>(json: &'a Json, above: &mut Vec<&'a str>, text: &str) {
            match json {
                Json::Object(members) => {
                    for (name, value) in members {
                        above.push(name);
                        walk(value, above, text);
                        above.pop();
                    }
                }
                Json::List(items) => items.iter().for_each(|item| walk(item, above, text)),
                _ => {
                    let words = json.scalar().unwrap_or_default();
                    let marks = text.lines().filter_map(|line| Some(line.split_once("[…")?.1));
                    let is_marked = marks.into_iter().any(|mark| {
                        let mut parts = mark.split([' ', ',', ':', ']', '.']);
                        // A number alone stands in a cell for a list.
                        mark.starts_with(|c: char| c.is_ascii_digit())
                            || [" others]", " other]", " members]", " member]"]
                                .iter()
                                .any(|end| mark.contains(end))
                            || parts.any(|name| above.contains(&name))
                    });
                    assert!(
                        json.is_empty() || text.contains(words) || is_marked,
                        "{above:?} is not marked in\n{text}"
                    );
                }
            }
        }
        walk(json, &mut Vec::new(), &shown(json));
    }

    #[test]
    fn whatever_an_extractor_leaves_out_is_marked() {
        let object = |members: Vec<(&str, Json)>| {
            Json::Object(members.into_iter().map(|(name, json)| (name.to_owned(), json)).collect())
        };
        let word = || Json::Text("word".to_owned());
        let rules = Extractors::built_in();
        for shape in &rules.shapes {
            let one = |number| example(shape, number);
            assert!(rules.shape(&one(0)).is_some(), "{:?}", shape.name);
            let three = || Json::List((0..3).map(one).collect());
            let row = |number| object(vec![("first", word()), ("inner", one(number))]);
            for json in [
                one(0),
                three(),
                object(vec![("inner", one(0))]),
                object(vec![("first", word()), ("inner", one(0))]),
                object(vec![("first", word()), ("items", three())]),
                object(vec![("first", word()), ("rows", Json::List((0..3).map(row).collect()))]),
                Json::List((0..3).map(row).collect()),
                object(vec![("mixed", Json::List(vec![one(0), word(), one(1)]))]),
            ] {
                check(&json);
            }
        }
    }

    #[test]
    fn what_only_resembles_a_known_document_is_shown_as_it_is() {
        let check = |text: &str, expected: &str| {
            assert_eq!(shown(&Json::parse(text).unwrap()), expected, "{text}");
        };
        check(
            r#"{"goods":[{"id":1,"name":"bolt","color":"red","price":2,"stock":9},{"id":2,"name":"nut","color":"blue","price":3,"stock":8}]}"#,
            "goods[2] id|name|color|price|stock\n1|bolt|red|2|9\n2|nut|blue|3|8",
        );
        check(
            r#"[{"name":"cpu","value":9,"unit":"%","host":"a"},{"name":"disk","value":8,"unit":"GB","host":"b"}]"#,
            "[2] name|value|unit|host\ncpu|9|%|a\ndisk|8|GB|b",
        );
        check(
            r#"{"from":"Oslo","to":"Rome","subject":"holiday","price":320,"city":"Milan"}"#,
            "from: Oslo\nto: Rome\nsubject: holiday\nprice: 320\ncity: Milan",
        );
        check(
            r#"{"car":{"id":7,"type":"van","van":{"seats":9},"price":4}}"#,
            "car:\n id: 7\n type: van\n van.seats: 9\n price: 4",
        );
    }

    #[test]
    fn what_an_extractor_leaves_out_stands_in_a_mark() {
        let check = |text: &str, expected: &str| {
            assert_eq!(shown(&Json::parse(text).unwrap()), expected, "{text}");
        };
        check(
            r#"{"from":"ana@a.org","to":"bo@a.org","subject":"Trip","price":320,"city":"Milan"}"#,
            "from: ana@a.org\nto: bo@a.org\nsubject: Trip\n[… more: price, city]",
        );
        check(
            r#"[{"url":"https://a.org/1","title":"A","score":1,"content":"x","price":5},{"url":"https://a.org/2","title":"B","score":2,"content":"y"}]"#,
            "[2] title|url|content\nA|https://a.org/1 |x\nB|https://a.org/2 |y\n[… more of []: score, price]",
        );
        check(
            r#"{"tag":{"id":"a","name":"urgent","color":"red"},"due":1}"#,
            "tag: urgent\ndue: 1\n[… more: tag]",
        );
        check(
            r#"[{"id":"a","name":"urgent","color":"red"},{"id":"b","name":"late","color":"blue"}]"#,
            "urgent, late\n[… more of []: id, color]",
        );
        check(
            r#"{"subject":"Trip","bodyPreview":"Hi","from":{"emailAddress":{"address":"a@a.org"}},"isRead":false}"#,
            "subject: Trip\nfrom: a@a.org\nread: false\nbodyPreview: Hi",
        );
    }

    #[test]
    fn a_mark_names_what_is_worth_asking_for_first() {
        let json = r#"{"a":1,"node_id":"R_1","html_url":"https://a.org/1","git_url":"https://a.org/2","deep":{"node_id":"R_2"}}"#;
        assert_eq!(
            shown(&Json::parse(json).unwrap()),
            "a: 1\nhtml_url: https://a.org/1\ndeep: [… 1 member]\n[… more: node_id, git_url]"
        );
    }
}
