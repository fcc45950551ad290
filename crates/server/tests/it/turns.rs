//! Turns over HTTP: as one answer, as a stream, and taken up again where a stream was cut.

use crate::database::Database;
use crate::desk::{Desk, options};
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_engine::{Embedder, Engine, Models, Provider, Secret, builtin_catalogue};
use dossier_testkit::{Provider as Script, Reply};
use http_body_util::BodyExt as _;
use hyper::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

stories! {
    a_turn_is_answered_by_every_model_and_the_receipt_is_kept,
    a_stream_tells_what_happens_and_is_taken_up_where_it_was_cut,
    what_a_model_thought_and_a_kept_answer_are_told_later_too,
    a_turn_that_is_asked_wrongly_changes_nothing,
    a_receipt_tells_how_what_was_chosen_has_served,
    what_it_took_is_added_up,
    a_server_that_starts_ends_what_a_killed_one_has_left,
    a_key_in_a_reply_is_shown_to_nobody,
    an_assembled_prompt_is_the_one_that_a_turn_sends,
    a_reply_tells_what_its_listeners_were_warned_of,
    a_conversation_is_asked_in_its_own_project_alone,
    an_attachment_that_is_no_image_is_refused_before_anything_is_stored,
    a_turn_whose_listener_has_left_is_given_up,
    both_addresses_ask_the_providers_for_their_models,
}

async fn desk(database: &Database, script: &Script) -> Result<Desk> {
    Ok(Desk::start(engine(database, script).await?, options()).await?)
}

pub async fn engine(database: &Database, script: &Script) -> Result<Engine> {
    let provider = Provider::new("openai", Protocol::Chat, &script.url("/v1"), Secret::new("k"))?;
    let models = Models::new(builtin_catalogue().clone(), [provider])?;
    Ok(Engine::open(&database.url, Embedder::none()).await?.with_models(models))
}

fn ask(message: &str) -> Value {
    json!({"message": message, "models": ["openai/gpt-4o"], "client_message_id": "m-1"})
}

/// The events of a stream: their ids, names and data.
pub fn events(body: &[u8]) -> Vec<(String, String, Value)> {
    let text = String::from_utf8(body.to_vec()).unwrap();
    let field = |event: &str, name: &str| -> String {
        let line = event.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
    };
    text.split("\n\n")
        .filter(|event| event.contains("data:"))
        .map(|event| {
            let data = serde_json::from_str(&field(event, "data:")).unwrap();
            (field(event, "id:"), field(event, "event:"), data)
        })
        .collect()
}

async fn streamed(
    desk: &Desk,
    body: &Value,
    last: Option<&str>,
) -> Result<Vec<(String, String, Value)>> {
    let mut headers = vec![("content-type", "application/json"), ("accept", "text/event-stream")];
    headers.extend(last.map(|last| ("last-event-id", last)));
    let reply = desk.send(Method::POST, "/api/turn", &headers, body.to_string()).await?;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    Ok(events(&reply.body))
}

async fn a_turn_is_answered_by_every_model_and_the_receipt_is_kept(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let project = desk.project("ferry").await?;
    let request = json!({
        "project_id": project, "message": "Where is the ferry?",
        "models": ["openai/gpt-4o", "builtin/extractive"],
    });
    let answer = desk.post("/api/turn", request).await?;
    assert_eq!(answer.status, 200);
    let answer = answer.json();
    let replies = answer["replies"].as_array().unwrap();
    assert_eq!(replies[0]["text"], "At the quay.");
    assert_eq!(replies[0]["usage"]["input"], 10);
    assert_eq!(replies[1]["model"], "builtin/extractive");
    let message = replies[0]["message_id"].as_str().unwrap();
    let receipt = desk.get(&format!("/api/messages/{message}/context")).await?.json();
    assert_eq!(receipt["id"], replies[0]["receipt_id"]);
    let sent = desk.get(&format!("/api/messages/{message}/context/rendered")).await?.json();
    let expected = script.requests()[0].body["messages"].clone();
    assert_eq!(sent["messages"], expected);
    let place = format!("/api/conversations/{}", answer["conversation_id"].as_str().unwrap());
    let said = desk.get(&place).await?.json();
    assert_eq!(said["messages"].as_array().map(Vec::len), Some(3));
    // Whoever reads the conversation later learns the same, but for what only the stream tells.
    let told = said["messages"][0]["turns"][0].clone();
    assert_eq!(told["turn_id"], answer["turn_id"]);
    for (told, replied) in told["replies"].as_array().unwrap().iter().zip(replies) {
        let mut replied = replied.clone();
        (replied["text"], replied["finish"]) = (Value::Null, Value::Null);
        assert_eq!(*told, replied);
    }
    let found = desk.get(&format!("/api/messages/{message}")).await?.json();
    assert_eq!(found["conversation_id"], answer["conversation_id"]);
    assert_eq!(found["content"], "At the quay.");
    let branch = desk.post(&format!("{place}/branch"), json!({"message_id": message})).await?;
    assert_eq!((branch.status, &branch.json()["rounds"]), (201, &json!(1)));
    let from = json!({"conversation_id": answer["conversation_id"], "message_id": message});
    assert_eq!(branch.json()["branched_from"], from);
    assert_eq!(said.get("branched_from"), None);
    desk.stopped().await
}

async fn what_a_model_thought_and_a_kept_answer_are_told_later_too(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::chat_after(
        &["Ferries moor. My key: ", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"],
        "At the quay.",
    )])?;
    let desk = desk(&database, &script).await?;
    let keeps = json!({ "name": "ferry", "settings": { "enable_semantic_cache": true } });
    let project = desk.post("/api/projects", keeps).await?.json()["id"].clone();
    let request = json!({
        "project_id": project, "message": "Where is the ferry?", "models": ["openai/gpt-4o"],
    });
    let mut told = Vec::new();
    for _ in 0..2 {
        let answer = desk.post("/api/turn", request.clone()).await?.json();
        let place = format!("/api/conversations/{}", answer["conversation_id"].as_str().unwrap());
        let messages = desk.get(&place).await?.json()["messages"].clone();
        let cached = messages[0]["turns"][0]["replies"][0]["cached"].clone();
        assert_eq!(cached, answer["replies"][0]["cached"]);
        told.push((messages[1]["thoughts"].clone(), cached));
    }
    let [(thoughts, made), (none, kept)] = told.try_into().unwrap();
    let thoughts = thoughts.as_str().unwrap();
    assert!(thoughts.starts_with("Ferries moor. My key: ") && !thoughts.contains("abcdef"));
    assert_eq!((made, none), (Value::Null, Value::Null));
    assert_eq!((&kept["how"], kept["kept_at"].is_string()), (&json!("exact"), true));
    desk.stopped().await
}

async fn a_stream_tells_what_happens_and_is_taken_up_where_it_was_cut(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let told = streamed(&desk, &ask("Where?"), None).await?;
    let names: Vec<&str> = told.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["dossier", "delta", "reply", "done"]);
    assert!(told[..3].iter().all(|(_, _, data)| data["model"] == "openai/gpt-4o"));
    assert_eq!(told[2].2["text"], "At the quay.");
    told.iter().for_each(|(_, name, data)| assert_documented(name, data));
    assert_eq!(streamed(&desk, &ask("Where?"), Some(&told[1].0)).await?, told[2..]);
    assert_eq!(streamed(&desk, &ask("Where?"), None).await?, told);
    let turn = told[3].2["turn"].as_str().unwrap();
    let answer = desk.get(&format!("/api/turn/{turn}")).await?.json();
    assert_eq!(answer["replies"][0]["state"], "replied");
    // A smaller model may have been asked for a title meanwhile.
    let asked =
        script.requests().iter().filter(|request| request.body["model"] == "gpt-4o").count();
    assert_eq!(asked, 1);
    desk.stopped().await
}

/// The document knows an event by its name, all that it says, and that it always says the rest.
#[track_caller]
fn assert_documented(name: &str, data: &Value) {
    let document: Value = serde_json::from_str(&dossier_server::document()).unwrap();
    let events = document["components"]["schemas"]["TurnEvent"]["oneOf"].as_array().unwrap();
    let event = events.iter().find(|event| event["properties"]["type"]["enum"] == json!([name]));
    let event = event.unwrap_or_else(|| panic!("{name} is not in the document"));
    let said = data.as_object().unwrap();
    for key in said.keys() {
        assert!(event["properties"][key].is_object(), "{name} says {key}: {event}");
    }
    for key in event["required"].as_array().unwrap() {
        assert!(said.contains_key(key.as_str().unwrap()), "{name} lacks {key}: {data}");
    }
}

async fn a_turn_that_is_asked_wrongly_changes_nothing(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk(&database, &script).await?;
    for (field, value, status) in [
        ("message", json!(" "), 422),
        ("models", json!([]), 422),
        ("models", json!(["gtp-4o"]), 422),
        ("models", json!("openai/gpt-4o"), 422),
        ("conversation_id", json!("thr_none"), 404),
        ("project_id", json!("prj_none"), 404),
        ("profile", json!("huge"), 422),
        ("token_budget", json!(0), 422),
        ("attachments", json!([{"name": "a"}]), 422),
        ("colour", json!("red"), 422),
    ] {
        let mut request = ask("Where?");
        request[field] = value;
        for path in ["/api/turn", "/api/turn/forecast"] {
            let reply = desk.post(path, request.clone()).await?;
            assert_eq!(reply.status, status, "{field}: {:?}", reply.body);
        }
    }
    let small = json!({"message": "Where?", "models": ["openai/gpt-4o"], "token_budget": 10});
    let forecast = desk.post("/api/turn/forecast", small).await?.json();
    assert!(forecast["models"][0]["problem"].as_str().unwrap().contains("the budget is 10"));
    for (method, path) in
        [(Method::GET, "/api/turn/trn_none"), (Method::POST, "/api/turn/trn_none/cancel")]
    {
        assert_eq!(desk.send(method, path, &[], "").await?.status, 404);
    }
    assert_eq!(desk.post("/api/turn/trn_none/retry", json!({})).await?.status, 404);
    let headers = [("content-type", "application/json"), ("last-event-id", "7")];
    let reply = desk.send(Method::POST, "/api/turn", &headers, ask("Where?").to_string()).await?;
    assert_eq!(reply.status, 400);
    assert_eq!(script.requests().len(), 0);
    desk.stopped().await
}

async fn a_receipt_tells_how_what_was_chosen_has_served(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("At nine, beside the chandlery.")])?;
    let desk = desk(&database, &script).await?;
    let project = desk.project("ferry").await?;
    let text = "The ferry casts off at nine beside the chandlery.\n";
    desk.file(&project, "ferry.md", text).await?;
    let mut question = ask("When is the ferry?");
    question["project_id"] = json!(project);
    let answer = desk.post("/api/turn", question).await?.json();
    let reply = answer["replies"][0]["message_id"].as_str().unwrap();
    let receipt = desk.get(&format!("/api/messages/{reply}/context")).await?.json();
    let served = json!({
        "shown": 1, "used": 1, "left_out": 0, "could_fetch": true,
        "fetched_left_out": 0, "fetched_in_short": 0,
    });
    assert_eq!(receipt["selection"], served);
    let same = format!("/api/receipts/{}", receipt["id"].as_str().unwrap());
    assert_eq!(desk.get(&same).await?.json()["selection"], served);
    let selections = |usage: Value| usage["figures"]["selections"].clone();
    let sums = selections(desk.get(&format!("/api/usage?project_id={project}")).await?.json());
    let profile = json!({
        "key": "lean", "replies": 1, "shown": 1, "used": 1, "left_out": 0, "could_fetch": 1,
        "lacking": 0, "fetched_left_out": 0, "fetched_in_short": 0,
    });
    assert_eq!(sums["by_profile"], json!([profile]));
    assert_eq!(sums["by_day"].as_array().map(Vec::len), Some(1));
    let later = selections(desk.get("/api/usage?from=2999-01-01").await?.json());
    assert_eq!(later, json!({"by_profile": [], "by_day": []}));
    desk.stopped().await
}

async fn what_it_took_is_added_up(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    desk.post("/api/turn", ask("Where?")).await?;
    let mut sums = desk.get("/api/usage?by=model").await?.json();
    // One question is its whole conversation: nothing is spared, and the header costs something.
    let net = sums["sums"][0]["net_saved_tokens"].take();
    assert!(net.as_i64() < Some(0), "{net}");
    let figures = sums.as_object_mut().unwrap().remove("figures").unwrap();
    let contexts = &figures["contexts"];
    assert_eq!((&contexts["count"], &contexts["fit"]), (&json!(1), &json!({"whole": 1})));
    let took = &contexts["assemble_ms"];
    assert!(took["p50"].as_f64() > Some(0.0) && took["p50"] == took["p90"], "{took}");
    let tokens = contexts["tokens"].as_object().unwrap();
    assert!(tokens["header"].as_u64() > Some(0) && tokens["question"].as_u64() > Some(0));
    let later = desk.get("/api/usage?from=2999-01-01").await?.json();
    assert_eq!(later["figures"]["contexts"]["count"], 0);
    assert_eq!(
        sums,
        json!({"sums": [{
            "key": "openai/gpt-4o", "calls": 1, "cache_hits": 0, "input_tokens": 10, "output_tokens": 5,
            "cached_input_tokens": 0, "reasoning_tokens": 0, "cost": 7.5e-5,
            "unpriced_calls": 0, "saved_tokens": 0, "net_saved_tokens": null, "warning": null,
        }]})
    );
    let waits = desk.get("/api/usage/waits?by=model").await?.json();
    let [waited] = waits["waits"].as_array().unwrap().as_slice() else { panic!("{waits}") };
    assert_eq!((&waited["key"], &waited["replies"]), (&json!("openai/gpt-4o"), &json!(1)));
    assert!(waited["median_ms"].as_i64() == waited["p95_ms"].as_i64(), "{waited}");
    let models = desk.get("/api/models/metadata").await?.json();
    let ready = |id: &str| -> Value {
        let models = models["models"].as_array().unwrap();
        models.iter().find(|model| model["id"] == id).unwrap()["ready"].clone()
    };
    assert_eq!(ready("openai/gpt-4o"), true);
    assert_eq!(ready("builtin/extractive"), true);
    assert_eq!(ready("anthropic/claude-sonnet-4-5"), false);
    for path in ["/api/usage?by=moon", "/api/usage/waits?by=moon"] {
        assert_eq!(desk.get(path).await?.status, 400);
    }
    for day in ["moon", "2026-02-30", "2026-11", "2026-11-15T10:00:00Z", "15.11.2026", ""] {
        for path in ["/api/usage?from=", "/api/usage?to=", "/api/usage/waits?from="] {
            let reply = desk.get(&format!("{path}{day}")).await?;
            assert_eq!(reply.problem(), (422, "invalid".to_owned()), "{path}{day}");
            let detail = reply.json()["detail"].to_string();
            assert!(detail.contains("written as in 2026-11-15"), "{detail}");
        }
    }
    desk.stopped().await
}

async fn a_server_that_starts_ends_what_a_killed_one_has_left(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let first = desk(&database, &script).await?;
    assert_eq!(first.post("/api/turn", ask("Where?")).await?.status, 200);
    first.stopped().await?;
    database.execute("UPDATE turn_replies SET state = 'called', message_id = NULL").await?;
    database.execute("UPDATE turns SET learned_at = NULL, lease_until = 0").await?;
    let second = desk(&database, &script).await?;
    let ended = "SELECT COUNT(*) FROM turn_replies WHERE state = 'interrupted'";
    let deadline = Instant::now() + Duration::from_secs(60);
    // Nobody asks for it.
    while database.number(ended).await? == 0 {
        assert!(Instant::now() < deadline, "the turn is still open");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    second.stopped().await
}

async fn a_key_in_a_reply_is_shown_to_nobody(database: Database) -> Result<()> {
    const KEY: &str = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
    let script = Script::start([Reply::chat(&format!("Take {KEY} for it."))])?;
    let desk = desk(&database, &script).await?;
    let answer = desk.post("/api/turn", ask("Which key?")).await?.json();
    assert_eq!(answer["replies"][0]["text"], "Take [masked-key] for it.");
    let again = desk.get(&format!("/api/turn/{}", answer["turn_id"].as_str().unwrap())).await?;
    assert_eq!(again.json()["replies"], answer["replies"]);
    desk.stopped().await?;
    // Told from the store.
    let script = Script::start([])?;
    let desk = self::desk(&database, &script).await?;
    let told = desk.post("/api/turn", ask("Which key?")).await?.json();
    assert_eq!(told["replies"][0]["text"], "Take [masked-key] for it.");
    desk.stopped().await
}

async fn an_assembled_prompt_is_the_one_that_a_turn_sends(database: Database) -> Result<()> {
    // The conversation may be named meanwhile.
    let script = Script::answering(|_| Reply::chat("One."))?;
    let desk = desk(&database, &script).await?;
    let first = desk.post("/api/turn", ask("Is the ferry late?")).await?.json();
    let conversation = first["conversation_id"].clone();
    let attachments = json!([
        {"name": "plan.md", "content": "The ferry leaves at nine."},
        {"name": "quay.png", "mime_type": "image/png", "base64": "AAAA"},
    ]);
    let preview = json!({
        "conversation_id": conversation, "user_turn": "And now?", "model": "openai/gpt-4o",
        "attachments": attachments,
    });
    let preview = desk.post("/api/context/assemble", preview).await?;
    assert_eq!(preview.status, 200, "{preview:?}");
    let preview = preview.json();
    let turn = json!({
        "conversation_id": conversation, "message": "And now?", "models": ["openai/gpt-4o"],
        "attachments": attachments,
    });
    let turn = desk.post("/api/turn", turn).await?.json();
    let message = turn["replies"][0]["message_id"].as_str().unwrap();
    let sent = desk.get(&format!("/api/messages/{message}/context/rendered")).await?.json();
    let shown: Vec<&Value> = [&preview["header"], &preview["working_set"]]
        .into_iter()
        .flat_map(|part| part.as_array().unwrap())
        .collect();
    assert_eq!(sent["messages"], json!(shown));
    assert!(sent["messages"].to_string().contains("leaves at nine"), "{sent}");
    // What was only looked at was sent to nobody.
    let receipt = desk.get(&format!("/api/messages/{message}/context")).await?.json();
    assert_eq!(receipt["prefix"]["previous"], first["replies"][0]["receipt_id"], "{receipt}");
    let sums = desk.get("/api/usage?by=thread").await?.json();
    assert_eq!(sums["sums"][0]["key"], conversation);
    desk.stopped().await
}

async fn a_reply_tells_what_its_listeners_were_warned_of(database: Database) -> Result<()> {
    // The conversation may be named meanwhile.
    let script = Script::answering(|_| Reply::chat("At the quay."))?;
    let desk = desk(&database, &script).await?;
    // One answer takes 0.000075 dollars.
    let project = json!({ "name": "ferry", "settings": { "budget_usd_per_month": 0.00009 } });
    let project = desk.post("/api/projects", project).await?.json()["id"].clone();
    let request =
        json!({ "project_id": project, "message": "Where?", "models": ["openai/gpt-4o"] });
    let first = desk.post("/api/turn", request).await?.json();
    assert_eq!(first["replies"][0]["warnings"], json!([]));
    let request = json!({
        "conversation_id": first["conversation_id"], "message": "And now?",
        "models": ["openai/gpt-4o", "openai/unheard-of"],
    });
    let answer = desk.post("/api/turn", request).await?.json();
    let spent = |warning: &Value| {
        warning.as_str().unwrap().contains(" % of the project's budget of the month")
    };
    let estimated = json!("tokens are estimated for this model; a twentieth is kept back");
    let [known, other] = [0, 1].map(|place| &answer["replies"][place]["warnings"]);
    assert!(spent(&known[0]) && known[1].is_null(), "{known}");
    assert!(spent(&other[0]) && other[1] == estimated && other[2].is_null(), "{other}");
    let place = format!("/api/turn/{}", answer["turn_id"].as_str().unwrap());
    assert_eq!(desk.get(&place).await?.json(), answer);
    desk.stopped().await?;
    // Told from the store: how much was spent then, no receipt says.
    let desk = self::desk(&database, &Script::start([])?).await?;
    let told = desk.get(&place).await?.json();
    let warnings = [0, 1].map(|place| &told["replies"][place]["warnings"]);
    assert_eq!(warnings, [&json!([]), &json!([estimated])]);
    desk.stopped().await
}

async fn a_conversation_is_asked_in_its_own_project_alone(database: Database) -> Result<()> {
    let script = Script::answering(|_| Reply::chat("At the quay."))?;
    let desk = desk(&database, &script).await?;
    let (own, other) = (desk.project("ferry").await?, desk.project("other").await?);
    let mut request = json!({
        "project_id": own, "message": "Where is the ferry?", "models": ["openai/gpt-4o"],
    });
    let first = desk.post("/api/turn", request.clone()).await?.json();
    request["conversation_id"] = first["conversation_id"].clone();
    for path in ["/api/turn", "/api/turn/forecast"] {
        for (project, status) in [(&*other, 422), ("none", 404), (&own, 200)] {
            request["project_id"] = json!(project);
            let reply = desk.post(path, request.clone()).await?;
            assert_eq!(reply.status, status, "{path} {project}: {:?}", reply.body);
            if status == 422 {
                let detail = reply.json()["detail"].as_str().unwrap().to_owned();
                assert!(detail.contains("leave project_id out") && detail.contains(&own));
            }
        }
    }
    desk.stopped().await
}

async fn an_attachment_that_is_no_image_is_refused_before_anything_is_stored(
    database: Database,
) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk(&database, &script).await?;
    for (mime, base64) in [
        ("image/png", "no base64!"),
        ("image/png", "AAA"),
        ("image/png", "AA\nAA"),
        ("image/png", ""),
        ("text/html", "AAAA"),
        ("image/", "AAAA"),
        ("image/png; charset=x", "AAAA"),
        ("image/png;base64,AAAA", "AAAA"),
        ("image/svg/xml", "AAAA"),
    ] {
        let attachments = json!([{ "name": "quay.png", "mime_type": mime, "base64": base64 }]);
        let mut request = ask("Where?");
        request["attachments"] = attachments.clone();
        let assemble = json!({ "user_turn": "Where?", "attachments": attachments });
        for (path, body) in [
            ("/api/turn", request.clone()),
            ("/api/turn/forecast", request),
            ("/api/context/assemble", assemble),
        ] {
            let reply = desk.post(path, body).await?;
            assert_eq!(reply.problem(), (422, "invalid".to_owned()), "{path} {mime} {base64}");
        }
    }
    assert_eq!(desk.get("/api/projects").await?.json()["projects"], json!([]));
    assert_eq!(script.requests().len(), 0);
    desk.stopped().await
}

async fn a_turn_whose_listener_has_left_is_given_up(database: Database) -> Result<()> {
    let begun = json!({"id": "1", "choices": [{"index": 0, "delta": {"content": "At the"}}]});
    let reply = Reply::events(&format!("data: {begun}\n\n")).then_silence();
    let script = Script::start([reply])?;
    let engine = engine(&database, &script).await?.patient_for(Duration::from_millis(50));
    let desk = Desk::start(engine, options()).await?;
    let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
    let body = ask("Where?").to_string();
    let mut heard = desk.response(Method::POST, "/api/turn", &headers, body).await?;
    let mut text = String::new();
    while !text.contains("At the") {
        let piece = heard.body_mut().frame().await.unwrap()?.into_data().unwrap();
        text.push_str(std::str::from_utf8(&piece)?);
    }
    drop(heard);
    let ended = "SELECT COUNT(*) FROM turn_replies WHERE state = 'cancelled'";
    let deadline = Instant::now() + Duration::from_secs(60);
    while database.number(ended).await? == 0 {
        assert!(Instant::now() < deadline, "the turn is still open");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(script.was_hung_up_on());
    desk.stopped().await
}

async fn both_addresses_ask_the_providers_for_their_models(database: Database) -> Result<()> {
    let script = Script::answering(|_| {
        Reply::json(200, &json!({"object": "list", "data": [{"id": "gpt-4o"}, {"id": "new"}]}))
    })?;
    let desk = desk(&database, &script).await?;
    let mut told = Vec::new();
    for path in ["/api/models/metadata/refresh", "/api/models/refresh"] {
        told.push(desk.post(path, Value::Null).await?.told());
        assert_eq!(script.requests().len(), told.len(), "{path}");
    }
    assert_eq!(told[0], told[1]);
    let provider = json!({"provider": "openai", "models": 2, "problem": null});
    assert_eq!(told[0], (200, json!({ "providers": [provider] })));
    desk.stopped().await
}
