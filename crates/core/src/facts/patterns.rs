//! What a statement looks like, from `data/facts.toml`. Data that cannot be read would be none,
//! and then nothing is extracted.

use super::FactKind;
use crate::phrase::Pattern;
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::LazyLock;

pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let text: Text = toml::from_str(include_str!("../../data/facts.toml")).unwrap_or_default();
    Patterns::of(text)
});

#[derive(Debug, Default, Deserialize)]
struct Text {
    leading: String,
    explicit: Vec<String>,
    reported: Vec<String>,
    hypothetical: Vec<String>,
    hedges: Vec<String>,
    hearsay: Vec<String>,
    hostile: Vec<String>,
    outside: String,
    questions: String,
    replacing: Vec<String>,
    vague: String,
    roles: String,
    passing: String,
    months: String,
    frames: Vec<String>,
    winks: Vec<String>,
    past: Vec<String>,
    partly: Vec<String>,
    denials: Vec<String>,
    joining: String,
    choosing: Vec<String>,
    wanting: String,
    improper: String,
    tools: String,
    following: String,
    several: String,
    unnarrowing: String,
    dimensions: String,
    statement: Vec<StatementText>,
}

#[derive(Debug, Deserialize)]
struct StatementText {
    kind: FactKind,
    #[serde(default)]
    tag: Option<String>,
    #[serde(default)]
    attribute: Option<String>,
    #[serde(default)]
    about: About,
    #[serde(default)]
    needs: Vec<Need>,
    #[serde(default)]
    unique: bool,
    #[serde(default)]
    unit: bool,
    #[serde(default)]
    qualifiers: String,
    like: Vec<String>,
}

/// What a statement is about: which of its gaps names the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum About {
    /// Nothing that a later statement could be about.
    #[default]
    Nothing,
    /// Whoever speaks.
    Speaker,
    /// The words before the verb.
    First,
    /// The words after it: "Kim is our doctor" is about our doctor.
    Last,
}

/// What must be seen in a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Need {
    /// The first gap begins with a capital.
    NameFirst,
    /// The last gap begins with a capital.
    NameLast,
    /// The last gap begins with a number.
    Number,
    /// The last gap holds a day.
    Date,
    /// The last gap holds a URL.
    Url,
    /// The first gap has at most four words, and names something.
    ShortFirst,
    /// The first gap ends in what somebody is to somebody.
    RoleFirst,
    /// The last gap ends in what somebody is to somebody.
    RoleLast,
    /// The first gap begins with no day, no people and no state.
    ProperFirst,
    /// The last gap begins with a capital, and with no day, no people and no state.
    ProperLast,
    /// The last gap is a proper name, and at most something about it.
    NamesLast,
    /// The first gap begins with nothing that one only uses.
    NoToolFirst,
    /// The last gap begins with nothing that one only uses.
    NoToolLast,
    /// The last gap begins with a place that is known.
    PlaceLast,
    /// The last gap is liked for longer than a moment.
    PlainLast,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub kind: FactKind,
    pub tag: Option<String>,
    pub attribute: Option<String>,
    pub about: About,
    pub needs: Vec<Need>,
    /// Whether its subject must be one of a kind, so that another takes its place.
    pub unique: bool,
    /// Whether what is counted belongs to its subject.
    pub unit: bool,
    /// Words behind which more of its subject stands.
    pub qualifiers: HashSet<String>,
    pub like: Vec<Pattern>,
}

#[derive(Debug, Default)]
pub(super) struct Patterns {
    /// Words that may stand before a statement.
    pub leading: HashSet<String>,
    /// Ways to say that something is to be remembered.
    pub explicit: Vec<Pattern>,
    /// Ways to pass on what is not sure.
    pub reported: Vec<Pattern>,
    /// Words of what is not said to be so.
    pub hypothetical: Vec<Pattern>,
    pub hedges: Vec<Pattern>,
    pub hearsay: Vec<Pattern>,
    /// Orders to the model, which are nothing to remember.
    pub hostile: Vec<Pattern>,
    /// Words that mean nothing without what was said before.
    pub outside: HashSet<String>,
    /// Words that begin a question.
    pub questions: HashSet<String>,
    /// "instead of …"
    pub replacing: Vec<Pattern>,
    /// Subjects that mean nothing alone.
    pub vague: HashSet<String>,
    pub roles: HashSet<String>,
    /// Words that begin what is liked for a moment.
    pub passing: HashSet<String>,
    pub months: HashSet<String>,
    /// Ways to begin a message whose rest nobody states.
    pub frames: Vec<Pattern>,
    /// Marks of what is not meant so.
    pub winks: Vec<String>,
    /// Words of what was so.
    pub past: Vec<Pattern>,
    /// Words of what is so in part, for a time, or later.
    pub partly: Vec<Pattern>,
    pub denials: Vec<Pattern>,
    /// Words that begin another clause.
    pub joining: HashSet<String>,
    /// Words of a choice of one thing.
    pub choosing: Vec<Pattern>,
    /// Words whose "for" tells what is wanted, and not for what.
    pub wanting: HashSet<String>,
    /// Words that are written like names.
    pub improper: HashSet<String>,
    pub tools: HashSet<String>,
    /// Words that may follow a name.
    pub following: HashSet<String>,
    /// Roles that several may have.
    pub several: HashSet<String>,
    /// Words that narrow nothing after a preposition.
    pub unnarrowing: HashSet<String>,
    /// Words that tell which measure of a thing is meant.
    pub dimensions: HashSet<String>,
    pub places: HashSet<String>,
    pub statements: Vec<Statement>,
}

impl Patterns {
    fn of(text: Text) -> Self {
        let set = |words: &str| -> HashSet<String> {
            words.split_whitespace().map(str::to_owned).collect()
        };
        let list = |lines: &[String]| lines.iter().filter_map(|line| Pattern::read(line)).collect();
        let statement = |text: StatementText| Statement {
            kind: text.kind,
            tag: text.tag,
            attribute: text.attribute,
            about: text.about,
            needs: text.needs,
            unique: text.unique,
            unit: text.unit,
            qualifiers: set(&text.qualifiers),
            like: text.like.iter().filter_map(|line| Pattern::read(line)).collect(),
        };
        Self {
            leading: set(&text.leading),
            explicit: list(&text.explicit),
            reported: list(&text.reported),
            hypothetical: list(&text.hypothetical),
            hedges: list(&text.hedges),
            hearsay: list(&text.hearsay),
            hostile: list(&text.hostile),
            outside: set(&text.outside),
            questions: set(&text.questions),
            replacing: list(&text.replacing),
            vague: set(&text.vague),
            roles: set(&text.roles),
            passing: set(&text.passing),
            months: set(&text.months),
            frames: list(&text.frames),
            partly: list(&text.partly),
            past: list(&text.past),
            denials: list(&text.denials),
            joining: set(&text.joining),
            choosing: list(&text.choosing),
            wanting: set(&text.wanting),
            improper: set(&text.improper),
            tools: set(&text.tools),
            following: set(&text.following),
            several: set(&text.several),
            unnarrowing: set(&text.unnarrowing),
            dimensions: set(&text.dimensions),
            winks: text.winks,
            places: places(include_str!("../../data/places.txt")),
            statements: text.statement.into_iter().map(statement).collect(),
        }
    }
}

/// The names of a list, in lower case.
fn places(text: &str) -> HashSet<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let names = lines.flat_map(|line| line.split(',')).map(str::trim);
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_can_be_read_whole() {
        let text: Text = toml::from_str(include_str!("../../data/facts.toml")).unwrap();
        let (lines, statements) = (text.hostile.len(), text.statement.len());
        let patterns = Patterns::of(text);
        assert_eq!((patterns.hostile.len(), patterns.statements.len()), (lines, statements));
        assert!(patterns.statements.iter().all(|statement| !statement.like.is_empty()));
    }
}
