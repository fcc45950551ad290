//! What goes wrong with models. Every message names the model and a way out; none holds a key.

use crate::model::Limits;
use std::time::Duration;

/// What this crate can fail with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelsError {
    /// A model did not answer.
    #[error("{provider}/{model} {trouble}")]
    Call { provider: String, model: String, trouble: Trouble },
    #[error("no model is called `{name}`{}", near(near_names))]
    NoModel { name: String, near_names: Vec<String> },
    #[error("several providers have a model `{name}`; write one of {}", choices.join(", "))]
    Ambiguous { name: String, choices: Vec<String> },
    #[error("the provider `{name}` is not set up; {hint}")]
    NoProvider { name: String, hint: String },
    #[error("the provider `{name}` cannot be used: {reason}")]
    BadProvider { name: String, reason: String },
    #[error("the catalogue {file} cannot be read: {reason}")]
    BadCatalogue { file: String, reason: String },
    #[error("the stored keys in {file} cannot be used: {reason}")]
    BadKeys { file: String, reason: String },
}

fn near(names: &[String]) -> String {
    if names.is_empty() {
        return "; write provider/model, as in openai/gpt-4o".to_owned();
    }
    format!("; near it are {}", names.join(", "))
}

/// Why a model did not answer, or not to the end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("needs a key: set {variable}, or store one")]
    KeyMissing { variable: String },
    #[error("does not accept the key (it said: {said}); set {variable} to one that is valid")]
    KeyRefused { variable: String, said: String },
    #[error("is not paid for (its provider said: {said}); add credit there, or take another model")]
    Unpaid { said: String },
    #[error(
        "is not known to its provider (it said: {said}); check the name, or ask for the list of its models"
    )]
    UnknownModel { said: String },
    #[error("is asked too often{}; wait, or take another model (it said: {said})", after(*retry_after))]
    RateLimited { retry_after: Option<Duration>, said: String },
    #[error(
        "cannot take so long a prompt (it said: {said}); lower the budget, or take a model with a larger window"
    )]
    TooLong { said: String },
    #[error(
        "declines to answer this (its provider said: {said}); ask in other words, or another model"
    )]
    Refused { said: String },
    #[error(
        "cannot be reached{}: {said}; try again later, or check the address of its provider",
        after(*retry_after)
    )]
    Unavailable { retry_after: Option<Duration>, said: String },
    #[error(
        "did not answer in time: {waited}; take a faster model, or give answers longer with {}",
        Limits::SETTING
    )]
    TimedOut { waited: String },
    #[error("stopped in the middle of its answer: {said}; try again")]
    Broken { said: String },
    #[error("does not take this request: {said}")]
    Invalid { said: String },
    /// Nothing is wrong: whoever answers in its place has to be asked first.
    #[error("waits for an answer that comes with the next call")]
    Suspended,
}

fn after(retry_after: Option<Duration>) -> String {
    retry_after
        .map_or_else(String::new, |wait| format!(" for the next {} s", wait.as_secs().max(1)))
}

impl Trouble {
    /// A short name that stays the same.
    pub fn code(&self) -> &'static str {
        match self {
            Trouble::KeyMissing { .. } => "key_missing",
            Trouble::KeyRefused { .. } => "key_refused",
            Trouble::Unpaid { .. } => "unpaid",
            Trouble::UnknownModel { .. } => "unknown_model",
            Trouble::RateLimited { .. } => "rate_limited",
            Trouble::TooLong { .. } => "too_long",
            Trouble::Refused { .. } => "refused",
            Trouble::Unavailable { .. } => "unavailable",
            Trouble::TimedOut { .. } => "timed_out",
            Trouble::Broken { .. } => "broken",
            Trouble::Invalid { .. } => "invalid",
            Trouble::Suspended => "suspended",
        }
    }

    /// How long its provider asks to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Trouble::RateLimited { retry_after, .. } | Trouble::Unavailable { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }

    /// Whether the same request may well succeed a little later.
    pub fn is_passing(&self) -> bool {
        matches!(self, Trouble::RateLimited { .. } | Trouble::Unavailable { .. })
    }

    /// Whether the provider is at fault, and not what it was asked.
    pub fn is_outage(&self) -> bool {
        self.is_passing() || matches!(self, Trouble::TimedOut { .. } | Trouble::Broken { .. })
    }
}

impl ModelsError {
    pub fn trouble(&self) -> Option<&Trouble> {
        match self {
            ModelsError::Call { trouble, .. } => Some(trouble),
            _ => None,
        }
    }
}
