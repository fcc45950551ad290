//! The OpenAPI document, and a page to read it with that needs nothing from elsewhere.

use crate::openapi;
use axum::http::header;
use axum::response::IntoResponse;
use std::sync::LazyLock;

static DOCUMENT: LazyLock<String> = LazyLock::new(openapi::document);

/// The page loads its own script, its style and the document, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

pub async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}

pub async fn page() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, include_str!("../../assets/docs.html"))
}

pub async fn script() -> impl IntoResponse {
    let media_type = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")];
    (media_type, include_str!("../../assets/docs.js"))
}

pub async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../../assets/docs.css"))
}
