//! The client's own model, for whoever has no provider: one more model to ask.
#![expect(deprecated, reason = "clients offer it, and nothing has taken its place")]

use crate::client::{Client, Unanswered};
use dossier_core::catalogue::{Capabilities, ModelInfo};
use dossier_core::chat::{Event, Finish, Message, Part, Prompt, Said};
use dossier_engine::{AnswerLimits, ChatModel, Events, ModelsError, Trouble};
use futures_util::StreamExt as _;
use futures_util::stream;
use rmcp::model::{
    ContentBlock, CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult,
    InputRequest, JsonObject, Role, SamplingContent, SamplingMessage, SamplingMessageContentBlock,
    Tool,
};
use rmcp::service::Peer;
use rmcp::{RoleServer, ServiceError};
use serde_json::Value;
use std::sync::Arc;

/// The model behind a client.
#[derive(Debug)]
struct Sampling {
    client: Client,
    info: ModelInfo,
}

/// The client's own model, if it can be asked.
pub fn model(client: &Client) -> Option<Arc<dyn ChatModel>> {
    let capabilities = Capabilities {
        tools: client.samples_with_tools(),
        vision: true,
        ..Capabilities::default()
    };
    let info = ModelInfo { capabilities, ..ModelInfo::unknown("client", "sampling") };
    let sampling = Sampling { client: client.clone(), info };
    client.samples().then(|| Arc::new(sampling) as Arc<dyn ChatModel>)
}

impl ChatModel for Sampling {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn ask(&self, prompt: Prompt, limits: AnswerLimits) -> Events {
        let client = self.client.clone();
        let ModelInfo { provider, id: model, window, .. } = self.info.clone();
        let asked = async move {
            let request = InputRequest::CreateMessage(CreateMessageRequest::new(request(
                &prompt,
                window.output,
            )));
            let answer = tokio::time::timeout(limits.whole, client.ask(request)).await;
            let trouble = match answer {
                Ok(Ok(result)) => match events(result) {
                    Ok(events) => return events.into_iter().map(Ok).collect::<Vec<_>>(),
                    Err(said) => Trouble::Broken { said },
                },
                Ok(Err(Unanswered::Later)) => Trouble::Suspended,
                Ok(Err(Unanswered::Refused(said))) => Trouble::Refused { said },
                Err(_) => Trouble::TimedOut { waited: "the client was silent".to_owned() },
            };
            vec![Err(ModelsError::Call { provider, model, trouble })]
        };
        stream::once(asked).flat_map(stream::iter).boxed()
    }
}

/// Sends a question to a client that answers while its call goes on.
pub async fn send(peer: &Peer<RoleServer>, request: InputRequest) -> Result<Value, ServiceError> {
    let read =
        |result: serde_json::Result<Value>| result.map_err(|_| ServiceError::UnexpectedResponse);
    match request {
        InputRequest::CreateMessage(request) => {
            read(serde_json::to_value(peer.create_message(request.params).await?))
        }
        InputRequest::ListRoots(_) => read(serde_json::to_value(peer.list_roots().await?)),
        _ => Err(ServiceError::UnexpectedResponse),
    }
}

fn request(prompt: &Prompt, most_output: u32) -> CreateMessageRequestParams {
    let system: Vec<&str> = prompt
        .messages
        .iter()
        .filter_map(|message| match &message.said {
            Said::System { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let options = &prompt.options;
    let messages = prompt.messages.iter().filter_map(message).collect();
    let most = options.max_output_tokens.unwrap_or(most_output);
    let mut params = CreateMessageRequestParams::new(messages, most);
    params.system_prompt = (!system.is_empty()).then(|| system.join("\n\n"));
    params.temperature = options.temperature.map(|temperature| temperature as f32);
    params.stop_sequences = (!options.stop.is_empty()).then(|| options.stop.clone());
    let tool = |tool: &dossier_core::chat::ToolSpec| {
        let schema = tool.schema.as_object().cloned().unwrap_or_default();
        Tool::new(tool.name.clone(), tool.description.clone(), Arc::new(schema))
    };
    params.tools = (!prompt.tools.is_empty()).then(|| prompt.tools.iter().map(tool).collect());
    params
}

/// Nothing for what is said once for the whole conversation.
fn message(message: &Message) -> Option<SamplingMessage> {
    let text = SamplingMessageContentBlock::text;
    Some(match &message.said {
        Said::System { .. } => return None,
        Said::User { parts } => {
            let contents = parts.iter().map(|part| match part {
                Part::Text(words) => text(words),
                Part::Image(image) => SamplingMessageContentBlock::Image(
                    rmcp::model::ImageContent::new(image.base64.clone(), image.mime.clone()),
                ),
            });
            several(Role::User, contents.collect())
        }
        Said::Assistant { text: words, calls, .. } => {
            let said = (!words.is_empty()).then(|| text(words));
            let calls = calls.iter().map(|call| {
                let arguments = call.parsed().ok().and_then(|arguments| match arguments {
                    Value::Object(arguments) => Some(arguments),
                    _ => None,
                });
                let arguments: JsonObject = arguments.unwrap_or_default();
                SamplingMessageContentBlock::tool_use(&call.id, &call.name, arguments)
            });
            several(Role::Assistant, said.into_iter().chain(calls).collect())
        }
        Said::Tool { results } => {
            let results = results.iter().map(|result| {
                let content = vec![ContentBlock::text(&result.content)];
                SamplingMessageContentBlock::tool_result(&result.call, content)
            });
            several(Role::User, results.collect())
        }
    })
}

/// One content stands alone: older clients know no lists.
fn several(role: Role, mut contents: Vec<SamplingMessageContentBlock>) -> SamplingMessage {
    match contents.len() {
        1 => SamplingMessage::new(role, contents.remove(0)),
        _ => SamplingMessage::new_multiple(role, contents),
    }
}

fn events(result: CreateMessageResult) -> Result<Vec<Event>, String> {
    result.validate()?;
    let contents = match result.message.content {
        SamplingContent::Single(content) => vec![content],
        SamplingContent::Multiple(contents) => contents,
    };
    let mut events = Vec::new();
    let mut calls = 0;
    for content in contents {
        match content {
            SamplingMessageContentBlock::Text(text) => events.push(Event::Text(text.text)),
            SamplingMessageContentBlock::ToolUse(call) => {
                let number = calls;
                calls += 1;
                let text = Value::Object(call.input).to_string();
                events.push(Event::Call { number, id: call.id, name: call.name });
                events.push(Event::Arguments { number, text });
            }
            _ => return Err("it answered with something else than text".to_owned()),
        }
    }
    events.push(Event::Finish(match result.stop_reason.as_deref() {
        _ if calls > 0 => Finish::ToolCalls,
        None | Some("endTurn" | "stopSequence") => Finish::Stop,
        Some("maxTokens") => Finish::Length,
        Some(other) => Finish::Other(other.to_owned()),
    }));
    Ok(events)
}
