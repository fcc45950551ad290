//! A value and where it came from.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// Where a value came from, strongest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Flag(&'static str),
    Environment(Cow<'static, str>),
    File(PathBuf),
    Database,
    Default,
}

impl Origin {
    pub fn is_stronger_than_database(&self) -> bool {
        !matches!(self, Origin::Database | Origin::Default)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag(name) => write!(f, "flag {name}"),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::File(path) => write!(f, "file {}", path.display()),
            Origin::Database => f.write_str("database"),
            Origin::Default => f.write_str("default"),
        }
    }
}

/// A settled value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    pub origin: Origin,
}

impl<T> Setting<T> {
    pub fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }

    /// For a source that may be silent.
    pub fn given(value: Option<T>, origin: Origin) -> Option<Self> {
        value.map(|value| Self { value, origin })
    }
}
