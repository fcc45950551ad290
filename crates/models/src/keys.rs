//! Keys of providers: from variables of the environment, or from a store of our own.
//!
//! The store is one file, sealed with a random secret in a second file that only its owner can
//! read. So a key is in clear neither in a backup of the one nor to other users of the machine;
//! whoever can read both files can read the keys.

mod store;

pub use store::KeyStore;

use crate::error::ModelsError;
use crate::provider;
use crate::secret::Secret;
use std::fmt;

/// Where keys are looked for: a variable wins over the store.
pub struct Keys<V> {
    variable: V,
    store: Option<KeyStore>,
}

/// Where a key was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyOrigin {
    Variable(String),
    Store,
}

impl fmt::Display for KeyOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyOrigin::Variable(name) => f.write_str(name),
            KeyOrigin::Store => f.write_str("the stored keys"),
        }
    }
}

impl<V: Fn(&str) -> Option<String>> Keys<V> {
    pub fn new(variable: V, store: Option<KeyStore>) -> Self {
        Self { variable, store }
    }

    /// The key of a provider, and where it was found.
    pub fn of(&self, provider: &str) -> Result<Option<(Secret, KeyOrigin)>, ModelsError> {
        for name in provider::variables(provider) {
            if let Some(key) = (self.variable)(&name).and_then(|value| Secret::new(&value)) {
                return Ok(Some((key, KeyOrigin::Variable(name))));
            }
        }
        let Some(store) = &self.store else { return Ok(None) };
        Ok(store.get(provider)?.map(|key| (key, KeyOrigin::Store)))
    }
}

impl<V> fmt::Debug for Keys<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").field("store", &self.store).finish_non_exhaustive()
    }
}
