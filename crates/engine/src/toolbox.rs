//! The tools by which a model reads a project for itself, and which of them a reader is offered with
//! the question, which by name alone.
//!
//! Invariant: which tools the header names depends on the project, its settings and the reader, and
//! never on the question, so that the header stays as it is from turn to turn.

use crate::browse::MOST_HITS;
use crate::error::EngineError;
use crate::flags::{DIRECTORY, LAZY_SCHEMAS, REFS, flag};
use crate::turn::arguments;
use dossier_core::chat::{ToolCall, ToolResult, ToolSpec};
use dossier_core::header::ToolLine;
use dossier_core::profile::Tools;
use dossier_core::refs::names;
use dossier_store::Project;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const READ: &str = "read_project_file";
pub(crate) const LIST: &str = "list_project_files";
pub(crate) const SEARCH: &str = "search_project";

/// The tool that gives the rest of what is shown in short.
pub(crate) const EXPAND: &str = "expand_ref";

/// The tool that gives the schemas of others.
pub(crate) const LOAD: &str = "load_tool";

/// The tools of one reader.
#[derive(Debug, Clone, Default)]
pub(crate) struct Toolbox {
    /// With their schemas, from the start.
    pub offered: Vec<ToolSpec>,
    /// By name in the header.
    directory: Vec<ToolSpec>,
    /// Whether the tool that gives the rest comes along where something is shown in short.
    pub offers_rest: bool,
}

/// Who is to be offered tools.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub project: &'a Project,
    pub has_files: bool,
    pub question: &'a str,
    /// Those of the profile; none for a model that calls no tools.
    pub tools: Tools,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    name: String,
}

impl Toolbox {
    pub(crate) fn of(reader: Reader<'_>) -> Self {
        let Reader { project, has_files, question, tools } = reader;
        let mut offered = match tools {
            Tools::ForPointers => reading(),
            Tools::Directory if has_files => reading(),
            Tools::Directory | Tools::None => Vec::new(),
        };
        let is_lazy = flag(project, LAZY_SCHEMAS);
        let is_named = flag(project, REFS) && !names(question).is_empty();
        if tools == Tools::Directory && has_files && flag(project, DIRECTORY) {
            offered.push(expanding());
            let directory = offered;
            let mut offered = if is_lazy { vec![loading(&directory)] } else { directory.clone() };
            if is_lazy && is_named {
                offered.push(expanding());
            }
            return Self { offered, directory, offers_rest: false };
        }
        let all_at_once = !offered.is_empty() && !is_lazy && flag(project, REFS);
        if all_at_once || is_named {
            offered.push(expanding());
        }
        Self { offered, directory: Vec::new(), offers_rest: tools != Tools::None }
    }

    /// What the header says of the tools.
    pub(crate) fn lines(&self) -> Vec<ToolLine> {
        let line = |tool: &ToolSpec| ToolLine { name: tool.name.clone(), purpose: purpose(tool) };
        self.directory.iter().map(line).collect()
    }

    /// The tools that the header names.
    pub(crate) fn named(&self) -> Vec<String> {
        self.directory.iter().map(|tool| tool.name.clone()).collect()
    }

    /// Those of them whose schemas come when they are asked for.
    pub(crate) fn lazy(&self) -> Vec<String> {
        let is_lazy = |tool: &&ToolSpec| self.offered.iter().all(|other| other.name != tool.name);
        self.directory.iter().filter(is_lazy).map(|tool| tool.name.clone()).collect()
    }

    /// What a call gives that asks for a schema; nothing for another call.
    pub(crate) fn load(&self, call: &ToolCall) -> Option<ToolResult> {
        if call.name != LOAD || self.lazy().is_empty() {
            return None;
        }
        let loaded = self.loaded(call);
        let failed = loaded.is_err();
        let content = match loaded {
            Ok(tool) => format!("{} can be called now. Its schema: {}", tool.name, tool.schema),
            Err(error) => error.to_string(),
        };
        Some(ToolResult { call: call.id.clone(), content, failed })
    }

    fn loaded(&self, call: &ToolCall) -> Result<&ToolSpec, EngineError> {
        let Load { name } = arguments(call)?;
        self.directory.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let known = self.named().join(", ");
            EngineError::Invalid(format!("there is no tool `{name}`; there are {known}"))
        })
    }

    /// Adds the tools that calls have asked for, and those that were called by their name alone.
    pub(crate) fn add_wanted(&self, calls: &[ToolCall], tools: &mut Vec<ToolSpec>) {
        for call in calls {
            let wanted = match call.name.as_str() {
                LOAD => self.loaded(call).ok(),
                name => self.directory.iter().find(|tool| tool.name == name),
            };
            if let Some(tool) = wanted {
                add(tools, tool.clone());
            }
        }
    }
}

/// What one of the tools here is for, as the header says it.
pub fn tool_purpose(name: &str) -> Option<String> {
    let mut tools = reading().into_iter().chain([expanding(), loading(&[])]);
    tools.find(|tool| tool.name == name).map(|tool| purpose(&tool))
}

/// The beginning of its description.
fn purpose(tool: &ToolSpec) -> String {
    tool.description.split([':', '.']).next().unwrap_or_default().to_owned()
}

/// Lets a model ask for what was left out.
pub(crate) fn add_rest(tools: &mut Vec<ToolSpec>) {
    add(tools, expanding());
}

fn add(tools: &mut Vec<ToolSpec>, tool: ToolSpec) {
    if tools.iter().all(|other| other.name != tool.name) {
        tools.push(tool);
    }
}

pub(crate) fn spec(
    name: &str,
    description: &str,
    properties: Value,
    required: &[&str],
) -> ToolSpec {
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

/// The names are told once more, for a person's own system prompt may not tell them.
fn loading(directory: &[ToolSpec]) -> ToolSpec {
    let names: Vec<&str> = directory.iter().map(|tool| tool.name.as_str()).collect();
    spec(
        LOAD,
        "Gives the schema of one of these tools, so that it can be called.",
        json!({"name": {"type": "string", "enum": names}}),
        &["name"],
    )
}

fn expanding() -> ToolSpec {
    let number = json!({"type": "integer", "minimum": 0});
    spec(
        EXPAND,
        "Gives what was left out of a result that names a ref, or of a message that names a msg_ id: \
         all of it, some fields of a document such as items[].full_name, or a slice of its items or \
         lines.",
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

/// The tools that follow pointers.
pub(crate) fn reading() -> Vec<ToolSpec> {
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
            LIST,
            "Lists the project's files with their sizes: all, those below a prefix, or those with all of some tags.",
            json!({"prefix": text, "tags": texts}),
            &[],
        ),
        spec(
            SEARCH,
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
