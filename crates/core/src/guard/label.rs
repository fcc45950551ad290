//! Values behind a label that says they are secret: `api_key=…`, `"password": "…"`, `--token …`,
//! `<secret>…`. The label alone is not enough, since people talk about tokens and passwords, and
//! code names them; the value must look the part.

use super::value::{self, Quote};
use super::{OPENING, PLAIN, Place, Secret, run, shape};

/// What a label promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// Chosen by a person; may be short.
    Password,
    /// Made by a machine, and certainly secret.
    Key,
    /// Made by a machine, and often no more than an id.
    Token,
}

/// How the names of secrets end, in lower case and without what joins their parts.
const PASSWORDS: [&str; 6] = ["password", "passwd", "passphrase", "pwd", "passwort", "kennwort"];
const KEYS: [&str; 17] = [
    "secret",
    "apikey",
    "apitoken",
    "authtoken",
    "accesstoken",
    "refreshtoken",
    "secretkey",
    "secrettoken",
    "accesskey",
    "privatekey",
    "accountkey",
    "sharedkey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "authkey",
    "authorization",
];

const LONGEST_LABEL: usize = 64;
/// The most signs between a label and its value on either side of the separator.
const MOST_SIGNS: usize = 8;

/// The secret that the word is a label of.
pub(super) fn labelled(place: &Place<'_>) -> Option<Secret> {
    let binding = Binding::after(place)?;
    let promise = promise(place)?;
    let start = binding.value;
    let rest = &place.text[start..];
    if rest.starts_with(OPENING) || shape::at(place.text, start).is_some() {
        return None;
    }
    let given = value::read(rest, binding.quote)?;
    let is_secret = match promise {
        _ if value::is_own_id(given) || value::is_placeholder(given) => false,
        Promise::Password if binding.is_setting(place) => value::is_set(given),
        Promise::Password => value::is_password(given, binding.quote.is_some()),
        Promise::Key => value::is_random(given),
        Promise::Token => value::is_random(given) && !value::is_reference(given),
    };
    is_secret.then(|| {
        let end = start + value::whole(rest, binding.quote);
        Secret { range: start..end, mark: PLAIN }
    })
}

fn promise(place: &Place<'_>) -> Option<Promise> {
    let word = place.word();
    if word.len() > LONGEST_LABEL {
        return None;
    }
    let name = |text: &str| text.replace(['-', '_'], "").to_ascii_lowercase();
    let mut label = name(word);
    // `API key: …`
    if label == "key" {
        let before = place.before().trim_end_matches(' ');
        let start = before.len()
            - before.bytes().rev().take_while(u8::is_ascii_alphabetic).take(16).count();
        label.insert_str(0, &name(&before[start..]));
    }
    let last = word.rsplit(['-', '_']).next().unwrap_or_default();
    let ends = |names: &[&str]| names.iter().any(|name| label.ends_with(name));
    if ends(&PASSWORDS) || ["pass", "pw"].iter().any(|name| last.eq_ignore_ascii_case(name)) {
        Some(Promise::Password)
    } else if ends(&KEYS) {
        Some(Promise::Key)
    } else {
        (ends(&["token", "credential", "credentials"])).then_some(Promise::Token)
    }
}

/// How a label is bound to its value.
struct Binding {
    /// Where the value begins.
    value: usize,
    quote: Option<Quote>,
    /// By `=` and nothing else.
    is_tight: bool,
}

impl Binding {
    fn after(place: &Place<'_>) -> Option<Self> {
        let after = place.after();
        let before = signs(after);
        let rest = &after[before..];
        let separator = match rest.bytes().next() {
            Some(b'=' | b':') => 1 + run(&rest[1..], |byte| matches!(byte, b'=' | b'>')).min(2),
            Some(b'>') if before == 0 && place.before().ends_with('<') => 1,
            _ if before > 0 && place.word().starts_with("--") => 0,
            _ => return None,
        };
        let gap = signs(&rest[separator..]);
        let opening = if separator == 0 { &after[..before] } else { &rest[separator..][..gap] };
        Some(Self {
            value: place.word.end + before + separator + gap,
            quote: Quote::opened_by(opening),
            is_tight: before == 0 && gap == 0 && rest.starts_with('='),
        })
    }

    /// Whether the value is one of a settings file, `DB_PASSWORD=…`, or of a URL, `?password=…`:
    /// there it stands for itself, whatever it looks like.
    fn is_setting(&self, place: &Place<'_>) -> bool {
        let is_variable = !place.word().bytes().any(|byte| byte.is_ascii_lowercase());
        self.is_tight && (is_variable || place.before().ends_with(['?', '&']))
    }
}

/// Quotes, emphasis and blanks beside a separator.
fn signs(text: &str) -> usize {
    run(text, |byte| b" \t*`\"'\\".contains(&byte)).min(MOST_SIGNS)
}
