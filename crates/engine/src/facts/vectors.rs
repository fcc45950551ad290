//! The vectors of facts, which follow their words like those of everything else.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::id::{FactId, ProjectId};
use dossier_core::vector::Quantised;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// Facts that are embedded and stored together.
const AT_ONCE: usize = 64;

impl Workspace {
    /// Embeds the facts of a project that have no vector of this embedder; why it stopped early.
    pub async fn embed_facts(&self, project: &ProjectId) -> Result<Option<String>, EngineError> {
        let model = match self.space().await? {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(None),
            Err(error) => return Ok(Some(error.to_string())),
        };
        let known = self.store.facts(project).await?;
        let pending = known.facts.iter().filter(|known| {
            known.embedding.as_ref().is_none_or(|embedding| embedding.model != model)
        });
        let pending: Vec<(FactId, String)> =
            pending.map(|known| (known.fact.id.clone(), known.fact.text.clone())).collect();
        for batch in pending.chunks(AT_ONCE) {
            let embedder = Arc::clone(&self.embedder);
            let texts: Vec<String> = batch.iter().map(|(_, text)| text.clone()).collect();
            let made = spawn_blocking(move || {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                embedder.embed(&texts)
            });
            match made.await? {
                Ok(vectors) => {
                    let rows: Vec<_> = batch
                        .iter()
                        .zip(&vectors)
                        .map(|((id, text), vector)| {
                            (id.clone(), text.clone(), Quantised::of(vector))
                        })
                        .collect();
                    self.store.put_fact_vectors(project, &model, &rows).await?;
                }
                Err(error) => return Ok(Some(error.to_string())),
            }
        }
        Ok(None)
    }
}
