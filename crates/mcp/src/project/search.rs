//! `search_project`.

use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool};
use dossier_engine::{Filter, Hit, MOST_HITS};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// Words, or a question; what stands in double quotes must be there word for word.
    query: String,
    project: Option<String>,
    /// 10 if not given, 50 at most.
    limit: Option<usize>,
    /// Such as `rs`.
    #[serde(default)]
    file_types: Vec<String>,
    /// Beginnings of paths.
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    exclude_conversations: bool,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    hits: Vec<Passage>,
}

#[derive(Serialize, JsonSchema)]
struct Passage {
    /// Where it stands, as it can be cited.
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The first line and the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<(u32, u32)>,
    /// The higher, the better.
    score: f32,
    text: String,
}

impl From<Hit> for Passage {
    fn from(hit: Hit) -> Self {
        Self {
            source: hit.source.to_string(),
            lines: hit.source.lines,
            path: hit.source.path,
            score: hit.score,
            text: hit.text,
        }
    }
}

impl Answer for Found {
    fn text(&self) -> String {
        if self.hits.is_empty() {
            return "nothing was found; try other words, or fewer filters".to_owned();
        }
        let mut text = String::new();
        for (number, hit) in (1..).zip(&self.hits) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{number}. {}\n{}\n", hit.source, hit.text);
        }
        text
    }
}

pub fn tool() -> Tool {
    let face = Face {
        set: ToolSet::Project,
        name: "search_project".into(),
        title: "Search a project".into(),
        description:
            "Finds passages in a project's files and conversations, by words and by meaning.".into(),
        effect: Effect::Reads,
    };
    Tool::new(face, search)
}

async fn search(call: Call, wanted: Wanted) -> Result<Found, Refusal> {
    let project = call.project(wanted.project.as_deref()).await?;
    let filter = Filter {
        file_types: wanted.file_types,
        paths: wanted.paths,
        exclude_conversations: wanted.exclude_conversations,
        except: None,
    };
    let limit = wanted.limit.unwrap_or(10).min(MOST_HITS);
    let hits = call.workspace.search_within(&project, wanted.query, &filter, limit).await?;
    Ok(Found { hits: hits.into_iter().map(Passage::from).collect() })
}
