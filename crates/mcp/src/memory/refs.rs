//! `expand_ref`.

use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool};
use dossier_engine::{ExpandRequest, Slice};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// As it stands in a text: `ref:<kind>:<digits>`.
    ref_id: String,
    /// Paths such as `items[].full_name`; everything when empty.
    #[serde(default)]
    fields: Vec<String>,
    slice: Option<Part>,
}

/// So many items of a list, or lines of a text.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Part {
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Given {
    ref_id: String,
    kind: String,
    text: String,
    /// Items or lines there are in all, where some were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    created_at: String,
    expires_at: String,
}

impl Answer for Given {
    fn text(&self) -> String {
        self.text.clone()
    }
}

pub fn tool() -> Tool {
    let face = Face {
        set: ToolSet::Memory,
        name: "expand_ref".into(),
        title: "Give back what a ref stands for".into(),
        description: "Gives the whole content behind a ref, or some fields or lines of it.".into(),
        effect: Effect::Reads,
    };
    Tool::new(face, expand)
}

async fn expand(call: Call, wanted: Wanted) -> Result<Given, Refusal> {
    let Wanted { ref_id, fields, slice } = wanted;
    let slice = slice.map(|Part { offset, limit }| Slice { offset, limit });
    let request = ExpandRequest { fields, slice };
    let (shown, expanded) = call.workspace.expand_ref(&ref_id, &request, call.now).await?;
    Ok(Given {
        ref_id: shown.name.to_string(),
        kind: shown.row.kind.to_string(),
        text: expanded.text,
        total: expanded.total,
        created_at: shown.row.created_at.to_string(),
        expires_at: shown.row.expires_at.to_string(),
    })
}
