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
    /// The last gap ends in what somebody is to somebody.
    RoleLast,
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
    pub statements: Vec<Statement>,
}

impl Patterns {
    fn of(text: Text) -> Self {
        let set = |words: &str| words.split_whitespace().map(str::to_owned).collect();
        let list = |lines: &[String]| lines.iter().filter_map(|line| Pattern::read(line)).collect();
        let statement = |text: StatementText| Statement {
            kind: text.kind,
            tag: text.tag,
            attribute: text.attribute,
            about: text.about,
            needs: text.needs,
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
            statements: text.statement.into_iter().map(statement).collect(),
        }
    }
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
