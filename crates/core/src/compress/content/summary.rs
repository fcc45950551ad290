//! What a ref holds, in 50 to 120 tokens and at most 500 characters: what it is, how large, how it
//! begins, where errors, ids and amounts stand, and how to ask for them. The same content gives the
//! same words.

use super::Content;
use super::trouble::troubles;
use crate::compress::cut::{Atoms, head};
use crate::compress::is_untouchable;
use crate::compress::kind::Kind as ValueKind;
use crate::compress::values::values;
use crate::json::{Json, Path};
use crate::refs::lines;
use crate::tokens::Tokenizer;
use std::collections::HashSet;

const CHARACTERS: usize = 500;
const TOKENS: u32 = 120;
const LEAST: u32 = 50;
/// What else can be said where there is little to say.
const KEPT: &str = " Nothing of it is lost: all of it is kept behind the ref, its secrets masked.";
/// Characters of the beginning that are shown, if there is room.
const LEAD: usize = 120;
/// Places of one kind that are named.
const PLACES: usize = 3;
const LONGEST_PLACE: usize = 48;

/// Where the values of a content stand.
#[derive(Debug, Default)]
struct Map {
    /// What it is made of.
    parts: String,
    lead: String,
    errors: String,
    ids: String,
    amounts: String,
    example: String,
}

/// A summary of a content of this kind.
pub fn summary(content: &Content, kind: &str) -> String {
    let map = match &content.json {
        Some(json) => of_document(json),
        None => of_text(&content.text),
    };
    let what = format!("{} of {} tokens: {}.", kind.replace('_', " "), content.tokens, map.parts);
    let how = format!(" Expand the ref for all of it, or with {} for a part of it.", map.example);
    let mut places = String::new();
    for (label, place) in [("Errors", &map.errors), ("Ids", &map.ids), ("Amounts", &map.amounts)] {
        if !place.is_empty() {
            places.push_str(&format!(" {label}: {place}."));
        }
    }
    if !fits(&format!("{what}{places}{how}")) {
        places = " Its members have long names, so that places are not named here.".to_owned();
    }
    // The beginning is told as far as there is room for it.
    let told = [LEAD, LEAD / 2, LEAD / 4].into_iter().map(|room| {
        let lead = lead(&map.lead, room);
        if lead.is_empty() { String::new() } else { format!(" Begins: {lead} …") }
    });
    let whole = |lead: String| {
        let said = format!("{what}{places}{lead}");
        let is_bare =
            !content.is_small() && Tokenizer::O200k.count(&format!("{said}{how}")) < LEAST;
        format!("{said}{}{how}", if is_bare { KEPT } else { "" })
    };
    told.map(whole).find(|summary| fits(summary)).unwrap_or_else(|| whole(String::new()))
}

fn fits(text: &str) -> bool {
    text.chars().count() <= CHARACTERS && Tokenizer::O200k.count(text) <= TOKENS
}

fn lead(text: &str, room: usize) -> String {
    let near = &text[..text.floor_char_boundary(room * 8)];
    let end = head(near, 0, room, &Atoms::of(near, &values(near)));
    text[..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

fn of_document(json: &Json) -> Map {
    let mut kinds = Places::default();
    walk(json, &mut Vec::new(), &mut kinds);
    let found = troubles(json);
    let first: Vec<&str> = found.first.iter().map(|trouble| trouble.path.as_str()).collect();
    let (parts, example) = match json {
        Json::List(items) => {
            let names = items.first().map(names_of).unwrap_or_default();
            (
                format!("a list of {} items{names}", items.len()),
                "fields such as \"[0:5]\" or a slice of its items".to_owned(),
            )
        }
        Json::Object(members) => {
            let longest = members
                .iter()
                .filter_map(|(name, value)| match value {
                    Json::List(items) if !items.is_empty() => Some((name, items.len())),
                    _ => None,
                })
                .reduce(|best, next| if next.1 > best.1 { next } else { best });
            let listed = longest
                .map(|(name, length)| format!(", {length} items in {}", short(name)))
                .unwrap_or_default();
            let example = members.first().map_or("", |(name, _)| name.as_str());
            (
                format!("a document{}{listed}", names_of(json)),
                format!(
                    "fields such as \"{}\" or a slice of its items",
                    short(&Path::name(example))
                ),
            )
        }
        _ => ("one value".to_owned(), "a slice of its lines".to_owned()),
    };
    Map {
        parts,
        lead: first_words(json),
        errors: if found.total == 0 {
            String::new()
        } else {
            format!("{} at {}", found.total, some(&first))
        },
        ids: kinds.named(&kinds.ids),
        amounts: kinds.named(&kinds.amounts),
        example,
    }
}

fn names_of(json: &Json) -> String {
    let Json::Object(members) = json else { return String::new() };
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    format!(" with {}", some(&names))
}

/// Paths by what stands at them, in the order of the document.
#[derive(Debug, Default)]
struct Places {
    ids: Vec<String>,
    amounts: Vec<String>,
    known: HashSet<String>,
}

impl Places {
    fn named(&self, paths: &[String]) -> String {
        some(&paths.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Different paths that are looked for; a document with names for keys has no end of them.
const MOST_PATHS: usize = 400;

fn walk<'a>(json: &'a Json, path: &mut Vec<&'a str>, places: &mut Places) {
    match json {
        Json::Object(members) => {
            for (name, value) in members {
                path.push(name);
                walk(value, path, places);
                path.pop();
            }
        }
        Json::List(items) => {
            path.push("[]");
            items.iter().for_each(|item| walk(item, path, places));
            path.pop();
        }
        Json::Number(_) | Json::Text(_) if places.known.len() < MOST_PATHS => {
            let text = json.scalar().unwrap_or_default();
            let text = &text[..text.floor_char_boundary(LONGEST_PLACE * 4)];
            let name = path.iter().rev().find(|name| **name != "[]").copied().unwrap_or_default();
            let named =
                name == "id" || name.ends_with("_id") || name.ends_with("Id") || name == "sha";
            let found = values(text);
            let alone = found.first().filter(|value| value.text.len() == text.len());
            let kind = alone.map(|value| value.kind);
            let is_id = named || matches!(kind, Some(ValueKind::Id | ValueKind::Ref));
            let is_date = text.contains(':') || text.matches('-').count() > 1;
            let is_amount =
                matches!(json, Json::Number(_)) || kind == Some(ValueKind::Number) && !is_date;
            let joined = joined(path);
            if (is_id || is_amount) && places.known.insert(joined.clone()) {
                if is_id { places.ids.push(joined) } else { places.amounts.push(joined) }
            }
        }
        _ => {}
    }
}

fn joined(path: &[&str]) -> String {
    let mut joined = String::new();
    for name in path {
        if *name == "[]" {
            joined.push_str("[]");
        } else {
            if !joined.is_empty() {
                joined.push('.');
            }
            joined.push_str(&Path::name(name));
        }
    }
    joined
}

/// The first text of a document that is made of words.
fn first_words(json: &Json) -> String {
    let mut words = String::new();
    json.scalars(&mut |_, value| {
        if let Json::Text(text) = value
            && words.is_empty()
            && text.contains(char::is_whitespace)
        {
            text[..text.floor_char_boundary(LEAD * 8)].clone_into(&mut words);
        }
    });
    words
}

fn of_text(text: &str) -> Map {
    let lines = lines(text);
    let mut errors = Span::default();
    let mut ids = Span::default();
    let mut amounts = Span::default();
    for (number, line) in lines.iter().enumerate() {
        if is_untouchable(line) {
            errors.add(number);
        }
        let values = values(line);
        if values.iter().any(|value| matches!(value.kind, ValueKind::Id | ValueKind::Ref)) {
            ids.add(number);
        }
        if values.iter().any(|value| value.kind == ValueKind::Number) {
            amounts.add(number);
        }
    }
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    let first = lines.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default();
    Map {
        parts: format!("{} {noun} of text", lines.len()),
        lead: first.trim().to_owned(),
        errors: errors.told(),
        ids: ids.told(),
        amounts: amounts.told(),
        example: "a slice of its lines, such as offset 0, limit 50,".to_owned(),
    }
}

/// Lines of one kind: how many, and from where to where.
#[derive(Debug, Default)]
struct Span {
    first: Vec<usize>,
    last: usize,
    count: usize,
}

impl Span {
    fn add(&mut self, line: usize) {
        if self.first.len() < PLACES {
            self.first.push(line);
        }
        self.last = line;
        self.count += 1;
    }

    fn told(&self) -> String {
        let offsets: Vec<String> = self.first.iter().map(usize::to_string).collect();
        match self.count {
            0 => String::new(),
            count if count <= PLACES => format!("lines at offset {}", offsets.join(", ")),
            count => format!(
                "{count} lines from offset {} to {}",
                offsets.first().map_or("0", String::as_str),
                self.last
            ),
        }
    }
}

/// The first places, and how many more there are.
fn some(places: &[&str]) -> String {
    let mut words =
        places.iter().take(PLACES).map(|place| short(place)).collect::<Vec<_>>().join(", ");
    if places.len() > PLACES {
        words.push_str(&format!(" and {} more", places.len() - PLACES));
    }
    words
}

fn short(place: &str) -> String {
    let end = place.floor_char_boundary(LONGEST_PLACE);
    if end < place.len() { format!("{}…", &place[..end]) } else { place.to_owned() }
}
