//! From what went wrong on the way to what a caller can do about it. What a provider says is
//! shortened and rid of keys before it is passed on.

use super::Provider;
use super::known::variable;
use crate::error::Trouble;
use crate::retry::retry_after;
use genai::webc::StreamTimeout;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::error::Error as _;
use std::time::{Duration, SystemTime};

/// So much of what a provider says is passed on.
const LONGEST: usize = 300;

pub(super) fn trouble(provider: &Provider, error: &genai::Error) -> Trouble {
    use genai::Error as Wire;
    match error {
        Wire::HttpError { status, body, headers, .. } => {
            refused(provider, status.as_u16(), body, headers)
        }
        Wire::WebModelCall { webc_error, .. } => match webc_error {
            genai::webc::Error::Reqwest(error) => connection(provider, error),
            error => Trouble::Invalid { said: presentable(provider, &error.to_string()) },
        },
        Wire::WebStream { error, .. } => {
            if let Some(error) = error.downcast_ref::<Wire>() {
                return trouble(provider, error);
            }
            if let Some(timeout) = error.downcast_ref::<StreamTimeout>() {
                return Trouble::TimedOut { waited: timeout.to_string() };
            }
            match error.downcast_ref::<reqwest::Error>() {
                Some(error) => connection(provider, error),
                None => Trouble::Broken { said: presentable(provider, &error.to_string()) },
            }
        }
        Wire::ChatResponse { body, .. } => in_stream(provider, body),
        // This is how genai passes on that a response has failed, in the middle of a stream.
        Wire::StreamParse { serde_error, .. } => {
            in_stream(provider, &Value::String(serde_error.to_string()))
        }
        Wire::JsonValueExt(_) | Wire::SerdeJson(_) | Wire::InvalidJsonResponseElement { .. } => {
            let said = "a piece of its answer is not in its format".to_owned();
            Trouble::Broken { said }
        }
        Wire::Resolver { .. } | Wire::RequiresApiKey { .. } | Wire::NoAuthData { .. } => {
            Trouble::KeyMissing { variable: variable(&provider.name) }
        }
        error => Trouble::Invalid { said: presentable(provider, &error.to_string()) },
    }
}

/// A request that did not get an answer, or lost it.
pub(super) fn connection(provider: &Provider, error: &reqwest::Error) -> Trouble {
    let mut said = error.to_string();
    // The innermost cause is the one that tells something.
    let mut cause = error.source();
    while let Some(inner) = cause {
        said = inner.to_string();
        cause = inner.source();
    }
    let said = presentable(provider, &said);
    if error.is_timeout() {
        Trouble::TimedOut { waited: said }
    } else if error.is_builder() {
        Trouble::Invalid { said }
    } else if error.is_body() || error.is_decode() {
        Trouble::Broken { said }
    } else {
        Trouble::Unavailable { retry_after: None, said }
    }
}

/// An answer that is none.
pub(super) fn refused(
    provider: &Provider,
    status: u16,
    body: &str,
    headers: &HeaderMap,
) -> Trouble {
    let body = serde_json::from_str(body).unwrap_or_else(|_| Value::String(body.to_owned()));
    let wait = retry_after(headers, SystemTime::now());
    by_status(provider, status, &body, wait)
}

fn by_status(provider: &Provider, status: u16, body: &Value, wait: Option<Duration>) -> Trouble {
    let words = body.to_string().to_lowercase();
    let said = match message(body) {
        Some(message) => presentable(provider, &message),
        None => format!("status {status}"),
    };
    let says = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    if status == 402 || says(&["insufficient_quota", "credit balance", "billing_hard_limit"]) {
        return Trouble::Unpaid { said };
    }
    let variable = || variable(&provider.name);
    match status {
        401 => Trouble::KeyRefused { variable: variable(), said },
        403 if says(&["content", "safety", "policy"]) => Trouble::Refused { said },
        403 => Trouble::KeyRefused { variable: variable(), said },
        400 if says(&["api key not valid", "api_key_invalid", "invalid api key"]) => {
            Trouble::KeyRefused { variable: variable(), said }
        }
        413 => Trouble::TooLong { said },
        400 | 422 | 500 if says(TOO_LONG) => Trouble::TooLong { said },
        400 if says(&["content_filter", "content_policy", "safety system", "flagged"]) => {
            Trouble::Refused { said }
        }
        404 => Trouble::UnknownModel { said },
        400 if says(&["model_not_found", "invalid model", "unknown model", "no such model"]) => {
            Trouble::UnknownModel { said }
        }
        429 => Trouble::RateLimited { retry_after: wait, said },
        408 | 409 | 425 | 500.. => Trouble::Unavailable { retry_after: wait, said },
        300..400 => {
            let said = format!("it points elsewhere (status {status})");
            Trouble::Unavailable { retry_after: None, said }
        }
        _ => Trouble::Invalid { said },
    }
}

/// How providers and servers say that a prompt does not fit.
const TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "context size",
    "context length",
    "prompt is too long",
    "too many tokens",
    "exceed_context_size",
    "exceeds the maximum number of tokens",
    "request too large",
    "input is too long",
];

/// An error that a provider sends in the middle of its answer.
fn in_stream(provider: &Provider, body: &Value) -> Trouble {
    let error = body.get("error").unwrap_or(body);
    let kind = ["type", "code", "status"].iter().find_map(|name| error.get(name)?.as_str());
    let number = error.get("code").and_then(Value::as_u64);
    let words = error.to_string().to_lowercase();
    // Gemini holds a prompt back without a word of why.
    if error.get("finishReason").is_some() && message(error).is_none() {
        return Trouble::Refused { said: "the prompt was held back".to_owned() };
    }
    let status = match (number, kind) {
        (Some(status), _) => u16::try_from(status).unwrap_or(500),
        (_, Some("rate_limit_error" | "rate_limit_exceeded" | "RESOURCE_EXHAUSTED")) => 429,
        (_, Some("authentication_error" | "invalid_api_key" | "UNAUTHENTICATED")) => 401,
        (_, Some("overloaded_error" | "api_error" | "server_error" | "UNAVAILABLE")) => 503,
        (_, Some("invalid_request_error" | "INVALID_ARGUMENT")) => 400,
        (_, Some("not_found_error" | "NOT_FOUND")) => 404,
        _ if words.contains("rate limit") => 429,
        _ if words.contains("overloaded") || words.contains("server") => 503,
        _ if TOO_LONG.iter().any(|part| words.contains(part)) => 400,
        _ => {
            let said = message(error).unwrap_or_else(|| error.to_string());
            return Trouble::Broken { said: presentable(provider, &said) };
        }
    };
    by_status(provider, status, body, None)
}

/// What a provider says in words, in the forms that are in use.
fn message(body: &Value) -> Option<String> {
    let body = body.get(0).unwrap_or(body);
    let error = body.get("error").unwrap_or(body);
    [error.get("message"), Some(error), body.get("message"), body.get("detail")]
        .into_iter()
        .flatten()
        .find_map(Value::as_str)
        .map(str::to_owned)
        .filter(|message| !message.trim().is_empty())
}

/// On one line, without keys, and not too long.
pub(super) fn presentable(provider: &Provider, said: &str) -> String {
    let said = provider.key().map_or_else(|| said.to_owned(), |key| key.masked_in(said));
    let said = dossier_core::guard::masked(&said);
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None if line.is_empty() => "nothing".to_owned(),
        None => line,
    }
}
