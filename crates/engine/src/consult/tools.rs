//! The tools by which a consulted model reaches the files that it is not shown. They end with the
//! call; what they give is bounded, and a call that is wrong is told how it goes right.

use super::plan::Consulting;
use crate::browse::{Lines, shortened};
use crate::error::EngineError;
use crate::toolbox::spec;
use crate::turn::arguments;
use crate::workspace::Workspace;
use dossier_core::chat::{ToolCall, ToolResult, ToolSpec};
use dossier_files::{Limits, read};
use serde::Deserialize;
use serde_json::json;
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::Hash;
use tokio::task::spawn_blocking;

/// As the map of the files names them.
pub(super) const NAMES: &str = "search_files(queries) and read_file(path)";

/// The longest text of a passage, in characters.
const LONGEST: usize = 1_000;

/// The most queries of one call, and the most passages that it gives.
const MOST_QUERIES: usize = 8;
const MOST_HITS: usize = 30;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    queries: Vec<String>,
    #[serde(default = "ten")]
    limit: usize,
}

fn ten() -> usize {
    10
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    path: String,
    start_line: Option<usize>,
    end_line: Option<usize>,
}

/// The first of each list, then the second, and so on: each thing once, and so many at the most.
pub(super) fn in_turns<T, K: Hash + Eq>(
    lists: Vec<Vec<T>>,
    limit: usize,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let (mut taken, mut known) = (Vec::new(), HashSet::new());
    loop {
        let before = taken.len();
        for list in &mut lists {
            taken.extend(list.find(|one| known.insert(key(one))));
        }
        if taken.len() == before || taken.len() >= limit {
            taken.truncate(limit);
            return taken;
        }
    }
}

/// A passage, no longer than it may be.
pub(super) fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

impl Consulting {
    /// The tools of this call; none where everything is shown, or the model calls none.
    pub(crate) fn tools(&self) -> Vec<ToolSpec> {
        if !self.has_tools || self.view.is_empty() {
            return Vec::new();
        }
        let line = json!({"type": "integer", "minimum": 1});
        vec![
            spec(
                "search_files",
                "Finds passages in the files that are not shown, by words and by meaning. Several queries may be asked at once.",
                json!({
                    "queries": {
                        "type": "array", "items": {"type": "string"},
                        "minItems": 1, "maxItems": MOST_QUERIES,
                    },
                    "limit": {"type": "integer", "minimum": 1, "maximum": MOST_HITS},
                }),
                &["queries"],
            ),
            spec(
                "read_file",
                "Reads a file that is not shown, or some of its lines. Lines count from 1, the last one is included.",
                json!({"path": {"type": "string"}, "start_line": line, "end_line": line}),
                &["path"],
            ),
        ]
    }

    /// What a call of a tool gives; an error is an answer, too.
    pub(crate) async fn run_tool(&self, workspace: &Workspace, call: &ToolCall) -> ToolResult {
        let given = match call.name.as_str() {
            "search_files" => self.search_files(workspace, call).await,
            "read_file" => self.read_file(call).await,
            other => {
                Err(EngineError::Invalid(format!("there is no tool `{other}`; there are {NAMES}")))
            }
        };
        let (content, failed) = match given {
            Ok(content) => (content, false),
            Err(error) => (error.to_string(), true),
        };
        ToolResult { call: call.id.clone(), content, failed }
    }

    async fn search_files(
        &self,
        workspace: &Workspace,
        call: &ToolCall,
    ) -> Result<String, EngineError> {
        let Search { queries, limit } = arguments(call)?;
        let queries: Vec<String> =
            queries.into_iter().filter(|query| !query.trim().is_empty()).collect();
        if queries.is_empty() || queries.len() > MOST_QUERIES {
            return Err(EngineError::Invalid(format!(
                "queries are 1 to {MOST_QUERIES} texts, none of them empty"
            )));
        }
        // Each query is answered, however few passages are wanted.
        let limit = limit.clamp(1, MOST_HITS).max(queries.len());
        let there = self.found_there(workspace, &queries, limit).await;
        let note = match &there {
            Some(Err(error)) => format!("[searched here, for {error}]\n"),
            _ => String::new(),
        };
        let found = match there {
            Some(Ok(found)) => found,
            Some(Err(_)) | None => self.view.search(workspace, &queries, limit).await?,
        };
        if found.is_empty() {
            return Ok("nothing was found; try other words".to_owned());
        }
        let numbered = (1..).zip(&found).map(|(place, hit)| format!("{place}. {hit}\n"));
        Ok(shortened(&format!("{note}{}", numbered.collect::<Vec<_>>().join("\n"))))
    }

    async fn read_file(&self, call: &ToolCall) -> Result<String, EngineError> {
        let Read { path, start_line, end_line } = arguments(call)?;
        let file = self.view.file(&path).ok_or_else(|| {
            EngineError::not_found("file", &path, "the message names the files to be searched")
        })?;
        let text = spawn_blocking(move || read(&file, &Limits::default())).await?;
        let text = text.map_err(|reason| EngineError::NotTaken { path: path.clone(), reason })?;
        Ok(Lines::of(path, &text.content, start_line, end_line)?.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_take_turns_and_nothing_comes_twice() {
        let lists = || vec![vec!["a", "b", "c"], vec!["a", "d"], vec![]];
        let taken = |limit| in_turns(lists(), limit, |text| *text);
        assert_eq!(taken(1), ["a"]);
        assert_eq!(taken(2), ["a", "d"]);
        assert_eq!(taken(9), ["a", "d", "b", "c"]);
    }

    #[test]
    fn a_passage_is_cut_after_a_thousand_characters() {
        let (whole, longer) = ("é".repeat(1_000), "é".repeat(1_001));
        assert_eq!(cut(&whole), whole);
        assert_eq!(cut(&longer), format!("{whole}…"));
    }
}
