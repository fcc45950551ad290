//! Running the tools by which a model reads a project for itself. A call that is wrong gives an answer
//! that says how it goes right.

use crate::browse::{Filter, Lines, Listing, shortened};
use crate::error::EngineError;
use crate::flags::{REFS, flag};
use crate::mint;
use crate::refs::{ExpandRequest, NewRef};
use crate::toolbox::{self, EXPAND, LIST, READ, SEARCH};
use crate::workspace::Workspace;
use dossier_core::chat::{ToolCall, ToolResult};
use dossier_core::compress::is_cut;
use dossier_core::message::Message;
use dossier_core::refs::{Slice, names};
use dossier_core::render::WireMessage;
use dossier_core::selection::Fetched;
use dossier_store::Project;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
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
        Self { file_types, paths, exclude_conversations, except: None }
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

/// What came of a call.
pub(super) struct Ran {
    pub result: ToolResult,
    /// What the model has got by it.
    pub fetched: Option<Fetched>,
}

/// What a tool gives.
enum Given {
    /// Whoever names lines or a ref wants the text itself, as does whoever is given little.
    AsItIs(String),
    /// All of it, to be shown in short if it is large; `file` is the path that it was read from.
    InShort { content: String, file: Option<String> },
}

/// What a tool gives, and what of the project that is.
type Gave = Result<(Given, Option<Fetched>), EngineError>;

impl Given {
    fn in_short(content: String) -> Self {
        Self::InShort { content, file: None }
    }
}

/// A text with more bytes is stored, and the model gets it in short.
pub(super) const LARGE: usize = 6_000;

fn ten() -> usize {
    10
}

impl Workspace {
    /// What a call of a tool gives to a model that answers a question; an error is an answer, too.
    pub(super) async fn run_tool(
        &self,
        project: &Project,
        question: &Message,
        call: &ToolCall,
    ) -> Ran {
        let given = match call.name.as_str() {
            READ => self.read_project_file(project, call).await,
            LIST => self.list_project_files(project, call).await,
            SEARCH => self.search_project(project, question, call).await,
            EXPAND => self.expand_for_model(call).await,
            other => Err(EngineError::Invalid(format!(
                "there is no tool `{other}`; there are {}",
                toolbox::reading()
                    .iter()
                    .map(|spec| spec.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            ))),
        };
        let (given, fetched) = match given {
            Ok((given, fetched)) => (Ok(given), fetched),
            Err(error) => (Err(error), None),
        };
        let (content, failed) = match given {
            Ok(Given::AsItIs(content)) => (content, false),
            Ok(Given::InShort { content, file }) => {
                let new = NewRef {
                    text: content,
                    file,
                    project: Some(project.id.clone()),
                    thread: Some(question.thread.clone()),
                    source: json!({ "tool": call.name, "arguments": call.arguments }),
                    ..NewRef::default()
                };
                (self.result_in_short(project, new).await, false)
            }
            Err(error) => (error.to_string(), true),
        };
        Ran { result: ToolResult { call: call.id.clone(), content, failed }, fetched }
    }

    /// A large result in short, with the ref that holds all of it; as it is, if it cannot be stored.
    async fn result_in_short(&self, project: &Project, new: NewRef) -> String {
        let content = new.text.clone();
        if content.len() < LARGE || !flag(project, REFS) {
            return shortened(&content);
        }
        match self.short_result(new, mint::now()).await {
            Ok(short) => short,
            Err(error) => {
                tracing::warn!(%error, "a result could not be stored and is given whole");
                shortened(&content)
            }
        }
    }

    async fn expand_for_model(&self, call: &ToolCall) -> Gave {
        let Expand { ref_id, fields, slice } = arguments(call)?;
        let request = ExpandRequest { fields, slice };
        let given = self.expand_ref(&ref_id, &request, mint::now()).await?;
        let total = given.total.map(|total| format!("\n[of {total}]")).unwrap_or_default();
        let stale =
            if given.was_stale { "\n[stale: its source may have changed since]" } else { "" };
        let told = Given::AsItIs(format!("{}{total}{stale}", shortened(&given.text)));
        Ok((told, Some(Fetched::Rest(ref_id))))
    }

    async fn read_project_file(&self, project: &Project, call: &ToolCall) -> Gave {
        let Read { path, start_line, end_line } = arguments(call)?;
        if start_line.is_some() || end_line.is_some() {
            let lines = self.read_lines(project, &path, start_line, end_line).await?;
            let told = Given::AsItIs(lines.to_string());
            return Ok((told, Some(read(lines.path, lines.first, lines.last))));
        }
        let (path, content) = self.read_whole(project, &path).await?;
        let fetched = Some(read(path.clone(), 1, content.lines().count()));
        if content.len() < LARGE || !flag(project, REFS) {
            let lines = Lines::of(path, &content, None, None)?;
            return Ok((Given::AsItIs(lines.to_string()), fetched));
        }
        Ok((Given::InShort { content, file: Some(path) }, fetched))
    }

    async fn list_project_files(&self, project: &Project, call: &ToolCall) -> Gave {
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
        // Names alone are nothing that a dossier could have shown instead.
        Ok((Given::in_short(list), None))
    }

    /// What others have said to the same question is no evidence for an answer to it.
    async fn search_project(&self, project: &Project, question: &Message, call: &ToolCall) -> Gave {
        let Search { query, filter, limit } = arguments(call)?;
        let answered = (question.thread.clone(), question.round);
        let filter = Filter { except: Some(answered), ..filter.into() };
        let hits = self.search_within(project, query, &filter, limit).await?;
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
        let found = hits.into_iter().map(|hit| hit.source).collect();
        Ok((Given::in_short(told), Some(Fetched::Found(found))))
    }
}

fn read(path: String, first: usize, last: usize) -> Fetched {
    let line = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Fetched::File { path, lines: (line(first), line(last)) }
}

/// Whether a prompt shows messages or refs in short, so that a model wants to look behind them.
pub(super) fn show_cuts(messages: &[WireMessage]) -> bool {
    let is_short = |text: &str| is_cut(text) || !names(text).is_empty();
    messages.iter().any(|message| is_short(&message.content))
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
