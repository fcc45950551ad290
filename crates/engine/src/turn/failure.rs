//! Why a model's part of a turn comes to no reply.

use crate::error::EngineError;
use dossier_models::{ModelsError, Trouble};
use dossier_store::StoreError;

/// Why there is no reply.
pub(super) enum Failure {
    Engine(EngineError),
    Model(ModelsError),
    GivenUp,
    /// The program ends before the reply.
    Parked,
    /// It ended so, and said nothing.
    Empty(String),
    /// Somebody else has ended this reply.
    Over,
}

impl Failure {
    /// Whether the provider is at fault, and not what it was asked.
    pub(super) fn is_outage(&self) -> bool {
        match self {
            Self::Model(error) => error.trouble().is_some_and(Trouble::is_outage),
            _ => false,
        }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<ModelsError> for Failure {
    fn from(error: ModelsError) -> Self {
        Self::Model(error)
    }
}
