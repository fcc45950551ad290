//! The suite's tools and prompts that ask before they answer, in one round or several: a client is
//! asked for what it can give, is asked again for what is missing, and a state that was not handed
//! out here is refused.

use crate::asking::{Context, typed};
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, ErrorCode, GetPromptRequestParams, InputRequests, InputRequiredResult,
    InputResponses,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The tools among them.
pub const TOOLS: [&str; 10] = [
    "test_input_required_result_capabilities",
    "test_input_required_result_elicitation",
    "test_input_required_result_list_roots",
    "test_input_required_result_multi_round",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_request_state",
    "test_input_required_result_sampling",
    "test_input_required_result_tampered_state",
    "test_missing_capability",
    "test_streaming_elicitation",
];

/// What is asked for in each round, by the name of the tool or the prompt.
fn questions(name: &str) -> Option<Vec<Value>> {
    let name_of = |question| form(question, "name", "string");
    Some(match name {
        "test_input_required_result_elicitation" | "test_streaming_elicitation" => {
            vec![json!({"user_name": name_of("What is your name?")})]
        }
        "test_input_required_result_sampling" | "test_missing_capability" => {
            vec![json!({"capital_question": sample("What is the capital of France?")})]
        }
        "test_input_required_result_list_roots" => vec![json!({"client_roots": roots()})],
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state" => {
            vec![json!({"confirm": form("Please confirm", "ok", "boolean")})]
        }
        "test_input_required_result_multiple_inputs"
        | "test_input_required_result_capabilities" => vec![json!({
            "user_name": name_of("What is your name?"),
            "greeting": sample("Generate a greeting"),
            "client_roots": roots(),
        })],
        "test_input_required_result_multi_round" => vec![
            json!({"step1": name_of("Step 1: What is your name?")}),
            json!({"step2": form("Step 2: What is your favorite color?", "color", "string")}),
        ],
        "test_input_required_result_prompt" => {
            let question = "What context should the prompt use?";
            vec![json!({"user_context": form(question, "context", "string")})]
        }
        _ => return None,
    })
}

/// Whether the client has to bring back a state with its answers.
fn hands_out_states(name: &str) -> bool {
    ["request_state", "tampered_state", "multiple_inputs", "multi_round"]
        .iter()
        .any(|kind| name.ends_with(kind))
}

fn form(message: &str, field: &str, kind: &str) -> Value {
    let properties = Map::from_iter([(field.to_owned(), json!({ "type": kind }))]);
    let schema = json!({"type": "object", "properties": properties, "required": [field]});
    json!({
        "method": "elicitation/create",
        "params": {"message": message, "requestedSchema": schema},
    })
}

fn sample(text: &str) -> Value {
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    json!({
        "method": "sampling/createMessage",
        "params": {"messages": [message], "maxTokens": 100},
    })
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

/// What a client brings with a request, beyond its arguments.
#[derive(Debug)]
pub struct Said<'a> {
    answers: Option<&'a InputResponses>,
    state: Option<&'a str>,
}

impl<'a> Said<'a> {
    pub fn in_call(request: &'a CallToolRequestParams) -> Self {
        let CallToolRequestParams { input_responses, request_state, .. } = request;
        Self { answers: input_responses.as_ref(), state: request_state.as_deref() }
    }

    pub fn for_prompt(request: &'a GetPromptRequestParams) -> Self {
        let GetPromptRequestParams { input_responses, request_state, .. } = request;
        Self { answers: input_responses.as_ref(), state: request_state.as_deref() }
    }
}

/// What comes of a request.
#[derive(Debug)]
pub enum Next {
    Ask(InputRequiredResult),
    /// Every round is over; these are the last answers.
    Answered(String),
}

/// The states that were handed out. Nothing is learnt from a state but what stands here.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    states: Arc<Mutex<BTreeSet<String>>>,
}

impl Rounds {
    /// The next step, if this is a name of a tool or prompt that asks.
    pub fn next(
        &self,
        name: &str,
        said: &Said<'_>,
        context: &Context,
    ) -> Option<Result<Next, ErrorData>> {
        let questions = questions(name)?;
        Some(self.step(name, &questions, said, context))
    }

    fn step(
        &self,
        name: &str,
        questions: &[Value],
        said: &Said<'_>,
        context: &Context,
    ) -> Result<Next, ErrorData> {
        let round = said.state.map_or(Ok(0), |state| self.round(name, state))?;
        let asked = answerable(&questions[round], context)?;
        let is_answered = |key: &String| {
            said.answers.is_some_and(|all| all.get(key).is_some_and(Value::is_object))
        };
        if !asked.keys().all(is_answered) {
            return Ok(Next::Ask(self.ask(name, round, asked)));
        }
        match questions.get(round + 1) {
            Some(next) => Ok(Next::Ask(self.ask(name, round + 1, answerable(next, context)?))),
            None => Ok(Next::Answered(format!("state-ok: {}", json!(said.answers)))),
        }
    }

    fn ask(&self, name: &str, round: usize, asked: InputRequests) -> InputRequiredResult {
        let state = hands_out_states(name).then(|| {
            let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
            let state = format!("{name}/{}/{round}", states.len());
            states.insert(state.clone());
            state
        });
        InputRequiredResult::new(Some(asked), state)
    }

    /// The round that a state belongs to.
    fn round(&self, name: &str, state: &str) -> Result<usize, ErrorData> {
        let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        let known = states.get(state).and_then(|state| state.strip_prefix(name));
        let round = known.and_then(|rest| rest.rsplit_once('/')?.1.parse().ok());
        round.ok_or_else(|| ErrorData::invalid_params("the state was not handed out here", None))
    }
}

/// Those of the questions that the client has said it can answer; without any, nothing goes on.
fn answerable(questions: &Value, context: &Context) -> Result<InputRequests, ErrorData> {
    let can = json!(context.client_capabilities());
    let all: InputRequests = typed(questions.clone())?;
    let mut needed = Map::new();
    let mut asked = InputRequests::new();
    for (key, request) in all {
        let capability = capability(&json!(request)["method"]);
        if can[capability].is_object() {
            asked.insert(key, request);
        } else {
            needed.insert(capability.to_owned(), json!({}));
        }
    }
    if asked.is_empty() {
        let code = ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY;
        let data = json!({ "requiredCapabilities": needed });
        return Err(ErrorData::new(code, "the client cannot be asked for this", Some(data)));
    }
    Ok(asked)
}

fn capability(method: &Value) -> &'static str {
    match method.as_str() {
        Some("elicitation/create") => "elicitation",
        Some("sampling/createMessage") => "sampling",
        _ => "roots",
    }
}
