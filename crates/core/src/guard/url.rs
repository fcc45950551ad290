//! Passwords and tokens before the host of a URL. A password that its owner forgot to escape may
//! hold the signs that end a host.

use super::{PLAIN, Place, Secret, value, window};

pub(super) fn password(place: &Place<'_>) -> Option<Secret> {
    let rest = place.after().strip_prefix("://")?;
    let start = place.text.len() - rest.len();
    let rest = window(rest);
    let end = rest.find(|c: char| c.is_whitespace() || c.is_control() || "\"'`<>".contains(c));
    let address = &rest[..end.unwrap_or(rest.len())];
    let host = &address[..address.find(['/', '?', '#']).unwrap_or(address.len())];
    let range = match (host.rfind('@'), host.find(':')) {
        (Some(at), Some(colon)) if colon < at => colon + 1..at,
        (Some(at), _) => {
            let is_token = value::is_random(&host[..at]);
            return is_token.then_some(Secret { range: start..start + at, mark: PLAIN });
        }
        (None, Some(colon)) if !host.starts_with('[') && !is_port(&host[colon + 1..]) => {
            colon + 1..address.rfind('@')?
        }
        _ => return None,
    };
    let password = &address[range.clone()];
    let is_secret = !password.is_empty() && !value::is_placeholder(password);
    is_secret.then_some(Secret { range: start + range.start..start + range.end, mark: PLAIN })
}

/// No port has letters, though it may be left open.
fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
        || text.eq_ignore_ascii_case("port")
        || value::is_placeholder(text)
}
