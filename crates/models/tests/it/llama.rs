//! A real server that no one here wrote: llama.cpp with a tiny model of random weights, one token
//! a character and 2,048 at the most, behind a key. It speaks three of the formats.

use crate::desk::{ask, question};
use dossier_core::catalogue::Protocol;
use dossier_core::chat::{
    Answer, Event, Finish, Format, Message, Options, Prompt, Said, ToolCall, ToolResult, ToolSpec,
};
use dossier_models::{
    ChatModel, Limits, Models, ModelsError, Provider, Secret, Trouble, builtin_catalogue,
};
use futures::StreamExt as _;
use serde_json::{Value, json};
use std::sync::Arc;

const KEY: &str = "dossier-test";
const PROTOCOLS: [Protocol; 3] = [Protocol::Chat, Protocol::Responses, Protocol::Anthropic];

fn models(protocol: Protocol, key: &str) -> Models {
    let base = std::env::var("DOSSIER_TEST_CHAT")
        .expect("DOSSIER_TEST_CHAT is not set; start the service with: scripts/embeddings start");
    let provider = Provider::new("llama", protocol, &base, Secret::new(key)).unwrap();
    Models::new(builtin_catalogue().clone(), [provider]).unwrap()
}

fn llama(protocol: Protocol) -> Arc<dyn ChatModel> {
    models(protocol, KEY).get("llama/tiny-talk").unwrap()
}

fn with(options: Options) -> Prompt {
    Prompt { options, ..question() }
}

fn short() -> Options {
    Options { temperature: Some(0.0), max_output_tokens: Some(12), ..Options::default() }
}

async fn trouble(protocol: Protocol, key: &str, prompt: Prompt) -> Trouble {
    let model = models(protocol, key).get("llama/tiny-talk").unwrap();
    let error: ModelsError = ask(model.as_ref(), prompt).await.unwrap_err();
    error.trouble().unwrap().clone()
}

#[tokio::test]
async fn every_format_gives_the_same_text_with_its_usage() {
    let mut answers = Vec::new();
    for protocol in PROTOCOLS {
        let answer = ask(llama(protocol).as_ref(), with(short())).await.unwrap();
        let Answer { text, usage, finish, .. } = answer;
        let usage = usage.unwrap();
        assert_eq!((usage.output, text.chars().count()), (12, 12), "{protocol:?}");
        assert!(usage.input > "user: Hello?".len() as u32, "{protocol:?} {usage:?}");
        // The server says that a response is complete even where it was cut.
        let expected = if protocol == Protocol::Responses { Finish::Stop } else { Finish::Length };
        assert_eq!(finish, Some(expected), "{protocol:?}");
        answers.push((text, usage.input));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn an_answer_keeps_to_a_schema() {
    let schema = json!({
        "type": "object",
        "properties": {"yes": {"type": "boolean"}},
        "required": ["yes"],
        "additionalProperties": false,
    });
    let format = Some(Format { name: "answer".to_owned(), schema });
    let options = Options { format, max_output_tokens: Some(200), ..short() };
    let answer = ask(llama(Protocol::Chat).as_ref(), with(options)).await.unwrap();
    let value: Value = serde_json::from_str(&answer.text).unwrap();
    assert!(value["yes"].is_boolean(), "{value}");
    assert_eq!(answer.finish, Some(Finish::Stop));
}

fn tool() -> ToolSpec {
    ToolSpec {
        name: "look".to_owned(),
        description: "Looks".to_owned(),
        schema: json!({
            "type": "object",
            "properties": {"up": {"type": "boolean"}},
            "required": ["up"],
            "additionalProperties": false,
        }),
        strict: None,
    }
}

/// A call by a model of random weights would be a miracle: it is told that it has made two.
#[tokio::test]
async fn tools_their_calls_and_their_results_are_taken() {
    let call = |id: &str| ToolCall {
        id: id.to_owned(),
        name: "look".to_owned(),
        arguments: "{\"up\":true}".to_owned(),
    };
    let result = |call: &str, failed| ToolResult {
        call: call.to_owned(),
        content: "seen".to_owned(),
        failed,
    };
    let calls = vec![call("call_a"), call("call_b")];
    let messages = vec![
        Message::system("Rules."),
        Message::user("Hello?"),
        Said::Assistant { text: "I look.".to_owned(), calls, sealed: None }.into(),
        Message::results(vec![result("call_a", false), result("call_b", true)]),
    ];
    for protocol in PROTOCOLS {
        let model = llama(protocol);
        let bare = Prompt { messages: messages.clone(), options: short(), ..Prompt::default() };
        let with_tools = Prompt { tools: vec![tool()], ..bare.clone() };
        let mut read = Vec::new();
        for prompt in [question(), bare, with_tools] {
            let options = short();
            let answer = ask(model.as_ref(), Prompt { options, ..prompt }).await.unwrap();
            read.push(answer.usage.unwrap().input);
        }
        assert!(
            read.is_sorted() && read[0] < read[1] && read[1] < read[2],
            "{protocol:?} {read:?}"
        );
    }
}

#[tokio::test]
async fn a_wrong_key_and_a_prompt_that_is_too_long_are_told_apart() {
    for protocol in PROTOCOLS {
        let refused = trouble(protocol, "hunter2", with(short())).await;
        assert!(matches!(refused, Trouble::KeyRefused { .. }), "{protocol:?} {refused}");
        let messages = vec![Message::user("long ".repeat(1_000))];
        let long = Prompt { messages, options: short(), ..Prompt::default() };
        let refused = trouble(protocol, KEY, long).await;
        assert!(matches!(refused, Trouble::TooLong { .. }), "{protocol:?} {refused}");
    }
}

#[tokio::test]
async fn an_answer_that_is_given_up_leaves_the_server_free_for_the_next() {
    for protocol in PROTOCOLS {
        let model = llama(protocol);
        let endless = Options { max_output_tokens: Some(1_900), ..short() };
        let mut stream = model.ask(with(endless), Limits::default());
        let first = stream.next().await.unwrap().unwrap();
        assert!(matches!(first, Event::Text(_)), "{first:?}");
        drop(stream);
        // The server has one place: the next answer waits until the first is given up.
        assert_eq!(ask(model.as_ref(), with(short())).await.unwrap().text.chars().count(), 12);
    }
}

#[tokio::test]
async fn the_server_says_how_much_its_model_reads() {
    let models = models(Protocol::Chat, KEY);
    let refreshed = models.refresh().await;
    assert_eq!(refreshed[0].models, Ok(1), "{refreshed:?}");
    let windows: Vec<u32> = refreshed[0].told.iter().map(|model| model.window.context).collect();
    assert_eq!(windows, [2_048]);
}
