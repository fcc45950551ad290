//! The OpenAPI document, the page to read it with, and how the server is.

use crate::database::Database;
use crate::desk::Desk;
use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;

/// Set to have the document written instead of compared.
const UPDATE: &str = "DOSSIER_UPDATE_OPENAPI";

#[test]
fn the_committed_openapi_document_is_the_servers_own() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let document = dossier_server::document();
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, &document).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == document,
        "crates/server/openapi.json is behind the routes; write it anew and look at the \
         difference: {UPDATE}=1 cargo nextest run -p dossier-server openapi"
    );
}

#[test]
fn every_operation_has_a_name_of_its_own_a_summary_and_its_problems() {
    let document: Value = serde_json::from_str(&dossier_server::document()).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let mut names = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            names.push(operation["operationId"].as_str().unwrap());
            assert!(operation["summary"].is_string(), "{method} {path}");
            let problem = "/content/application~1problem+json/schema/$ref";
            let schema = operation["responses"]["500"].pointer(problem);
            assert_eq!(schema, Some(&json!("#/components/schemas/Problem")), "{method} {path}");
        }
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_operation_names_the_headers_that_it_honours_and_sends() {
    let document: Value = serde_json::from_str(&dossier_server::document()).unwrap();
    let operation = |method: &str, path: &str| -> (Vec<String>, Vec<String>) {
        let operation = &document["paths"][path][method];
        let taken = operation["parameters"].as_array().into_iter().flatten();
        let taken = taken.filter(|parameter| parameter["in"] == "header");
        let taken = taken.map(|parameter| parameter["name"].as_str().unwrap().to_owned());
        let sent = operation["responses"]["200"]["headers"].as_object().into_iter().flatten();
        (taken.collect(), sent.map(|(name, _)| name.clone()).collect())
    };
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(ToString::to_string).collect() };
    assert_eq!(operation("get", "/api/projects"), (vec![], names(&["X-Request-Id"])));
    assert_eq!(
        operation("post", "/api/turn"),
        (
            names(&["Last-Event-ID", "Idempotency-Key"]),
            names(&["Idempotency-Replayed", "X-Dossier-Thread", "X-Dossier-Turn", "X-Request-Id"])
        )
    );
    let (_, sent) = operation("post", "/v1/chat/completions");
    let of_answers = ["X-Dossier-Cache", "X-Dossier-Receipt", "X-Dossier-Thread", "X-Request-Id"];
    assert_eq!(sent, [names(&["Idempotency-Replayed"]), names(&of_answers)].concat());
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let (taken, _) = operation(method, path);
            let takes_a_key = taken.iter().any(|name| name == "Idempotency-Key");
            assert_eq!(takes_a_key, method == "post", "{method} {path}");
        }
    }
}

/// Everything that a part of the document refers to.
fn references<'a>(part: &'a Value, found: &mut Vec<&'a str>) {
    match part {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document: Value = serde_json::from_str(&dossier_server::document()).unwrap();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    found.retain(|reference| document.pointer(reference.trim_start_matches('#')).is_none());
    assert_eq!(found, [""; 0]);
}

async fn the_document_and_its_page_are_served(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let document = desk.get("/openapi.json").await?;
    assert_eq!(std::str::from_utf8(&document.body)?, dossier_server::document());
    let page = desk.get("/docs").await?;
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let policy = page.headers["content-security-policy"].to_str()?;
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
    let page = String::from_utf8(page.body.to_vec())?;
    for (path, kind) in [("/docs/page.js", "text/javascript"), ("/docs/page.css", "text/css")] {
        assert!(page.contains(path), "{page}");
        let part = desk.get(path).await?;
        assert_eq!(part.headers["content-type"], format!("{kind}; charset=utf-8"));
    }
    assert!(!page.contains("://"), "the page loads something from elsewhere: {page}");
    desk.stopped().await
}

async fn the_server_says_how_it_is(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let well = json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") });
    for path in ["/healthz", "/readyz"] {
        assert_eq!(desk.get(path).await?.told(), (200, well.clone()));
    }
    desk.get("/nowhere/at/all").await?;
    let metrics = desk.get("/metrics").await?;
    assert_eq!(metrics.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    let text = String::from_utf8(metrics.body.to_vec())?;
    for line in [
        "dossier_http_request_duration_seconds_count{method=\"GET\",route=\"/healthz\",status=\"200\"} 1",
        "dossier_http_request_duration_seconds_count{method=\"GET\",route=\"unknown\",status=\"404\"} 1",
        "dossier_http_requests_in_flight 1",
        "dossier_event_listeners 0",
    ] {
        assert!(text.lines().any(|own| own == line), "{line} is missing in {text}");
    }
    desk.engine.close().await;
    assert_eq!(desk.get("/readyz").await?.problem(), (503, "store_unavailable".to_owned()));
    assert_eq!(desk.get("/healthz").await?.status, 200);
    assert_eq!(desk.get("/api/projects").await?.problem(), (503, "store_unavailable".to_owned()));
    desk.stopped().await
}

async fn every_response_has_the_headers_that_keep_browsers_safe(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    for path in ["/api/projects", "/nowhere", "/healthz"] {
        let reply = desk.get(path).await?;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(reply.headers[name], value, "{path}");
        }
    }
    desk.stopped().await
}

stories![
    the_document_and_its_page_are_served,
    the_server_says_how_it_is,
    every_response_has_the_headers_that_keep_browsers_safe,
];
