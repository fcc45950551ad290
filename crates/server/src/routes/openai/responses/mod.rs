//! Responses: the vendor's newer format, with items in place of messages, and a response that the
//! next request may name instead of telling the conversation again.

mod events;
mod input;
mod output;

use super::forward::{Way, forward};
use super::home::{Home, Treatment};
use super::speech::Speech;
use super::tools::{self, FunctionRequest};
use super::{invalid, of_engine, unsupported};
use crate::body::{check_json, parse, read};
use crate::problem::{Code, ModelProblems, Problem, Problems};
use crate::sse;
use crate::state::{Caller, Door};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use dossier_core::chat::{Message, Options, Prompt, ToolSpec};
use dossier_core::id::{Id as _, TurnId};
use dossier_engine::{EngineError, RelayRequest, Wire};
use events::Writer;
use input::InputRequest;
use output::{Output, ResponseObject};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What stands before the id of a turn that is known as a response.
const PREFIX: &str = "resp_";

#[derive(Debug, Deserialize, ToSchema)]
pub struct ResponseRequest {
    /// As in `openai/gpt-4o`, or a bare id where only one provider has it.
    pub model: String,
    pub input: InputRequest,
    /// What the model is to be, for this response alone.
    pub instructions: Option<String>,
    /// The response that the input follows.
    pub previous_response_id: Option<String>,
    pub stream: Option<bool>,
    pub tools: Option<Vec<FunctionTool>>,
    /// `auto`, `none`, `required`, or one function.
    #[schema(value_type = Option<Object>)]
    pub tool_choice: Option<Value>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub max_output_tokens: Option<u32>,
    pub reasoning: Option<ReasoningRequest>,
    pub text: Option<TextRequest>,
    /// `dossier_thread` names the thread, as the header X-Dossier-Thread does.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Map<String, Value>>,
    pub prompt_cache_key: Option<String>,
    #[schema(ignore)]
    pub background: Option<bool>,
    #[schema(ignore)]
    pub conversation: Option<Value>,
    #[schema(ignore)]
    pub prompt: Option<Value>,
}

/// A function that the model may call and the client runs.
#[derive(Debug, Deserialize, ToSchema)]
pub struct FunctionTool {
    /// `function`.
    #[serde(rename = "type")]
    pub kind: String,
    pub name: Option<String>,
    pub description: Option<String>,
    /// JSON Schema of its arguments.
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<Value>,
    /// Whether calls must keep to the schema.
    pub strict: Option<bool>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ReasoningRequest {
    pub effort: Option<String>,
    /// `auto`, `concise` or `detailed`: what the model thinks is told before its answer, as far as
    /// its provider tells it.
    pub summary: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct TextRequest {
    /// `{"type": "text"}`, or `json_schema` with a name and a schema.
    #[schema(value_type = Option<Object>)]
    pub format: Option<Value>,
}

/// Answer an input
///
/// The thread is that of `previous_response_id`, or the one that `X-Dossier-Thread` names, or else
/// the one that begins with the same messages. Otherwise as for chat completions. Dossier keeps
/// the conversation, also where `store` is false, and never tells the model's provider to. With the
/// profile `off` it keeps nothing, and passes `store` on where the provider speaks this format.
#[utoipa::path(
    post,
    path = "/v1/responses",
    operation_id = "create_response",
    tag = "openai",
    request_body = ResponseRequest,
    params(
        ("X-Dossier-Thread" = Option<String>, Header, description = "A thread's id, or a name of the client's own"),
        ("X-Dossier-Project" = Option<String>, Header, description = "A project's id or name"),
        ("X-Dossier-Profile" = Option<String>, Header, description = "lean, project, or off"),
        ("X-Dossier-Cache" = Option<String>, Header, description = "refresh asks the model even where an answer is kept")
    ),
    responses(
        (status = 200, content((ResponseObject = "application/json"), (String = "text/event-stream"))),
        ModelProblems,
        Problems
    )
)]
pub async fn respond(
    State(door): State<Door>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    check_json(&headers)?;
    let home = Home::of(&headers)?;
    let body = read(body, door.options.limits.body_bytes).await?;
    if home.treatment != Treatment::Off {
        return relayed(&door, caller, home, parse(&body)?).await;
    }
    match forward(Wire::Responses, &home, &caller, &body).await? {
        Way::Passed(response) => Ok(response),
        Way::Translated(translated) => {
            let request: ResponseRequest = parse(&body)?;
            if request.previous_response_id.is_some() {
                let what = "the model's provider keeps no responses; send the whole conversation";
                return Err(invalid("previous_response_id", what));
            }
            let output = Output::new(&request, &fresh(), caller.now);
            let is_stream = request.stream == Some(true);
            let (options, tools) = (request.options()?, request.tools()?);
            let prompt = Prompt { messages: request.messages()?, tools, options };
            let speech = Speech::of_model(translated.ask(prompt));
            answer(&door, output, speech, is_stream).await
        }
    }
}

async fn relayed(
    door: &Door,
    caller: Caller,
    mut home: Home,
    request: ResponseRequest,
) -> Result<Response, Problem> {
    home.hear(request.metadata.as_ref());
    let after = request.previous_response_id.as_deref().map(turn_named);
    let project = match &after {
        Some(turn) => {
            let turn = caller.workspace.turn_by_id(turn).await.map_err(unknown_response)?;
            home.expect_in(&turn.project, &caller).await?;
            caller.workspace.project_by_id(&turn.project).await?
        }
        None => home.project(&caller).await?,
    };
    let wanted = RelayRequest {
        options: request.options()?,
        tools: request.tools()?,
        profile: home.profile(door, &caller).await?,
        model: request.model.clone(),
        thread: home.thread,
        freshness: home.freshness,
        now: caller.now,
        project,
        after,
        messages: Vec::new(),
    };
    let mut output = Output::new(&request, "", caller.now);
    let is_stream = request.stream == Some(true);
    let wanted = RelayRequest { messages: request.messages()?, ..wanted };
    let stream = caller.workspace.relay(wanted).await.map_err(of_engine)?;
    output.name(&response_id(&stream.turn.id));
    answer(door, output, Speech::of_turn(stream), is_stream).await
}

fn unknown_response(error: EngineError) -> Problem {
    match error {
        EngineError::NotFound { .. } => {
            let what = "there is no response of this id; send the whole conversation instead";
            Problem { code: Code::NotFound, ..invalid("previous_response_id", what) }
        }
        error => error.into(),
    }
}

async fn answer(
    door: &Door,
    mut output: Output,
    mut speech: Speech,
    is_stream: bool,
) -> Result<Response, Problem> {
    if is_stream {
        speech.begin().await?;
        let headers = speech.headers();
        return Ok((headers, sse::answer(door, speech, Writer::new(output))).into_response());
    }
    while let Some(event) = speech.next().await {
        output.take(&event?);
    }
    Ok((speech.headers(), Json(output.response())).into_response())
}

impl ResponseRequest {
    fn options(&self) -> Result<Options, Problem> {
        if self.background == Some(true) {
            return Err(unsupported("background", "responses are not made in the background"));
        }
        for (name, value) in [("conversation", &self.conversation), ("prompt", &self.prompt)] {
            if value.as_ref().is_some_and(|value| !value.is_null()) {
                return Err(unsupported(name, "it is kept by the vendor, not here"));
            }
        }
        let reasoning = self.reasoning.as_ref();
        let effort = reasoning.and_then(|reasoning| reasoning.effort.as_deref());
        let summary = reasoning.and_then(|reasoning| reasoning.summary.as_deref());
        if let Some(other) = summary.filter(|it| !["auto", "concise", "detailed"].contains(it)) {
            let what = format!("there is no summary `{other}`; choose auto, concise or detailed");
            return Err(invalid("reasoning.summary", what));
        }
        let format = self.text.as_ref().and_then(|text| text.format.as_ref());
        let format = format.map(|format| tools::format("text.format", format, ""));
        let choice = self.tool_choice.as_ref().map(|choice| tools::choice(choice, "/name"));
        Ok(Options {
            temperature: self.temperature,
            top_p: self.top_p,
            max_output_tokens: self.max_output_tokens,
            effort: effort.map(tools::effort).transpose()?,
            show_reasoning: summary.is_some(),
            format: format.transpose()?.flatten(),
            tool_choice: choice.transpose()?,
            cache_key: self.prompt_cache_key.clone(),
            ..Options::default()
        })
    }

    fn tools(&self) -> Result<Vec<ToolSpec>, Problem> {
        let spec = |tool: &FunctionTool| {
            if tool.kind != "function" {
                return Err(tools::of_vendor(&tool.kind));
            }
            tools::spec(FunctionRequest {
                name: tool.name.clone().unwrap_or_default(),
                description: tool.description.clone(),
                parameters: tool.parameters.clone(),
                strict: tool.strict,
            })
        };
        self.tools.iter().flatten().map(spec).collect()
    }

    fn messages(self) -> Result<Vec<Message>, Problem> {
        let instructions = self.instructions.map(Message::system);
        let messages = input::messages(self.input)?;
        Ok(instructions.into_iter().chain(messages).collect())
    }
}

fn response_id(turn: &TurnId) -> String {
    let suffix = turn.as_str().split_once('_').map_or(turn.as_str(), |(_, suffix)| suffix);
    format!("{PREFIX}{suffix}")
}

fn turn_named(response: &str) -> TurnId {
    TurnId::with_suffix(response.strip_prefix(PREFIX).unwrap_or(response))
}

fn fresh() -> String {
    format!("{PREFIX}{}", ulid::Ulid::generate()).to_lowercase()
}
