//! The connection to providers, one for all: certificates are checked by the system's own means,
//! and no redirection is followed, since it would take the key to another host.

use crate::error::ModelsError;
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt as _;
use std::sync::Arc;

/// A client, for hosts elsewhere or on this machine, where no proxy stands between.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    elsewhere: reqwest::Client,
    here: reqwest::Client,
}

impl Client {
    pub(crate) fn new() -> Result<Self, ModelsError> {
        let failed = |reason: String| ModelsError::BadProvider { name: "every".to_owned(), reason };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_platform_verifier())
            .map_err(|error| failed(error.to_string()))?
            .with_no_client_auth();
        let builder = || {
            reqwest::Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .redirect(reqwest::redirect::Policy::none())
                .user_agent(concat!("dossier/", env!("CARGO_PKG_VERSION")))
        };
        let built = |client: reqwest::Result<_>| client.map_err(|error| failed(error.to_string()));
        Ok(Self {
            elsewhere: built(builder().build())?,
            here: built(builder().no_proxy().build())?,
        })
    }

    pub(crate) fn to(&self, url: &reqwest::Url) -> &reqwest::Client {
        if is_here(url) { &self.here } else { &self.elsewhere }
    }
}

/// Whether a URL leads to this machine.
pub(crate) fn is_here(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}
