//! Chat completions: the conversation is brought home to its thread and the model is asked with a
//! dossier; or the request is passed on as it is.

use super::forward::{Way, forward};
use super::home::{Home, Treatment};
use super::message::{CallWire, MessageRequest, messages};
use super::speech::Speech;
use super::tools::{self, Texts, ToolRequest};
use super::{chunks, finish_reason, of_engine, unsupported};
use crate::body::{check_json, parse, read};
use crate::problem::{ModelProblems, Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use dossier_core::chat::{Answer, Options, Prompt, Usage};
use dossier_engine::{RelayRequest, Wire};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
pub struct CompletionRequest {
    /// As in `openai/gpt-4o`, or a bare id where only one provider has it.
    pub model: String,
    #[schema(min_items = 1)]
    pub messages: Vec<MessageRequest>,
    pub stream: Option<bool>,
    pub stream_options: Option<StreamOptions>,
    pub tools: Option<Vec<ToolRequest>>,
    /// `auto`, `none`, `required`, or one function.
    #[schema(value_type = Option<Object>)]
    pub tool_choice: Option<Value>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub max_completion_tokens: Option<u32>,
    /// The older name of `max_completion_tokens`.
    pub max_tokens: Option<u32>,
    pub reasoning_effort: Option<String>,
    pub stop: Option<Texts>,
    pub seed: Option<u64>,
    #[schema(value_type = Option<Object>)]
    pub response_format: Option<Value>,
    /// `dossier_thread` names the thread, as the header X-Dossier-Thread does;
    /// `dossier_force_refresh` does what X-Dossier-Cache: refresh does.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Map<String, Value>>,
    pub prompt_cache_key: Option<String>,
    /// One answer is given.
    pub n: Option<u32>,
    #[schema(ignore)]
    pub frequency_penalty: Option<Value>,
    #[schema(ignore)]
    pub presence_penalty: Option<Value>,
    #[schema(ignore)]
    pub logit_bias: Option<Value>,
    #[schema(ignore)]
    pub parallel_tool_calls: Option<Value>,
    #[schema(ignore)]
    pub service_tier: Option<Value>,
    #[schema(ignore)]
    pub user: Option<Value>,
    #[schema(ignore)]
    pub verbosity: Option<Value>,
    #[schema(ignore)]
    pub logprobs: Option<Value>,
    #[schema(ignore)]
    pub audio: Option<Value>,
    #[schema(ignore)]
    pub modalities: Option<Vec<String>>,
    #[schema(ignore)]
    pub functions: Option<Value>,
    #[schema(ignore)]
    pub web_search_options: Option<Value>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
pub struct StreamOptions {
    /// Whether the last piece tells what the answer took.
    pub include_usage: Option<bool>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CompletionResponse {
    pub id: String,
    #[schema(value_type = String)]
    pub object: &'static str,
    pub created: i64,
    pub model: String,
    pub choices: Vec<ChoiceResponse>,
    pub usage: Option<TokensResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ChoiceResponse {
    pub index: u32,
    pub message: SaidResponse,
    #[schema(value_type = Option<Object>)]
    pub logprobs: (),
    #[schema(value_type = String)]
    pub finish_reason: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SaidResponse {
    #[schema(value_type = String)]
    pub role: &'static str,
    pub content: Option<String>,
    pub refusal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<CallWire>,
}

/// What an answer took.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct TokensResponse {
    pub prompt_tokens: u32,
    pub completion_tokens: u32,
    pub total_tokens: u32,
    pub prompt_tokens_details: PromptTokens,
    pub completion_tokens_details: CompletionTokens,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct PromptTokens {
    pub cached_tokens: u32,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct CompletionTokens {
    pub reasoning_tokens: u32,
}

impl From<Usage> for TokensResponse {
    fn from(usage: Usage) -> Self {
        Self {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input.saturating_add(usage.output),
            prompt_tokens_details: PromptTokens { cached_tokens: usage.cached_input },
            completion_tokens_details: CompletionTokens { reasoning_tokens: usage.reasoning },
        }
    }
}

/// Answer a conversation
///
/// The conversation's thread is the one that `X-Dossier-Thread` names, or else the one that begins
/// with the same messages. The model is given a dossier of it and of the project's files, with the
/// client's own instructions and tools. `X-Dossier-Receipt` of the response names the receipt.
/// Where the project keeps answers, `X-Dossier-Cache` says `hit` when one was given and no model
/// was asked, `stale` when one stood in for a model that could not be reached though its time was
/// over, and `miss` otherwise. With `X-Dossier-Profile: off` the request is passed on as it
/// is, and so is what comes back.
#[utoipa::path(
    post,
    path = "/v1/chat/completions",
    operation_id = "create_chat_completion",
    tag = "openai",
    request_body = CompletionRequest,
    params(
        ("X-Dossier-Thread" = Option<String>, Header, description = "A thread's id, or a name of the client's own"),
        ("X-Dossier-Project" = Option<String>, Header, description = "A project's id or name"),
        ("X-Dossier-Profile" = Option<String>, Header, description = "lean, project, or off"),
        ("X-Dossier-Cache" = Option<String>, Header, description = "refresh asks the model even where an answer is kept")
    ),
    responses(
        (status = 200, content((CompletionResponse = "application/json"), (String = "text/event-stream"))),
        ModelProblems,
        Problems
    )
)]
pub async fn complete(
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
    match forward(Wire::Chat, &home, &caller, &body).await? {
        Way::Passed(response) => Ok(response),
        Way::Translated(translated) => {
            let mut request: CompletionRequest = parse(&body)?;
            let prompt = Prompt {
                options: request.options(|_| Ok(false))?,
                tools: tools::specs(request.tools.take().unwrap_or_default())?,
                messages: messages(std::mem::take(&mut request.messages))?,
            };
            let speech = Speech::of_model(translated.ask(prompt));
            Manner::of(&request, &caller).answer(&door, speech).await
        }
    }
}

async fn relayed(
    door: &Door,
    caller: Caller,
    mut home: Home,
    mut request: CompletionRequest,
) -> Result<Response, Problem> {
    home.hear(request.metadata.as_ref());
    let model = request.model.clone();
    let workspace = &caller.workspace;
    let options = request.options(|name| {
        let forward = workspace.models()?.forward(name, Wire::Chat);
        Ok(forward.map_err(|error| of_engine(error.into()))?.is_some())
    })?;
    let wanted = RelayRequest {
        messages: messages(std::mem::take(&mut request.messages))?,
        tools: tools::specs(request.tools.take().unwrap_or_default())?,
        profile: home.profile(door, &caller).await?,
        project: home.project(&caller).await?,
        thread: home.thread,
        freshness: home.freshness,
        after: None,
        model,
        options,
        now: caller.now,
    };
    let stream = caller.workspace.relay(wanted).await.map_err(of_engine)?;
    let manner = Manner::of(&request, &caller);
    manner.answer(door, Speech::of_turn(stream)).await
}

impl CompletionRequest {
    /// How the answer is to be made. `speaks_chat` tells whether the model's provider takes fields
    /// that only this format has.
    fn options(
        &mut self,
        speaks_chat: impl Fn(&str) -> Result<bool, Problem>,
    ) -> Result<Options, Problem> {
        self.check()?;
        let mut extra = Map::new();
        for (name, value) in [
            ("frequency_penalty", self.frequency_penalty.take()),
            ("presence_penalty", self.presence_penalty.take()),
            ("logit_bias", self.logit_bias.take()),
            ("parallel_tool_calls", self.parallel_tool_calls.take()),
            ("service_tier", self.service_tier.take()),
            ("user", self.user.take()),
            ("verbosity", self.verbosity.take()),
        ] {
            extra.extend(value.map(|value| (name.to_owned(), value)));
        }
        let is_loose = |format: &Value| format["type"] == "json_object";
        let format = self.response_format.take();
        if let Some(format) = format.as_ref().filter(|format| is_loose(format)) {
            extra.insert("response_format".to_owned(), format.clone());
        }
        if !extra.is_empty() && !speaks_chat(&self.model)? {
            extra.retain(|name, _| name == "response_format");
            if !extra.is_empty() {
                let what = "the model's provider has no JSON without a schema; send json_schema";
                return Err(unsupported("response_format", what));
            }
        }
        let format = format.filter(|format| !is_loose(format));
        let format = format.map(|it| tools::format("response_format", &it, "/json_schema"));
        Ok(Options {
            temperature: self.temperature,
            top_p: self.top_p,
            max_output_tokens: self.max_completion_tokens.or(self.max_tokens),
            effort: self.reasoning_effort.as_deref().map(tools::effort).transpose()?,
            show_reasoning: false,
            stop: self.stop.take().map(Into::into).unwrap_or_default(),
            seed: self.seed,
            format: format.transpose()?.flatten(),
            tool_choice: self
                .tool_choice
                .as_ref()
                .map(|choice| tools::choice(choice, "/function/name"))
                .transpose()?,
            cache_key: self.prompt_cache_key.take(),
            extra,
        })
    }

    /// Refuses what would be ignored, and matters.
    fn check(&self) -> Result<(), Problem> {
        let is_set = |value: &Option<Value>| {
            value.as_ref().is_some_and(|value| *value != Value::Bool(false) && !value.is_null())
        };
        if self.n.is_some_and(|n| n != 1) {
            return Err(unsupported("n", "one answer is given to a question; ask again for more"));
        }
        let speaks =
            self.modalities.as_ref().is_some_and(|it| it.iter().any(|kind| kind != "text"));
        if speaks || is_set(&self.audio) {
            return Err(unsupported("modalities", "answers are texts"));
        }
        for (name, value, what) in [
            ("logprobs", &self.logprobs, "probabilities of tokens are not told"),
            ("functions", &self.functions, "functions have become tools; send tools"),
            ("web_search_options", &self.web_search_options, "the web is not searched"),
        ] {
            if is_set(value) {
                return Err(unsupported(name, what));
            }
        }
        Ok(())
    }
}

/// How a client wants to be answered.
pub struct Manner {
    pub id: String,
    pub created: i64,
    pub model: String,
    pub is_stream: bool,
    pub tells_usage: bool,
}

impl Manner {
    fn of(request: &CompletionRequest, caller: &Caller) -> Self {
        let tells_usage = request.stream_options.unwrap_or_default().include_usage;
        Self {
            id: format!("chatcmpl-{}", ulid::Ulid::generate()),
            created: caller.now.as_millis() / 1000,
            model: request.model.clone(),
            is_stream: request.stream.unwrap_or(false),
            tells_usage: tells_usage.unwrap_or(false),
        }
    }

    async fn answer(self, door: &Door, mut speech: Speech) -> Result<Response, Problem> {
        if self.is_stream {
            speech.begin().await?;
            let headers = speech.headers();
            return Ok((headers, chunks::stream(door, self, speech)).into_response());
        }
        let mut answer = Answer::default();
        while let Some(event) = speech.next().await {
            answer.add(event?);
        }
        Ok((speech.headers(), Json(self.whole(answer))).into_response())
    }

    fn whole(self, answer: Answer) -> CompletionResponse {
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let reason = answer.finish.as_ref().map_or("stop", finish_reason);
        let content = match answer.calls.is_empty() {
            true => Some(answer.text),
            false => some(answer.text),
        };
        CompletionResponse {
            id: self.id,
            object: "chat.completion",
            created: self.created,
            model: self.model,
            choices: vec![ChoiceResponse {
                index: 0,
                message: SaidResponse {
                    role: "assistant",
                    content,
                    refusal: None,
                    reasoning_content: some(answer.reasoning),
                    tool_calls: answer.calls.into_iter().map(Into::into).collect(),
                },
                logprobs: (),
                finish_reason: reason,
            }],
            usage: answer.usage.map(Into::into),
        }
    }
}
