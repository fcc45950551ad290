//! Personas and presets over HTTP.

use crate::database::Database;
use crate::desk::{Desk, options};
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_core::time::Timestamp;
use dossier_engine::{Embedder, Engine, Models, Patience, Provider, Secret, builtin_catalogue};
use dossier_server::{Options, TokenPolicy};
use dossier_testkit::{Provider as Script, Reply};
use hyper::Method;
use serde_json::{Value, json};
use std::time::Duration;

stories! {
    a_persona_is_made_talked_with_and_deleted,
    what_is_wrong_is_told_field_by_field,
    presets_are_made_used_and_judged,
    messages_are_paged_and_deleted,
    whoever_answers_when_nobody_is_named_is_the_same_everywhere,
    what_has_the_wrong_type_is_told_with_its_field,
    a_stream_tells_what_the_persona_says,
    tokens_open_one_owners_personas_alone,
}

async fn engine(database: &Database, script: &Script) -> Result<Engine> {
    let provider = Provider::new("openai", Protocol::Chat, &script.url("/v1"), Secret::new("k"))?;
    let patience =
        Patience { first: Duration::from_micros(1), longest: Duration::from_secs(1), attempts: 1 };
    let models = Models::new(builtin_catalogue().clone(), [provider])?.with_patience(patience);
    Ok(Engine::open(&database.url, Embedder::none()).await?.with_models(models))
}

async fn desk(database: &Database, script: &Script) -> Result<Desk> {
    Ok(Desk::start(engine(database, script).await?, options()).await?)
}

fn ada() -> Value {
    json!({
        "name": "Ada", "system_prompt": "You are calm.", "personality": "Calm", "temperature": 0,
        "model": "openai/gpt-4o", "tags": ["work"],
    })
}

async fn made(desk: &Desk) -> Result<String> {
    let reply = desk.post("/api/personas", ada()).await?;
    assert_eq!(reply.status, 201, "{}", reply.json());
    Ok(reply.json()["id"].as_str().unwrap().to_owned())
}

async fn a_persona_is_made_talked_with_and_deleted(database: Database) -> Result<()> {
    let script = Script::answering(|_| Reply::chat("Breathe."))?;
    let desk = desk(&database, &script).await?;
    let id = made(&desk).await?;
    let persona = desk.get(&format!("/api/personas/{id}")).await?.json();
    assert_eq!(persona["temperature"], json!(0.0));
    assert_eq!((&persona["max_tokens"], &persona["is_active"]), (&json!(1_000), &json!(true)));
    let said = json!({"message": "I hate you!", "client_message_id": "m-1"});
    let chat = desk.post(&format!("/api/personas/{id}/chat"), said.clone()).await?.json();
    assert_eq!((&chat["response"], &chat["name"]), (&json!("Breathe."), &json!("Ada")));
    assert_eq!(chat["user_message"]["role"], "user");
    assert_eq!(chat["assistant_response"]["role"], "assistant");
    assert_eq!(chat["metadata"]["tokens_used"], 15);
    assert_eq!(chat["metadata"]["history_truncated"], json!(false));
    let time = |text: &Value| Timestamp::parse(text.as_str().unwrap()).unwrap();
    assert!(time(&chat["metadata"]["expires_at"]) >= time(&persona["expires_at"]));
    let again = desk.post(&format!("/api/personas/{id}/chat"), said).await?.json();
    assert_eq!(again["assistant_response"], chat["assistant_response"]);
    let request = &script.requests()[0];
    assert_eq!(request.body["temperature"], json!(0.0));
    let system = request.body["messages"][0]["content"].as_str().unwrap();
    assert!(system.starts_with("You are calm.\nYour personality: Calm\n"), "{system}");
    let receipt = chat["receipt_id"].as_str().unwrap();
    let receipt = desk.get(&format!("/api/receipts/{receipt}")).await?.json();
    assert_eq!(receipt["profile"], "persona");
    let thread = persona["conversation_id"].as_str().unwrap();
    let said = desk.get(&format!("/api/conversations/{thread}")).await?.json();
    assert_eq!((&said["persona_id"], &said["is_consultation"]), (&json!(id), &json!(false)));

    let change = json!({"name": "Ada II", "expiry_days": 30});
    let changed = desk.put(&format!("/api/personas/{id}"), change).await?.json();
    assert_eq!((&changed["name"], &changed["expiry_days"]), (&json!("Ada II"), &json!(30)));
    let extended = desk.post(&format!("/api/personas/{id}/extend"), json!({"days": 5})).await?;
    assert!(extended.json()["expires_at"].as_str() > changed["expires_at"].as_str());
    let listed = desk.get("/api/personas?search=ada%20ii&tag=work").await?.json();
    assert_eq!((&listed["total_count"], &listed["personas"][0]["id"]), (&json!(1), &json!(id)));

    let hidden = desk.delete(&format!("/api/personas/{id}")).await?;
    assert_eq!((hidden.status, &hidden.json()["name"]), (200, &json!("Ada II")));
    let gone = desk.get(&format!("/api/personas/{id}")).await?;
    assert_eq!(gone.problem(), (404, "not_found".to_owned()));
    let thread = persona["conversation_id"].as_str().unwrap();
    let back = desk.post(&format!("/api/hidden/{thread}/restore"), json!({})).await?;
    assert_eq!(back.status, 200);
    assert_eq!(desk.get(&format!("/api/personas/{id}")).await?.status, 200);
    assert_eq!(desk.delete(&format!("/api/personas/{id}?now=true")).await?.status, 204);
    assert_eq!(desk.get("/api/personas").await?.json()["total_count"], 0);
    desk.stopped().await
}

async fn what_is_wrong_is_told_field_by_field(database: Database) -> Result<()> {
    let refused = json!({"error": {"message": "no such key", "code": "invalid_api_key"}});
    let script = Script::start([Reply::json(401, &refused)])?;
    let desk = desk(&database, &script).await?;
    let wrong = json!({"temperature": 1.5, "max_tokens": -1, "expiry_days": 0});
    let reply = desk.post("/api/personas", wrong).await?;
    let document = reply.json();
    assert_eq!((reply.status, &document["code"]), (422, &json!("invalid")));
    let fields: Vec<&str> = document["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["field"].as_str().unwrap())
        .collect();
    let expected = ["name", "system_prompt", "temperature", "max_tokens", "expiry_days"];
    assert_eq!(fields, expected);
    assert_eq!(desk.get("/api/personas").await?.json()["total_count"], 0);
    let id = made(&desk).await?;
    let unknown = desk.post("/api/personas/psn_x/chat", json!({"message": "Hello?"})).await?;
    assert_eq!(unknown.problem(), (404, "not_found".to_owned()));
    let detail = unknown.json()["detail"].as_str().unwrap().to_owned();
    assert_eq!(
        detail,
        format!(
            "persona `psn_x` is not known; there are: Ada ({id}); GET /api/personas lists them all"
        )
    );
    let path = format!("/api/personas/{id}");
    for (path, body) in [
        (format!("{path}/chat"), json!({"message": " "})),
        (format!("{path}/extend"), json!({"days": 0})),
        ("/api/presets".to_owned(), json!({"name": "x"})),
        ("/api/presets/calm_counselor/feedback".to_owned(), json!({"rating": 9})),
    ] {
        let reply = desk.post(&path, body).await?;
        assert_eq!((reply.status, reply.json()["errors"].is_array()), (422, true), "{path}");
    }
    let failed = desk.post(&format!("{path}/chat"), json!({"message": "Hello?"})).await?;
    assert_eq!(failed.problem(), (401, "key_refused".to_owned()));
    assert_eq!(desk.delete(&format!("{path}/messages")).await?.problem().1, "invalid_query");
    let traversal = desk.get("/api/personas/..%2F..%2Fetc%2Fpasswd").await?;
    assert_eq!(traversal.problem(), (404, "not_found".to_owned()));
    desk.stopped().await
}

async fn presets_are_made_used_and_judged(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk(&database, &script).await?;
    let own = json!({
        "name": "Grumpy Editor", "system_prompt": "You edit, grumpily.",
        "default_settings": {"temperature": 0, "expiry_days": 3}, "metadata": {"by": "me"},
    });
    let made = desk.post("/api/presets", own).await?;
    assert_eq!((made.status, &made.json()["id"]), (201, &json!("preset-grumpy-editor")));
    let first = desk.get("/api/presets?limit=5").await?.json();
    assert_eq!(first["total_count"], 7);
    let next = first["next_cursor"].as_str().unwrap();
    let rest = desk.get(&format!("/api/presets?limit=5&cursor={next}")).await?.json();
    let ids: Vec<&str> =
        rest["presets"].as_array().unwrap().iter().map(|p| p["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["preset-search-key-advisor", "preset-grumpy-editor"]);
    let from = json!({"preset_id": "grumpy_editor", "name": "Ed", "max_tokens": 7});
    let persona = desk.post("/api/personas", from).await?.json();
    assert_eq!((&persona["temperature"], &persona["max_tokens"]), (&json!(0.0), &json!(7)));
    assert_eq!((&persona["expiry_days"], &persona["name"]), (&json!(3), &json!("Ed")));
    let path = "/api/presets/preset-grumpy-editor";
    let judged =
        desk.post(&format!("{path}/feedback"), json!({"rating": 4, "comment": "ok"})).await?;
    assert_eq!(judged.json()["mean_rating"], json!(4.0));
    let figures = desk.get(&format!("{path}/feedback")).await?.json();
    assert_eq!((&figures["personas"], &figures["ratings"]), (&json!(1), &json!(1)));
    let away = desk.delete(path).await?.json();
    assert_eq!(away["is_active"], json!(false));
    assert_eq!(desk.get("/api/presets").await?.json()["total_count"], 6);
    let back = desk.put(path, json!({"is_active": true})).await?.json();
    assert_eq!(back["is_active"], json!(true));
    assert_eq!(desk.get("/api/presets").await?.json()["total_count"], 7);
    assert_eq!(desk.delete(&format!("{path}?now=true")).await?.status, 200);
    assert_eq!(desk.get(path).await?.problem(), (404, "not_found".to_owned()));
    desk.stopped().await
}

async fn messages_are_paged_and_deleted(database: Database) -> Result<()> {
    let script = Script::answering(|_| Reply::chat("Breathe."))?;
    let desk = desk(&database, &script).await?;
    let id = made(&desk).await?;
    let path = format!("/api/personas/{id}");
    for number in 1..=3 {
        let said = json!({"message": format!("Number {number}")});
        assert_eq!(desk.post(&format!("{path}/chat"), said).await?.status, 200);
    }
    let first = desk.get(&format!("{path}/messages?limit=4")).await?.json();
    assert_eq!(
        (&first["total_count"], first["messages"].as_array().unwrap().len()),
        (&json!(6), 4)
    );
    assert_eq!(first["messages"][1]["content"], "Number 3");
    assert_eq!(first["messages"][1]["counted_by"], "o200k");
    let next = first["next_cursor"].as_str().unwrap();
    let rest = desk.get(&format!("{path}/messages?limit=4&cursor={next}")).await?.json();
    assert_eq!(rest["messages"][1]["content"], "Number 1");
    assert_eq!(rest["next_cursor"], Value::Null);
    let oldest = desk.get(&format!("{path}/messages?order=oldest_first&limit=1")).await?.json();
    let oldest = oldest["messages"][0]["id"].as_str().unwrap().to_owned();
    let deleted = desk.delete(&format!("{path}/messages?message_ids={oldest}")).await?.json();
    assert_eq!(deleted["deleted_count"], 1);
    let never = desk.delete(&format!("{path}/messages?older_than=2020-01-01")).await?.json();
    assert_eq!(never["deleted_count"], 0);
    let strange = desk.delete(&format!("{path}/messages?message_ids=msg_x")).await?;
    assert_eq!(
        (strange.status, &strange.json()["errors"][0]["field"]),
        (422, &json!("message_ids"))
    );
    let all = desk.delete(&format!("{path}/messages?all=true")).await?.json();
    assert_eq!(all["deleted_count"], 5);
    desk.stopped().await
}

async fn whoever_answers_when_nobody_is_named_is_the_same_everywhere(
    database: Database,
) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk(&database, &script).await?;
    let persona = json!({"name": "Ada", "system_prompt": "You are calm."});
    assert_eq!(desk.post("/api/personas", persona).await?.status, 201);
    let ways = ["/api/personas/Ada/chat", "/api/turn"];
    for path in ways {
        let refused = desk.post(path, json!({"message": "Are you calm?"})).await?;
        assert_eq!(refused.problem(), (422, "invalid".to_owned()), "{path}");
        let said = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(said.contains("dossier config set model NAME"), "{said}");
        assert!(said.contains("openai/"), "{said}");
    }
    assert_eq!(script.requests().len(), 0);
    desk.stopped().await?;
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let desk = Desk::start(engine, options()).await?;
    let [persona, turn] = ways;
    let answered = desk.post(turn, json!({"message": "Are you calm?"})).await?.json();
    assert_eq!(answered["replies"][0]["model"], "builtin/extractive", "{answered}");
    // Quotes are in nobody's manner.
    let refused = desk.post(persona, json!({"message": "Are you calm?"})).await?;
    assert_eq!(refused.problem(), (422, "invalid".to_owned()));
    let said = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(said.contains("no model can speak for Ada"), "{said}");
    desk.stopped().await
}

async fn what_has_the_wrong_type_is_told_with_its_field(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk(&database, &script).await?;
    let hot = json!({"name": "Ada", "system_prompt": "You are calm.", "temperature": "hot"});
    let refused = desk.post("/api/personas", hot).await?;
    assert_eq!(refused.problem(), (422, "invalid".to_owned()));
    let refused = refused.json();
    assert_eq!(refused["errors"][0]["field"], "temperature", "{refused}");
    let said = refused["detail"].as_str().unwrap();
    assert!(said.starts_with("temperature: invalid type: string \"hot\""), "{said}");
    let beyond = [("content-type", "application/json")];
    let two = desk.send(Method::POST, "/api/personas", &beyond, "{} {}".to_owned()).await?;
    assert_eq!(two.problem().1, "malformed_json", "a body is one value");
    desk.stopped().await
}

async fn a_stream_tells_what_the_persona_says(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("Breathe.")])?;
    let desk = desk(&database, &script).await?;
    let id = made(&desk).await?;
    let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
    let body = json!({"message": "Help!", "maintain_personality": false}).to_string();
    let path = format!("/api/personas/{id}/chat");
    let reply = desk.send(Method::POST, &path, &headers, body).await?;
    let text = String::from_utf8(reply.body.to_vec())?;
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert_eq!(names, ["dossier", "delta", "reply", "done"], "{text}");
    let system = &script.requests()[0].body["messages"][0]["content"];
    assert_eq!(system, "You are calm.\nYour personality: Calm\n");
    desk.stopped().await
}

async fn tokens_open_one_owners_personas_alone(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let options = Options { tokens: TokenPolicy::Everyone, ..options() };
    let engine = engine(&database, &script).await?;
    let made = engine.create_token(&"ann".into(), "a", None, dossier_engine::now()).await?;
    let ann = format!("Bearer {}", made.text);
    let desk = Desk::start(engine, options).await?;
    let bob = desk.token("bob", "b").await?;
    let send = async |token: &str, method, path: &str, body: Value| {
        let headers = [("authorization", token), ("content-type", "application/json")];
        desk.send(method, path, &headers, body.to_string()).await
    };
    let ada = json!({"name": "Ada", "system_prompt": "You are calm."});
    let made = send(&ann, Method::POST, "/api/personas", ada).await?;
    let path = format!("/api/personas/{}", made.json()["id"].as_str().unwrap());
    for (method, path) in [
        (Method::GET, path.clone()),
        (Method::DELETE, format!("{path}?now=true")),
        (Method::POST, format!("{path}/extend")),
        (Method::GET, format!("{path}/messages")),
        (Method::DELETE, format!("{path}/messages?all=true")),
    ] {
        let reply = send(&bob, method, &path, json!({})).await?;
        assert_eq!(reply.problem(), (404, "not_found".to_owned()), "{path}");
    }
    assert_eq!(send(&bob, Method::GET, "/api/personas", json!({})).await?.json()["total_count"], 0);
    assert_eq!(send(&ann, Method::GET, &path, json!({})).await?.status, 200);
    desk.stopped().await
}
