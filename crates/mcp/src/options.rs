//! What a client is offered.

use dossier_core::maxima::Maxima;
use dossier_core::profile::ProfileName;
use dossier_engine::Roots;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Tools that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolSet {
    Consult,
    Memory,
    Persona,
    Project,
}

impl ToolSet {
    pub const ALL: [ToolSet; 4] = [Self::Consult, Self::Memory, Self::Persona, Self::Project];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Consult => "consult",
            Self::Memory => "memory",
            Self::Persona => "persona",
            Self::Project => "project",
        }
    }
}

impl fmt::Display for ToolSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for ToolSet {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|set| set.as_str() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("there is no tool set `{name}`; there are {known}")
        })
    }
}

/// Whether a client's own word counts for which folders may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientRoots {
    /// The client has started the program, and could have named the folders itself.
    Believed,
    Ignored,
}

/// What holds for an owner where a call says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usual {
    /// The model that is asked when none is named.
    pub model: Option<String>,
    /// The profile of a dossier when none is named.
    pub profile: ProfileName,
    /// How long what is deleted can be brought back.
    pub grace_days: u32,
}

impl Usual {
    pub fn new(grace_days: u32) -> Self {
        Self { model: None, profile: ProfileName::Lean, grace_days }
    }
}

/// What the database holds for an owner, by key.
pub type Held = BTreeMap<String, Value>;

/// The settings as the program resolves them. They are asked for with each call, since they may be
/// changed while the door is open.
pub trait Settings: fmt::Debug + Send + Sync {
    fn usual(&self, held: &Held) -> Usual;
}

impl Settings for Usual {
    fn usual(&self, _: &Held) -> Usual {
        self.clone()
    }
}

/// How the door is set up.
#[derive(Debug, Clone)]
pub struct Options {
    pub sets: BTreeSet<ToolSet>,
    /// The project that tools work in when none is named.
    pub project: Option<String>,
    pub settings: Arc<dyn Settings>,
    /// What may be kept at most.
    pub maxima: Maxima,
    /// The folders that files may be read from.
    pub roots: Roots,
    pub client_roots: ClientRoots,
}

impl Options {
    /// All tools, with no project that is usual and no folder to read from.
    pub fn new(settings: Arc<dyn Settings>) -> Self {
        Self {
            sets: ToolSet::ALL.into(),
            project: None,
            settings,
            maxima: Maxima::default(),
            roots: Roots::default(),
            client_roots: ClientRoots::Ignored,
        }
    }
}
