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
    /// As it stands in a text: `ref:<kind>:<digits>` or `msg_…`.
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
    /// Whether it was stale: old, or its source has changed since.
    was_stale: bool,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
}

impl Answer for Given {
    fn text(&self) -> String {
        let stale =
            if self.was_stale { "\n[stale: its source may have changed since]" } else { "" };
        format!("{}{stale}", self.text)
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
    let given = call.workspace.expand_ref(&ref_id, &request, call.now).await?;
    Ok(Given {
        ref_id: given.id,
        kind: given.kind,
        text: given.text,
        total: given.total,
        was_stale: given.was_stale,
        created_at: given.created_at.to_string(),
        expires_at: given.expires_at.map(|at| at.to_string()),
    })
}
