//! Which providers are set up, and by whom: by the environment, a settings file, what the owner
//! has set, or because they are known. The stronger source wins, in this order, for the address
//! and for the format alike; keys come from the environment or from the sealed store.

use super::Provider;
use super::known::{KNOWN, OLLAMA, variable};
use crate::error::ModelsError;
use crate::keys::{KeyOrigin, KeyStore, Keys};
use crate::secret::Secret;
use dossier_core::catalogue::Protocol;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// What a file or an owner says about a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declared {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
}

/// Providers by name.
pub type Declarations = BTreeMap<String, Declared>;

/// What a settings file says of providers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileSays {
    /// What the file is called.
    pub file: String,
    pub providers: Declarations,
    /// Whether keys go to the addresses it names. A file that merely lies in a folder must not
    /// send them elsewhere.
    pub is_trusted: bool,
}

type Variable = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Where it is told which providers there are, besides the database.
#[derive(Clone)]
pub struct Sources {
    variable: Variable,
    file: FileSays,
    keys: KeyStore,
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").field("file", &self.file.file).finish_non_exhaustive()
    }
}

/// Who said where a provider is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressOrigin {
    Variable(&'static str),
    File(String),
    Database,
    Known,
}

impl fmt::Display for AddressOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "environment {name}"),
            Self::File(name) => write!(f, "file {name}"),
            Self::Database => f.write_str("database"),
            Self::Known => f.write_str("default"),
        }
    }
}

/// A key without what is secret about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyShown {
    pub origin: KeyOrigin,
    pub masked: String,
}

/// A provider as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderState {
    pub name: String,
    pub protocol: Protocol,
    /// Empty when nobody has said where it is.
    pub base_url: String,
    pub origin: AddressOrigin,
    pub key: Option<KeyShown>,
    /// The provider, or why it cannot be asked.
    pub provider: Result<Provider, String>,
    /// Whether it is there only if it answers, since nobody has asked for it.
    pub is_guess: bool,
}

impl Sources {
    pub fn new(
        variable: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
        file: FileSays,
        keys: KeyStore,
    ) -> Self {
        Self { variable: Arc::new(variable), file, keys }
    }

    /// Every provider that anybody has spoken of, by name.
    pub fn states(&self, held: &Declarations) -> Result<Vec<ProviderState>, ModelsError> {
        let stored = self.keys.providers()?;
        let known = KNOWN.iter().map(|known| known.name);
        let names: BTreeSet<&str> = known
            .chain(self.file.providers.keys().map(String::as_str))
            .chain(held.keys().map(String::as_str))
            .chain(stored.iter().map(String::as_str))
            .collect();
        names.into_iter().map(|name| self.state(name, held)).collect()
    }

    /// One provider, as it is or would be.
    pub fn state(&self, name: &str, held: &Declarations) -> Result<ProviderState, ModelsError> {
        let variable = |name: &str| (self.variable)(name);
        let key = Keys::new(variable, Some(self.keys.clone())).of(name)?;
        Ok(self.with_key(name, held, key))
    }

    /// Refuses what could not be used: a wrong name or address, a key in clear over the network.
    /// A new key is one that is about to be stored.
    pub fn check(
        &self,
        name: &str,
        held: &Declarations,
        new_key: Option<&Secret>,
    ) -> Result<(), ModelsError> {
        let variable = |name: &str| (self.variable)(name);
        let key = match new_key {
            Some(key) => Some((key.clone(), KeyOrigin::Store)),
            None => Keys::new(variable, Some(self.keys.clone())).of(name)?,
        };
        Provider::check_name(name)?;
        let (base_url, origin) = self.address(name, held);
        let base_url = base_url.ok_or_else(|| ModelsError::BadProvider {
            name: name.to_owned(),
            reason: "nobody has said where it is; give its base_url".to_owned(),
        })?;
        let key = key.filter(|_| self.is_trusted(&origin)).map(|(key, _)| key);
        Provider::new(name, self.protocol(name, held), &base_url, key).map(|_| ())
    }

    /// Whether keys go to an address of this origin.
    fn is_trusted(&self, origin: &AddressOrigin) -> bool {
        self.file.is_trusted || !matches!(origin, AddressOrigin::File(_))
    }

    pub fn keys(&self) -> &KeyStore {
        &self.keys
    }

    fn with_key(
        &self,
        name: &str,
        held: &Declarations,
        key: Option<(Secret, KeyOrigin)>,
    ) -> ProviderState {
        let (base_url, origin) = self.address(name, held);
        let protocol = self.protocol(name, held);
        let key = key.filter(|_| self.is_trusted(&origin));
        let shown = key
            .as_ref()
            .map(|(key, origin)| KeyShown { origin: origin.clone(), masked: key.hint() });
        let needs_key = KNOWN.iter().any(|known| known.needs_key(name));
        let provider = match (&base_url, key) {
            (None, _) => Err("nobody has said where it is; set its base_url".to_owned()),
            (Some(_), None) if needs_key => Err(format!("set {}, or store a key", variable(name))),
            (Some(url), key) => Provider::new(name, protocol, url, key.map(|(key, _)| key))
                .map_err(|error| error.to_string()),
        };
        let is_guess =
            name == OLLAMA && matches!(origin, AddressOrigin::Known | AddressOrigin::Variable(_));
        let base_url = base_url.unwrap_or_default();
        let name = name.to_owned();
        ProviderState { name, protocol, base_url, origin, key: shown, provider, is_guess }
    }

    fn address(&self, name: &str, held: &Declarations) -> (Option<String>, AddressOrigin) {
        let known = KNOWN.iter().find(|known| known.name == name);
        if let Some(variable) = known.and_then(|known| known.base_variable)
            && let Some(url) = (self.variable)(variable).filter(|url| !url.trim().is_empty())
        {
            return (Some(url), AddressOrigin::Variable(variable));
        }
        if let Some(url) = self.file.providers.get(name).and_then(|told| told.base_url.clone()) {
            return (Some(url), AddressOrigin::File(self.file.file.clone()));
        }
        if let Some(url) = held.get(name).and_then(|told| told.base_url.clone()) {
            return (Some(url), AddressOrigin::Database);
        }
        if name == OLLAMA
            && let Ok(provider) = Provider::ollama(|name| (self.variable)(name))
        {
            return (Some(provider.base_url().to_owned()), AddressOrigin::Known);
        }
        (known.map(|known| known.base_url.to_owned()), AddressOrigin::Known)
    }

    fn protocol(&self, name: &str, held: &Declarations) -> Protocol {
        let told = [self.file.providers.get(name), held.get(name)];
        let told = told.into_iter().flatten().find_map(|told| told.protocol);
        let known = KNOWN.iter().find(|known| known.name == name).map(|known| known.protocol);
        told.or(known).unwrap_or(Protocol::Chat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(base_url: &str) -> Declared {
        Declared { base_url: Some(base_url.to_owned()), protocol: None }
    }

    fn sources(variables: &[(&str, &str)], file: FileSays) -> (Sources, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let variables: BTreeMap<String, String> =
            variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let keys = KeyStore::at(folder.path());
        (Sources::new(move |name| variables.get(name).cloned(), file, keys), folder)
    }

    fn told(state: &ProviderState) -> (String, String, bool) {
        (state.base_url.clone(), state.origin.to_string(), state.provider.is_ok())
    }

    #[test]
    fn the_environment_wins_over_the_file_over_the_database_over_what_is_known() {
        let file = FileSays {
            file: "dossier.toml".to_owned(),
            providers: [("openai".to_owned(), declared("https://file.example/v1"))].into(),
            is_trusted: true,
        };
        let held: Declarations =
            [("openai".to_owned(), declared("https://held.example/v1"))].into();
        let key = ("OPENAI_API_KEY", "sk-1");
        for (variables, file, held, expected) in [
            (
                &[key][..],
                FileSays::default(),
                Declarations::new(),
                ("https://api.openai.com/v1/", "default", true),
            ),
            (
                &[],
                FileSays::default(),
                Declarations::new(),
                ("https://api.openai.com/v1/", "default", false),
            ),
            (
                &[key],
                FileSays::default(),
                held.clone(),
                ("https://held.example/v1", "database", true),
            ),
            (
                &[key],
                file.clone(),
                held.clone(),
                ("https://file.example/v1", "file dossier.toml", true),
            ),
            (
                &[key, ("OPENAI_BASE_URL", "https://own.example/v1")],
                file,
                held,
                ("https://own.example/v1", "environment OPENAI_BASE_URL", true),
            ),
        ] {
            let (sources, _folder) = sources(variables, file);
            let (url, origin, ready) = told(&sources.state("openai", &held).unwrap());
            assert_eq!((url.as_str(), origin.as_str(), ready), expected);
        }
    }

    #[test]
    fn a_file_that_merely_lies_there_gets_no_key() {
        let file = FileSays {
            file: "dossier.toml".to_owned(),
            providers: [("openai".to_owned(), declared("https://evil.example/v1"))].into(),
            is_trusted: false,
        };
        let (sources, _folder) = sources(&[("OPENAI_API_KEY", "sk-1")], file);
        let state = sources.state("openai", &Declarations::new()).unwrap();
        assert_eq!(state.key, None);
        assert_eq!(state.provider, Err("set OPENAI_API_KEY, or store a key".to_owned()));
    }

    #[test]
    fn a_stored_key_is_shown_by_its_end_and_never_whole() {
        let (sources, _folder) = sources(&[], FileSays::default());
        let key = Secret::new("sk-hunter2hunter2wxyz").unwrap();
        sources.keys().put("anthropic", &key).unwrap();
        let states = sources.states(&Declarations::new()).unwrap();
        let state = states.iter().find(|state| state.name == "anthropic").unwrap();
        assert_eq!(
            state.key,
            Some(KeyShown { origin: KeyOrigin::Store, masked: "…wxyz".to_owned() })
        );
        assert!(state.provider.is_ok());
        assert!(!format!("{states:?}").contains("hunter2"));
        let names: Vec<&str> = states.iter().map(|state| state.name.as_str()).collect();
        assert_eq!(names, ["anthropic", "google", "ollama", "openai", "xai"]);
    }

    #[test]
    fn what_could_not_be_used_is_refused_before_it_is_kept() {
        let (sources, _folder) = sources(&[], FileSays::default());
        let key = Secret::new("k");
        let reason = |name: &str, url: &str| {
            let held = [(name.to_owned(), declared(url))].into();
            sources.check(name, &held, key.as_ref()).unwrap_err().to_string()
        };
        assert!(reason("home", "http://10.0.0.1/v1").contains("in clear"));
        assert!(reason("home", "nowhere").contains("no URL"));
        assert!(reason("My Home", "https://home.example").contains("lower-case"));
        let unknown = sources.check("home", &Declarations::new(), None).unwrap_err();
        assert!(unknown.to_string().contains("base_url"), "{unknown}");
    }
}
