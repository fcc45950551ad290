//! The server, killed while models are being asked: what had been said is there, what had not is
//! marked and can be asked for again, and there is no half of anything.

use crate::desk::{Desk, run};
use crate::served::{Served, receive, send};
use dossier_testkit::{Provider, Reply, Request};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

const QUESTION: &str = "Where is the boat?";

fn turn(name: &str, models: &[&str]) -> String {
    json!({ "message": QUESTION, "models": models, "client_message_id": name }).to_string()
}

/// The beginning of a reply that never ends.
fn unfinished() -> Reply {
    let frame = json!({ "choices": [{ "index": 0, "delta": { "content": "At the" } }] });
    Reply::events(&format!("data: {frame}\n\n")).then_silence()
}

/// A provider that says this, and then answers whatever it is asked.
fn script(first: Reply) -> Provider {
    let others = vec![Reply::chat("At the quay."); 9];
    Provider::start(std::iter::once(first).chain(others)).unwrap()
}

/// Waits for what another process does.
pub fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    for _ in 0..12_000 {
        if happened() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("waited for {what} in vain");
}

/// Who said what in a conversation, in order.
fn said(served: &Served, conversation: &str) -> Vec<(String, String)> {
    let (status, talk) = served.ask("GET", &format!("/api/conversations/{conversation}"), "", "");
    assert_eq!(status, 200, "{talk}");
    let text = |message: &Value, key: &str| message[key].as_str().unwrap().to_owned();
    let messages = talk["messages"].as_array().unwrap();
    messages.iter().map(|message| (text(message, "role"), text(message, "content"))).collect()
}

/// How often a model was asked the question; titles are asked for as well.
fn asked(provider: &Provider) -> usize {
    let last =
        |body: &Value| body["messages"].as_array()?.last()?["content"].as_str().map(str::to_owned);
    let requests = provider.requests();
    requests.iter().filter(|request| last(&request.body).as_deref() == Some(QUESTION)).count()
}

fn states(told: &Value) -> Vec<(&str, Option<&str>)> {
    let replies = told["replies"].as_array().unwrap();
    replies.iter().map(|reply| (reply["state"].as_str().unwrap(), reply["text"].as_str())).collect()
}

fn pairs(said: &[(&str, &str)]) -> Vec<(String, String)> {
    said.iter().map(|(role, text)| ((*role).to_owned(), (*text).to_owned())).collect()
}

/// Finds what was said; repeats the question, which must tell and ask nobody; then asks again what
/// can be asked again.
fn check_after(desk: &Desk, provider: &Provider, models: &[&str], before: &[(&str, Option<&str>)]) {
    // What nobody has noted yet is no damage.
    desk.dossier(&["doctor"]).ok();
    let hits = desk.json(&["search", QUESTION])["hits"].take();
    let hits = hits.as_array().unwrap().iter();
    let found: BTreeSet<&str> = hits.map(|hit| hit["text"].as_str().unwrap()).collect();
    let replies = before.iter().filter_map(|(_, text)| *text);
    assert!(replies.chain([QUESTION]).all(|text| found.contains(text)), "{found:?}");
    let before_it = asked(provider);
    let served = Served::with_provider(desk, provider, "none");
    let (status, told) = served.ask("POST", "/api/turn", "", &turn("t1", models));
    assert_eq!((status, states(&told)), (200, before.to_vec()), "{told}");
    assert_eq!(asked(provider), before_it);
    let conversation = told["conversation_id"].as_str().unwrap();
    let mut whole = pairs(&[("user", QUESTION)]);
    let had = before.iter().filter_map(|(_, text)| *text);
    whole.extend(pairs(&had.map(|text| ("agent", text)).collect::<Vec<_>>()));
    assert_eq!(said(&served, conversation), whole);
    if before.iter().all(|(state, _)| *state == "replied") {
        return;
    }
    let retry = format!("/api/turn/{}/retry", told["turn_id"].as_str().unwrap());
    let (status, told) = served.ask("POST", &retry, "", "{}");
    assert_eq!(status, 200, "{told}");
    assert!(states(&told).iter().all(|(state, _)| *state == "replied"), "{told}");
    whole.extend(pairs(&[("agent", "At the quay.")]));
    assert_eq!(said(&served, conversation), whole);
    drop(served);
    desk.dossier(&["doctor"]).ok();
}

/// An embedder that never comes to an end with the question.
fn vectors(request: &Request) -> Reply {
    let texts = request.body["input"].as_array().unwrap();
    if is_question(request) {
        return Reply::silence();
    }
    let vector = |index| json!({ "index": index, "embedding": [0.6, 0.8] });
    Reply::json(200, &json!({ "data": (0..texts.len()).map(vector).collect::<Vec<_>>() }))
}

fn is_question(request: &Request) -> bool {
    request.body["input"].to_string().contains(QUESTION)
}

#[test]
fn killed_before_the_model_is_asked() {
    let desk = Desk::with_notes();
    let provider = script(Reply::chat("At the quay."));
    let embedder = Provider::answering(vectors).unwrap();
    let url = embedder.url("/v1#m");
    run(desk.bare(&["index", "notes"]).env("DOSSIER_EMBEDDER", &url)).ok();
    let server = Served::with_provider(&desk, &provider, &url);
    let sent = send(&server.address, "POST", "/api/turn", "", &turn("t1", &["gpt-4o"])).unwrap();
    wait_until("the question to be embedded", || embedder.requests().iter().any(is_question));
    server.kill();
    assert_eq!(receive(sent), None);
    assert_eq!(asked(&provider), 0);
    check_after(&desk, &provider, &["gpt-4o"], &[("interrupted", None)]);
}

#[test]
fn killed_while_the_model_is_silent_or_speaks() {
    for reply in [Reply::silence(), unfinished()] {
        let desk = Desk::new();
        let provider = script(reply);
        let server = Served::with_provider(&desk, &provider, "none");
        let sent = send(&server.address, "POST", "/api/turn", "", &turn("t1", &["gpt-4o"]));
        wait_until("the model to be asked", || asked(&provider) == 1);
        server.kill();
        assert_eq!(receive(sent.unwrap()), None);
        check_after(&desk, &provider, &["gpt-4o"], &[("interrupted", None)]);
    }
}

#[test]
fn killed_when_one_of_two_models_has_replied() {
    let desk = Desk::new();
    let models = ["builtin/extractive", "gpt-4o"];
    let provider = script(Reply::silence());
    let server = Served::with_provider(&desk, &provider, "none");
    let accept = "Accept: text/event-stream\r\n";
    let sent = send(&server.address, "POST", "/api/turn", accept, &turn("t1", &models)).unwrap();
    let mut heard = std::io::BufReader::new(&sent);
    let mut lines = std::iter::from_fn(|| {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut heard, &mut line).ok().filter(|read| *read > 0)?;
        Some(line)
    });
    let replied = lines.find(|line| line.starts_with("data:") && line.contains("\"finish\""));
    let replied: Value = serde_json::from_str(&replied.unwrap()["data:".len()..]).unwrap();
    let text = replied["text"].as_str().unwrap();
    wait_until("the model to be asked", || asked(&provider) == 1);
    server.kill();
    check_after(&desk, &provider, &models, &[("replied", Some(text)), ("interrupted", None)]);
}

#[test]
fn killed_when_the_reply_is_there_and_a_title_is_being_written() {
    let desk = Desk::new();
    let provider = Provider::start([Reply::chat("At the quay."), Reply::silence()]).unwrap();
    let server = Served::with_provider(&desk, &provider, "none");
    let (status, told) = server.ask("POST", "/api/turn", "", &turn("t1", &["gpt-4o"]));
    assert_eq!((status, states(&told)), (200, vec![("replied", Some("At the quay."))]));
    wait_until("the title to be asked for", || provider.requests().len() == 2);
    server.kill();
    check_after(&desk, &provider, &["gpt-4o"], &[("replied", Some("At the quay."))]);
}

/// Servers to kill at any moment, with people asking all the time.
const KILLS: u64 = 12;

#[test]
fn killed_at_any_moment() {
    let desk = Desk::new();
    let provider = Provider::start(vec![Reply::chat("At the quay."); 20_000]).unwrap();
    let acknowledged: Mutex<Vec<String>> = Mutex::default();
    for kill in 0..KILLS {
        let server = Served::with_provider(&desk, &provider, "none");
        let address = server.address.clone();
        thread::scope(|scope| {
            for person in 0..4 {
                let (address, acknowledged) = (&address, &acknowledged);
                scope.spawn(move || {
                    for count in 0.. {
                        let name = format!("{kill}-{person}-{count}");
                        let turn = turn(&name, &["gpt-4o"]);
                        let sent = send(address, "POST", "/api/turn", "", &turn);
                        let Some((200, _)) = sent.ok().and_then(receive) else { return };
                        acknowledged.lock().unwrap().push(name);
                    }
                });
            }
            let so_many = acknowledged.lock().unwrap().len() + 1 + kill as usize % 3;
            wait_until("answers", || acknowledged.lock().unwrap().len() >= so_many);
            // Killing at a chosen moment is what this is about.
            thread::sleep(Duration::from_millis(kill % 5));
            server.kill();
        });
    }
    let acknowledged = acknowledged.into_inner().unwrap();
    let server = Served::with_provider(&desk, &provider, "none");
    for name in &acknowledged {
        let (status, told) = server.ask("POST", "/api/turn", "", &turn(name, &["gpt-4o"]));
        assert_eq!((status, states(&told)), (200, vec![("replied", Some("At the quay."))]));
    }
    let (_, talks) = server.ask("GET", "/api/projects", "", "");
    let project = talks["projects"][0]["id"].as_str().unwrap().to_owned();
    let mut path = format!("/api/projects/{project}/conversations?limit=100");
    let mut counted = 0;
    loop {
        let (_, page) = server.ask("GET", &path, "", "");
        for talk in page["conversations"].as_array().unwrap() {
            let said = said(&server, talk["id"].as_str().unwrap());
            let whole = pairs(&[("user", QUESTION), ("agent", "At the quay.")]);
            assert!(said == whole || said == whole[..1], "{said:?}");
            counted += 1;
        }
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/api/projects/{project}/conversations?limit=100&cursor={cursor}");
    }
    assert!(counted >= acknowledged.len() && !acknowledged.is_empty(), "{counted}");
    drop(server);
    desk.dossier(&["doctor"]).ok();
}
