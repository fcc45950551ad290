//! Content made shorter without a model: results of tools, pasted texts, pages, logs, code.
//!
//! Whatever is left out stands behind a ref that the text names. After compressing, the values of
//! the original (ids, URLs, numbers, refs) are compared with the text: each stands in it unaltered
//! or can be reached through the ref, or else the original is used. Small contents are never touched;
//! errors are shown before anything else, up to a size, and counted beyond it. The same content gives
//! the same text, in time linear in its length.

mod code;
mod detect;
mod html;
mod left_out;
mod limits;
mod log;
mod personal;
mod prose;
mod rules;
mod sheet;
mod summary;
mod table;
mod texts;
mod trouble;
mod view;

pub use detect::Kind;
pub use personal::Personal;
pub use rules::{BadExtractor, Extractors};
pub use summary::summary;

use super::stands_in;
use super::values::values;
use crate::guard::masked;
use crate::hash::ContentHash;
use crate::json::Json;
use crate::refs;
use crate::tokens::Tokenizer;
use limits::{RUNGS, Room};
use serde::Serialize;
use sheet::Sheet;
use std::collections::HashSet;
use std::sync::Arc;
use texts::{Counted, Gaps};

/// A content with fewer tokens is small: what would be said in its place costs as much.
const SMALL: u32 = 200;
/// A compressed text has at most so many percent of the original's tokens, or it is not worth it.
const WORTH: u32 = 90;
/// A document that has more than so many percent of them is shown within narrower limits.
const ENOUGH: u64 = 70;

/// A content that may be compressed: without its secrets, and with what it is.
#[derive(Debug, Clone)]
pub struct Content {
    text: String,
    kind: Kind,
    json: Option<Json>,
    tokens: u32,
}

/// What came of compressing a content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compression {
    pub text: String,
    pub audit: Audit,
}

/// What was done with a content, for whoever looks after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Audit {
    pub kind: Kind,
    /// The extractor whose shape the content has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extractor: Option<String>,
    pub outcome: Outcome,
    pub tokens_before: u32,
    pub tokens_after: u32,
    /// Different values that must not be lost.
    pub protected: usize,
    /// How many of them are behind the ref.
    pub elided: usize,
    pub personal: Personal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Compressed,
    /// So small that it is shown whole.
    Small,
    /// The shorter text would not have been much shorter.
    NotWorthIt,
    /// The check failed, and the original is shown.
    CheckFailed,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Compressed => "compressed",
            Outcome::Small => "small",
            Outcome::NotWorthIt => "not_worth_it",
            Outcome::CheckFailed => "check_failed",
        }
    }
}

impl Content {
    /// A text as a tool gave it; `name` is the path or the name of a file it comes from.
    pub fn new(text: &str, name: Option<&str>) -> Self {
        let (kind, json) = match document(text) {
            Some(json) => (Kind::Json, Some(json)),
            None => match refs::json_lines(text) {
                Some(json) => (Kind::JsonLines, Some(json)),
                None => (detect::detect_text(text, name), None),
            },
        };
        let (text, json) = match json {
            Some(json) => match masked_document(&json) {
                Some(masked) if kind == Kind::Json => (masked.minified(), Some(masked)),
                Some(masked) => (written_in_lines(&masked), Some(masked)),
                None => (text.to_owned(), Some(json)),
            },
            None => (masked(text).into_owned(), None),
        };
        let tokens = Tokenizer::O200k.count(&text);
        Self { text, kind, json, tokens }
    }

    /// The whole text, its secrets masked.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Whether it is shown whole whatever else is decided.
    pub fn is_small(&self) -> bool {
        self.tokens < SMALL
    }

    /// The hash of its canonical form: the order of members does not matter.
    pub fn hash(&self) -> ContentHash {
        let document = self.json.as_ref().filter(|_| self.kind == Kind::Json);
        hash_of(document, &self.text)
    }

    /// What its ref is of: what an extractor calls it, or its form.
    pub fn ref_kind(&self, extractors: &Extractors) -> refs::Kind {
        let known = self.json.as_ref().and_then(|json| extractors.kind(json));
        let form = || refs::Kind::of(self.kind.as_str());
        known.map_or_else(form, |shape| shape.name.clone())
    }

    /// Every value that must not be lost, and whose data it is.
    fn values(&self) -> (HashSet<&str>, Personal) {
        let mut known = HashSet::new();
        let mut personal = Personal::default();
        let mut add = |text| {
            for value in values(text) {
                if known.insert(value.text) {
                    personal.count(&value);
                }
            }
        };
        match &self.json {
            Some(json) => json.scalars(&mut |_, value| add(value.scalar().unwrap_or_default())),
            None => add(&self.text),
        }
        (known, personal)
    }
}

/// The hash of a content as it is stored, without its secrets.
pub fn canonical_hash(text: &str) -> ContentHash {
    hash_of(document(text).as_ref(), text)
}

fn hash_of(document: Option<&Json>, text: &str) -> ContentHash {
    match document {
        Some(json) => ContentHash::of(json.canonical()),
        None => ContentHash::of(text),
    }
}

/// A text that is one list or object.
fn document(text: &str) -> Option<Json> {
    Json::parse(text).filter(|json| json.scalar().is_none())
}

/// The document without its secrets; none if it has none.
fn masked_document(json: &Json) -> Option<Json> {
    fn mask(key: &str, json: &Json, found: &mut bool) -> Json {
        match json {
            Json::List(items) => {
                Json::List(items.iter().map(|item| mask(key, item, found)).collect())
            }
            Json::Object(members) => Json::Object(
                members
                    .iter()
                    .map(|(name, value)| (name.clone(), mask(name, value, found)))
                    .collect(),
            ),
            Json::Text(text) | Json::Number(text) => {
                // A secret is told by its shape or by the name before it.
                let label = format!("{key}: ");
                let line = format!("{label}{text}");
                let shown = masked(&line);
                match shown.strip_prefix(&label) {
                    Some(shown) if shown != text => {
                        *found = true;
                        Json::Text(shown.to_owned())
                    }
                    _ => json.clone(),
                }
            }
            other => other.clone(),
        }
    }
    let mut found = false;
    let masked = mask("", json, &mut found);
    found.then_some(masked)
}

fn written_in_lines(json: &Json) -> String {
    let Json::List(items) = json else { return json.minified() };
    items.iter().map(|item| item.minified() + "\n").collect()
}

/// Makes contents shorter by these extractors.
#[derive(Debug, Clone)]
pub struct Compressor {
    extractors: Arc<Extractors>,
}

impl Default for Compressor {
    fn default() -> Self {
        Self::new(Extractors::built_in())
    }
}

impl Compressor {
    pub fn new(extractors: Arc<Extractors>) -> Self {
        Self { extractors }
    }

    pub fn extractors(&self) -> &Extractors {
        &self.extractors
    }

    /// The content in short, with `reference` for all that is left out.
    pub fn compress(&self, content: &Content, reference: &str) -> Compression {
        let (known, personal) = content.values();
        let extractor = content.json.as_ref().and_then(|json| self.extractors.kind(json));
        let mut audit = Audit {
            kind: content.kind,
            extractor: extractor.map(|shape| shape.name.to_string()),
            outcome: Outcome::Compressed,
            tokens_before: content.tokens,
            tokens_after: content.tokens,
            protected: known.len(),
            elided: 0,
            personal,
        };
        let whole = |outcome| {
            let audit = Audit { outcome, ..audit.clone() };
            Compression { text: content.text.clone(), audit }
        };
        if content.is_small() {
            return whole(Outcome::Small);
        }
        let mut sheet = Sheet::default();
        sheet.frame(format_args!("[in part; expand_ref {reference} for the rest]\n"));
        sheet.append(self.view(content));
        let tokens = Tokenizer::O200k.count(&sheet.text);
        if u64::from(tokens) * 100 > u64::from(content.tokens) * u64::from(WORTH) {
            return whole(Outcome::NotWorthIt);
        }
        let verdict = sheet.verdict(&known);
        if !verdict.is_true || !stands_in(&sheet.text, reference) {
            return whole(Outcome::CheckFailed);
        }
        audit.tokens_after = tokens;
        audit.elided = verdict.elided;
        Compression { text: sheet.text.trim_end().to_owned(), audit }
    }

    fn view(&self, content: &Content) -> Sheet {
        let gaps = Gaps { path: "", lines: Counted::AsStored };
        let room = Room::of(&content.text);
        let Some(json) = &content.json else {
            return match content.kind {
                Kind::Code => code::view(&content.text, gaps, room.bytes),
                Kind::Log => log::view(&content.text, gaps, room),
                Kind::Html => {
                    // Lines of what a page says are not lines of the page.
                    let page = html::text(&content.text);
                    prose::view(&page, Gaps { lines: Counted::Otherwise, ..gaps }, room)
                }
                _ => prose::view(&content.text, gaps, room),
            };
        };
        let mut narrowest = Sheet::default();
        for limits in RUNGS {
            let (sheet, overflowed) = view::view(json, &self.extractors, limits);
            let tokens = u64::from(Tokenizer::O200k.count(&sheet.text));
            let pays = tokens * 100 <= u64::from(content.tokens) * ENOUGH;
            narrowest = sheet;
            if pays && !overflowed {
                break;
            }
        }
        narrowest
    }
}
