//! Extractors: what is worth showing of documents that are known, as data. A file names shapes; an
//! object that has a shape is shown by the fields of it, wherever in a document it stands.

use crate::compress::kind::Kind as ValueKind;
use crate::compress::values::values;
use crate::json::{Json, Path};
use crate::refs::Kind;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

const FILES: [(&str, &str); 6] = [
    ("general.toml", include_str!("../../../extractors/general.toml")),
    ("github.toml", include_str!("../../../extractors/github.toml")),
    ("notion.toml", include_str!("../../../extractors/notion.toml")),
    ("mail.toml", include_str!("../../../extractors/mail.toml")),
    ("web.toml", include_str!("../../../extractors/web.toml")),
    ("calendar.toml", include_str!("../../../extractors/calendar.toml")),
];

/// Items that are shown of a list, where its extractor does not say.
const FIRST: usize = 10;

/// A file that is no extractor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct BadExtractor {
    pub file: String,
    pub reason: String,
}

/// Every rule by which documents are shown.
#[derive(Debug, Clone, Default)]
pub struct Extractors {
    pub(super) shapes: Vec<Shape>,
    boilerplate: Boilerplate,
}

/// What is never worth its tokens, by the name of the member.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Boilerplate {
    /// Whole names.
    names: Vec<String>,
    /// Members with a link whose names end so are left out beside a member of `links`.
    endings: Vec<String>,
    /// Names of the link that an object is known by, best first.
    links: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    boilerplate: Boilerplate,
    #[serde(default)]
    shape: Vec<ShapeRule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShapeRule {
    name: String,
    /// Members that an object of this shape has.
    #[serde(default)]
    has: Vec<String>,
    /// Members that it has with these words in them.
    #[serde(default)]
    equals: BTreeMap<String, String>,
    /// Members in which an e-mail address stands.
    #[serde(default)]
    addresses: Vec<String>,
    /// The names that its members may have, beside what `unwrap` leads to; any, when it is missing.
    #[serde(default)]
    only: Vec<String>,
    /// What is shown, in order.
    #[serde(default)]
    fields: Vec<FieldRule>,
    /// What is shown where many of them stand in a list; the same when it is missing.
    #[serde(default)]
    columns: Vec<FieldRule>,
    /// The object is shown as this alone.
    #[serde(default)]
    value: Option<String>,
    /// The object is shown as the member that this member names.
    #[serde(default)]
    unwrap: Option<String>,
    /// How many of a list of these are shown.
    #[serde(default)]
    first: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FieldRule {
    Path(String),
    Named {
        name: String,
        path: String,
        #[serde(default, rename = "as")]
        form: Form,
    },
}

/// How what a path leads to is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Form {
    /// As it is.
    #[default]
    Plain,
    /// Pieces of one text, put together.
    Text,
    /// How many words it has.
    Words,
}

#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) name: Kind,
    pub(super) has: Vec<Path>,
    pub(super) equals: Vec<(Path, String)>,
    pub(super) addresses: Vec<Path>,
    pub(super) only: Vec<String>,
    pub(super) shows: Shows,
    pub(super) first: usize,
}

#[derive(Debug, Clone)]
pub(super) enum Shows {
    Fields { alone: Vec<Field>, listed: Vec<Field> },
    Value(Path),
    Unwrapped(String),
}

#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) path: Path,
    pub(super) form: Form,
}

impl Extractors {
    /// Those that come with the program.
    pub fn built_in() -> Arc<Self> {
        static BUILT_IN: LazyLock<Arc<Extractors>> = LazyLock::new(|| {
            let mut all = Extractors::default();
            for (file, text) in FILES {
                // A test reads them all.
                let _ = all.read(file, text);
            }
            Arc::new(all)
        });
        Arc::clone(&BUILT_IN)
    }

    /// With those of one more file, which come first.
    pub fn with(&self, file: &str, text: &str) -> Result<Self, BadExtractor> {
        let mut all = Self::default();
        all.read(file, text)?;
        all.shapes.extend(self.shapes.iter().cloned());
        let more = &self.boilerplate;
        all.boilerplate.names.extend(more.names.iter().cloned());
        all.boilerplate.endings.extend(more.endings.iter().cloned());
        all.boilerplate.links.extend(more.links.iter().cloned());
        Ok(all)
    }

    fn read(&mut self, file: &str, text: &str) -> Result<(), BadExtractor> {
        let bad = |reason: String| BadExtractor { file: file.to_owned(), reason };
        let rules: File = toml::from_str(text).map_err(|error| bad(error.to_string()))?;
        for rule in rules.shape {
            let name = rule.name.clone();
            let shape =
                Shape::new(rule).map_err(|reason| bad(format!("shape {name}: {reason}")))?;
            self.shapes.push(shape);
        }
        self.boilerplate.names.extend(rules.boilerplate.names);
        self.boilerplate.endings.extend(rules.boilerplate.endings);
        self.boilerplate.links.extend(rules.boilerplate.links);
        Ok(())
    }

    /// The first shape that fits.
    pub(super) fn shape(&self, json: &Json) -> Option<&Shape> {
        matches!(json, Json::Object(_))
            .then(|| self.shapes.iter().find(|shape| shape.fits(json)))?
    }

    /// What a document is, or the items of a list are.
    pub(super) fn kind(&self, json: &Json) -> Option<&Shape> {
        match json {
            Json::List(items) => items.first().and_then(|item| self.shape(item)),
            _ => self.shape(json),
        }
    }

    /// The members of an object that say something worth its tokens.
    pub(super) fn telling<'a>(
        &self,
        object: &'a [(String, Json)],
    ) -> impl Iterator<Item = (&'a str, &'a Json)> {
        let rules = &self.boilerplate;
        let is_link = |value: &Json| value.scalar().is_some_and(|text| text.contains("://"));
        let rank = |name: &str| rules.links.iter().position(|link| link == name);
        let best = object
            .iter()
            .filter(|(_, value)| is_link(value))
            .filter_map(|(name, _)| rank(name))
            .min();
        object.iter().map(|(name, value)| (name.as_str(), value)).filter(move |(name, value)| {
            let dropped = rules.names.iter().any(|other| other == name);
            let ends = || rules.endings.iter().any(|ending| name.ends_with(ending.as_str()));
            let further = best.is_some() && ends() && is_link(value) && rank(name) != best;
            !(value.is_empty() || dropped || further)
        })
    }
}

impl Shape {
    fn new(rule: ShapeRule) -> Result<Self, String> {
        let path = |text: &str| Path::parse(text).ok_or_else(|| format!("`{text}` is no path"));
        let name =
            Kind::new(&rule.name).ok_or("a name has lower-case letters, digits and underscores")?;
        if rule.has.is_empty() && rule.equals.is_empty() {
            return Err("say by `has` or `equals` what it is known by".to_owned());
        }
        let field = |field: FieldRule| match field {
            FieldRule::Path(text) => {
                Ok(Field { path: path(&text)?, name: text, form: Form::Plain })
            }
            FieldRule::Named { name, path: text, form } => {
                Ok(Field { name, path: path(&text)?, form })
            }
        };
        let fields = |rules: Vec<FieldRule>| {
            rules.into_iter().map(field).collect::<Result<Vec<_>, String>>()
        };
        let (alone, columns) = (fields(rule.fields)?, fields(rule.columns)?);
        let shows = match (rule.value, rule.unwrap) {
            (Some(value), None) if alone.is_empty() => Shows::Value(path(&value)?),
            (None, Some(member)) if alone.is_empty() => Shows::Unwrapped(member),
            (None, None) if !alone.is_empty() => {
                let listed = if columns.is_empty() { alone.clone() } else { columns };
                Shows::Fields { alone, listed }
            }
            _ => return Err("say one of `fields`, `value` and `unwrap`".to_owned()),
        };
        let paths = |texts: &[String]| {
            texts.iter().map(|text| path(text)).collect::<Result<Vec<_>, String>>()
        };
        let (has, addresses) = (paths(&rule.has)?, paths(&rule.addresses)?);
        let equals = rule
            .equals
            .into_iter()
            .map(|(text, words)| Ok((path(&text)?, words)))
            .collect::<Result<_, String>>()?;
        let first = rule.first.unwrap_or(FIRST);
        Ok(Self { name, has, equals, addresses, only: rule.only, shows, first })
    }

    /// What the object is shown as, when that is one of its own parts.
    pub(super) fn inner<'a>(&self, json: &'a Json) -> Option<&'a Json> {
        match &self.shows {
            Shows::Value(path) => path.select(json).first().copied(),
            Shows::Unwrapped(member) => self.unwrapped(json, member),
            Shows::Fields { .. } => None,
        }
    }

    fn unwrapped<'a>(&self, json: &'a Json, member: &str) -> Option<&'a Json> {
        json.member(member).and_then(Json::scalar).and_then(|name| json.member(name))
    }

    fn fits(&self, json: &Json) -> bool {
        let words = |path: &Path| path.select(json).first().and_then(|value| value.scalar());
        let unwraps = match &self.shows {
            Shows::Unwrapped(member) => self.unwrapped(json, member).is_some(),
            _ => true,
        };
        unwraps
            && self.has.iter().all(|path| !path.select(json).is_empty())
            && self.equals.iter().all(|(path, expected)| words(path) == Some(expected))
            && self.addresses.iter().all(|path| path.select(json).into_iter().any(has_address))
            && self.has_no_others(json)
    }

    fn has_no_others(&self, json: &Json) -> bool {
        let Json::Object(members) = json else { return false };
        let unwrapped = match &self.shows {
            Shows::Unwrapped(member) => json.member(member).and_then(Json::scalar),
            _ => None,
        };
        let is_known =
            |name: &str| unwrapped == Some(name) || self.only.iter().any(|known| known == name);
        self.only.is_empty() || members.iter().all(|(name, _)| is_known(name))
    }
}

/// Whether an e-mail address stands in a value, or in a part of it.
fn has_address(json: &Json) -> bool {
    let mut found = false;
    json.scalars(&mut |_, value| {
        found = found
            || values(value.scalar().unwrap_or_default())
                .iter()
                .any(|value| value.kind == ValueKind::Address);
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_extractor_is_read() {
        for (file, text) in FILES {
            assert_eq!(Extractors::default().read(file, text), Ok(()));
        }
    }

    #[test]
    fn a_file_of_a_user_comes_first_and_a_wrong_one_says_why() {
        let own = "[[shape]]\nname = \"crate\"\nhas = [\"crate.name\"]\nvalue = \"crate.name\"\n";
        let all = Extractors::built_in().with("own.toml", own).unwrap();
        let json = Json::parse(r#"{"crate":{"name":"x"}}"#).unwrap();
        assert_eq!(all.shape(&json).map(|shape| shape.name.as_str()), Some("crate"));
        let reason = |text: &str| {
            Extractors::built_in().with("own.toml", text).map(|_| ()).unwrap_err().to_string()
        };
        assert_eq!(
            reason("[[shape]]\nname = \"x\"\nhas = [\"a\"]\n"),
            "own.toml: shape x: say one of `fields`, `value` and `unwrap`"
        );
        assert_eq!(
            reason("[[shape]]\nname = \"x\"\nvalue = \"a\"\n"),
            "own.toml: shape x: say by `has` or `equals` what it is known by"
        );
        assert!(
            reason("[[shape]]\nname = \"x\"\nhas = [\"a[\"]\nvalue = \"a\"\n")
                .contains("`a[` is no path")
        );
        assert!(reason("nonsense").starts_with("own.toml: "));
    }
}
