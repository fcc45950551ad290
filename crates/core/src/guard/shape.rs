//! Keys and tokens that are known by how they begin. What follows must look as if a machine had
//! made it, since `sk-container-id-1` and `npm_config_registry` begin like keys.

use super::{KEY, Place, Secret, TOKEN, is_word, run, value, window};

/// What follows the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// At least so many letters and digits without a break.
    Plain(usize),
    /// At least so many characters of a word, with a long run of letters and digits in them.
    Mixed(usize),
    /// The same, with dots between its parts.
    Dotted(usize),
    /// So many capitals and digits, and no more.
    Capitals(usize),
}

struct Shape {
    prefix: &'static str,
    body: Body,
    mark: &'static str,
}

const fn key(prefix: &'static str, body: Body) -> Shape {
    Shape { prefix, body, mark: KEY }
}

const fn token(prefix: &'static str, body: Body) -> Shape {
    Shape { prefix, body, mark: TOKEN }
}

const SHAPES: [Shape; 61] = {
    use Body::{Capitals, Dotted, Mixed, Plain};
    [
        // OpenAI, Anthropic, OpenRouter, DeepSeek; Langfuse.
        key("sk-lf-", Mixed(36)),
        key("sk-", Mixed(20)),
        // Google.
        key("AIza", Mixed(30)),
        key("GOCSPX-", Mixed(24)),
        key("AQ.Ab", Mixed(30)),
        token("ya29.", Dotted(30)),
        // Further providers of models.
        key("xai-", Mixed(20)),
        key("gsk_", Plain(30)),
        key("pplx-", Plain(30)),
        key("nvapi-", Mixed(30)),
        key("csk-", Plain(30)),
        key("r8_", Plain(30)),
        key("tvly-", Mixed(24)),
        token("hf_", Plain(30)),
        token("api_org_", Plain(30)),
        // Git hosts.
        token("ghp_", Plain(30)),
        token("gho_", Plain(30)),
        token("ghu_", Plain(30)),
        token("ghs_", Plain(30)),
        token("ghr_", Plain(30)),
        token("github_pat_", Mixed(22)),
        token("glpat-", Dotted(20)),
        token("gldt-", Dotted(20)),
        token("glrt-", Dotted(20)),
        token("glptt-", Dotted(20)),
        token("glcbt-", Dotted(20)),
        token("glsoat-", Dotted(20)),
        // Slack.
        token("xoxa-", Mixed(20)),
        token("xoxb-", Mixed(20)),
        token("xoxe-", Mixed(20)),
        token("xoxo-", Mixed(20)),
        token("xoxp-", Mixed(20)),
        token("xoxr-", Mixed(20)),
        token("xoxs-", Mixed(20)),
        token("xapp-", Mixed(20)),
        // AWS.
        key("AKIA", Capitals(16)),
        key("ASIA", Capitals(16)),
        key("ABIA", Capitals(16)),
        // Payments and shops.
        key("sk_live_", Plain(16)),
        key("rk_live_", Plain(16)),
        key("sk_test_", Plain(16)),
        key("rk_test_", Plain(16)),
        key("whsec_", Plain(24)),
        token("shpat_", Plain(32)),
        token("shpca_", Plain(32)),
        token("shppa_", Plain(32)),
        token("shpss_", Plain(32)),
        // Package registries.
        token("npm_", Plain(30)),
        token("pypi-AgE", Mixed(30)),
        token("dckr_pat_", Mixed(20)),
        // Hosting, mail, secrets, notes.
        token("dop_v1_", Plain(60)),
        token("doo_v1_", Plain(60)),
        token("dapi", Plain(32)),
        key("SG.", Dotted(40)),
        token("hvs.", Mixed(24)),
        token("sntrys_", Mixed(30)),
        key("lin_api_", Plain(30)),
        key("PMAK-", Mixed(40)),
        token("ntn_", Plain(40)),
        key("AGE-SECRET-KEY-1", Plain(50)),
        token("tskey-", Mixed(20)),
    ]
};

/// How a JSON web token begins.
const JWT: &str = "eyJ";

/// Whether a key or token begins with a byte: hundreds of passages are looked through for a question,
/// and most words begin like none.
const BEGINNINGS: [bool; 256] = {
    let mut begins = [false; 256];
    begins[JWT.as_bytes()[0] as usize] = true;
    let mut shape = 0;
    while shape < SHAPES.len() {
        begins[SHAPES[shape].prefix.as_bytes()[0] as usize] = true;
        shape += 1;
    }
    begins
};

/// No secret is shorter.
const SHORTEST: usize = 16;

/// The key or token that the word begins with.
pub(super) fn known(place: &Place<'_>) -> Option<Secret> {
    let word = place.word();
    if word.len() < SHORTEST && !place.after().starts_with('.') {
        return None;
    }
    // A line break that was escaped leaves its letter.
    let escaped = place.before().ends_with('\\') && word.starts_with(['n', 'r', 't']);
    let marks = run(word, |byte| matches!(byte, b'-' | b'_'));
    let starts = [Some(marks), escaped.then_some(1)];
    starts.into_iter().flatten().find_map(|skipped| at(place.text, place.word.start + skipped))
}

/// The key or token at a byte.
pub(super) fn at(text: &str, start: usize) -> Option<Secret> {
    let rest = &text[start..];
    if !BEGINNINGS[usize::from(*rest.as_bytes().first()?)] {
        return None;
    }
    let shaped = SHAPES.iter().find_map(|shape| Some((shape.length(rest)?, shape.mark)));
    let (length, mark) = shaped.or_else(|| Some((jwt(rest)?, TOKEN)))?;
    Some(Secret { range: start..start + length, mark })
}

impl Shape {
    /// The length of what has this shape at the start of a text.
    fn length(&self, text: &str) -> Option<usize> {
        let body = text.strip_prefix(self.prefix)?;
        let is_part =
            |byte: u8| is_word(byte) || byte == b'.' && matches!(self.body, Body::Dotted(_));
        let seen = window(body);
        let seen = &seen[..run(seen, is_part)];
        let fits = match self.body {
            Body::Plain(least) => run(seen, |byte| byte.is_ascii_alphanumeric()) >= least,
            Body::Mixed(least) | Body::Dotted(least) => seen.len() >= least && value::is_made(seen),
            Body::Capitals(length) => {
                seen.len() == length
                    && seen.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            }
        };
        // The dot after a sentence is no part of it.
        let whole = || body[..run(body, is_part)].trim_end_matches('.').len();
        fits.then(|| self.prefix.len() + whole())
    }
}

/// The length of a signed or encrypted JSON web token: parts in base64, the first of them an
/// object.
fn jwt(text: &str) -> Option<usize> {
    const SHORTEST_PART: usize = 10;
    text.strip_prefix(JWT)?;
    let mut parts = 0;
    let mut length = 0;
    loop {
        let part = run(&text[length..], is_word);
        let is_empty_key = parts == 1 && part == 0;
        if part < SHORTEST_PART && !is_empty_key {
            break;
        }
        parts += 1;
        length += part;
        if parts == 5 || !text[length..].starts_with('.') {
            break;
        }
        length += 1;
    }
    (parts >= 3).then(|| text[..length].trim_end_matches('.').len())
}
