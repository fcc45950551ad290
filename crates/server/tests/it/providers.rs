//! Setting providers up over HTTP: at once for the running server, with keys that nobody sees.

use crate::database::Database;
use crate::desk::{self, Desk, options};
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_engine::{Embedder, Engine, FileSays, KeyStore, OwnCatalogue, Sources};
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use tempfile::TempDir;

const KEY: &str = "sk-hunter2hunter2hunter2";

stories!(
    a_provider_set_up_over_http_answers_at_once_and_its_key_is_never_shown,
    a_provider_that_does_not_answer_is_a_result_and_no_failure,
    only_the_owner_of_the_machine_sets_providers_up,
    keys_that_cannot_be_used_are_no_reason_to_name_files,
);

/// A server with nothing in its environment but these variables.
async fn set_up(
    database: &Database,
    variables: &'static [(&str, &str)],
) -> Result<(Desk, TempDir)> {
    let folder = tempfile::tempdir()?;
    let variable = move |name: &str| {
        // Whether an Ollama runs on the machine is no part of the story.
        let nowhere = (name == "OLLAMA_HOST").then(|| "127.0.0.1:1".to_owned());
        let given = variables.iter().find(|(own, _)| *own == name);
        given.map(|(_, value)| (*value).to_owned()).or(nowhere)
    };
    let sources = Sources::new(variable, FileSays::default(), KeyStore::at(folder.path()));
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let engine = engine.with_providers(OwnCatalogue::default(), sources).await?;
    Ok((Desk::start(engine, options()).await?, folder))
}

#[track_caller]
fn told(status: u16, reply: desk::Reply) -> Value {
    assert_eq!(reply.status, status, "{reply:?}");
    reply.json()
}

fn row<'a>(list: &'a Value, name: &str) -> &'a Value {
    let rows = list["providers"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or(&Value::Null)
}

async fn a_provider_set_up_over_http_answers_at_once_and_its_key_is_never_shown(
    database: Database,
) -> Result<()> {
    let (desk, _folder) = set_up(&database, &[("XAI_API_KEY", "xai-123")]).await?;
    let provider =
        Provider::start([Reply::chat("Soon."), Reply::json(200, &json!({"data": [{"id": "m"}]}))])?;
    let list = told(200, desk.get("/api/providers").await?);
    assert_eq!(
        row(&list, "openai"),
        &json!({
            "name": "openai", "protocol": "chat", "base_url": "https://api.openai.com/v1/",
            "origin": "default", "key_origin": null, "key": null, "ready": false,
            "problem": "set OPENAI_API_KEY, or store a key",
        })
    );
    assert_eq!(row(&list, "xai")["key_origin"], "XAI_API_KEY");
    let url = provider.url("/v1");
    let body = json!({"name": "home", "base_url": url, "protocol": "chat", "key": KEY});
    let set = told(200, desk.put("/api/providers", body).await?);
    let expected = json!({
        "name": "home", "protocol": "chat", "base_url": url, "origin": "database",
        "key_origin": "the stored keys", "key": "…ter2", "ready": true, "problem": null,
    });
    assert_eq!(set, expected);
    let turn = json!({"message": "When?", "models": ["home/m"]});
    let turn = told(200, desk.post("/api/turn", turn).await?);
    assert_eq!(turn["replies"][0]["text"], "Soon.");
    let request = &provider.requests()[0];
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let tested = told(200, desk.post("/api/providers/home/test", json!({})).await?);
    let expected = json!({
        "provider": "home", "ok": true, "count": 1, "models": ["m"], "problem": null,
    });
    assert_eq!(tested, expected);

    for path in ["/api/providers", "/api/settings"] {
        let shown = told(200, desk.get(path).await?).to_string();
        assert!(!shown.contains("hunter2"), "{path}");
    }
    let held = desk.engine.owner(&OwnerId::local()).config().await?;
    assert!(!format!("{held:?}").contains("hunter2"));
    let stronger = json!({"name": "xai", "key": "other"});
    assert_eq!(desk.put("/api/providers", stronger).await?.status, 409);
    let gone = json!({"name": "home", "base_url": "", "key": ""});
    assert_eq!(told(200, desk.put("/api/providers", gone).await?)["ready"], false);
    assert_eq!(row(&told(200, desk.get("/api/providers").await?), "home"), &Value::Null);
    let turn = json!({"message": "When?", "models": ["home/m"]});
    assert_eq!(desk.post("/api/turn", turn).await?.status, 422);
    Ok(())
}

async fn a_provider_that_does_not_answer_is_a_result_and_no_failure(
    database: Database,
) -> Result<()> {
    let (desk, _folder) = set_up(&database, &[]).await?;
    let provider = Provider::start([Reply::json(503, &json!({"error": {"message": "asleep"}}))])?;
    let body = json!({"name": "home", "base_url": provider.url("/v1")});
    told(200, desk.put("/api/providers", body).await?);
    let asleep = told(200, desk.post("/api/providers/home/test", json!({})).await?);
    assert_eq!(asleep["ok"], false);
    assert!(asleep["problem"].as_str().unwrap().contains("asleep"), "{asleep}");
    let closed = json!({"name": "home", "base_url": "http://127.0.0.1:1/v1"});
    told(200, desk.put("/api/providers", closed).await?);
    let nobody = told(200, desk.post("/api/providers/home/test", json!({})).await?);
    assert_eq!(nobody["ok"], false);
    let unready = told(200, desk.post("/api/providers/openai/test", json!({})).await?);
    assert_eq!(unready["problem"], "set OPENAI_API_KEY, or store a key");
    let unknown = told(404, desk.post("/api/providers/none/test", json!({})).await?);
    let detail = "provider `none` is not known; GET /api/providers lists them";
    assert_eq!(unknown["detail"], detail);
    for body in [
        json!({"name": "home", "base_url": "ftp://x"}),
        json!({"name": "", "base_url": "https://x.example"}),
        json!({"name": "new", "key": "k"}),
        json!({"name": "home", "protocol": "smoke"}),
        json!({"name": "home", "base_url": "http://10.0.0.1/v1", "key": "k"}),
    ] {
        let refused = desk.put("/api/providers", body.clone()).await?;
        assert_eq!(refused.status, 422, "{body}");
    }
    let list = told(200, desk.get("/api/providers").await?);
    assert_eq!(row(&list, "home")["base_url"], "http://127.0.0.1:1/v1");
    assert_eq!(row(&list, "home")["key"], Value::Null);
    Ok(())
}

async fn only_the_owner_of_the_machine_sets_providers_up(database: Database) -> Result<()> {
    let (desk, _folder) = set_up(&database, &[("OPENAI_API_KEY", KEY)]).await?;
    let bearer = desk.token("ana", "laptop").await?;
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let list = told(200, desk.send(hyper::Method::GET, "/api/providers", &headers, "").await?);
    let expected = json!({
        "name": "openai", "protocol": "chat", "base_url": null, "origin": null,
        "key_origin": null, "key": null, "ready": true, "problem": null,
    });
    assert_eq!(row(&list, "openai"), &expected);
    let body = json!({"name": "openai", "base_url": "https://ana.example/v1"}).to_string();
    let refused = desk.send(hyper::Method::PUT, "/api/providers", &headers, body).await?;
    assert_eq!(refused.problem(), (403, "owner_refused".to_owned()));
    let test = "/api/providers/openai/test";
    let refused = desk.send(hyper::Method::POST, test, &headers, "{}").await?;
    assert_eq!(refused.status, 403);
    Ok(())
}

async fn keys_that_cannot_be_used_are_no_reason_to_name_files(database: Database) -> Result<()> {
    let (desk, folder) = set_up(&database, &[]).await?;
    let body = json!({"name": "home", "base_url": "https://home.example/v1", "key": KEY});
    told(200, desk.put("/api/providers", body).await?);
    std::fs::write(folder.path().join("keys.json"), "no keys")?;
    let bearer = desk.token("ana", "laptop").await?;
    let headers = [("authorization", bearer.as_str())];
    let refused = desk.send(hyper::Method::GET, "/api/providers", &headers, "").await?;
    assert_eq!(refused.problem(), (500, "internal".to_owned()));
    assert!(!refused.json().to_string().contains("keys.json"), "{refused:?}");
    Ok(())
}
