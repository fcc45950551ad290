//! The tools by which a model reads a project for itself. A call that is wrong gives an answer that
//! says how it goes right.

use crate::browse::{Filter, Listing, MOST_HITS, shortened};
use crate::error::EngineError;
use crate::flags::{LAZY_SCHEMAS, REFS, flag};
use crate::mint;
use crate::refs::{ExpandRequest, NewRef};
use crate::workspace::Workspace;
use dossier_core::chat::{ToolCall, ToolResult, ToolSpec};
use dossier_core::id::ThreadId;
use dossier_core::refs::{Slice, names};
use dossier_store::Project;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Write as _;

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
    filter: Where,
    #[serde(default = "ten")]
    limit: usize,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Where {
    file_types: Vec<String>,
    paths: Vec<String>,
    exclude_conversations: bool,
}

impl From<Where> for Filter {
    fn from(Where { file_types, paths, exclude_conversations }: Where) -> Self {
        Self { file_types, paths, exclude_conversations }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expand {
    ref_id: String,
    #[serde(default)]
    fields: Vec<String>,
    slice: Option<Slice>,
}

/// A result with more characters is stored, and the model gets it in short.
const LARGE: usize = 6_000;

const READ: &str = "read_project_file";

/// The tool that a model has once it was given something in short.
pub(super) const EXPAND: &str = "expand_ref";

fn ten() -> usize {
    10
}

fn spec(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        schema: json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false,
        }),
        strict: None,
    }
}

/// What a model is told of the tool that gives back what was left out.
pub(super) fn expand_spec() -> ToolSpec {
    let number = json!({"type": "integer", "minimum": 0});
    spec(
        EXPAND,
        "Gives what was left out of a result that names a ref: all of it, some fields of a document \
         such as items[].full_name, or a slice of its items or lines.",
        json!({
            "ref_id": {"type": "string"},
            "fields": {"type": "array", "items": {"type": "string"}},
            "slice": {
                "type": "object",
                "properties": {"offset": number, "limit": number},
                "additionalProperties": false,
            },
        }),
        &["ref_id"],
    )
}

/// The tools that a model is offered from the start. What gives back the rest of a result comes along
/// when there is such a result, unless all schemas are wanted at once.
pub(super) fn offered(project: &Project) -> Vec<ToolSpec> {
    let mut offered = specs();
    if flag(project, REFS) && !flag(project, LAZY_SCHEMAS) {
        offered.push(expand_spec());
    }
    offered
}

/// What a model is told of the tools.
fn specs() -> Vec<ToolSpec> {
    let text = json!({"type": "string"});
    let line = json!({"type": "integer", "minimum": 1});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    vec![
        spec(
            READ,
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
    pub(super) async fn run_tool(
        &self,
        project: &Project,
        thread: &ThreadId,
        call: &ToolCall,
    ) -> ToolResult {
        let given = match call.name.as_str() {
            READ => self.read_project_file(project, call).await,
            "list_project_files" => self.list_project_files(project, call).await,
            "search_project" => self.search_project(project, call).await,
            EXPAND => self.expand_for_model(call).await,
            other => Err(EngineError::Invalid(format!(
                "there is no tool `{other}`; there are {}",
                specs().iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>().join(", ")
            ))),
        };
        let (content, failed) = match given {
            // Whoever names lines or a ref wants the text itself.
            Ok(content) if [READ, EXPAND].contains(&call.name.as_str()) => (content, false),
            Ok(content) => (self.in_short(project, thread, call, content).await, false),
            Err(error) => (error.to_string(), true),
        };
        ToolResult { call: call.id.clone(), content, failed }
    }

    /// A large result in short, with the ref that holds all of it; as it is, if it cannot be stored.
    async fn in_short(
        &self,
        project: &Project,
        thread: &ThreadId,
        call: &ToolCall,
        content: String,
    ) -> String {
        if content.len() < LARGE || !flag(project, REFS) {
            return content;
        }
        let new = NewRef {
            text: content.clone(),
            project: Some(project.id.clone()),
            thread: Some(thread.clone()),
            source: json!({ "tool": call.name, "arguments": call.arguments }),
            ..NewRef::default()
        };
        match self.short_result(new, mint::now()).await {
            Ok(short) => short,
            Err(error) => {
                tracing::warn!(%error, "a result could not be stored and is given whole");
                content
            }
        }
    }

    async fn expand_for_model(&self, call: &ToolCall) -> Result<String, EngineError> {
        let Expand { ref_id, fields, slice } = arguments(call)?;
        let request = ExpandRequest { fields, slice };
        let (_, expanded) = self.expand_ref(&ref_id, &request, mint::now()).await?;
        let total = expanded.total.map(|total| format!("\n[of {total}]")).unwrap_or_default();
        Ok(format!("{}{total}", shortened(&expanded.text)))
    }

    async fn read_project_file(
        &self,
        project: &Project,
        call: &ToolCall,
    ) -> Result<String, EngineError> {
        let Read { path, start_line, end_line } = arguments(call)?;
        Ok(self.read_lines(project, &path, start_line, end_line).await?.to_string())
    }

    async fn list_project_files(
        &self,
        project: &Project,
        call: &ToolCall,
    ) -> Result<String, EngineError> {
        let List { prefix, tags } = arguments(call)?;
        let Listing { files, total } = self.list_files(project, &prefix, &tags).await?;
        let mut list = format!("{total} files\n");
        for file in &files {
            // Writing to a String cannot fail.
            let _ = writeln!(list, "{} ({} bytes)", file.path, file.size);
        }
        if files.len() < total {
            let _ = writeln!(list, "and {} more; ask for a prefix", total - files.len());
        }
        Ok(list)
    }

    async fn search_project(
        &self,
        project: &Project,
        call: &ToolCall,
    ) -> Result<String, EngineError> {
        let Search { query, filter, limit } = arguments(call)?;
        let hits = self.search_within(project, query, &filter.into(), limit).await?;
        let mut told = String::new();
        for (place, hit) in hits.iter().enumerate() {
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

/// Whether results name a ref, so that a model wants to look behind it.
pub(super) fn name_refs(results: &[ToolResult]) -> bool {
    results.iter().any(|result| !result.failed && !names(&result.content).is_empty())
}

pub(crate) fn arguments<T: DeserializeOwned>(call: &ToolCall) -> Result<T, EngineError> {
    let bad = |error: serde_json::Error| {
        EngineError::Invalid(format!("the arguments of {} do not fit: {error}", call.name))
    };
    serde_json::from_value(call.parsed().map_err(bad)?).map_err(bad)
}
