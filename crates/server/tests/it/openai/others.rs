//! Models and embeddings, keys, and llama.cpp behind the door by each of its protocols.

use super::{chatting, complete, desk_with, frames, post, said};
use crate::database::Database;
use crate::desk::{Desk, options};
use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dossier_core::catalogue::Protocol;
use dossier_engine::{Embedder, Engine, Models, Provider, Secret, builtin_catalogue};
use dossier_server::{Options, TokenPolicy};
use dossier_testkit::Provider as Script;
use hyper::Method;
use serde_json::{Value, json};

stories! {
    models_are_listed_and_found,
    texts_are_embedded_in_either_encoding,
    without_an_embedder_there_are_no_embeddings,
    a_key_is_a_token_where_tokens_are_required,
    llama_cpp_answers_by_each_of_its_protocols,
}

async fn models_are_listed_and_found(database: Database) -> Result<()> {
    let (desk, _script) = chatting(&database, []).await?;
    let extractive = json!({
        "id": "builtin/extractive", "object": "model", "created": 0, "owned_by": "builtin",
    });
    let list = desk.get("/v1/models").await?;
    assert_eq!((list.status, list.json()), (200, json!({"object": "list", "data": [extractive]})));
    let found = desk.get("/v1/models/builtin%2Fextractive").await?;
    assert_eq!((found.status, found.json()), (200, extractive));
    assert_eq!(desk.get("/v1/models/here%2Fanything").await?.json()["owned_by"], "here");
    let unknown = desk.get("/v1/models/nobody%2Fm").await?;
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.json()["error"]["code"], "model_not_found");
    desk.stopped().await
}

async fn texts_are_embedded_in_either_encoding(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk_with(&database, &script, Protocol::Chat, Embedder::local()).await?;
    let embed = async |body: Value| post(&desk, "/v1/embeddings", &[], &body).await;
    let model = "minilm-l6-v2";
    let two = embed(json!({"model": model, "input": ["ferry", "quay"]})).await?.json();
    assert_eq!((&two["object"], &two["model"]), (&json!("list"), &json!(model)));
    assert_eq!(two["usage"], json!({"prompt_tokens": 2, "total_tokens": 2}));
    assert_eq!(two["data"][1]["index"], 1);
    let numbers: Vec<f32> = serde_json::from_value(two["data"][0]["embedding"].clone())?;
    assert_eq!(numbers.len(), 384);
    let request =
        json!({"model": model, "input": "ferry", "encoding_format": "base64", "dimensions": 384});
    let one = embed(request).await?.json();
    let bytes = STANDARD.decode(one["data"][0]["embedding"].as_str().unwrap()).unwrap();
    let expected: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(bytes, expected);
    for (field, value, status) in [
        ("input", json!([]), 422),
        ("input", json!(""), 422),
        ("input", json!([1, 2]), 422),
        ("input", json!(vec!["x"; 2049]), 422),
        ("dimensions", json!(256), 422),
        ("encoding_format", json!("hex"), 422),
        ("model", json!("text-embedding-3-small"), 404),
    ] {
        let mut request = json!({"model": model, "input": "ferry"});
        request[field] = value;
        let reply = embed(request).await?;
        assert_eq!(reply.status, status, "{field}: {:?}", reply.body);
        assert!(reply.json()["error"]["message"].is_string());
    }
    desk.stopped().await
}

async fn without_an_embedder_there_are_no_embeddings(database: Database) -> Result<()> {
    let (desk, _script) = chatting(&database, []).await?;
    let body = json!({"model": "minilm-l6-v2", "input": "ferry"});
    let reply = post(&desk, "/v1/embeddings", &[], &body).await?;
    assert_eq!(reply.status, 422);
    let said = reply.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(said.contains("choose the embedder `local`"), "{said}");
    desk.stopped().await
}

async fn a_key_is_a_token_where_tokens_are_required(database: Database) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let made = engine.create_token(&"ann".into(), "a", None, dossier_engine::now()).await?;
    let options = Options { tokens: TokenPolicy::Everyone, ..options() };
    let desk = Desk::start(engine, options).await?;
    let own = format!("Bearer {}", made.text);
    let wrong = own.replace(&own[own.len() - 4..], "0000");
    let with = async |key: &str| {
        let headers = [("authorization", key)];
        let reply = desk.send(Method::GET, "/v1/models", &headers, "").await?;
        anyhow::Ok((reply.status, reply.json()["error"]["type"].clone()))
    };
    assert_eq!(with(&own).await?, (200, Value::Null));
    for key in ["Bearer sk-any", &wrong] {
        assert_eq!(with(key).await?, (401, json!("authentication_error")));
    }
    assert_eq!(desk.get("/v1/models").await?.status, 401);
    desk.stopped().await
}

async fn llama_cpp_answers_by_each_of_its_protocols(database: Database) -> Result<()> {
    let url = std::env::var("DOSSIER_TEST_CHAT")
        .context("DOSSIER_TEST_CHAT is not set: make test, or scripts/embeddings start")?;
    for (name, protocol) in [
        ("chat", Protocol::Chat),
        ("responses", Protocol::Responses),
        ("messages", Protocol::Anthropic),
    ] {
        let provider = Provider::new(name, protocol, &url, Secret::new("dossier-test"))?;
        let models = Models::new(builtin_catalogue().clone(), [provider])?;
        let engine = Engine::open(&database.url, Embedder::none()).await?.with_models(models);
        let desk = Desk::start(engine, options()).await?;
        let mut asked = json!({
            "model": format!("{name}/tiny-talk"), "max_tokens": 8, "temperature": 0,
            "messages": [{"role": "user", "content": format!("Where is the ferry, {name}?")}],
        });
        for profile in ["lean", "off"] {
            let headers = [("x-dossier-profile", profile)];
            let reply = complete(&desk, &headers, &asked).await?;
            assert!(!said(&reply).is_empty(), "{name} {profile}");
            let usage = &reply.json()["usage"];
            assert!(usage["completion_tokens"].as_u64().unwrap() > 0, "{name} {profile} {usage}");
        }
        asked["stream"] = json!(true);
        let reply = complete(&desk, &[], &asked).await?;
        assert_eq!(reply.status, 200, "{name}: {:?}", reply.body);
        assert_eq!(frames(&reply).last().unwrap(), "[DONE]", "{name}");
        desk.stopped().await?;
    }
    Ok(())
}
