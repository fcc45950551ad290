//! Everything that an answer was made from, under one name: if anything of it changes, so does the
//! name, and no answer is found under the old one.

use crate::hash::ContentHash;
use std::collections::BTreeSet;

/// What an answer was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Used {
    pub owner: String,
    pub project: String,
    /// The model, with all settings that change what it says.
    pub model: String,
    /// The persona and its revision, where one speaks.
    pub persona: Option<String>,
    /// The system prompt with rules and user card, as it was sent.
    pub instructions: String,
    /// Names and schemas of the tools.
    pub tools: BTreeSet<String>,
    /// Files, refs, facts and messages in the dossier: each name with the hash of its content.
    pub sources: BTreeSet<(String, ContentHash)>,
}

/// The hash of everything an answer was made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signature(ContentHash);

impl Signature {
    /// Neither the order of tools nor that of sources counts.
    pub fn of(used: &Used) -> Self {
        let persona = used.persona.as_deref();
        let mut parts = vec![used.owner.as_str(), &used.project, &used.model];
        // "no persona" and a persona without a name are two things.
        parts.extend([if persona.is_some() { "persona" } else { "" }, persona.unwrap_or("")]);
        parts.push(&used.instructions);
        for tool in &used.tools {
            parts.extend(["tool", tool]);
        }
        for (name, hash) in &used.sources {
            parts.extend(["source", name, hash.as_str()]);
        }
        Self(ContentHash::of_parts(parts))
    }

    /// A signature read back from where it was stored.
    pub fn from_stored(text: String) -> Self {
        Self(ContentHash::from_stored(text))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used() -> Used {
        Used {
            owner: "ana".to_owned(),
            project: "garden".to_owned(),
            model: "m".to_owned(),
            persona: None,
            instructions: "Be brief.".to_owned(),
            tools: BTreeSet::from(["search".to_owned()]),
            sources: BTreeSet::from([("a.md".to_owned(), ContentHash::of("a"))]),
        }
    }

    #[test]
    fn every_part_of_what_was_used_counts() {
        type Change = fn(&mut Used);
        let changes: [Change; 9] = [
            |used| used.owner = "ben".to_owned(),
            |used| used.project = "house".to_owned(),
            |used| used.model = "n".to_owned(),
            |used| used.persona = Some(String::new()),
            |used| used.persona = Some("pirate".to_owned()),
            |used| used.instructions.push(' '),
            |used| used.tools.clear(),
            |used| used.sources = BTreeSet::from([("a.md".to_owned(), ContentHash::of("b"))]),
            |used| used.sources = BTreeSet::from([("b.md".to_owned(), ContentHash::of("a"))]),
        ];
        let mut names = BTreeSet::from([Signature::of(&used()).as_str().to_owned()]);
        for change in changes {
            let mut changed = used();
            change(&mut changed);
            names.insert(Signature::of(&changed).as_str().to_owned());
        }
        assert_eq!(names.len(), 10);
        assert_eq!(Signature::of(&used()), Signature::of(&used()));
    }
}
