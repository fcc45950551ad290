//! What each provider is sent, whole.

use crate::desk::{
    ANTHROPIC, CHAT, Case, GEMINI, HOME, KEY, OLLAMA, RESPONSES, XAI, ask, everything, model,
    question,
};
use dossier_core::chat::{Effort, Message, Options, Prompt};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::{Value, json};

/// The one request that a prompt makes: line, the header with the key, and body.
async fn sent(case: Case, prompt: Prompt) -> Value {
    let script = Script::start([Reply::json(400, &json!({"error": "seen"}))]).unwrap();
    ask(model(&script, case).as_ref(), prompt).await.unwrap_err();
    let requests = script.requests();
    let [request] = requests.as_slice() else { panic!("{requests:?}") };
    let with_key: Vec<&str> = request
        .headers
        .iter()
        .filter(|(_, value)| value.contains(KEY))
        .map(|(name, _)| name.as_str())
        .collect();
    json!({ "line": request.line, "key_in": with_key, "body": request.body })
}

/// The long header, shortened so that a snapshot can be read.
fn readable(request: Value) -> Value {
    let rules = "Rules. ".repeat(600);
    let text = request.to_string().replace(rules.trim(), "Rules. …");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn every_format_holds_the_whole_prompt() {
    for (name, case) in [
        ("chat", CHAT),
        ("responses", RESPONSES),
        ("anthropic", ANTHROPIC),
        ("gemini", GEMINI),
        ("xai", XAI),
        ("ollama", OLLAMA),
        ("home", HOME),
    ] {
        let mut prompt = everything();
        if name == "ollama" {
            // It cannot see.
            prompt = prompt.without_images();
        }
        insta::assert_json_snapshot!(format!("request_{name}"), readable(sent(case, prompt).await));
    }
}

#[tokio::test]
async fn a_plain_question_sends_nothing_that_was_not_asked_for() {
    for (name, case) in [
        ("chat", CHAT),
        ("responses", RESPONSES),
        ("anthropic", ANTHROPIC),
        ("gemini", GEMINI),
        ("home", HOME),
    ] {
        insta::assert_json_snapshot!(format!("plain_{name}"), sent(case, question()).await);
    }
}

fn thinking(effort: Effort, max_output_tokens: Option<u32>) -> Prompt {
    let options = Options { effort: Some(effort), max_output_tokens, ..Options::default() };
    Prompt { options, ..question() }
}

#[tokio::test]
async fn thinking_fits_the_output_of_anthropics_older_models() {
    let body = sent(ANTHROPIC, thinking(Effort::High, None)).await["body"].clone();
    assert_eq!(
        (&body["thinking"]["budget_tokens"], &body["max_tokens"]),
        (&json!(24_000), &json!(64_000))
    );
    let body = sent(ANTHROPIC, thinking(Effort::High, Some(10_000))).await["body"].clone();
    assert_eq!(
        (&body["thinking"]["budget_tokens"], &body["max_tokens"]),
        (&json!(8_000), &json!(10_000))
    );
    let body = sent(ANTHROPIC, thinking(Effort::High, Some(500))).await["body"].clone();
    assert_eq!((&body["thinking"], &body["max_tokens"]), (&Value::Null, &json!(500)));
}

#[tokio::test]
async fn a_model_that_refuses_a_temperature_is_not_sent_one() {
    let prompt = || Prompt {
        options: Options { temperature: Some(0.0), top_p: Some(0.5), ..Options::default() },
        ..question()
    };
    let newest = (ANTHROPIC.0, ANTHROPIC.1, ANTHROPIC.2, "claude-opus-5-5");
    for (case, sampling) in [(CHAT, true), (ANTHROPIC, true), (newest, false), (RESPONSES, false)] {
        let body = sent(case, prompt()).await["body"].clone();
        assert_eq!(body.get("temperature").is_some(), sampling, "{}", case.3);
        assert_eq!(body.get("top_p").is_some(), sampling, "{}", case.3);
    }
}

#[tokio::test]
async fn a_name_that_ends_like_an_effort_stays_a_name() {
    for protocol in [CHAT.1, dossier_core::catalogue::Protocol::Responses, ANTHROPIC.1] {
        for id in ["qwen-max", "thinker-high", "plain"] {
            let body = sent(("home", protocol, "/v1", id), question()).await["body"].clone();
            assert_eq!(body["model"], id);
            for field in ["reasoning_effort", "reasoning", "thinking", "output_config"] {
                assert_eq!(body.get(field), None, "{id} {protocol:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_short_beginning_is_not_marked_for_the_cache_and_no_more_than_four_are() {
    let marked = |words: usize| {
        let said = |n: usize| Message { cache_after: true, ..Message::user("word ".repeat(n)) };
        Prompt { messages: (0..7).map(|_| said(words)).collect(), ..Prompt::default() }
    };
    let marks = |request: &Value| request.to_string().matches("cache_control").count();
    // A Claude counts some 1.3 tokens a word, and keeps beginnings of 1,024.
    assert_eq!(marks(&sent(ANTHROPIC, marked(50)).await), 0);
    assert_eq!(marks(&sent(ANTHROPIC, marked(200)).await), 4);
    assert_eq!(marks(&sent(ANTHROPIC, marked(120)).await), 1);
    assert_eq!(marks(&sent(CHAT, marked(2_000)).await), 0);
}
