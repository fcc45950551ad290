//! Why a model's part of a turn comes to no reply.

use crate::error::EngineError;
use dossier_models::ModelsError;
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
