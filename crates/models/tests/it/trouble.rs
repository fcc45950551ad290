//! What goes wrong at a provider, and what a caller is told of it.

use crate::answers::STREAMS;
use crate::desk::{
    ANTHROPIC, CHAT, Case, GEMINI, HOME, KEY, RESPONSES, ask, events, everything, model, question,
    replied, thoughtful,
};
use dossier_core::catalogue::Protocol;
use dossier_core::chat::Event;
use dossier_models::{
    Limits, Models, ModelsError, Patience, Provider, Secret, Trouble, builtin_catalogue,
};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

async fn trouble(case: Case, reply: Reply) -> Trouble {
    // Three attempts, each with the same reply.
    let script = Script::start(vec![reply; 3]).unwrap();
    let error = ask(model(&script, case).as_ref(), question()).await.unwrap_err();
    let told = format!("{error} {error:?}");
    assert!(!told.contains(KEY), "{told}");
    assert!(error.to_string().starts_with(&format!("{}/{} ", case.0, case.3)), "{error}");
    error.trouble().unwrap().clone()
}

fn said(text: &str) -> Value {
    json!({"error": {"message": text, "type": "some_error"}})
}

#[tokio::test]
async fn every_refusal_is_something_a_caller_can_act_on() {
    let openai_quota = json!({"error": {"message": "You exceeded your current quota",
        "type": "insufficient_quota", "code": "insufficient_quota"}});
    let anthropic =
        |kind: &str, text: &str| json!({"type": "error", "error": {"type": kind, "message": text}});
    let google = |code: u16, status: &str, text: &str| json!([{"error": {"code": code, "message": text, "status": status}}]);
    for (case, status, body, code) in [
        (CHAT, 401, said(&format!("Incorrect API key provided: {KEY}.")), "key_refused"),
        (ANTHROPIC, 401, anthropic("authentication_error", "invalid x-api-key"), "key_refused"),
        (GEMINI, 400, google(400, "INVALID_ARGUMENT", "API key not valid."), "key_refused"),
        (CHAT, 404, said("The model `gpt-4o` does not exist"), "unknown_model"),
        (ANTHROPIC, 404, anthropic("not_found_error", "model: claude-x"), "unknown_model"),
        (CHAT, 429, openai_quota, "unpaid"),
        (
            ANTHROPIC,
            400,
            anthropic("invalid_request_error", "Your credit balance is too low"),
            "unpaid",
        ),
        (CHAT, 429, said("Rate limit reached"), "rate_limited"),
        (GEMINI, 429, google(429, "RESOURCE_EXHAUSTED", "Quota exceeded"), "rate_limited"),
        (CHAT, 400, said("This model's maximum context length is 8192 tokens"), "too_long"),
        (
            ANTHROPIC,
            400,
            anthropic("invalid_request_error", "prompt is too long: 9 > 8"),
            "too_long",
        ),
        (ANTHROPIC, 413, anthropic("request_too_large", "Request exceeds the maximum"), "too_long"),
        (HOME, 400, said("the request exceeds the available context size"), "too_long"),
        (CHAT, 400, said("flagged by our safety system"), "refused"),
        (CHAT, 500, said("The server had an error"), "unavailable"),
        (ANTHROPIC, 529, anthropic("overloaded_error", "Overloaded"), "unavailable"),
        (RESPONSES, 503, json!("upstream"), "unavailable"),
        (CHAT, 302, json!({}), "unavailable"),
        (CHAT, 400, said("Unsupported parameter"), "invalid"),
        (HOME, 422, json!({"detail": "bad"}), "invalid"),
    ] {
        let trouble = trouble(case, Reply::json(status, &body)).await;
        assert_eq!(trouble.code(), code, "{status} {body} {trouble}");
    }
}

#[tokio::test]
async fn an_error_says_what_the_provider_said_on_one_short_line() {
    let long = format!("first\nsecond {} \u{1b}[31m", "very ".repeat(200));
    let Trouble::Invalid { said } = trouble(CHAT, Reply::json(400, &said(&long))).await else {
        panic!("another trouble");
    };
    assert!(said.starts_with("first second very") && said.ends_with('…'), "{said}");
    assert!(said.chars().count() <= 301 && !said.contains('\u{1b}'), "{said}");
    let page = Reply::json(403, &json!("<html>Forbidden</html>"));
    assert_eq!(trouble(HOME, page).await.code(), "key_refused");
}

#[tokio::test]
async fn a_redirection_does_not_take_the_key_elsewhere() {
    let elsewhere = Script::start([Reply::chat("stolen")]).unwrap();
    let to = elsewhere.url("/v1/chat/completions");
    let reply = Reply::json(307, &json!({})).with_header("location", &to);
    assert_eq!(trouble(CHAT, reply).await.code(), "unavailable");
    assert_eq!(elsewhere.requests(), []);
}

#[tokio::test]
async fn an_error_in_the_middle_comes_after_what_was_said_and_is_not_tried_again() {
    let chat = json!({"choices": [{"index": 0, "delta": {"content": "So"}}]});
    let chat_error = json!({"error": {"message": "overloaded", "type": "server_error"}});
    let start = "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\
        \"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\nevent: content_block_delta\ndata: \
        {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\
        \"text\":\"So\"}}\n\n";
    let overloaded = json!({"type": "error", "error":
        {"type": "overloaded_error", "message": "Overloaded"}});
    let delta = json!({"type": "response.output_text.delta", "delta": "So"});
    let failed = json!({"type": "response.failed", "response": {"id": "r", "object": "response",
        "status": "failed", "model": "m", "output": [],
        "error": {"code": "server_error", "message": "The server had an error"}}});
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "So"}]}}]});
    let gemini_error =
        json!({"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}});
    for (case, text) in [
        (CHAT, format!("data: {chat}\n\ndata: {chat_error}\n\n")),
        (ANTHROPIC, format!("{start}event: error\ndata: {overloaded}\n\n")),
        (RESPONSES, format!("data: {delta}\n\ndata: {failed}\n\n")),
        (GEMINI, format!("data: {gemini}\n\ndata: {gemini_error}\n\n")),
    ] {
        let script = Script::start(vec![Reply::events(&text); 2]).unwrap();
        let (said, trouble) = events(model(&script, case).as_ref(), Limits::default()).await;
        assert_eq!(said, [Event::Text("So".to_owned())], "{text}");
        assert_eq!(trouble.map(|trouble| trouble.code()), Some("unavailable"), "{text}");
        assert_eq!(script.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_off_is_never_taken_for_a_whole_answer() {
    for (case, text) in [
        (CHAT, include_str!("fixtures/chat.sse")),
        (RESPONSES, include_str!("fixtures/responses.sse")),
        (ANTHROPIC, include_str!("fixtures/anthropic.sse")),
        (GEMINI, include_str!("fixtures/gemini.sse")),
    ] {
        let frames: Vec<&str> = text.split_inclusive("\n\n").collect();
        let most = if case == CHAT { frames.len() - 3 } else { frames.len() - 1 };
        for kept in 1..=most {
            let part = frames[..kept].concat();
            // Closed as if all were said, and torn off.
            for reply in [Reply::events(&part), Reply::events(&part).cut_off()] {
                // What has said nothing yet may be tried again.
                let script = Script::start(vec![reply; 3]).unwrap();
                let (_, trouble) = events(model(&script, case).as_ref(), Limits::default()).await;
                let code = trouble.map(|trouble| trouble.code());
                assert_eq!(code, Some("broken"), "{} {kept}", case.3);
            }
        }
    }
}

#[tokio::test]
async fn a_prompt_that_gemini_holds_back_is_refused() {
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": {"promptTokenCount": 5, "totalTokenCount": 5}});
    let error = replied(GEMINI, Reply::events(&format!("data: {blocked}\n\n"))).await.unwrap_err();
    assert_eq!(error.trouble().map(Trouble::code), Some("refused"), "{error}");
}

#[tokio::test]
async fn rubbish_is_broken_and_never_a_panic() {
    for (case, text) in [
        (CHAT, "data: {\"choices\": [{\"delta\": 3}]}\n\n"),
        (CHAT, "data: {no json\n\n"),
        (RESPONSES, "data: {\"type\": 7}\n\n"),
        (ANTHROPIC, "event: content_block_delta\ndata: {}\n\n"),
        (ANTHROPIC, "event: content_block_start\ndata: [1]\n\n"),
        (GEMINI, "data: []\n\n"),
        (GEMINI, "data: \"x\"\n\n"),
        (CHAT, "<html>\n\n"),
        (CHAT, ""),
    ] {
        let error = replied(case, Reply::events(text)).await.unwrap_err();
        let code = error.trouble().map(Trouble::code);
        assert!(matches!(code, Some("broken" | "invalid" | "refused")), "{text} {error}");
    }
    let script = Script::start([Reply::events_in_pieces_of(1, "data: \u{fffd}\n\n")]).unwrap();
    let (_, trouble) = events(model(&script, CHAT).as_ref(), Limits::default()).await;
    assert_eq!(trouble.map(|trouble| trouble.code()), Some("broken"));
}

#[tokio::test]
async fn passing_trouble_is_tried_again_before_anything_was_said() {
    let busy = || Reply::json(429, &said("slow down")).with_header("retry-after", "0");
    let down = || Reply::json(503, &said("down"));
    for script in [
        vec![Reply::chat("at last")],
        vec![busy(), Reply::chat("at last")],
        vec![down(), busy(), Reply::chat("at last")],
    ] {
        let attempts = script.len();
        let script = Script::start(script).unwrap();
        let answer = ask(model(&script, CHAT).as_ref(), question()).await.unwrap();
        assert_eq!((answer.text.as_str(), script.requests().len()), ("at last", attempts));
        let bodies: Vec<Value> = script.requests().into_iter().map(|sent| sent.body).collect();
        assert!(bodies.iter().all(|body| *body == bodies[0]));
    }
}

#[tokio::test]
async fn every_vendor_is_asked_again_when_it_says_so_and_no_sooner() {
    for (name, case, text) in STREAMS {
        let whole = replied(case, Reply::events(text)).await.unwrap();
        let busy = Reply::json(429, &said("slow down")).with_header("retry-after", "1");
        let script = Script::start([busy, Reply::events(text)]).unwrap();
        let began = Instant::now();
        let answer = ask(model(&script, case).as_ref(), thoughtful()).await.unwrap();
        assert!(began.elapsed() >= Duration::from_secs(1), "{name}: {:?}", began.elapsed());
        assert_eq!(answer, whole, "{name}");
        let sent = script.requests();
        assert_eq!((sent.len(), &sent[0].body), (2, &sent[1].body), "{name}");
        let late = Reply::json(429, &said("slow down")).with_header("retry-after", "3600");
        let script = Script::start([late]).unwrap();
        let error = ask(model(&script, case).as_ref(), thoughtful()).await.unwrap_err();
        let told = error.trouble().unwrap();
        let Trouble::RateLimited { retry_after: Some(wait), .. } = told else {
            panic!("{name}: {error}");
        };
        assert_eq!((*wait, script.requests().len()), (Duration::from_secs(3_600), 1), "{name}");
    }
}

#[tokio::test]
async fn a_server_that_is_overloaded_is_asked_again_when_it_says_so() {
    for (case, status) in [(CHAT, 503), (ANTHROPIC, 529)] {
        let (_, _, text) = STREAMS.into_iter().find(|(_, own, _)| *own == case).unwrap();
        let busy = Reply::json(status, &said("overloaded")).with_header("retry-after", "1");
        let script = Script::start([busy, Reply::events(text)]).unwrap();
        let began = Instant::now();
        ask(model(&script, case).as_ref(), thoughtful()).await.unwrap();
        assert!(began.elapsed() >= Duration::from_secs(1), "{status}: {:?}", began.elapsed());
        assert_eq!(script.requests().len(), 2, "{status}");
        let late = Reply::json(status, &said("overloaded")).with_header("retry-after", "3600");
        let script = Script::start([late]).unwrap();
        let error = ask(model(&script, case).as_ref(), thoughtful()).await.unwrap_err();
        let expected = format!(
            "{}/{} cannot be reached for the next 3600 s: overloaded; try again later, or check \
             the address of its provider",
            case.0, case.3
        );
        assert_eq!((error.to_string(), script.requests().len()), (expected, 1));
    }
}

#[tokio::test]
async fn a_wait_that_would_pass_the_deadline_is_not_waited_for() {
    let whole = Duration::from_secs(20);
    for status in [429, 503, 529] {
        let busy = Reply::json(status, &said("slow down")).with_header("retry-after", "30");
        let script = Script::start([busy]).unwrap();
        let provider =
            Provider::new("home", Protocol::Chat, &script.url("/v1"), Secret::new(KEY)).unwrap();
        // So long it would wait, were there time for it.
        let patience = Patience { longest: Duration::from_secs(60), ..Patience::default() };
        let models = Models::new(builtin_catalogue().clone(), [provider]).unwrap();
        let model = models.with_patience(patience).get("home/some").unwrap();
        let began = Instant::now();
        let (said, trouble) = events(model.as_ref(), Limits { whole, ..Limits::default() }).await;
        assert!(began.elapsed() < whole, "{status}: {:?}", began.elapsed());
        let told = trouble.unwrap();
        assert_eq!((said.len(), told.retry_after()), (0, Some(Duration::from_secs(30))), "{told}");
        assert_eq!(script.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn lasting_trouble_ends_the_attempts() {
    let script = Script::start(vec![Reply::json(503, &said("down")); 9]).unwrap();
    let error = ask(model(&script, CHAT).as_ref(), question()).await.unwrap_err();
    assert_eq!(error.trouble().map(Trouble::code), Some("unavailable"));
    assert_eq!(script.requests().len(), 3);
    let script = Script::start(vec![Reply::json(400, &said("bad")); 9]).unwrap();
    ask(model(&script, CHAT).as_ref(), question()).await.unwrap_err();
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_told_instead_of_waited_for() {
    let date = "Fri, 31 Dec 2100 23:59:59 GMT";
    for (after, least) in [("3600", 3_600), (date, 86_400)] {
        let busy = Reply::json(429, &said("slow down")).with_header("retry-after", after);
        let script = Script::start([busy]).unwrap();
        let error = ask(model(&script, CHAT).as_ref(), question()).await.unwrap_err();
        let Some(Trouble::RateLimited { retry_after: Some(wait), .. }) = error.trouble() else {
            panic!("{error}");
        };
        assert!(*wait >= Duration::from_secs(least), "{wait:?}");
        assert_eq!(script.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_missing_key_and_a_picture_for_the_blind_are_told_before_anything_is_sent() {
    let script = Script::start([]).unwrap();
    let provider = Provider::new("openai", Protocol::Chat, &script.url("/v1"), None).unwrap();
    let models = Models::new(builtin_catalogue().clone(), [provider]).unwrap();
    let error = ask(models.get("gpt-4o").unwrap().as_ref(), question()).await.unwrap_err();
    let variable = "OPENAI_API_KEY".to_owned();
    assert_eq!(error.trouble(), Some(&Trouble::KeyMissing { variable }));
    let blind = model(&script, ("openai", Protocol::Chat, "/v1", "o3-mini"));
    let error = ask(blind.as_ref(), everything()).await.unwrap_err();
    assert!(error.to_string().contains("cannot see images"), "{error}");
    assert_eq!(script.requests(), []);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let nowhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", nowhere.local_addr().unwrap());
    drop(nowhere);
    let provider = Provider::new("home", Protocol::Chat, &url, None).unwrap();
    let patience = Patience { attempts: 1, ..Patience::default() };
    let models = Models::new(builtin_catalogue().clone(), [provider]).unwrap();
    let model = models.with_patience(patience).get("home/some").unwrap();
    let error = ask(model.as_ref(), question()).await.unwrap_err();
    let expected = |error: &ModelsError| error.trouble().map(Trouble::code) == Some("unavailable");
    assert!(expected(&error), "{error}");
}
