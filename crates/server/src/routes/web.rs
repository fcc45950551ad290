//! The web page, which the binary carries: its one document, and its parts under names that change
//! with their content.
//!
//! Whoever comes may read it, since it holds nothing of anyone; what it shows, it asks for.

use crate::problem::Problem;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct Asset {
    name: &'static str,
    /// As in the header `ETag`.
    tag: &'static str,
    plain: &'static [u8],
    squeezed: Option<&'static [u8]>,
}

const ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

const PARTS: &str = "/assets/";

/// The page loads its own parts and asks its own server, and nothing else; images are those that
/// were attached.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
                      img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// Whether an address belongs to the page itself.
pub fn is_of_page(path: &str) -> bool {
    path == "/" || path.starts_with(PARTS)
}

pub async fn document(headers: HeaderMap) -> Response {
    let mut response = sent("index.html", &headers);
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

pub async fn part(Path(name): Path<String>, headers: HeaderMap) -> Response {
    sent(&format!("assets/{name}"), &headers)
}

fn sent(name: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return Problem::of_status(StatusCode::NOT_FOUND).into_response();
    };
    // The document names the parts of its own version, so it is asked for each time.
    let keeping = match name {
        "index.html" => "no-cache",
        _ => "public, max-age=31536000, immutable",
    };
    let told = [
        (header::ETAG, asset.tag),
        (header::CACHE_CONTROL, keeping),
        (header::VARY, "accept-encoding"),
    ];
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if text(header::IF_NONE_MATCH).is_some_and(|known| known.contains(asset.tag)) {
        return (StatusCode::NOT_MODIFIED, told).into_response();
    }
    let kind = [(header::CONTENT_TYPE, media_type(name))];
    let takes_gzip =
        text(header::ACCEPT_ENCODING).is_some_and(|encodings| encodings.contains("gzip"));
    match asset.squeezed.filter(|_| takes_gzip) {
        Some(squeezed) => {
            (told, kind, [(header::CONTENT_ENCODING, "gzip")], squeezed).into_response()
        }
        None => (told, kind, asset.plain).into_response(),
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
