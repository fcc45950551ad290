//! The key of a service. It leaves this type in one place, the header of a request, and is taken
//! out of whatever the service says.

use std::fmt;

const MASK: &str = "***";

/// A secret that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// None for a blank one.
    pub fn new(key: &str) -> Option<Key> {
        let key = key.trim();
        (!key.is_empty()).then(|| Key(key.to_owned()))
    }

    /// What the service is to be told, for a header and nothing else.
    pub(super) fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// The text without the key: services repeat it when they refuse it.
    pub(super) fn masked(&self, text: &str) -> String {
        text.replace(&self.0, MASK)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({MASK})")
    }
}
