//! Vectors for whoever wants them: the embedder that searches by meaning gives them as it makes
//! them.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_embed::{EmbedError, Embedder};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// One vector a text, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    pub model: String,
    pub vectors: Vec<Vec<f32>>,
    /// Of all texts together.
    pub tokens: usize,
}

impl Workspace {
    /// The name of the embedder, if there is one that has told it.
    pub fn embedding_model(&self) -> Option<&str> {
        match &*self.embedder {
            Embedder::Endpoint(_) => None,
            embedder => embedder.model().ok().flatten(),
        }
    }

    /// The vectors of some texts by the embedder of this name.
    pub async fn embeddings(
        &self,
        model: &str,
        texts: Vec<String>,
    ) -> Result<Embeddings, EngineError> {
        if let Some(own) = self.space().await??.filter(|own| own != model) {
            let mend = format!("the embedder that is set up is {own}");
            return Err(EngineError::not_found("embedding model", model, mend));
        }
        let embedder = Arc::clone(&self.embedder);
        let made = spawn_blocking(move || {
            let model = embedder.model()?.ok_or(EmbedError::Disabled)?.to_owned();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let vectors = embedder.embed_soon(&texts)?;
            let tokens = texts.iter().map(|text| embedder.count(text)).sum();
            Ok::<_, EmbedError>(Embeddings { model, vectors, tokens })
        });
        Ok(made.await??)
    }
}
