//! Signals that come from structure rather than words: neighbours, the speaker asked about,
//! phrases in quotes, and whether a file is a test or a document that nobody asked for.

use super::{Candidate, Pool};
use crate::analyse::{AskedMonths, words};
use crate::chunk::Location;

/// What is left of the score of a test, a document or an example that the question does not ask
/// for.
const UNASKED: f32 = 0.85;

/// For each message what its neighbours in the same section score.
pub(super) fn neighbours(candidates: &[Candidate], totals: &[f32]) -> Vec<f32> {
    let mut near = vec![0.0; totals.len()];
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let key = |index: &usize| match &candidates[*index].chunk.location {
        Location::Message { thread, section, position, .. } => {
            Some((thread.as_str(), section.as_deref(), *position))
        }
        Location::File { .. } => None,
    };
    order.sort_by(|left, right| key(left).cmp(&key(right)));
    for pair in order.windows(2) {
        let (Some(left), Some(right)) = (key(&pair[0]), key(&pair[1])) else { continue };
        if (left.0, left.1, left.2 + 1) == right {
            near[pair[0]] += totals[pair[1]];
            near[pair[1]] += totals[pair[0]];
        }
    }
    near
}

/// 1 for messages of the one speaker whom the question names.
pub(super) fn speaker(pool: &Pool<'_>) -> Vec<f32> {
    let [named] = pool.named.as_slice() else { return vec![0.0; pool.candidates.len()] };
    pool.candidates
        .iter()
        .map(|candidate| match &candidate.chunk.location {
            Location::Message { speaker, .. } if speaker.name.as_ref() == Some(named) => 1.0,
            _ => 0.0,
        })
        .collect()
}

/// 1 for messages of a month that the question names.
pub(super) fn months(pool: &Pool<'_>) -> Vec<f32> {
    let asked = AskedMonths::of(&pool.question.text);
    pool.candidates
        .iter()
        .map(|candidate| match &candidate.chunk.location {
            Location::Message { created_at, .. } if asked.hold(*created_at) => 1.0,
            _ => 0.0,
        })
        .collect()
}

/// The share of the quoted phrases that a chunk's own text holds, word for word.
pub(super) fn phrases(pool: &Pool<'_>) -> Vec<f32> {
    let phrases = &pool.question.phrases;
    pool.candidates
        .iter()
        .map(|candidate| {
            if phrases.is_empty() {
                return 0.0;
            }
            let text = &candidate.chunk.content;
            let held = phrases.iter().filter(|phrase| holds(text, phrase)).count();
            held as f32 / phrases.len() as f32
        })
        .collect()
}

/// Whether a text holds a phrase, whatever its case and punctuation.
pub fn holds(text: &str, phrase: &str) -> bool {
    let text = format!(" {} ", words(text).join(" "));
    text.contains(&format!(" {phrase} "))
}

/// A factor for each candidate: below 1 for tests, documents and examples nobody asked for.
pub(super) fn roles(pool: &Pool<'_>) -> Vec<f32> {
    pool.candidates
        .iter()
        .map(|candidate| match &candidate.chunk.location {
            Location::File { path, .. } => match FileRole::of(path) {
                Some(role) if !role.is_asked_for(&pool.terms) => UNASKED,
                _ => 1.0,
            },
            Location::Message { .. } => 1.0,
        })
        .collect()
}

/// What a file is for, where its path tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileRole {
    Test,
    Document,
    Example,
}

impl FileRole {
    fn of(path: &str) -> Option<Self> {
        let path = path.to_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        folders.split('/').find_map(Self::of_folder).or_else(|| Self::of_name(name))
    }

    fn of_folder(folder: &str) -> Option<Self> {
        match folder {
            "test" | "tests" | "testing" | "spec" | "specs" | "__tests__" => Some(Self::Test),
            "doc" | "docs" | "documentation" | "changelog" | "changes" => Some(Self::Document),
            "example" | "examples" => Some(Self::Example),
            _ => None,
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        let (base, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let test = base.starts_with("test_")
            || ["_test", "_tests", ".test", ".spec", "-test", "-spec"]
                .iter()
                .any(|ending| base.ends_with(ending))
            || base == "conftest";
        match extension {
            _ if test => Some(Self::Test),
            "md" | "rst" | "txt" | "adoc" => Some(Self::Document),
            _ => None,
        }
    }

    /// Whether one of the question's terms (stems) asks for such files.
    fn is_asked_for(self, terms: &[String]) -> bool {
        let asking: &[&str] = match self {
            Self::Test => &["test", "spec"],
            Self::Document => &["doc", "document", "changelog", "readm"],
            Self::Example => &["exampl", "sampl"],
        };
        terms.iter().any(|term| asking.contains(&term.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_what_a_file_is_for() {
        for (path, role) in [
            ("src/lib.rs", None),
            ("tests/it/main.rs", Some(FileRole::Test)),
            ("src/button.spec.ts", Some(FileRole::Test)),
            ("README.md", Some(FileRole::Document)),
            ("examples/a.rs", Some(FileRole::Example)),
        ] {
            assert_eq!(FileRole::of(path), role, "{path}");
        }
    }

    #[test]
    fn a_phrase_is_held_whatever_its_case_and_punctuation() {
        assert!(holds("He said: Hello, World!", "hello world"));
        assert!(!holds("hello worlds", "hello world"));
    }
}
