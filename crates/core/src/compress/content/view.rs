//! A document as lines of names and values, lists of objects as tables. What says nothing is left
//! out, what is long is cut, and every gap says how to ask for what is not there.

use super::limits::{Limits, MOST_TEXT};
use super::rules::{Extractors, Field, Form, Shows};
use super::sheet::Sheet;
use super::texts;
use super::trouble::{Trouble, troubles};
use crate::json::{Json, Path, Step};

/// Objects that stood in the document before, for those that come again.
const MOST_SEEN: usize = 32;
/// A smaller object is as short as what would be said in its place.
const WORTH_NAMING: usize = 6;
/// Values that stand for objects are followed so far.
const DEEPEST_VALUE: usize = 8;

/// The document within these limits, and whether it was broken off.
pub(super) fn view(json: &Json, rules: &Extractors, limits: Limits) -> (Sheet, bool) {
    let mut view =
        View { rules, limits, sheet: Sheet::default(), overflowed: false, seen: Vec::new() };
    view.root(json);
    view.troubles(json);
    (view.sheet, view.overflowed)
}

pub(super) struct View<'a> {
    pub(super) rules: &'a Extractors,
    pub(super) limits: Limits,
    pub(super) sheet: Sheet,
    pub(super) overflowed: bool,
    seen: Vec<(&'a Json, String)>,
}

/// What is shown under a name.
pub(super) enum Shown<'a> {
    One(&'a Json),
    Several(Vec<&'a Json>),
    /// Pieces of one text.
    Pieces(Vec<&'a str>),
    Words(usize),
}

/// A member of an object as it is shown.
pub(super) struct Entry<'a> {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) shown: Shown<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Alone,
    Listed,
}

impl<'a> View<'a> {
    fn root(&mut self, json: &'a Json) {
        let shown = self.reduced(json);
        match shown {
            Json::Object(_) => self.entries(shown, "", 0),
            Json::List(items) => self.list("", "", items, 0),
            _ => self.scalar(shown, ""),
        }
        self.left_out_of_root(json);
    }

    fn entries(&mut self, object: &'a Json, path: &str, indent: usize) {
        let entries = self.members(object, path, Place::Alone);
        let (shown, more) = entries.split_at(entries.len().min(self.limits.members));
        for entry in shown {
            self.entry(entry, indent);
        }
        if !more.is_empty() {
            self.line(indent);
            let of = if path.is_empty() { String::new() } else { format!(" of {path}") };
            self.sheet.frame(format_args!("[… {} more members{of}]", more.len()));
        }
        self.left_out_of(object, path, indent);
    }

    /// What is shown of an object, in order.
    pub(super) fn members(&self, object: &'a Json, path: &str, place: Place) -> Vec<Entry<'a>> {
        let shape = self.rules.shape(object).map(|shape| &shape.shows);
        match (shape, object) {
            (Some(Shows::Fields { alone, listed }), _) => {
                let fields = if place == Place::Alone { alone } else { listed };
                fields.iter().filter_map(|field| field_of(object, field, path)).collect()
            }
            (_, Json::Object(members)) => self
                .rules
                .telling(members)
                .map(|(name, value)| Entry {
                    name: name.to_owned(),
                    path: joined(path, &Path::name(name)),
                    shown: Shown::One(value),
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    fn entry(&mut self, entry: &Entry<'a>, indent: usize) {
        if self.sheet.text.len() > self.limits.bytes {
            if !self.overflowed {
                self.overflowed = true;
                self.line(indent);
                self.sheet.frame(format_args!("[… more from {} on]", entry.path));
            }
            return;
        }
        match &entry.shown {
            Shown::One(json) => self.named(&entry.name, &entry.path, json, indent),
            Shown::Several(values) => {
                let values: Vec<&'a Json> =
                    values.iter().map(|value| self.reduced(value)).collect();
                self.line(indent);
                self.sheet.frame(format_args!("{}: ", entry.name));
                self.joined_scalars(&values, &entry.path);
            }
            Shown::Pieces(pieces) => {
                self.line(indent);
                self.sheet.frame(format_args!("{}: ", entry.name));
                self.long(&put_together(pieces), &entry.path);
            }
            Shown::Words(words) => {
                self.line(indent);
                self.sheet.frame(format_args!("{}: {words}", entry.name));
            }
        }
    }

    fn named(&mut self, name: &str, path: &str, json: &'a Json, indent: usize) {
        let json = self.reduced(json);
        match json {
            Json::List(items) => self.list(name, path, items, indent),
            Json::Object(_) => self.object(name, path, json, indent),
            _ => {
                self.line(indent);
                self.sheet.frame(format_args!("{name}: "));
                self.scalar(json, path);
            }
        }
    }

    fn object(&mut self, name: &str, path: &str, json: &'a Json, indent: usize) {
        let mut members = self.members(json, path, Place::Alone);
        let all = match json {
            Json::Object(all) => all.iter().filter(|(_, value)| !value.is_empty()).count(),
            _ => 0,
        };
        if all > 0 && (indent >= self.limits.depth || members.is_empty()) {
            self.line(indent);
            let noun = if all == 1 { "member" } else { "members" };
            self.sheet.frame(format_args!("{name}: [… {all} {noun}]"));
        } else if members.len() == 1 {
            for entry in &mut members {
                entry.name = format!("{name}.{}", entry.name);
                self.entry(entry, indent);
            }
            self.left_out_of(json, path, indent);
        } else if let Some((_, first)) = self.seen.iter().find(|(seen, _)| *seen == json) {
            let words = format!("{name}: [… the same as {first}]");
            self.line(indent);
            self.sheet.frame(words);
        } else if !members.is_empty() {
            if members.len() >= WORTH_NAMING && self.seen.len() < MOST_SEEN {
                self.seen.push((json, path.to_owned()));
            }
            self.line(indent);
            self.sheet.frame(format_args!("{name}:"));
            self.entries(json, path, indent + 1);
        }
    }

    fn list(&mut self, name: &str, path: &str, items: &'a [Json], indent: usize) {
        let reduced: Vec<&'a Json> = items.iter().map(|item| self.reduced(item)).collect();
        if reduced.iter().all(|item| item.scalar().is_some()) {
            self.line(indent);
            if !name.is_empty() {
                self.sheet.frame(format_args!("{name}: "));
            }
            return self.joined_scalars(&reduced, path);
        }
        let most = items.first().and_then(|item| self.rules.shape(item)).map(|shape| shape.first);
        let most = most.unwrap_or(self.limits.items).min(self.limits.items).min(items.len());
        let is_table =
            most > 1 && reduced[..most].iter().all(|item| matches!(item, Json::Object(_)));
        if !(is_table && self.table(name, path, &reduced, most, indent)) {
            for (index, item) in reduced[..most].iter().enumerate() {
                let place = format!("[{index}]");
                let (name, path) = (format!("{name}{place}"), format!("{path}{place}"));
                self.entry(&Entry { name, path, shown: Shown::One(item) }, indent);
            }
        }
        self.more(path, most, items.len(), indent);
    }

    /// Says which items of a list are not shown.
    fn more(&mut self, path: &str, from: usize, to: usize, indent: usize) {
        if from < to {
            self.line(indent);
            self.sheet.frame(format_args!("[… {} more: {path}[{from}:{to}]]", to - from));
        }
    }

    fn joined_scalars(&mut self, values: &[&'a Json], path: &str) {
        let mut shown = 0;
        let start = self.sheet.text.len();
        for value in values {
            let room = self.sheet.text.len() - start < self.limits.string;
            if shown >= self.limits.scalars || shown > 0 && !room {
                break;
            }
            if shown > 0 {
                self.sheet.quote(", ");
            }
            match value.scalar() {
                Some(_) => self.scalar(value, path),
                None => self.sheet.frame("[…]"),
            }
            shown += 1;
        }
        if shown < values.len() {
            let more = values.len() - shown;
            self.sheet.frame(format_args!(" [… {more} more: {path}]"));
        }
    }

    fn scalar(&mut self, json: &Json, path: &str) {
        match json {
            Json::Text(text) => self.long(text, path),
            other => self.sheet.quote(other.scalar().unwrap_or_default()),
        }
    }

    /// A text that may be long or have lines.
    fn long(&mut self, text: &str, path: &str) {
        let text = text.trim();
        let part = texts::nested(text, path, self.limits.string);
        if part.text.contains('\n') {
            self.sheet.quote("\"\"\"\n");
            self.sheet.append(part);
            self.sheet.line_end();
            self.sheet.quote("\"\"\"");
        } else {
            self.sheet.append(part);
        }
    }

    /// What the rules show an object as.
    pub(super) fn reduced(&self, json: &'a Json) -> &'a Json {
        let mut shown = json;
        for _ in 0..DEEPEST_VALUE {
            match self.rules.shape(shown).and_then(|shape| shape.inner(shown)) {
                Some(inner) => shown = inner,
                None => break,
            }
        }
        shown
    }

    pub(super) fn line(&mut self, indent: usize) {
        self.sheet.line_end();
        self.sheet.quote(&" ".repeat(indent));
    }

    /// Errors that do not stand in what was shown.
    fn troubles(&mut self, json: &'a Json) {
        let found = troubles(json);
        let is_hidden = |trouble: &Trouble<'_>| {
            trouble.said.iter().any(|(_, said)| !self.sheet.text.contains(said.trim()))
        };
        let numbered = found.first.iter().enumerate();
        let hidden: Vec<_> = numbered.filter(|(_, trouble)| is_hidden(trouble)).collect();
        if hidden.is_empty() && found.total == found.first.len() {
            return;
        }
        self.line(0);
        self.sheet.frame("errors:");
        let start = self.sheet.text.len();
        let mut told = found.first.len();
        for (number, trouble) in hidden {
            if self.sheet.text.len() - start > MOST_TEXT {
                told = number;
                break;
            }
            self.line(1);
            self.sheet.frame(format_args!("{}: ", trouble.path));
            for (index, (name, said)) in trouble.said.iter().enumerate() {
                if index > 0 {
                    self.sheet.quote("; ");
                }
                if !name.is_empty() {
                    self.sheet.frame(format_args!("{name}="));
                }
                self.sheet.append(texts::whole(said.trim(), &trouble.path));
            }
        }
        if let Some(last) = told.checked_sub(1).filter(|_| told < found.total) {
            self.line(1);
            let (more, path) = (found.total - told, &found.first[last].path);
            let noun = if more == 1 { "error" } else { "errors" };
            self.sheet.frame(format_args!("[… {more} more {noun} after {path}]"));
        }
    }
}

fn field_of<'a>(object: &'a Json, field: &Field, path: &str) -> Option<Entry<'a>> {
    let mut found = field.path.select(object);
    found.retain(|value| !value.is_empty());
    let first = *found.first()?;
    let texts = || found.iter().filter_map(|value| value.scalar());
    let single = field.path.steps().iter().all(|step| matches!(step, Step::Key(_)));
    let shown = match field.form {
        Form::Plain if single || found.len() == 1 => Shown::One(first),
        Form::Plain => Shown::Several(found),
        Form::Text => Shown::Pieces(texts().collect()),
        Form::Words => Shown::Words(texts().map(|text| text.split_whitespace().count()).sum()),
    };
    let path = joined(path, &field.path.to_string());
    Some(Entry { name: field.name.clone(), path, shown })
}

pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() || name.starts_with('[') {
        format!("{path}{name}")
    } else {
        format!("{path}.{name}")
    }
}

/// Pieces of a text in a row; a space keeps what would run together into another value apart.
pub(super) fn put_together(pieces: &[&str]) -> String {
    let mut text = String::new();
    for piece in pieces {
        let solid = |c: char| !c.is_whitespace();
        let word = |text: &str| text.contains(|c: char| c.is_numeric());
        let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
        let next = piece.split(char::is_whitespace).next().unwrap_or_default();
        let touch = text.ends_with(solid) && piece.starts_with(solid);
        if touch && (word(last) || word(next)) {
            text.push(' ');
        }
        text.push_str(piece);
    }
    text
}
