//! Who may come in, and that an owner meets nothing of another's.

use crate::database::Database;
use crate::desk::{Desk, options};
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_core::time::Timestamp;
use dossier_engine::{Embedder, Engine, now};
use dossier_server::{Options, TokenPolicy};
use hyper::Method;
use serde_json::json;

fn everyone() -> Options {
    Options { tokens: TokenPolicy::Everyone, ..options() }
}

async fn an_address_for_others_needs_a_token_to_exist(database: Database) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let open = Options { listen: "0.0.0.0:0".parse()?, ..options() };
    let refused = Desk::start(engine.clone(), open.clone()).await.err().unwrap();
    assert_eq!(
        refused.to_string(),
        "0.0.0.0:0 can be reached from other machines, and there is no access token yet; make \
         one: dossier token create NAME, or listen on 127.0.0.1"
    );
    let refused = Desk::start(engine.clone(), everyone()).await.err().unwrap();
    assert_eq!(
        refused.to_string(),
        "tokens are required, and there is none yet; make one: dossier token create NAME"
    );
    let token = engine.create_token(&OwnerId::local(), "laptop", None, now()).await?.text;
    let mut desk = Desk::start(engine, open).await?;
    desk.address.set_ip([127, 0, 0, 1].into());
    assert_eq!(desk.get("/api/projects").await?.problem(), (401, "token_required".to_owned()));
    let headers = [("authorization", &*format!("bearer {token}"))];
    assert_eq!(desk.send(Method::GET, "/api/projects", &headers, "").await?.status, 200);
    desk.stopped().await
}

async fn a_token_opens_until_it_is_revoked_or_expires(database: Database) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let local = OwnerId::local();
    engine.create_token(&local, "other", None, now()).await?;
    let then = Timestamp::parse("2020-01-01T00:00:00Z")?;
    let end = Timestamp::parse("2020-02-01T00:00:00Z")?;
    let expired = engine.create_token(&local, "old", Some(end), then).await?;
    let good = engine.create_token(&local, "good", None, now()).await?;
    let desk = Desk::start(engine, everyone()).await?;
    let missing = desk.get("/api/projects").await?;
    assert_eq!(missing.problem(), (401, "token_required".to_owned()));
    assert_eq!(missing.headers["www-authenticate"], "Bearer");
    for open in ["/healthz", "/readyz", "/docs", "/docs/page.js", "/docs/page.css", "/openapi.json"]
    {
        assert_eq!(desk.get(open).await?.status, 200, "{open}");
        let elsewhere = desk.send(Method::GET, open, &[("host", "evil.example")], "").await?;
        assert_eq!(elsewhere.problem(), (403, "host_refused".to_owned()), "{open}");
        let foreign = [("origin", "https://evil.example")];
        let foreign = desk.send(Method::GET, open, &foreign, "").await?;
        assert_eq!(foreign.problem(), (403, "origin_refused".to_owned()), "{open}");
    }
    for closed in ["/metrics", "/docs/more", "/nowhere"] {
        assert_eq!(desk.get(closed).await?.problem(), (401, "token_required".to_owned()));
    }
    let ask = async |authorization: &str| {
        let headers = [("authorization", authorization)];
        desk.send(Method::GET, "/api/projects", &headers, "").await
    };
    assert_eq!(ask(&format!("Bearer {}", good.text)).await?.status, 200);
    let wrong = format!("Bearer {}.{}", good.token.id, "0".repeat(64));
    for refused in [&wrong, &format!("Bearer {}", expired.text), "Bearer", "Basic YTpi", "Bearer x"]
    {
        let reply = ask(refused).await?;
        assert_eq!(reply.problem(), (401, "token_refused".to_owned()), "{refused}");
    }
    desk.engine.revoke_token("good").await?;
    let revoked = ask(&format!("Bearer {}", good.text)).await?;
    assert_eq!(revoked.problem(), (401, "token_refused".to_owned()));
    desk.stopped().await
}

async fn an_owner_meets_nothing_of_anothers(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let (ann, bob) = (desk.token("ann", "a").await?, desk.token("bob", "b").await?);
    let send = async |token: &str, method: Method, path: &str, body: serde_json::Value| {
        let headers = [("authorization", token), ("content-type", "application/json")];
        desk.send(method, path, &headers, body.to_string()).await
    };
    let name = json!({ "name": "secret" });
    let project = send(&ann, Method::POST, "/api/projects", name.clone()).await?.json();
    let place = format!("/api/projects/{}", project["id"].as_str().unwrap());
    let file = json!({ "path": "a.md", "content": "the secret plan" });
    let file = send(&ann, Method::POST, &format!("{place}/files"), file).await?.json();
    let file = format!("{place}/files/{}", file["id"].as_str().unwrap());
    let talk = json!({ "messages": [{ "speaker": "user", "content": "a secret word" }] });
    let import = format!("{place}/conversations/import");
    let talk = send(&ann, Method::POST, &import, talk).await?.json();
    let talk = format!("/api/conversations/{}", talk["conversation_id"].as_str().unwrap());
    let wanted = json!({ "project_id": project["id"], "user_turn": "which plan?" });
    let made = send(&ann, Method::POST, "/api/context/assemble", wanted.clone()).await?.json();
    let receipt = format!("/api/receipts/{}", made["receipt"]["id"].as_str().unwrap());

    let title = json!({ "title": "mine" });
    let content = json!({ "content": "mine" });
    for (method, path, body) in [
        (Method::GET, place.clone(), json!({})),
        (Method::PUT, place.clone(), json!({ "name": "mine" })),
        (Method::DELETE, place.clone(), json!({})),
        (Method::GET, format!("{place}/files"), json!({})),
        (Method::POST, format!("{place}/files"), json!({ "path": "b.md", "content": "b" })),
        (Method::GET, file.clone(), json!({})),
        (Method::PUT, file.clone(), content),
        (Method::PATCH, format!("{file}/metadata"), json!({})),
        (Method::DELETE, file.clone(), json!({})),
        (Method::GET, format!("{place}/conversations"), json!({})),
        (Method::POST, import, json!({ "messages": [{ "speaker": "a", "content": "b" }] })),
        (Method::GET, talk.clone(), json!({})),
        (Method::PUT, format!("{talk}/title"), title),
        (Method::POST, format!("{talk}/export"), json!({ "format": "json" })),
        (Method::DELETE, talk, json!({})),
        (Method::POST, format!("{place}/search"), json!({ "query": "secret" })),
        (Method::POST, "/api/context/assemble".to_owned(), wanted),
        (Method::GET, receipt.clone(), json!({})),
        (Method::GET, format!("{receipt}/rendered"), json!({})),
    ] {
        for stranger in [&bob, &desk.token("local", &format!("{method}{path}")).await?] {
            let reply = send(stranger, method.clone(), &path, body.clone()).await?;
            assert_eq!(reply.problem(), (404, "not_found".to_owned()), "{method} {path}");
        }
    }
    let none = json!({ "projects": [], "next_cursor": null });
    assert_eq!(send(&bob, Method::GET, "/api/projects", json!({})).await?.json(), none);
    let query = json!({ "query": "secret" });
    let found = send(&bob, Method::POST, "/api/search/global", query).await?.json();
    assert_eq!(found["hits"], json!([]));
    assert_eq!(send(&bob, Method::POST, "/api/projects", name).await?.status, 201);
    let kept = send(&ann, Method::GET, &file, json!({})).await?.json();
    assert_eq!(kept["content"], "the secret plan");
    desk.stopped().await
}

async fn other_sites_and_other_names_are_refused(database: Database) -> Result<()> {
    let options = Options { hosts: vec!["notes.example".to_owned()], ..options() };
    let desk = Desk::with(&database, options).await?;
    let ask =
        async |headers: &[(&str, &str)]| desk.send(Method::GET, "/api/projects", headers, "").await;
    for headers in [
        &[("host", "localhost:7717")][..],
        &[("host", "notes.example")],
        &[("origin", "http://localhost:5173")],
        &[("origin", "https://notes.example")],
        &[("host", "192.168.1.5:7717"), ("origin", "http://192.168.1.5:7717")],
        &[("sec-fetch-site", "same-origin")],
    ] {
        assert_eq!(ask(headers).await?.status, 200, "{headers:?}");
    }
    for (headers, code) in [
        (&[("host", "evil.example")][..], "host_refused"),
        (&[("host", "localhost.evil.example")], "host_refused"),
        (&[("origin", "https://evil.example")], "origin_refused"),
        (&[("origin", "http://192.168.1.5:7717")], "origin_refused"),
        (&[("origin", "null")], "origin_refused"),
        (&[("origin", "file://")], "origin_refused"),
        (&[("sec-fetch-site", "cross-site")], "origin_refused"),
    ] {
        let reply = ask(headers).await?;
        assert_eq!(reply.problem(), (403, code.to_owned()), "{headers:?}");
        assert!(!reply.headers.contains_key("access-control-allow-origin"));
    }
    let nameless = desk.line("GET /api/projects HTTP/1.0\r\n\r\n").await?;
    let nameless = crate::desk::rest(nameless).await?;
    assert!(nameless.contains("host_refused"), "{nameless}");
    desk.stopped().await
}

stories![
    an_address_for_others_needs_a_token_to_exist,
    a_token_opens_until_it_is_revoked_or_expires,
    an_owner_meets_nothing_of_anothers,
    other_sites_and_other_names_are_refused,
];
