//! `read_project_file` and `list_project_files`.

use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool, counted};
use dossier_engine::{FileRecord, Lines, Listing};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Read {
    path: String,
    project: Option<String>,
    /// Counted from 1.
    start_line: Option<usize>,
    /// Included.
    end_line: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct ReadLines {
    path: String,
    start_line: usize,
    end_line: usize,
    /// How many the file has.
    lines: usize,
    text: String,
    #[serde(skip)]
    told: String,
}

impl Answer for ReadLines {
    fn text(&self) -> String {
        self.told.clone()
    }
}

pub fn read_tool() -> Tool {
    let face = Face {
        set: ToolSet::Project,
        name: "read_project_file".into(),
        title: "Read a file of a project".into(),
        description: "Reads a file of a project as it was indexed, or some of its lines.".into(),
        effect: Effect::Reads,
    };
    Tool::new(face, read)
}

async fn read(call: Call, wanted: Read) -> Result<ReadLines, Refusal> {
    let project = call.project(wanted.project.as_deref()).await?;
    let read = call
        .workspace
        .read_lines(&project, &wanted.path, wanted.start_line, wanted.end_line)
        .await?;
    let told = read.to_string();
    let Lines { path, first, last, of, text } = read;
    Ok(ReadLines { path, start_line: first, end_line: last, lines: of, text, told })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct List {
    project: Option<String>,
    /// The beginning of the paths.
    #[serde(default)]
    prefix: String,
    /// Files must have all of them.
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Files {
    files: Vec<File>,
    /// How many there are, of which the first are listed.
    total: usize,
}

#[derive(Serialize, JsonSchema)]
struct File {
    path: String,
    bytes: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

impl From<FileRecord> for File {
    fn from(file: FileRecord) -> Self {
        Self { path: file.path, bytes: file.size, tags: file.metadata.tags }
    }
}

impl Answer for Files {
    fn text(&self) -> String {
        let mut text = format!("{}\n", counted(self.total as u64, "file"));
        for file in &self.files {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{} ({} bytes)", file.path, file.bytes);
        }
        if self.files.len() < self.total {
            let _ = writeln!(text, "and {} more; ask for a prefix", self.total - self.files.len());
        }
        text
    }
}

pub fn list_tool() -> Tool {
    let face = Face {
        set: ToolSet::Project,
        name: "list_project_files".into(),
        title: "List a project's files".into(),
        description: "Lists the files of a project with their sizes.".into(),
        effect: Effect::Reads,
    };
    Tool::new(face, list)
}

async fn list(call: Call, wanted: List) -> Result<Files, Refusal> {
    let project = call.project(wanted.project.as_deref()).await?;
    let Listing { files, total } =
        call.workspace.list_files(&project, &wanted.prefix, &wanted.tags).await?;
    Ok(Files { files: files.into_iter().map(File::from).collect(), total })
}
