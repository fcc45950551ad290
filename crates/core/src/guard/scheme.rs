//! Credentials of HTTP: `Bearer` with a token that looks random, `Basic` with base64 that holds a
//! name and a password.

use super::{PLAIN, Place, Secret, run, shape, value, window};
use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(super) fn credentials(place: &Place<'_>) -> Option<Secret> {
    let word = place.word();
    let is_bearer = word.eq_ignore_ascii_case("bearer");
    if !is_bearer && !word.eq_ignore_ascii_case("basic") {
        return None;
    }
    let given = place.after().trim_start_matches(' ');
    let start = place.text.len() - given.len();
    if start == place.word.end || shape::at(place.text, start).is_some() {
        return None;
    }
    let seen = window(given);
    let seen = &seen[..run(seen, is_part)];
    let is_secret = if is_bearer { value::is_random(seen) } else { is_name_and_password(seen) };
    is_secret.then(|| {
        let whole = given[..run(given, is_part)].trim_end_matches('.');
        Secret { range: start..start + whole.len(), mark: PLAIN }
    })
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte)
}

fn is_name_and_password(text: &str) -> bool {
    let decoded = BASE64.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.is_some_and(|pair| pair.contains(':') && !pair.contains(char::is_control))
}
