//! From a prompt to what genai sends. What a model is known not to take is left out, so that a
//! persona's settings do not make a request fail.
//!
//! genai would read an effort out of a name like `qwen-max`; so every request says itself how long
//! to think, or is made such that nothing is read.

use super::Provider;
use dossier_core::catalogue::{ModelInfo, Protocol};
use dossier_core::chat::{
    Effort, Message, Options, Part, Prompt, Said, Sealed, ToolCall, ToolChoice, ToolResult,
    ToolSpec,
};
use dossier_core::tier::Window;
use genai::chat as wire;
use genai::chat::{Binary, CacheControl, ContentPart, MessageContent, ReasoningEffort};
use serde_json::{Value, json};

/// A call may hold so many marks where its cache ends.
const MOST_MARKS: usize = 4;

/// What genai is given for one call.
pub(super) struct Request {
    pub chat: wire::ChatRequest,
    pub options: wire::ChatOptions,
}

impl Request {
    pub(super) fn new(provider: &Provider, info: &ModelInfo, prompt: &Prompt) -> Self {
        let protocol = info.protocol.unwrap_or(provider.protocol);
        let marks = marks(protocol, info, prompt);
        let messages = prompt.messages.iter().zip(marks).map(|(message, marked)| {
            let message = self::message(message, protocol, &info.full_name());
            if marked { message.with_options(CacheControl::Ephemeral) } else { message }
        });
        let mut chat = wire::ChatRequest::new(messages.collect());
        if !prompt.tools.is_empty() {
            chat = chat.with_tools(prompt.tools.iter().map(tool));
        }
        Self { chat, options: options(provider, protocol, info, &prompt.options) }
    }
}

/// After which messages a cache may end: only Anthropic is told, and only of beginnings that are
/// long enough to be kept. The last ones count, since each holds those before it.
fn marks(protocol: Protocol, info: &ModelInfo, prompt: &Prompt) -> Vec<bool> {
    let mut marks = vec![false; prompt.messages.len()];
    let (Protocol::Anthropic, Some(least)) = (protocol, info.cache_min_tokens) else {
        return marks;
    };
    let tools: String = prompt.tools.iter().map(|tool| tool.schema.to_string()).collect();
    let mut tokens = info.tokenizer.count(&tools);
    for (message, mark) in prompt.messages.iter().zip(&mut marks) {
        tokens = tokens.saturating_add(info.tokenizer.count(&message.text()));
        *mark = message.cache_after && tokens >= least;
    }
    let surplus = marks.iter().filter(|mark| **mark).count().saturating_sub(MOST_MARKS);
    for mark in marks.iter_mut().filter(|mark| **mark).take(surplus) {
        *mark = false;
    }
    marks
}

fn message(message: &Message, protocol: Protocol, model: &str) -> wire::ChatMessage {
    match &message.said {
        Said::System { text } => wire::ChatMessage::system(text.as_str()),
        Said::User { parts } => wire::ChatMessage::user(user(parts)),
        Said::Assistant { text, calls, sealed } => {
            let sealed = sealed.as_ref().filter(|sealed| sealed.model == model);
            let content = sealed.and_then(unsealed).unwrap_or_else(|| said(text, calls));
            wire::ChatMessage::assistant(content)
        }
        Said::Tool { results } => {
            let results = results.iter().map(|given| result(given, protocol));
            wire::ChatMessage::tool(MessageContent::from_parts(results.collect::<Vec<_>>()))
        }
    }
}

fn user(parts: &[Part]) -> MessageContent {
    if let [Part::Text(text)] = parts {
        return MessageContent::from_text(text.as_str());
    }
    let parts = parts.iter().map(|part| match part {
        Part::Text(text) => ContentPart::Text(text.clone()),
        Part::Image(image) => {
            Binary::from_base64(image.mime.as_str(), image.base64.as_str(), None).into()
        }
    });
    MessageContent::from_parts(parts.collect::<Vec<_>>())
}

fn said(text: &str, calls: &[ToolCall]) -> MessageContent {
    let text = Some(text).filter(|text| !text.is_empty() || calls.is_empty());
    let mut parts: Vec<ContentPart> = text.map(ContentPart::from).into_iter().collect();
    parts.extend(calls.iter().map(|call| {
        ContentPart::ToolCall(wire::ToolCall {
            call_id: call.id.clone(),
            fn_name: call.name.clone(),
            // Providers take objects only; what the model wrote is shown to it all the same.
            fn_arguments: call
                .parsed()
                .ok()
                .filter(Value::is_object)
                .unwrap_or_else(|| json!({ "unreadable": call.arguments })),
            thought_signatures: None,
        })
    }));
    MessageContent::from_parts(parts)
}

/// The answer as its provider wants it back.
fn unsealed(sealed: &Sealed) -> Option<MessageContent> {
    serde_json::from_value(sealed.content.clone()).ok()
}

fn result(result: &ToolResult, protocol: Protocol) -> ContentPart {
    if protocol == Protocol::Anthropic && result.failed {
        let block = json!({
            "type": "tool_result",
            "content": result.content,
            "tool_use_id": result.call,
            "is_error": true,
        });
        return ContentPart::from_custom(block, None);
    }
    wire::ToolResponse::new(result.call.as_str(), result.content.as_str()).into()
}

fn tool(spec: &ToolSpec) -> wire::Tool {
    let tool = wire::Tool::new(spec.name.as_str())
        .with_description(spec.description.as_str())
        .with_schema(spec.schema.clone());
    match spec.strict {
        Some(strict) => tool.with_strict(strict),
        None => tool,
    }
}

fn options(
    provider: &Provider,
    protocol: Protocol,
    info: &ModelInfo,
    options: &Options,
) -> wire::ChatOptions {
    let max_tokens = max_tokens(protocol, info, options);
    let effort = effort(protocol, info, options.effort, max_tokens);
    // Anthropic refuses to sample otherwise while a model thinks.
    let thinks =
        protocol == Protocol::Anthropic && !matches!(effort, None | Some(ReasoningEffort::Zero));
    let fixed = info.capabilities.fixed_sampling || thinks;
    let sampling = |value: Option<f64>| value.filter(|_| !fixed);
    // The Responses format has neither, and OpenAI's models that think do not stop at words.
    let responses = protocol == Protocol::Responses;
    let thinker = provider.name == "openai" && info.capabilities.fixed_sampling;
    let stops = !(responses || thinker);
    let mut made = wire::ChatOptions::default()
        .with_capture_usage(true)
        .with_capture_content(true)
        .with_capture_tool_calls(true)
        .with_capture_reasoning_content(captures_thoughts(protocol, info, options));
    made.stop_sequences = options.stop.clone().into_iter().filter(|_| stops).collect();
    made.temperature = sampling(options.temperature);
    made.top_p = sampling(options.top_p);
    made.max_tokens = max_tokens;
    made.seed = options.seed.filter(|_| !responses);
    made.reasoning_effort = effort;
    made.response_format = options
        .format
        .as_ref()
        .map(|format| wire::JsonSpec::new(format.name.as_str(), format.schema.clone()).into());
    made.tool_choice = options.tool_choice.as_ref().map(tool_choice);
    if provider.name == "openai" {
        // Without a key of one's own, genai switches the newer models' cache off.
        made.prompt_cache_key =
            Some(options.cache_key.clone().unwrap_or_else(|| "dossier".to_owned()));
    }
    if !options.extra.is_empty() {
        made.extra_body = Some(Value::Object(options.extra.clone()));
    }
    made
}

/// Anthropic wants a limit in every request: the model's own where it is known.
fn max_tokens(protocol: Protocol, info: &ModelInfo, options: &Options) -> Option<u32> {
    let known = protocol == Protocol::Anthropic && info.window != Window::CAUTIOUS;
    options.max_output_tokens.or_else(|| known.then_some(info.window.output))
}

/// Whether thoughts are captured. For Anthropic this costs nothing, and its tools need them back
/// signed. Responses and Gemini have to be asked for them, which not every account may.
fn captures_thoughts(protocol: Protocol, info: &ModelInfo, options: &Options) -> bool {
    match protocol {
        Protocol::Chat | Protocol::Anthropic => true,
        Protocol::Responses | Protocol::Gemini => {
            options.show_reasoning && info.capabilities.thinking
        }
    }
}

fn effort(
    protocol: Protocol,
    info: &ModelInfo,
    asked: Option<Effort>,
    max_tokens: Option<u32>,
) -> Option<ReasoningEffort> {
    let asked = asked.filter(|_| info.capabilities.thinking);
    let asked = match protocol {
        Protocol::Anthropic | Protocol::Gemini => asked.map(|effort| fitting(effort, max_tokens)),
        Protocol::Chat | Protocol::Responses => asked,
    };
    let Some(asked) = asked else { return no_effort(protocol, &info.id) };
    Some(match asked {
        Effort::Off => ReasoningEffort::Zero,
        Effort::Minimal => ReasoningEffort::Minimal,
        Effort::Low => ReasoningEffort::Low,
        Effort::Medium => ReasoningEffort::Medium,
        Effort::High => ReasoningEffort::High,
        Effort::Max => ReasoningEffort::Max,
    })
}

/// The longest thinking that fits the output: genai gives it fixed budgets, Anthropic refuses one
/// that the output cannot hold, and Gemini would have nothing left to answer with.
fn fitting(effort: Effort, max_tokens: Option<u32>) -> Effort {
    const BUDGETS: [(Effort, u32); 3] =
        [(Effort::High, 24_000), (Effort::Medium, 8_000), (Effort::Low, 1_024)];
    let limit = max_tokens.unwrap_or(u32::MAX);
    let own = match effort {
        Effort::Off => return Effort::Off,
        Effort::Minimal => Effort::Low,
        Effort::Max => Effort::High,
        effort => effort,
    };
    let fits =
        BUDGETS.iter().skip_while(|(step, _)| *step != own).find(|(_, budget)| *budget < limit);
    match fits {
        Some((step, _)) if *step == own => effort,
        Some((step, _)) => *step,
        None => Effort::Off,
    }
}

/// What makes genai neither send an effort nor read one out of the model's name.
fn no_effort(protocol: Protocol, id: &str) -> Option<ReasoningEffort> {
    match protocol {
        // A budget cannot be said in these formats, and is left out.
        Protocol::Chat | Protocol::Responses => Some(ReasoningEffort::Budget(0)),
        Protocol::Anthropic | Protocol::Gemini => {
            let last = id.rsplit('-').next().unwrap_or_default();
            ReasoningEffort::from_keyword(last).map(|_| ReasoningEffort::Zero)
        }
    }
}

fn tool_choice(choice: &ToolChoice) -> wire::ToolChoice {
    match choice {
        ToolChoice::Auto => wire::ToolChoice::Auto,
        ToolChoice::None => wire::ToolChoice::None,
        ToolChoice::Required => wire::ToolChoice::Required,
        ToolChoice::Named(name) => wire::ToolChoice::Tool { name: name.clone() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_never_takes_more_than_the_output_holds() {
        let check = |asked, limit, expected| assert_eq!(fitting(asked, limit), expected);
        check(Effort::High, None, Effort::High);
        check(Effort::Max, Some(64_000), Effort::Max);
        check(Effort::Max, Some(24_000), Effort::Medium);
        check(Effort::High, Some(4_096), Effort::Low);
        check(Effort::Medium, Some(1_024), Effort::Off);
        check(Effort::Minimal, Some(2_000), Effort::Minimal);
        check(Effort::Off, Some(1), Effort::Off);
    }
}
