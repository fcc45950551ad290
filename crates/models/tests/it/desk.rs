//! What the tests share: the providers by their formats, and a prompt with everything in it.

use dossier_core::catalogue::Protocol;
use dossier_core::chat::{
    Answer, Effort, Event, Format, Image, Message, Options, Part, Prompt, Said, ToolCall,
    ToolResult, ToolSpec,
};
use dossier_models::{
    ChatModel, Limits, Models, ModelsError, Patience, Provider, Secret, Trouble, answer,
    builtin_catalogue,
};
use dossier_testkit::{Provider as Script, Reply};
use futures::StreamExt as _;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// A provider's name, its format, the path behind its address, and one of its models.
pub type Case = (&'static str, Protocol, &'static str, &'static str);

pub const CHAT: Case = ("openai", Protocol::Chat, "/v1", "gpt-4o");
pub const RESPONSES: Case = ("openai", Protocol::Chat, "/v1", "o3-pro");
pub const ANTHROPIC: Case = ("anthropic", Protocol::Anthropic, "/v1", "claude-sonnet-4-5");
pub const GEMINI: Case = ("google", Protocol::Gemini, "/v1beta", "gemini-2.5-pro");
pub const XAI: Case = ("xai", Protocol::Chat, "/v1", "grok-4.5");
pub const OLLAMA: Case = ("ollama", Protocol::Chat, "/v1", "qwen3");
pub const HOME: Case = ("home", Protocol::Chat, "/api/v1", "qwen-max");

pub const KEY: &str = "key-0123456789abcdef";

pub fn model(script: &Script, case: Case) -> Arc<dyn ChatModel> {
    let (name, protocol, path, id) = case;
    let provider = Provider::new(name, protocol, &script.url(path), Secret::new(KEY)).unwrap();
    // Waits that no test notices.
    let patience =
        Patience { first: Duration::from_micros(1), longest: Duration::from_secs(1), attempts: 3 };
    let models = Models::new(builtin_catalogue().clone(), [provider]).unwrap();
    models.with_patience(patience).get(&format!("{name}/{id}")).unwrap()
}

pub fn question() -> Prompt {
    Prompt { messages: vec![Message::user("Hello?")], ..Prompt::default() }
}

/// A question that has the thoughts shown.
pub fn thoughtful() -> Prompt {
    let options = Options { show_reasoning: true, ..Options::default() };
    Prompt { options, ..question() }
}

/// Every kind of message and every option.
pub fn everything() -> Prompt {
    let call = |id: &str, arguments: &str| ToolCall {
        id: id.to_owned(),
        name: "read".to_owned(),
        arguments: arguments.to_owned(),
    };
    let result = |call: &str, content: &str, failed| ToolResult {
        call: call.to_owned(),
        content: content.to_owned(),
        failed,
    };
    let image = Image { mime: "image/png".to_owned(), base64: "iVBORw0KGgo=".to_owned() };
    let header = Message::system("Rules. ".repeat(600).trim().to_owned());
    Prompt {
        messages: vec![
            Message { cache_after: true, ..header },
            Message::user("What is in the picture?").with(Part::Image(image)),
            Message { cache_after: true, ..Message::assistant("A ferry.") },
            Message::user("Read both files."),
            Message::from(Said::Assistant {
                text: "I look.".to_owned(),
                calls: vec![call("call_a", "{\"path\":\"a.rs\"}"), call("call_b", "{\"pa")],
                sealed: None,
            }),
            Message::results(vec![
                result("call_a", "fn main() {}", false),
                result("call_b", "the arguments are no JSON", true),
            ]),
        ],
        tools: vec![ToolSpec {
            name: "read".to_owned(),
            description: "Reads a file".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {"path": {"type": "string"}},
                "required": ["path"],
            }),
            strict: None,
        }],
        options: Options {
            temperature: Some(0.0),
            top_p: Some(0.9),
            max_output_tokens: Some(4_000),
            effort: Some(Effort::High),
            show_reasoning: true,
            stop: vec!["END".to_owned()],
            seed: Some(7),
            format: Some(Format {
                name: "answer".to_owned(),
                schema: json!({"type": "object", "properties": {"yes": {"type": "boolean"}}}),
            }),
            tool_choice: None,
            cache_key: Some("thread-1".to_owned()),
            extra: json!({"user": "someone"}).as_object().cloned().unwrap_or_default(),
        },
    }
}

pub async fn ask(model: &dyn ChatModel, prompt: Prompt) -> Result<Answer, ModelsError> {
    answer(model.ask(prompt, Limits::default())).await
}

/// All events up to the first error, and that error.
pub async fn events(model: &dyn ChatModel, limits: Limits) -> (Vec<Event>, Option<Trouble>) {
    let mut stream = model.ask(question(), limits);
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing comes after an error");
                return (events, error.trouble().cloned());
            }
        }
    }
    (events, None)
}

/// A script of one reply, asked by one case.
pub async fn replied(case: Case, reply: Reply) -> Result<Answer, ModelsError> {
    let script = Script::start([reply]).unwrap();
    ask(model(&script, case).as_ref(), thoughtful()).await
}
