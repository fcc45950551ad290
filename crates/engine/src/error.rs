//! What can go wrong, by what a caller can do about it.

use dossier_core::exchange::ExchangeError;
use dossier_core::fields::FieldErrors;
use dossier_core::fit::TooLarge;
use dossier_core::history::WindowFull;
use dossier_core::persona::Expired;
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
    /// The same, with what there is instead.
    #[error("{what} `{name}` is not known; {}", listed(known))]
    Unknown { what: &'static str, name: String, known: Vec<Known> },
    #[error("{0}")]
    Invalid(String),
    #[error(transparent)]
    Fields(#[from] FieldErrors),
    #[error(transparent)]
    Expired(#[from] Expired),
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
    #[error("{0}")]
    SessionFull(String),
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

/// Something that could have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub id: String,
    pub name: String,
}

/// So many are named, the others counted.
const MOST_LISTED: usize = 20;

fn listed(known: &[Known]) -> String {
    if known.is_empty() {
        return "there is none yet; make one first".to_owned();
    }
    let named =
        known.iter().take(MOST_LISTED).map(|known| format!("{} ({})", known.name, known.id));
    let mut named: Vec<String> = named.collect();
    if known.len() > MOST_LISTED {
        named.push(format!("and {} more", known.len() - MOST_LISTED));
    }
    format!("there are: {}", named.join(", "))
}

impl EngineError {
    pub(crate) fn not_found(what: &'static str, name: &str, mend: impl Into<String>) -> Self {
        Self::NotFound { what, name: name.to_owned(), mend: mend.into() }
    }
}
