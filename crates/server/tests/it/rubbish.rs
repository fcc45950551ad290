//! Whatever is sent, the answer is a problem document that says what was wrong.

use crate::database::Database;
use crate::desk::{Desk, options, rest};
use anyhow::Result;
use dossier_server::{Options, RequestLimits};
use hyper::Method;
use serde_json::json;

const JSON: (&str, &str) = ("content-type", "application/json");

/// A request and the problem it meets.
type Case<'a> = (Method, &'a str, Vec<(&'a str, &'a str)>, Vec<u8>, (u16, &'a str));

async fn every_kind_of_rubbish_has_its_problem(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("p").await?;
    let search = format!("/api/projects/{project}/search");
    let deep = format!("{{\"name\":\"a\",\"settings\":{{\"a\":{}", "[".repeat(10_000));
    let cases: Vec<Case<'_>> = vec![
        (Method::GET, "/nowhere", vec![], vec![], (404, "not_found")),
        (Method::POST, "/", vec![], vec![], (405, "method_not_allowed")),
        (Method::GET, "/api/projects/", vec![], vec![], (404, "not_found")),
        (Method::DELETE, "/api/projects", vec![], vec![], (405, "method_not_allowed")),
        (Method::OPTIONS, "/api/projects", vec![], vec![], (405, "method_not_allowed")),
        (Method::GET, "/api/projects/%00", vec![], vec![], (400, "invalid_path")),
        (Method::GET, "/api/projects/%ff", vec![], vec![], (400, "invalid_path")),
        (Method::GET, "/api/projects/..%2f..", vec![], vec![], (404, "not_found")),
        (Method::GET, "/api/projects?limit=0", vec![], vec![], (400, "invalid_query")),
        (Method::GET, "/api/projects?limit=ten", vec![], vec![], (400, "invalid_query")),
        (Method::GET, "/api/projects?cursor=%00", vec![], vec![], (400, "invalid_query")),
        (Method::GET, "/api/projects?colour=red", vec![], vec![], (400, "invalid_query")),
        (Method::POST, &search, vec![], b"{}".to_vec(), (415, "unsupported_media_type")),
        (
            Method::POST,
            &search,
            vec![("content-type", "text/plain")],
            b"{}".to_vec(),
            (415, "unsupported_media_type"),
        ),
        (
            Method::POST,
            &search,
            vec![("content-type", "application/x-www-form-urlencoded")],
            b"query=a".to_vec(),
            (415, "unsupported_media_type"),
        ),
        (Method::POST, &search, vec![JSON], b"".to_vec(), (400, "malformed_json")),
        (Method::POST, &search, vec![JSON], b"{\"query\":".to_vec(), (400, "malformed_json")),
        (
            Method::POST,
            &search,
            vec![JSON],
            b"{\"query\":\"\xff\"}".to_vec(),
            (400, "malformed_json"),
        ),
        (
            Method::POST,
            &search,
            vec![JSON],
            b"{\"query\":\"\\ud800\"}".to_vec(),
            (400, "malformed_json"),
        ),
        (Method::POST, "/api/projects", vec![JSON], deep.into_bytes(), (400, "malformed_json")),
        (Method::POST, &search, vec![JSON], b"null".to_vec(), (422, "invalid")),
        (Method::POST, &search, vec![JSON], vec![b' '; 50_000_000], (413, "body_too_large")),
        (
            Method::POST,
            &search,
            vec![JSON, ("idempotency-key", "")],
            b"{}".to_vec(),
            (400, "malformed_request"),
        ),
    ];
    for (method, path, headers, body, (status, code)) in cases {
        let what = format!("{method} {path} {headers:?}");
        let reply = desk.send(method, path, &headers, body).await?;
        assert_eq!(reply.problem(), (status, code.to_owned()), "{what}");
    }
    desk.stopped().await
}

async fn a_method_that_is_not_allowed_is_answered_with_those_that_are(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let reply = desk.send(Method::PATCH, "/api/projects", &[], "").await?;
    assert_eq!(reply.headers["allow"], "GET,HEAD,POST");
    desk.stopped().await
}

async fn a_request_id_is_kept_if_it_is_sane(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let sane = desk.send(Method::GET, "/nowhere", &[("x-request-id", "a-1.b_2")], "").await?;
    assert_eq!(sane.headers["x-request-id"], "a-1.b_2");
    for id in ["", "a b", "<script>", &"x".repeat(65)] {
        let reply = desk.send(Method::GET, "/nowhere", &[("x-request-id", id)], "").await?;
        let own = reply.headers["x-request-id"].to_str()?;
        assert!(own.starts_with("req_") && own.len() == 30, "{own}");
    }
    desk.stopped().await
}

async fn too_many_requests_are_told_to_come_again(database: Database) -> Result<()> {
    let limits = RequestLimits { concurrent: 0, ..RequestLimits::default() };
    let desk = Desk::with(&database, Options { limits, ..options() }).await?;
    let reply = desk.get("/api/projects").await?;
    assert_eq!(reply.problem(), (503, "busy".to_owned()));
    assert_eq!(reply.headers["retry-after"], "1");
    // Whoever asks whether the server lives wants to know it above all then.
    for path in ["/healthz", "/readyz"] {
        assert_eq!(desk.get(path).await?.status, 200, "{path}");
    }
    desk.stopped().await
}

async fn a_request_that_takes_too_long_is_given_up(database: Database) -> Result<()> {
    let limits =
        RequestLimits { time: std::time::Duration::from_millis(50), ..RequestLimits::default() };
    let desk = Desk::with(&database, Options { limits, ..options() }).await?;
    // The body never comes.
    let head = format!(
        "POST /api/search/global HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 9\r\nConnection: close\r\n\r\n",
        desk.address
    );
    let reply = rest(desk.line(head).await?).await?;
    assert!(
        reply.starts_with("HTTP/1.1 503 ") && reply.contains("\"code\":\"timed_out\""),
        "{reply}"
    );
    desk.stopped().await
}

async fn what_is_no_http_ends_no_more_than_its_connection(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    for text in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ] {
        let reply = rest(desk.line(text).await?).await?;
        assert!(reply.starts_with("HTTP/1.1 400 "), "{reply}");
    }
    assert_eq!(desk.get("/healthz").await?.told().0, 200);
    assert_eq!(desk.post("/api/search/global", json!({ "query": "a" })).await?.status, 200);
    desk.stopped().await
}

stories![
    every_kind_of_rubbish_has_its_problem,
    a_method_that_is_not_allowed_is_answered_with_those_that_are,
    a_request_id_is_kept_if_it_is_sane,
    too_many_requests_are_told_to_come_again,
    a_request_that_takes_too_long_is_given_up,
    what_is_no_http_ends_no_more_than_its_connection,
];
