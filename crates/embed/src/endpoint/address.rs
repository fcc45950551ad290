//! Where a service is and what to ask of it, written as one URL:
//! `https://host/v1?dimensions=256#model`. What stands in the query is for us, not for the
//! service.
//!
//! Invariant: an address holds no secret, so it may be stored and shown.

use std::fmt;
use std::str::FromStr;

use ureq::http::Uri;

/// Most open embedding models read 512 tokens, and servers refuse more as they come. Larger
/// windows would not find better either: the vector of a long text says little about each of its
/// passages, and a chunk is seldom longer than two of these windows.
const MAX_TOKENS: u32 = 512;
/// The most texts that common servers take in one request as they come.
const BATCH: u32 = 32;
/// In seconds. A large model without an accelerator takes its time for a batch.
const TIMEOUT: u32 = 60;

const OPTIONS: &str = "dimensions, max_tokens, batch, timeout and key_env";

/// Where a service is and what to ask of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Up to and with `/v1`, without a slash at its end.
    pub(super) base: String,
    pub(super) host: String,
    pub(super) model: String,
    pub(super) dimensions: Option<u32>,
    pub(super) max_tokens: u32,
    pub(super) batch: u32,
    pub(super) timeout: u32,
    key_env: Option<String>,
}

impl Address {
    /// The environment variable that holds the key, if one was named.
    pub fn key_env(&self) -> Option<&str> {
        self.key_env.as_deref()
    }

    /// Whether texts stay on this machine.
    pub fn is_loopback(&self) -> bool {
        let host = self.host.strip_prefix('[').and_then(|host| host.split_once(']'));
        let name = host.map_or_else(|| self.host.split(':').next().unwrap_or(""), |(name, _)| name);
        let is_local = |address: std::net::IpAddr| address.is_loopback();
        name == "localhost" || name.parse().is_ok_and(is_local)
    }

    /// Whether a connection costs next to nothing, since nothing is encrypted.
    pub(super) fn is_plain(&self) -> bool {
        self.base.starts_with("http://")
    }

    pub(super) fn embeddings(&self) -> String {
        format!("{}/embeddings", self.base)
    }

    /// The name of the vectors: the same model on another host may be another model.
    pub(super) fn space(&self, dimension: usize) -> String {
        let place = self.base.split_once("://").map_or(self.base.as_str(), |(_, place)| place);
        format!("{}@{place}:{dimension}", self.model)
    }
}

/// An address that makes no sense. It is not repeated, since someone may have put a secret in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    #[error("it is no http:// or https:// URL; write https://host/v1#model")]
    NotHttp,
    #[error("the model is missing; write it behind the URL: https://host/v1#model")]
    NoModel,
    #[error(
        "a user name or password in the URL would be shown; put a key into DOSSIER_EMBEDDER_KEY"
    )]
    Credentials,
    #[error("`{0}` is no option of an embedder; there are {OPTIONS}")]
    UnknownOption(String),
    #[error("{name} takes a whole number from 1 to {most}")]
    BadNumber { name: &'static str, most: u32 },
    #[error("key_env takes the name of an environment variable, not a key")]
    BadVariable,
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let (url, model) = text.trim().split_once('#').unwrap_or((text.trim(), ""));
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let base = base.trim_end_matches('/');
        let base = base.strip_suffix("/embeddings").unwrap_or(base).trim_end_matches('/');
        let uri: Uri = base.parse().map_err(|_| BadAddress::NotHttp)?;
        let (Some("http" | "https"), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(BadAddress::NotHttp);
        };
        if authority.as_str().contains('@') {
            return Err(BadAddress::Credentials);
        }
        if model.is_empty() || model.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(BadAddress::NoModel);
        }
        let mut address = Address {
            base: base.to_owned(),
            host: authority.as_str().to_lowercase(),
            model: model.to_owned(),
            dimensions: None,
            max_tokens: MAX_TOKENS,
            batch: BATCH,
            timeout: TIMEOUT,
            key_env: None,
        };
        for option in query.split('&').filter(|option| !option.is_empty()) {
            address.set(option)?;
        }
        Ok(address)
    }
}

impl Address {
    fn set(&mut self, option: &str) -> Result<(), BadAddress> {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        match name {
            // What PostgreSQL's vectors can hold.
            "dimensions" => self.dimensions = Some(number("dimensions", value, MAX_DIMENSION)?),
            "max_tokens" => self.max_tokens = number("max_tokens", value, 1 << 20)?,
            "batch" => self.batch = number("batch", value, 2048)?,
            "timeout" => self.timeout = number("timeout", value, 3600)?,
            "key_env" => {
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                if value.is_empty() || !value.chars().all(is_name) {
                    return Err(BadAddress::BadVariable);
                }
                self.key_env = Some(value.to_owned());
            }
            _ => return Err(BadAddress::UnknownOption(name.chars().take(40).collect())),
        }
        Ok(())
    }
}

/// The largest vector that every store can hold.
pub(super) const MAX_DIMENSION: u32 = 16_000;

fn number(name: &'static str, value: &str, most: u32) -> Result<u32, BadAddress> {
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or(BadAddress::BadNumber { name, most })
}

/// As it is written, with the options that are not as usual.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unusual = |name, value: u32, usual| (value != usual).then(|| format!("{name}={value}"));
        let options: Vec<String> = [
            self.dimensions.map(|dimensions| format!("dimensions={dimensions}")),
            unusual("max_tokens", self.max_tokens, MAX_TOKENS),
            unusual("batch", self.batch, BATCH),
            unusual("timeout", self.timeout, TIMEOUT),
            self.key_env.as_ref().map(|name| format!("key_env={name}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        let query =
            if options.is_empty() { String::new() } else { format!("?{}", options.join("&")) };
        write!(f, "{}{query}#{}", self.base, self.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_as_it_was_read() {
        for (text, written) in [
            ("http://127.0.0.1:8080/v1#nomic-embed", "http://127.0.0.1:8080/v1#nomic-embed"),
            ("https://host/v1/#m", "https://host/v1#m"),
            ("https://host/v1/embeddings#m", "https://host/v1#m"),
            (
                "https://host/v1?batch=8&dimensions=256&timeout=60&key_env=MY_KEY#a/b:c",
                "https://host/v1?dimensions=256&batch=8&key_env=MY_KEY#a/b:c",
            ),
            (
                "https://host?max_tokens=8191&timeout=5#m",
                "https://host?max_tokens=8191&timeout=5#m",
            ),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string(), written);
            assert_eq!(written.parse(), Ok(address));
        }
    }

    #[test]
    fn an_address_that_makes_no_sense_is_refused_without_being_repeated() {
        let check = |text: &str, expected: BadAddress| {
            let error = text.parse::<Address>().unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
            assert_eq!(error, expected, "{text}");
        };
        check("huge", BadAddress::NotHttp);
        check("ftp://host/v1#m", BadAddress::NotHttp);
        check("http://#m", BadAddress::NotHttp);
        check("http://host/v1", BadAddress::NoModel);
        check("http://host/v1#", BadAddress::NoModel);
        check("http://host/v1#two words", BadAddress::NoModel);
        check("http://ana:hunter2@host/v1#m", BadAddress::Credentials);
        check("http://host/v1?color=red#m", BadAddress::UnknownOption("color".to_owned()));
        check("http://host/v1?batch=0#m", BadAddress::BadNumber { name: "batch", most: 2048 });
        check("http://host/v1?key_env=sk-hunter2#m", BadAddress::BadVariable);
    }

    #[test]
    fn the_name_of_the_vectors_tells_hosts_models_and_dimensions_apart() {
        let address: Address = "https://host:8080/v1?batch=4#nomic-embed".parse().unwrap();
        assert_eq!(address.space(768), "nomic-embed@host:8080/v1:768");
    }

    #[test]
    fn loopback_is_known_by_name_and_by_number() {
        for (text, expected) in [
            ("http://localhost:1/v1#m", true),
            ("http://127.0.0.1/v1#m", true),
            ("http://[::1]:8080/v1#m", true),
            ("http://localhost.example/v1#m", false),
            ("http://10.0.0.1/v1#m", false),
        ] {
            assert_eq!(text.parse::<Address>().unwrap().is_loopback(), expected, "{text}");
        }
    }
}
