//! What a ref is called.

use crate::hash::ContentHash;
use std::fmt;
use std::str::FromStr;

const PREFIX: &str = "ref:";
/// Digits of the hash that a text shows, unless another ref begins with the same ones.
const SHOWN: usize = 12;
/// Fewer digits are no name.
const FEWEST: usize = 8;
const WHOLE: usize = 64;
const LONGEST_KIND: usize = 40;

/// What kind of content it is: a source's name, such as `github_search`, or a form, such as `log`.
/// Lower-case letters, digits and underscores.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(String);

impl Kind {
    pub fn new(name: &str) -> Option<Self> {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
        (begins && name.len() <= LONGEST_KIND && name.chars().all(is_part))
            .then(|| Self(name.to_owned()))
    }

    /// A name that is known to be one.
    pub(crate) fn of(name: &'static str) -> Self {
        Self(name.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How much of the content is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    #[default]
    Full,
    Compressed,
    Summary,
}

impl View {
    pub fn as_str(self) -> &'static str {
        match self {
            View::Full => "full",
            View::Compressed => "compressed",
            View::Summary => "summary",
        }
    }
}

/// A name as it stands in a text or is asked for: the digits may be a beginning of the hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefName {
    pub kind: Kind,
    digits: String,
    pub view: View,
}

impl RefName {
    /// The whole name.
    pub fn whole(kind: Kind, hash: &ContentHash) -> Self {
        Self { kind, digits: hash.as_str().to_owned(), view: View::Full }
    }

    /// The name that a text shows: short, and longer than what another hash has in common with it.
    #[must_use]
    pub fn shown<'a>(&self, others: impl IntoIterator<Item = &'a str>) -> Self {
        let common = |other: &str| {
            let pairs = other.bytes().zip(self.digits.bytes());
            pairs.take_while(|(left, right)| left == right).count()
        };
        let others = others.into_iter().filter(|other| *other != self.digits);
        let longest = others.map(common).max().map_or(0, |common| common + 1);
        let digits = self.digits.chars().take(longest.max(SHOWN)).collect();
        Self { kind: self.kind.clone(), digits, view: self.view }
    }

    /// A beginning of the hash, or all of it.
    pub fn digits(&self) -> &str {
        &self.digits
    }

    pub fn is_whole(&self) -> bool {
        self.digits.len() == WHOLE
    }

    pub fn fits(&self, hash: &ContentHash) -> bool {
        hash.as_str().starts_with(&self.digits)
    }
}

impl fmt::Display for RefName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}:{}", self.kind, self.digits)?;
        match self.view {
            View::Full => Ok(()),
            view => write!(f, ":{}", view.as_str()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a ref; write ref:<kind>:<hash>, with eight digits of the hash or more, such as \
     ref:log:9f2c4e1a0b3d, or the id of a message, such as msg_01j2"
)]
pub struct NotARef;

impl FromStr for RefName {
    type Err = NotARef;

    fn from_str(text: &str) -> Result<Self, NotARef> {
        let mut parts = text.trim().strip_prefix(PREFIX).ok_or(NotARef)?.split(':');
        let kind = parts.next().and_then(Kind::new).ok_or(NotARef)?;
        let digits = parts.next().ok_or(NotARef)?.to_ascii_lowercase();
        let is_hash = (FEWEST..=WHOLE).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let view = match parts.next() {
            None | Some("full") => View::Full,
            Some("compressed") => View::Compressed,
            Some("summary") => View::Summary,
            Some(_) => return Err(NotARef),
        };
        if is_hash && parts.next().is_none() {
            Ok(Self { kind, digits, view })
        } else {
            Err(NotARef)
        }
    }
}

/// The names that stand in a text, in order, each once.
pub fn names(text: &str) -> Vec<RefName> {
    let mut found: Vec<RefName> = Vec::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    for (at, _) in text.match_indices(PREFIX) {
        let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |end| at + end);
        let name = text[at..end].trim_end_matches(':').parse();
        if let Ok(name) = name
            && !found.contains(&name)
        {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        let whole = RefName::whole(Kind::new("log").unwrap(), &ContentHash::of("abc"));
        let shown = whole.shown([]);
        assert_eq!(shown.to_string(), "ref:log:ba7816bf8f01");
        assert_eq!(shown.to_string().parse(), Ok(shown.clone()));
        assert_eq!(whole.to_string().parse(), Ok(whole.clone()));
        assert!(whole.is_whole() && !shown.is_whole() && shown.fits(&ContentHash::of("abc")));
        let summary: RefName = "ref:github_search:BA7816BF:summary".parse().unwrap();
        assert_eq!(summary.to_string(), "ref:github_search:ba7816bf:summary");
    }

    #[test]
    fn a_shown_name_is_longer_than_what_others_have_in_common_with_it() {
        let whole = RefName::whole(Kind::new("log").unwrap(), &ContentHash::of("abc"));
        let other = format!("{}x", &whole.digits()[..20]);
        assert_eq!(whole.shown([other.as_str(), whole.digits()]).digits().len(), 21);
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in [
            "",
            "ref:",
            "ref:log:",
            "ref:log:12",
            "ref:Log:9f2c4e1a0b",
            "ref:log:9f2c4e1x",
            "log:9f2c4e1a",
            "ref:log:9f2c4e1a:x",
            "ref:log:9f2c4e1a:full:x",
        ] {
            assert_eq!(text.parse::<RefName>(), Err(NotARef), "{text}");
        }
    }

    #[test]
    fn names_are_found_in_a_text() {
        let text =
            "[ref:log:ba7816bf8f01; 3 lines] see ref:json:9f2c4e1a0b: and ref:log:ba7816bf8f01.";
        let found: Vec<String> = names(text).iter().map(RefName::to_string).collect();
        assert_eq!(found, ["ref:log:ba7816bf8f01", "ref:json:9f2c4e1a0b"]);
    }
}
