//! Limits and giving up. The limits are long enough for a busy machine to send a request, and the
//! scripts so silent that they are always reached.

use crate::desk::{ANTHROPIC, CHAT, GEMINI, RESPONSES, events, model, question};
use dossier_core::catalogue::Protocol;
use dossier_core::chat::Event;
use dossier_models::{Limits, Models, Provider, Secret, Trouble, Wire, builtin_catalogue};
use dossier_testkit::{Provider as Script, Reply};
use futures::StreamExt as _;
use std::time::Duration;

const SHORT: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(600);

async fn waited(reply: Reply, limits: Limits) -> (usize, String) {
    let script = Script::start([reply]).unwrap();
    let (events, trouble) = events(model(&script, CHAT).as_ref(), limits).await;
    let Some(Trouble::TimedOut { waited }) = trouble else { panic!("{trouble:?}") };
    assert!(script.was_hung_up_on());
    (events.len(), waited)
}

fn beginning() -> Reply {
    Reply::events("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"So\"}}]}\n\n")
        .then_silence()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_limit_ends_an_answer_that_does_not_come() {
    let usual = Limits { whole: LONG, begin: LONG, idle: LONG };
    let (said, waited_for) = waited(Reply::silence(), Limits { begin: SHORT, ..usual }).await;
    assert_eq!((said, waited_for.contains("headers")), (0, true), "{waited_for}");
    let (said, waited_for) = waited(beginning(), Limits { idle: SHORT, ..usual }).await;
    assert_eq!((said, waited_for.contains("read")), (1, true), "{waited_for}");
    let (said, waited_for) = waited(Reply::silence(), Limits { whole: SHORT, ..usual }).await;
    assert_eq!((said, waited_for.contains("whole")), (0, true), "{waited_for}");
    let longer = Duration::from_secs(3);
    let (said, waited_for) = waited(beginning(), Limits { whole: longer, ..usual }).await;
    assert_eq!((said, waited_for.contains("whole")), (1, true), "{waited_for}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_limit_ends_an_answer_that_is_passed_on() {
    let usual = Limits { whole: LONG, begin: LONG, idle: LONG };
    for (limits, expected) in [
        (Limits { idle: SHORT, ..usual }, "it said nothing for 1 s"),
        (Limits { whole: SHORT, ..usual }, "the whole answer may take 1 s"),
    ] {
        let script = Script::start([beginning()]).unwrap();
        let provider =
            Provider::new("here", Protocol::Chat, &script.url("/v1"), Secret::new("k")).unwrap();
        let models = Models::new(builtin_catalogue().clone(), [provider]).unwrap();
        let forward = models.forward("here/m", Wire::Chat).unwrap().unwrap();
        let mut passed = forward.send("{}".into(), limits).await.unwrap();
        assert!(passed.body.next().await.unwrap().is_ok());
        let error = passed.body.next().await.unwrap().unwrap_err();
        let Some(Trouble::TimedOut { waited }) = error.trouble() else { panic!("{error}") };
        assert_eq!(waited, expected);
        assert!(passed.body.next().await.is_none(), "nothing comes after an error");
        assert!(script.was_hung_up_on());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_is_dropped_closes_its_connection() {
    for (case, text, frames) in [
        (CHAT, include_str!("fixtures/chat.sse"), 5),
        (RESPONSES, include_str!("fixtures/responses.sse"), 6),
        (ANTHROPIC, include_str!("fixtures/anthropic.sse"), 5),
        (GEMINI, include_str!("fixtures/gemini.sse"), 2),
    ] {
        let beginning: String = text.split_inclusive("\n\n").take(frames).collect();
        let script = Script::start([Reply::events(&beginning).then_silence()]).unwrap();
        let mut stream = model(&script, case).ask(question(), Limits::default());
        let first = stream.next().await.unwrap().unwrap();
        assert!(matches!(first, Event::Reasoning(_) | Event::Text(_)), "{first:?}");
        drop(stream);
        assert!(script.was_hung_up_on(), "{}", case.3);
    }
}
