//! What assembling answers at every door: the messages in two parts, the budget and the receipt.

use dossier_core::hash::ContentHash;
use dossier_core::receipt::Receipt;
use dossier_core::render::{WireMessage, WireRole};
use serde::Serialize;

/// A dossier as programs see it.
#[derive(Debug, Serialize)]
pub struct Assembled<'a> {
    /// The stable part, up to the first byte of history.
    pub header: &'a [WireMessage],
    /// History, this turn's items and the question.
    pub working_set: &'a [WireMessage],
    pub budget: AssembledBudget<'a>,
    /// Tools that the header names and whose schemas come when they are asked for.
    pub lazy_tools: Vec<&'a str>,
    /// The same for the same question in the same context.
    pub cache_key: &'a ContentHash,
    pub receipt: &'a Receipt,
}

#[derive(Debug, Serialize)]
pub struct AssembledBudget<'a> {
    pub used: u32,
    pub limit: u32,
    pub warnings: &'a [String],
}

impl<'a> Assembled<'a> {
    pub fn new(receipt: &'a Receipt, messages: &'a [WireMessage]) -> Self {
        let stable = messages.iter().take_while(|message| message.role == WireRole::System).count();
        let (header, working_set) = messages.split_at(stable);
        let budget = &receipt.budget;
        Self {
            header,
            working_set,
            budget: AssembledBudget {
                used: budget.used,
                limit: budget.limit,
                warnings: &budget.warnings,
            },
            lazy_tools: receipt.lazy_tools.iter().map(String::as_str).collect(),
            cache_key: &receipt.sent,
            receipt,
        }
    }
}
