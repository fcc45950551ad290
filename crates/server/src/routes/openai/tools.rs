//! Tools that a client brings, and what it says about how an answer is made.

use super::{invalid, unsupported};
use crate::problem::Problem;
use dossier_core::chat::{Effort, Format, ToolChoice, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// A function that the model may call and the client runs.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ToolRequest {
    /// `function`.
    #[serde(rename = "type")]
    pub kind: String,
    pub function: Option<FunctionRequest>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct FunctionRequest {
    pub name: String,
    pub description: Option<String>,
    /// JSON Schema of its arguments.
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<Value>,
    /// Whether calls must keep to the schema.
    pub strict: Option<bool>,
}

/// One text or several.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Texts {
    One(String),
    Several(Vec<String>),
}

impl From<Texts> for Vec<String> {
    fn from(texts: Texts) -> Self {
        match texts {
            Texts::One(text) => vec![text],
            Texts::Several(texts) => texts,
        }
    }
}

pub fn specs(tools: Vec<ToolRequest>) -> Result<Vec<ToolSpec>, Problem> {
    let read = |tool: ToolRequest| match tool {
        ToolRequest { kind, function: Some(function) } if kind == "function" => spec(function),
        ToolRequest { kind, .. } if kind == "function" => {
            Err(invalid("tools", "a tool of type function has a field function"))
        }
        ToolRequest { kind, .. } => Err(of_vendor(&kind)),
    };
    tools.into_iter().map(read).collect()
}

pub fn spec(function: FunctionRequest) -> Result<ToolSpec, Problem> {
    let FunctionRequest { name, description, parameters, strict } = function;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_part) {
        return Err(invalid("tools", "a function's name has 1 to 64 letters, digits, - and _"));
    }
    let schema = parameters.unwrap_or_else(|| json!({"type": "object", "properties": {}}));
    Ok(ToolSpec { name, description: description.unwrap_or_default(), schema, strict })
}

/// A tool that only the vendor can run.
pub fn of_vendor(kind: &str) -> Problem {
    unsupported("tools", &format!("a tool of type `{kind}` is run by its vendor, not here"))
}

/// `auto`, `none`, `required`, or the name of a function in the place that the format has for it.
pub fn choice(value: &Value, name: &str) -> Result<ToolChoice, Problem> {
    match (value.as_str(), value.pointer(name).and_then(Value::as_str)) {
        (Some("auto"), _) => Ok(ToolChoice::Auto),
        (Some("none"), _) => Ok(ToolChoice::None),
        (Some("required"), _) => Ok(ToolChoice::Required),
        (None, Some(name)) if value["type"] == "function" => Ok(ToolChoice::Named(name.to_owned())),
        _ => Err(unsupported("tool_choice", "choose auto, none, required or one function")),
    }
}

pub fn effort(name: &str) -> Result<Effort, Problem> {
    Ok(match name {
        "none" => Effort::Off,
        "minimal" => Effort::Minimal,
        "low" => Effort::Low,
        "medium" => Effort::Medium,
        "high" => Effort::High,
        "xhigh" | "max" => Effort::Max,
        other => {
            let what = format!("there is no effort `{other}`; choose none, low, medium or high");
            return Err(invalid("reasoning_effort", what));
        }
    })
}

/// How the answer is to look: none for plain text. `at` holds name and schema.
pub fn format(param: &str, format: &Value, at: &str) -> Result<Option<Format>, Problem> {
    let kind = format["type"].as_str().unwrap_or_default();
    match kind {
        "text" => Ok(None),
        "json_schema" => {
            let given = format.pointer(at).unwrap_or(&Value::Null);
            match (given["name"].as_str(), given.get("schema")) {
                (Some(name), Some(schema)) => {
                    Ok(Some(Format { name: name.to_owned(), schema: schema.clone() }))
                }
                _ => Err(invalid(param, "a format of type json_schema has a name and a schema")),
            }
        }
        _ => Err(unsupported(param, "choose a format of type text or json_schema")),
    }
}
