//! The tools by which a model reads a project for itself. They read what is stored, never the disk,
//! and what they give is bounded; a call that is wrong gives an answer that says how it goes right.

use crate::error::EngineError;
use crate::search::SearchRequest;
use crate::workspace::Workspace;
use dossier_core::chat::{ToolCall, ToolResult, ToolSpec};
use dossier_core::guard;
use dossier_files::virtual_path;
use dossier_store::{FileRecord, Project};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::fmt::Write as _;

/// The most characters that one call gives.
const LONGEST: usize = 40_000;

/// The most files that one call lists.
const MOST_FILES: usize = 500;

/// The most passages that one call finds.
const MOST_HITS: usize = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    path: String,
    start_line: Option<usize>,
    end_line: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    prefix: String,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    #[serde(default)]
    filter: Filter,
    #[serde(default = "ten")]
    limit: usize,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Filter {
    file_types: Vec<String>,
    paths: Vec<String>,
    exclude_conversations: bool,
}

fn ten() -> usize {
    10
}

/// What a model is told of the tools.
pub(super) fn specs() -> Vec<ToolSpec> {
    let text = json!({"type": "string"});
    let line = json!({"type": "integer", "minimum": 1});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let spec = |name: &str, description: &str, properties, required: &[&str]| ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        schema: json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false,
        }),
    };
    vec![
        spec(
            "read_project_file",
            "Reads a file of the project, or some of its lines. Lines count from 1, the last one is included.",
            json!({"path": text, "start_line": line, "end_line": line}),
            &["path"],
        ),
        spec(
            "list_project_files",
            "Lists the project's files with their sizes: all, those below a prefix, or those with all of some tags.",
            json!({"prefix": text, "tags": texts}),
            &[],
        ),
        spec(
            "search_project",
            "Finds passages in the project's files and conversations, by words and by meaning.",
            json!({
                "query": text,
                "filter": {
                    "type": "object",
                    "properties": {
                        "file_types": texts, "paths": texts,
                        "exclude_conversations": {"type": "boolean"},
                    },
                    "additionalProperties": false,
                },
                "limit": {"type": "integer", "minimum": 1, "maximum": MOST_HITS},
            }),
            &["query"],
        ),
    ]
}

impl Workspace {
    /// What a call of a tool gives; an error is an answer, too.
    pub(super) async fn run_tool(&self, project: &Project, call: &ToolCall) -> ToolResult {
        let given = match call.name.as_str() {
            "read_project_file" => self.read_project_file(project, call).await,
            "list_project_files" => self.list_project_files(project, call).await,
            "search_project" => self.search_project(project, call).await,
            other => Err(EngineError::Invalid(format!(
                "there is no tool `{other}`; there are {}",
                specs().iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>().join(", ")
            ))),
        };
        let (content, failed) = match given {
            Ok(content) => (content, false),
            Err(error) => (error.to_string(), true),
        };
        ToolResult { call: call.id.clone(), content, failed }
    }

    async fn read_project_file(
        &self,
        project: &Project,
        call: &ToolCall,
    ) -> Result<String, EngineError> {
        let Read { path, start_line, end_line } = arguments(call)?;
        let path = virtual_path(&path)?;
        let file = self.store.file_at(&project.id, &path).await?;
        let file = file.filter(|file| file.metadata.tool_accessible).ok_or_else(|| {
            EngineError::not_found("file", &path, "list_project_files tells which there are")
        })?;
        let text = self.store.file_content(&file.id).await?.unwrap_or_default();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let first = start_line.unwrap_or(1).max(1);
        let last = end_line.unwrap_or(lines.len()).min(lines.len());
        if first > lines.len().max(1) || first > last.max(1) {
            return Err(EngineError::Invalid(format!(
                "{path} has {} lines; ask for start_line <= end_line within them",
                lines.len()
            )));
        }
        let wanted: String = lines.get(first - 1..last).unwrap_or_default().concat();
        Ok(format!("{path}, lines {first}-{last} of {}\n{}", lines.len(), shortened(&wanted)))
    }

    async fn list_project_files(
        &self,
        project: &Project,
        call: &ToolCall,
    ) -> Result<String, EngineError> {
        let List { prefix, tags } = arguments(call)?;
        if !prefix.is_empty() {
            virtual_path(prefix.trim_end_matches('/'))?;
        }
        let wanted = |file: &FileRecord| {
            file.metadata.tool_accessible
                && file.path.starts_with(&prefix)
                && tags.iter().all(|tag| file.metadata.tags.contains(tag))
        };
        let files = self.store.files(&project.id).await?;
        let files: Vec<&FileRecord> = files.iter().filter(|file| wanted(file)).collect();
        let mut list = format!("{} files\n", files.len());
        for file in files.iter().take(MOST_FILES) {
            // Writing to a String cannot fail.
            let _ = writeln!(list, "{} ({} bytes)", file.path, file.size);
        }
        if files.len() > MOST_FILES {
            let _ = writeln!(list, "and {} more; ask for a prefix", files.len() - MOST_FILES);
        }
        Ok(list)
    }

    async fn search_project(
        &self,
        project: &Project,
        call: &ToolCall,
    ) -> Result<String, EngineError> {
        let Search { query, filter, limit } = arguments(call)?;
        let request = SearchRequest {
            project: project.id.clone(),
            query,
            limit: MOST_HITS * 4,
            exclude: None,
        };
        let found = self.search(&request).await?;
        let mut told = String::new();
        let hits = found.hits.into_iter().filter(|hit| match &hit.source.path {
            None => !filter.exclude_conversations,
            Some(path) => {
                let of_type =
                    |kind: &String| path.ends_with(&format!(".{}", kind.trim_start_matches('.')));
                let below = |prefix: &String| path.starts_with(prefix.as_str());
                (filter.file_types.is_empty() || filter.file_types.iter().any(of_type))
                    && (filter.paths.is_empty() || filter.paths.iter().any(below))
            }
        });
        for (place, hit) in hits.take(limit.clamp(1, MOST_HITS)).enumerate() {
            let _ = writeln!(
                told,
                "{}. {} ({} tokens)\n{}\n",
                place + 1,
                hit.source,
                hit.tokens,
                hit.text
            );
        }
        if told.is_empty() {
            told.push_str("nothing was found; try other words, or fewer filters");
        }
        Ok(shortened(&told))
    }
}

fn arguments<T: DeserializeOwned>(call: &ToolCall) -> Result<T, EngineError> {
    let bad = |error: serde_json::Error| {
        EngineError::Invalid(format!("the arguments of {} do not fit: {error}", call.name))
    };
    serde_json::from_value(call.parsed().map_err(bad)?).map_err(bad)
}

/// As much as one call may give, without secrets.
fn shortened(text: &str) -> String {
    let text = guard::masked(text);
    match text.char_indices().nth(LONGEST) {
        None => text.into_owned(),
        Some((end, _)) => {
            format!("{}\n[cut here: {} more bytes; ask for a part]", &text[..end], text.len() - end)
        }
    }
}
