//! Tokenizers as usage has taught them: where a vendor's tokenizer is not public, what it reports
//! corrects the estimate for its family, for one owner, from one turn to the next.

use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::tokens::Tokenizer;
use dossier_store::Factor;
use std::collections::BTreeMap;

/// What a provider reported for a prompt that was counted here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Report {
    /// What counted it.
    pub tokenizer: Tokenizer,
    pub counted: u32,
    pub reported: u32,
}

impl Workspace {
    /// The factors that usage has taught, by family.
    pub async fn token_factors(&self) -> Result<BTreeMap<String, Factor>, EngineError> {
        Ok(self.store.factors().await?)
    }

    /// A tokenizer with the factor that is known for its family.
    pub(crate) async fn learned(&self, tokenizer: Tokenizer) -> Result<Tokenizer, EngineError> {
        let Some(family) = tokenizer.family() else { return Ok(tokenizer) };
        let factors = self.store.factors().await?;
        let known = factors.get(family);
        Ok(known.map_or(tokenizer, |factor| tokenizer.with_factor(factor.percent)))
    }

    /// Learns from a report.
    pub(crate) async fn learn_factor(&self, report: Report) -> Result<(), EngineError> {
        let Report { tokenizer, counted, reported } = report;
        let Some(family) = tokenizer.family() else { return Ok(()) };
        let change = |before: Option<Factor>| {
            tokenizer.learned(before.map(|factor| factor.percent), counted, reported)
        };
        Ok(self.store.change_factor(family, mint::now(), change).await?)
    }
}
