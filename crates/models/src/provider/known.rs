//! The providers that are known by name, and how they are found: by the variables that their own
//! tools read.

use super::Provider;
use crate::error::ModelsError;
use dossier_core::catalogue::Protocol;

/// Name, format, address, and the variables that may hold the key, the usual one first.
pub(crate) struct Known {
    pub name: &'static str,
    pub protocol: Protocol,
    pub base_url: &'static str,
    pub variables: &'static [&'static str],
    /// The variable that may name another address.
    pub base_variable: Option<&'static str>,
}

pub(crate) const KNOWN: [Known; 5] = [
    Known {
        name: "openai",
        protocol: Protocol::Chat,
        base_url: "https://api.openai.com/v1/",
        variables: &["OPENAI_API_KEY"],
        base_variable: Some("OPENAI_BASE_URL"),
    },
    Known {
        name: "anthropic",
        protocol: Protocol::Anthropic,
        base_url: "https://api.anthropic.com/v1/",
        variables: &["ANTHROPIC_API_KEY"],
        base_variable: None,
    },
    Known {
        name: "google",
        protocol: Protocol::Gemini,
        base_url: "https://generativelanguage.googleapis.com/v1beta/",
        variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        base_variable: None,
    },
    Known {
        name: "xai",
        protocol: Protocol::Chat,
        base_url: "https://api.x.ai/v1/",
        variables: &["XAI_API_KEY"],
        base_variable: None,
    },
    // Its own format can neither keep an answer to a schema nor take further fields here; the one
    // it shares with others can.
    Known {
        name: OLLAMA,
        protocol: Protocol::Chat,
        base_url: "http://127.0.0.1:11434/v1/",
        variables: &[],
        base_variable: None,
    },
];

impl Known {
    /// Whether it is the one of this name, and wants a key.
    pub(crate) fn needs_key(&self, name: &str) -> bool {
        self.name == name && !self.variables.is_empty()
    }
}

pub(crate) const OLLAMA: &str = "ollama";

/// The variables that may hold the key of a provider, the usual one first.
pub(crate) fn variables(provider: &str) -> Vec<String> {
    let known = KNOWN.iter().find(|known| known.name == provider);
    let usual = known.map_or(&[][..], |known| known.variables);
    if usual.is_empty() {
        let name = provider.to_uppercase().replace(['-', '.'], "_");
        return vec![format!("DOSSIER_KEY_{name}")];
    }
    usual.iter().map(|name| (*name).to_owned()).collect()
}

/// The variable that a person sets to give a provider its key.
pub(crate) fn variable(provider: &str) -> String {
    variables(provider).swap_remove(0)
}

impl Provider {
    /// What sets a provider up that is not.
    pub(crate) fn hint(name: &str) -> String {
        match KNOWN.iter().find(|known| known.name == name) {
            Some(known) if known.variables.is_empty() => format!("start {name} on this machine"),
            Some(_) => format!("set {}, or store a key", variable(name)),
            None => "add it with its address to the settings".to_owned(),
        }
    }

    /// An Ollama where its own variable says it is, or at its usual place. Whether it answers is
    /// not known; see [`crate::Models::reachable`].
    pub fn ollama(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ModelsError> {
        let host = variable("OLLAMA_HOST").filter(|host| !host.trim().is_empty());
        let base_url = match host.as_deref().map(str::trim) {
            None => "http://127.0.0.1:11434/v1".to_owned(),
            Some(host) if host.contains("://") => format!("{}/v1", host.trim_end_matches('/')),
            // The address a server listens on is often "all", which is none to call.
            Some(host) => format!("http://{}/v1", host.replace("0.0.0.0", "127.0.0.1")),
        };
        Self::new(OLLAMA, Protocol::Chat, &base_url, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ollama_is_where_its_variable_says() {
        let url = |host: Option<&str>| {
            let ollama = Provider::ollama(|_| host.map(str::to_owned)).unwrap();
            ollama.base_url().to_owned()
        };
        assert_eq!(url(None), "http://127.0.0.1:11434/v1/");
        assert_eq!(url(Some("0.0.0.0:1234")), "http://127.0.0.1:1234/v1/");
        assert_eq!(url(Some("https://gpu.example/")), "https://gpu.example/v1/");
    }

    #[test]
    fn every_provider_has_a_variable_for_its_key() {
        assert_eq!(variable("google"), "GEMINI_API_KEY");
        assert_eq!(variable("my-own.gpu"), "DOSSIER_KEY_MY_OWN_GPU");
    }
}
