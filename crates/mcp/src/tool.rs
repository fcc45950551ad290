//! A tool: how it is listed, and what it does with arguments that fit.

use crate::call::Call;
use crate::options::ToolSet;
use crate::schema;
use dossier_core::fields::{FieldError, FieldErrors};
use dossier_core::persona::Expired;
use dossier_engine::EngineError;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, ready};
use rmcp::model::{CallToolResult, ContentBlock, Tool as Listed, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// What a tool gives.
pub trait Answer: Serialize + JsonSchema {
    /// As a model reads it; a program reads the fields.
    fn text(&self) -> String;
}

/// Why a call was not done, with the way out.
#[derive(Debug)]
pub struct Refusal(pub String);

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Fields(FieldErrors(fields)) => {
                let told =
                    |error: &FieldError| format!("{}: {}", camel(error.field), error.message);
                Self(fields.iter().map(told).collect::<Vec<_>>().join("; "))
            }
            EngineError::Expired(Expired { id, name, expires_at }) => Self(format!(
                "{name} ({id}) expired at {expires_at}; extend it with context-manage, action \
                 extend, or make another"
            )),
            other => Self(other.to_string()),
        }
    }
}

/// The same for a field that a tool calls otherwise than everybody else.
pub fn calling(name: &'static str, field: &'static str) -> impl Fn(EngineError) -> Refusal {
    move |error| match error {
        EngineError::Fields(FieldErrors(mut fields)) => {
            for error in fields.iter_mut().filter(|error| error.field == field) {
                error.field = name;
            }
            EngineError::Fields(FieldErrors(fields)).into()
        }
        other => other.into(),
    }
}

/// A field's name as the tools of personas spell it.
fn camel(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        name + &initial.to_uppercase() + rest
    })
}

/// An argument that this action cannot do without.
pub fn needed<'a>(field: &str, given: Option<&'a str>) -> Result<&'a str, Refusal> {
    given.ok_or_else(|| Refusal(format!("{field}: this action needs it")))
}

/// So many of something, in words.
pub fn counted(count: u64, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

/// What a tool does to the world, for clients that ask before they let it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It looks at what is stored.
    Reads,
    /// It asks a model and keeps what was said.
    Asks,
    /// It adds to what is stored.
    Keeps,
    /// It changes what is stored, and may delete some of it.
    Deletes,
}

impl Effect {
    fn annotations(self, title: &str) -> ToolAnnotations {
        let annotations = ToolAnnotations::with_title(title);
        match self {
            Self::Reads => {
                annotations.read_only(true).destructive(false).idempotent(true).open_world(false)
            }
            Self::Asks => {
                annotations.read_only(false).destructive(false).idempotent(false).open_world(true)
            }
            Self::Keeps => {
                annotations.read_only(false).destructive(false).idempotent(true).open_world(false)
            }
            Self::Deletes => {
                annotations.read_only(false).destructive(true).idempotent(false).open_world(false)
            }
        }
    }
}

/// How a tool is presented.
#[derive(Debug, Clone)]
pub struct Face {
    pub set: ToolSet,
    pub name: Cow<'static, str>,
    pub title: Cow<'static, str>,
    pub description: Cow<'static, str>,
    pub effect: Effect,
}

type Run = Box<dyn Fn(Call, Value) -> BoxFuture<'static, CallToolResult> + Send + Sync>;

pub struct Tool {
    pub set: ToolSet,
    pub listed: Listed,
    run: Run,
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Tool").field(&self.listed.name).finish()
    }
}

impl Tool {
    pub fn new<I, A, F>(face: Face, work: impl Fn(Call, I) -> F + Send + Sync + 'static) -> Self
    where
        I: DeserializeOwned + JsonSchema + Send + 'static,
        A: Answer + Send + 'static,
        F: Future<Output = Result<A, Refusal>> + Send + 'static,
    {
        let Face { set, name, title, description, effect } = face;
        let listed = Listed::new(name.clone(), description, schema::taken::<I>())
            .with_title(title.clone())
            .with_raw_output_schema(schema::given::<A>())
            .with_annotations(effect.annotations(&title));
        let run = move |call: Call, arguments: Value| match fitting::<I>(arguments) {
            Ok(arguments) => {
                let work = work(call, arguments);
                work.map(|given| given.map_or_else(refused, |answer| given_as(&answer))).boxed()
            }
            Err(error) => {
                let what = format!(
                    "the arguments of {name} do not fit: {error}; its input schema tells what does"
                );
                ready(refused(Refusal(what))).boxed()
            }
        };
        Self { set, listed, run: Box::new(run) }
    }

    pub fn run(&self, call: Call, arguments: Value) -> BoxFuture<'static, CallToolResult> {
        (self.run)(call, arguments)
    }
}

/// Arguments as the tool takes them; what is wrong is told with the field it is in.
fn fitting<I: DeserializeOwned>(arguments: Value) -> Result<I, String> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        // Of the arguments as a whole there is no field to name.
        let is_whole = error.path().iter().next().is_none();
        if is_whole { error.inner().to_string() } else { error.to_string() }
    })
}

fn given_as(answer: &impl Answer) -> CallToolResult {
    match serde_json::to_value(answer) {
        Ok(value) => {
            let mut result = CallToolResult::structured(value);
            result.content = vec![ContentBlock::text(answer.text())];
            result
        }
        Err(error) => refused(Refusal(format!("the answer cannot be written: {error}"))),
    }
}

fn refused(Refusal(what): Refusal) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(what)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wanted {
        heat: f64,
        inner: Option<Inner>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Inner {
        names: Vec<String>,
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_field() {
        let said = |arguments: Value| fitting::<Wanted>(arguments).unwrap_err();
        assert_eq!(fitting(json!({"heat": 1})), Ok(Wanted { heat: 1.0, inner: None }));
        let hot = "heat: invalid type: string \"hot\", expected f64";
        assert_eq!(said(json!({"heat": "hot"})), hot);
        let deep = "inner.names[1]: invalid type: integer `7`, expected a string";
        assert_eq!(said(json!({"heat": 1, "inner": {"names": ["a", 7]}})), deep);
        assert_eq!(said(json!({})), "missing field `heat`");
    }
}
