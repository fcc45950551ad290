//! Who may come in. A page of another site must not reach this server through someone's browser:
//! neither by a name that leads here (the Host must be known), nor by asking across sites (the
//! Origin must be). Then a token tells the owner; on this machine alone none is needed.

use crate::options::{Options, TokenPolicy};
use crate::problem::{Code, Form, Problem};
use crate::routes::web::is_of_page;
use crate::state::Door;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;
use dossier_core::access;
use dossier_core::id::OwnerId;
use dossier_engine::now;
use std::net::IpAddr;

/// Addresses that tell nothing about anyone, beside the page itself. A browser that opens the
/// document's page has no token to show.
const OPEN: [&str; 6] =
    ["/healthz", "/readyz", "/openapi.json", "/docs", "/docs/page.js", "/docs/page.css"];

pub async fn admit(
    State(door): State<Door>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    check_sites(&door.options, request.uri().path(), request.headers())?;
    if request.uri().path().contains("%00") {
        return Err(Problem::new(Code::InvalidPath, "the address holds a NUL character"));
    }
    let path = request.uri().path();
    if !OPEN.contains(&path) && !is_of_page(path) {
        let owner = owner(&door, request.uri().path(), request.headers()).await?;
        request.extensions_mut().insert(owner);
    }
    Ok(next.run(request).await)
}

async fn owner(door: &Door, path: &str, headers: &HeaderMap) -> Result<OwnerId, Problem> {
    match bearer(headers)? {
        // Clients of OpenAI's interface always send a key, and where none is needed any will do.
        Some(key)
            if Form::of_path(path) == Form::OpenAi
                && !needs_token(&door.options)
                && access::parts(key).is_none() =>
        {
            Ok(OwnerId::local())
        }
        Some(token) => door.engine.admit(token, now()).await?.ok_or_else(|| {
            Problem::new(
                Code::TokenRefused,
                "the token is unknown, revoked or expired; make one: dossier token create NAME",
            )
        }),
        None if needs_token(&door.options) => Err(Problem::new(
            Code::TokenRequired,
            "show a token: Authorization: Bearer …; make one: dossier token create NAME",
        )),
        None => Ok(OwnerId::local()),
    }
}

/// Whether nobody may come in without a token.
pub fn needs_token(options: &Options) -> bool {
    options.tokens == TokenPolicy::Everyone || !options.listen.ip().is_loopback()
}

fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let token = value.to_str().ok().and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    token.map(Some).ok_or_else(|| {
        Problem::new(Code::TokenRefused, "the header Authorization must be: Bearer <token>")
    })
}

fn check_sites(options: &Options, path: &str, headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str());
    let host = match text(header::HOST) {
        Some(Ok(host)) if is_number(host) || is_known(options, host) => host,
        Some(_) => {
            return Err(Problem::new(
                Code::HostRefused,
                "reach the server as localhost or by its number, or let it know this name: \
                 dossier config set server.hosts NAME",
            ));
        }
        None => return Err(Problem::new(Code::HostRefused, "the header Host is missing")),
    };
    let refused = Problem::new(
        Code::OriginRefused,
        "pages of other sites may not ask; open the server's own page",
    );
    match text(header::ORIGIN) {
        None => {}
        Some(Ok(origin)) => {
            let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if !place.is_some_and(|place| place == host || is_known(options, place)) {
                return Err(refused);
            }
        }
        Some(Err(_)) => return Err(refused),
    }
    // A link from elsewhere may lead to a page, and to nothing else.
    let from_elsewhere = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    if from_elsewhere && path != "/" && path != "/docs" {
        return Err(refused);
    }
    Ok(())
}

/// Whether a host, with or without a port, is this machine or a name that was configured.
fn is_known(options: &Options, host: &str) -> bool {
    let name = without_port(host);
    number(name).is_some_and(|number| number.is_loopback())
        || name.eq_ignore_ascii_case("localhost")
        || options.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a host is a number. It needs no name server, so nobody can turn it into another machine.
fn is_number(host: &str) -> bool {
    number(without_port(host)).is_some()
}

fn number(name: &str) -> Option<IpAddr> {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse().ok()
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            name
        }
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_and_configured_names_are_known() {
        let options = Options { hosts: vec!["notes.example".to_owned()], ..Options::default() };
        for host in [
            "localhost",
            "LocalHost:7717",
            "127.0.0.1",
            "127.0.0.1:7717",
            "[::1]:7717",
            "notes.example",
            "notes.example:443",
        ] {
            assert!(is_known(&options, host), "{host}");
        }
        for host in [
            "",
            ":7717",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:7717",
            "evil.example:localhost",
            "localhost:80:80",
            "notes.example@evil.example",
            "[::1",
            "192.168.1.5:80",
        ] {
            assert!(!is_known(&options, host), "{host}");
        }
        for (host, expected) in [("192.168.1.5:80", true), ("[fe80::1]", true), ("1.evil", false)] {
            assert_eq!(is_number(host), expected, "{host}");
        }
    }
}
