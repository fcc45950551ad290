//! What is made of each vendor's stream.

use crate::desk::{
    ANTHROPIC, CHAT, Case, GEMINI, RESPONSES, XAI, ask, events, model, question, replied,
    thoughtful,
};
use dossier_core::chat::{Event, Finish, Message, Prompt, ToolResult, Usage};
use dossier_models::Limits;
use dossier_testkit::{Provider as Script, Reply};
use serde_json::json;

pub const STREAMS: [(&str, Case, &str); 5] = [
    ("chat", CHAT, include_str!("fixtures/chat.sse")),
    ("responses", RESPONSES, include_str!("fixtures/responses.sse")),
    ("anthropic", ANTHROPIC, include_str!("fixtures/anthropic.sse")),
    ("gemini", GEMINI, include_str!("fixtures/gemini.sse")),
    ("xai", XAI, include_str!("fixtures/xai.sse")),
];

#[tokio::test]
async fn every_format_gives_text_thoughts_calls_usage_and_the_end() {
    for (name, case, text) in STREAMS {
        let answer = replied(case, Reply::events(text)).await.unwrap();
        insta::assert_json_snapshot!(format!("answer_{name}"), answer);
    }
}

#[tokio::test]
async fn it_does_not_matter_where_a_stream_is_cut_into_pieces() {
    for (name, case, text) in STREAMS {
        let whole = replied(case, Reply::events(text)).await.unwrap();
        for bytes in [1, 2, 3, 5, 7, 64, 1 << 20] {
            let pieces = Reply::events_in_pieces_of(bytes, text);
            assert_eq!(replied(case, pieces).await.unwrap(), whole, "{name} {bytes}");
        }
        // Lines may end otherwise; but genai parts an event from its data where a piece ends
        // between the two characters, and only Anthropic's format has both.
        if case == ANTHROPIC {
            continue;
        }
        let other_ends = text.replace('\n', "\r\n");
        let pieces = Reply::events_in_pieces_of(3, &other_ends);
        assert_eq!(replied(case, pieces).await.unwrap(), whole, "{name}");
    }
}

#[tokio::test]
async fn arguments_come_as_what_is_new_of_them() {
    let script = Script::start([Reply::events(STREAMS[0].2)]).unwrap();
    let (events, _) = events(model(&script, CHAT).as_ref(), Limits::default()).await;
    let calls: Vec<Event> = events
        .into_iter()
        .filter(|event| matches!(event, Event::Call { .. } | Event::Arguments { .. }))
        .collect();
    let call = |number, id: &str, name: &str| Event::Call {
        number,
        id: id.to_owned(),
        name: name.to_owned(),
    };
    let more = |number, text: &str| Event::Arguments { number, text: text.to_owned() };
    let expected = [
        call(0, "call_a", "read"),
        call(1, "call_b", "list"),
        more(1, "{\"dep"),
        more(0, "{\"path\":\"src/"),
        more(1, "th\":2}"),
        more(0, "ö.rs\"}"),
    ];
    assert_eq!(calls, expected);
}

/// The body of the request that gives an answer back with the results of its tools.
async fn given_back(case: Case, text: &str) -> serde_json::Value {
    let script = Script::start([
        Reply::events(text),
        Reply::json(400, &json!({"error": {"message": "seen"}})),
    ])
    .unwrap();
    let model = model(&script, case);
    let answer = ask(model.as_ref(), thoughtful()).await.unwrap();
    let results = answer.calls.iter().map(|call| ToolResult {
        call: call.id.clone(),
        content: format!("result of {}", call.id),
        failed: false,
    });
    let results = Message::results(results.collect());
    let messages = vec![Message::user("Hello?"), answer.message(), results];
    ask(model.as_ref(), Prompt { messages, ..Prompt::default() }).await.unwrap_err();
    script.requests().remove(1).body
}

#[tokio::test]
async fn sealed_thoughts_go_back_to_the_model_they_came_from() {
    for (name, case, text) in &STREAMS[..4] {
        insta::assert_json_snapshot!(format!("back_{name}"), given_back(*case, text).await);
    }
}

#[tokio::test]
async fn sealed_thoughts_stay_away_from_other_models() {
    let answer = replied(ANTHROPIC, Reply::events(STREAMS[2].2)).await.unwrap();
    let script = Script::start([Reply::json(400, &json!({}))]).unwrap();
    let other = model(&script, (ANTHROPIC.0, ANTHROPIC.1, ANTHROPIC.2, "claude-opus-5-5"));
    let messages = vec![Message::user("Hello?"), answer.message()];
    ask(other.as_ref(), Prompt { messages, ..Prompt::default() }).await.unwrap_err();
    let body = script.requests().remove(0).body.to_string();
    assert!(!body.contains("sealed") && body.contains("Grüße"), "{body}");
}

#[tokio::test]
async fn an_answer_ends_for_a_reason() {
    let chat = |reason: &str| {
        let choice = json!({"index": 0, "delta": {"content": "x"}, "finish_reason": reason});
        format!("data: {}\n\ndata: [DONE]\n\n", json!({"choices": [choice]}))
    };
    let anthropic = |reason: &str| {
        include_str!("fixtures/anthropic.sse")
            .replace("\"tool_use\",\"stop_seq", &format!("\"{reason}\",\"stop_seq"))
    };
    let gemini = |reason: &str| {
        let candidate = json!({"content": {"parts": [{"text": "x"}]}, "finishReason": reason});
        format!("data: {}\n\n", json!({"candidates": [candidate]}))
    };
    let responses = |kind: &str, details: serde_json::Value| {
        let response = json!({"id": "r", "object": "response", "status": kind, "model": "m",
            "output": [], "incomplete_details": details});
        format!("data: {}\n\n", json!({"type": format!("response.{kind}"), "response": response}))
    };
    for (case, text, expected) in [
        (CHAT, chat("stop"), Finish::Stop),
        (CHAT, chat("length"), Finish::Length),
        (CHAT, chat("content_filter"), Finish::Refused),
        (CHAT, chat("because"), Finish::Other("because".to_owned())),
        (ANTHROPIC, anthropic("max_tokens"), Finish::Length),
        (ANTHROPIC, anthropic("refusal"), Finish::Refused),
        (GEMINI, gemini("STOP"), Finish::Stop),
        (GEMINI, gemini("MAX_TOKENS"), Finish::Length),
        (GEMINI, gemini("SAFETY"), Finish::Refused),
        (RESPONSES, responses("completed", json!(null)), Finish::Stop),
        (
            RESPONSES,
            responses("incomplete", json!({"reason": "max_output_tokens"})),
            Finish::Length,
        ),
        (RESPONSES, responses("incomplete", json!({"reason": "content_filter"})), Finish::Refused),
    ] {
        let answer = replied(case, Reply::events(&text)).await.unwrap();
        assert_eq!(answer.finish, Some(expected), "{text}");
    }
}

#[tokio::test]
async fn the_words_of_a_refusal_are_passed_on() {
    let chat = json!({"choices": [{"index": 0, "delta": {"refusal": "I won't."}}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let chat = format!("data: {chat}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    let refusal = json!({"type": "response.refusal.delta", "delta": "I won't."});
    let done = json!({"type": "response.completed", "response":
        {"id": "r", "object": "response", "status": "completed", "model": "m", "output": []}});
    let responses = format!("data: {refusal}\n\ndata: {done}\n\n");
    for (case, text) in [(CHAT, chat), (RESPONSES, responses)] {
        let answer = replied(case, Reply::events(&text)).await.unwrap();
        assert_eq!((answer.text.as_str(), answer.finish), ("I won't.", Some(Finish::Refused)));
    }
}

#[tokio::test]
async fn a_server_that_forgets_the_last_line_has_answered_all_the_same() {
    let text = include_str!("fixtures/chat.sse").replace("data: [DONE]\n\n", "");
    let answer = replied(CHAT, Reply::events(&text)).await.unwrap();
    assert_eq!(answer.finish, Some(Finish::ToolCalls));
    let usage =
        Usage { input: 1_200, output: 80, cached_input: 1_024, cache_write: 0, reasoning: 32 };
    assert_eq!(answer.usage, Some(usage));
}

#[tokio::test]
async fn nothing_is_sent_before_the_stream_is_asked_for() {
    let script = Script::start([Reply::chat("x")]).unwrap();
    let model = model(&script, CHAT);
    drop(model.ask(question(), Limits::default()));
    assert_eq!(script.requests(), []);
    assert_eq!(ask(model.as_ref(), question()).await.unwrap().text, "x");
}
