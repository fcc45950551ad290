//! What can go wrong, by what a caller can do about it.

use dossier_core::exchange::ExchangeError;
use dossier_core::fit::TooLarge;
use dossier_core::history::WindowFull;
use dossier_core::prompt::BadTemplate;
use dossier_embed::EmbedError;
use dossier_files::{FilesError, SkipReason};
use dossier_models::ModelsError;
use dossier_store::StoreError;
use std::io;

/// A request that could not be done.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("{what} `{name}` is not known; {mend}")]
    NotFound { what: &'static str, name: String, mend: String },
    #[error("{0}")]
    Invalid(String),
    #[error("{0}")]
    Conflict(String),
    #[error("{path} is not taken: {reason}")]
    NotTaken { path: String, reason: SkipReason },
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    BadTemplate(#[from] BadTemplate),
    #[error(transparent)]
    WindowFull(#[from] WindowFull),
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    #[error("cannot read it: {0}; name a file")]
    Reading(#[from] io::Error),
    #[error("cannot write it: {0}; check the disk and the folder")]
    Writing(#[source] io::Error),
    #[error(transparent)]
    Files(#[from] FilesError),
    #[error(transparent)]
    Models(#[from] ModelsError),
    #[error(transparent)]
    Embedding(#[from] EmbedError),
    #[error("{0}")]
    OverBudget(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a background task ended early; run the command again")]
    Interrupted(#[from] tokio::task::JoinError),
}

impl EngineError {
    pub(crate) fn not_found(what: &'static str, name: &str, mend: impl Into<String>) -> Self {
        Self::NotFound { what, name: name.to_owned(), mend: mend.into() }
    }
}
