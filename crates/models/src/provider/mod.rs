//! Providers: where models are had, in which format, with which key.

mod forward;
mod hosted;
mod known;
mod list;
mod remote;
mod request;
mod setup;
mod stream;
mod trouble;
mod witness;

pub use forward::{Forward, Passed, Wire};
pub use hosted::{HostedHit, HostedStores};
pub(crate) use known::variables;
pub(crate) use list::{Listed, list};
pub(crate) use remote::Remote;
pub use setup::{
    AddressOrigin, Declarations, Declared, FileSays, KeyShown, ProviderState, Sources,
};

use crate::client::is_here;
use crate::error::ModelsError;
use crate::secret::Secret;
use dossier_core::catalogue::Protocol;

const LONGEST_NAME: usize = 100;

/// Where models are had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    pub name: String,
    pub protocol: Protocol,
    /// Up to the part that the protocol adds, with a slash at its end.
    base_url: String,
    key: Option<Secret>,
}

impl Provider {
    /// A provider at an address: `https://host/v1` for most.
    pub fn new(
        name: &str,
        protocol: Protocol,
        base_url: &str,
        key: Option<Secret>,
    ) -> Result<Self, ModelsError> {
        let bad = |reason: &str| {
            Err(ModelsError::BadProvider { name: name.to_owned(), reason: reason.to_owned() })
        };
        Self::check_name(name)?;
        let Ok(url) = reqwest::Url::parse(base_url.trim()) else {
            return bad("its address is no URL; write https://host/v1");
        };
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return bad("its address is no http:// or https:// URL");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return bad("a user name or password in its address would be shown; store a key");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return bad("its address ends with a path, without `?` and `#`");
        }
        if url.scheme() == "http" && key.is_some() && !is_here(&url) {
            return bad("a key would cross the network in clear; write https://");
        }
        let base_url = format!("{}/", url.as_str().trim_end_matches('/'));
        Ok(Self { name: name.to_owned(), protocol, base_url, key })
    }

    /// Refuses what cannot be the name of a provider.
    pub fn check_name(name: &str) -> Result<(), ModelsError> {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
        match (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_part) {
            true => Ok(()),
            false => Err(ModelsError::BadProvider {
                name: name.chars().take(LONGEST_NAME).collect(),
                reason: "a name has lower-case letters, digits, `-`, `_` and `.` only".to_owned(),
            }),
        }
    }

    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Whether prompts stay on this machine.
    pub fn is_here(&self) -> bool {
        reqwest::Url::parse(&self.base_url).is_ok_and(|url| is_here(&url))
    }

    fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(name: &str, url: &str, key: Option<&str>) -> String {
        let key = key.and_then(Secret::new);
        Provider::new(name, Protocol::Chat, url, key).unwrap_err().to_string()
    }

    #[test]
    fn an_address_ends_with_one_slash_and_holds_no_secret() {
        for url in ["https://host/v1", "https://host/v1/", " https://host/v1// "] {
            let provider = Provider::new("here", Protocol::Chat, url, Secret::new("k")).unwrap();
            assert_eq!(provider.base_url(), "https://host/v1/");
        }
        assert!(reason("here", "https://me:pass@host/v1", None).contains("user name"));
        assert!(reason("here", "https://host/v1?key=1", None).contains("path"));
        assert!(reason("here", "host/v1", None).contains("URL"));
        assert!(reason("here", "file:///etc", None).contains("http"));
        assert!(reason("My Own", "https://host", None).contains("lower-case"));
    }

    #[test]
    fn a_key_does_not_cross_the_network_in_clear() {
        assert!(reason("here", "http://10.0.0.1/v1", Some("k")).contains("in clear"));
        for url in ["http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]:8080/v1"] {
            let provider = Provider::new("here", Protocol::Chat, url, Secret::new("k")).unwrap();
            assert!(provider.is_here(), "{url}");
            assert!(!format!("{provider:?}").contains("\"k\""));
        }
    }
}
