//! The provider's own store in the place of ours, where the owner has chosen it: made when the model
//! first searches, deleted when the call ends.
//!
//! Invariant: whatever is made there is noted with its turn before it is used, and struck off once it
//! is deleted; what a process left behind is deleted by the next call. All that lies there at once
//! stays below what the provider keeps for nothing.

use super::plan::Consulting;
use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::guard::masked;
use dossier_files::{Found, Limits, read};
use dossier_models::HostedStores;
use dossier_store::{Hosted, HostedKind};
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::spawn_blocking;

/// Until a store has taken its files in.
const READY: Duration = Duration::from_secs(60);

/// What may lie at a provider at once, in bytes: beyond a gigabyte it is charged for by the day.
const FREE: u64 = 1_000_000_000;

/// A store that was made for this call.
#[derive(Debug)]
pub(super) struct Remote {
    store: String,
    /// Names by the ids of the files there.
    names: HashMap<String, String>,
}

impl Consulting {
    /// What the provider's store finds, each passage with its file; none where ours is searched.
    pub(super) async fn found_there(
        &self,
        workspace: &Workspace,
        queries: &[String],
        limit: usize,
    ) -> Option<Result<Vec<String>, EngineError>> {
        let stores = self.stores.as_ref()?;
        let mut remote = self.remote.lock().await;
        if remote.is_none() {
            match self.fill(workspace, stores).await {
                Ok(made) => *remote = Some(made),
                Err(error) => return Some(Err(error)),
            }
        }
        let remote = remote.as_ref()?;
        let mut told: Vec<String> = Vec::new();
        for query in queries {
            let hits = match stores.search(&remote.store, query, limit).await {
                Ok(hits) => hits,
                Err(error) => return Some(Err(error.into())),
            };
            for hit in hits {
                let name = remote.names.get(&hit.file).map_or("?", String::as_str);
                let text: String = hit.text.chars().take(1_000).collect();
                let passage = format!("{name}\n{}", text.trim_end());
                if !told.contains(&passage) {
                    told.push(passage);
                }
            }
        }
        told.truncate(limit);
        Some(Ok(told))
    }

    async fn fill(
        &self,
        workspace: &Workspace,
        stores: &HostedStores,
    ) -> Result<Remote, EngineError> {
        let mut names = HashMap::new();
        let mut volume = workspace.hosted_volume(stores.provider()).await?;
        for (name, found) in self.view.opened() {
            let Some(text) = text_of(found).await? else { continue };
            let bytes = text.len() as u64;
            volume = volume.saturating_add(bytes);
            if volume > FREE {
                return Err(EngineError::Invalid(format!(
                    "the store at {} would hold more than the gigabyte that is free of charge",
                    stores.provider()
                )));
            }
            let file = stores.upload(&format!("{}.txt", names.len() + 1), &text).await?;
            workspace.note(self.made(stores, HostedKind::File, &file, bytes)).await?;
            names.insert(file, name);
        }
        let store = stores.create().await?;
        workspace.note(self.made(stores, HostedKind::Store, &store, 0)).await?;
        let files: Vec<String> = names.keys().cloned().collect();
        stores.fill(&store, &files, READY).await?;
        Ok(Remote { store, names })
    }

    /// What is to be noted of a thing at a provider; nothing before there is a turn.
    fn made(
        &self,
        stores: &HostedStores,
        kind: HostedKind,
        id: &str,
        bytes: u64,
    ) -> Option<Hosted> {
        let (provider, id) = (stores.provider().to_owned(), id.to_owned());
        let turn = self.turn()?;
        Some(Hosted { provider, kind, id, turn, bytes, created_at: mint::now() })
    }
}

async fn text_of(found: Found) -> Result<Option<String>, EngineError> {
    let text = spawn_blocking(move || read(&found, &Limits::default())).await?;
    // As our own search shows it.
    Ok(text.ok().map(|text| masked(&text.content).into_owned()))
}

impl Workspace {
    async fn note(&self, made: Option<Hosted>) -> Result<(), EngineError> {
        match made {
            Some(hosted) => Ok(self.store.note_hosted(&hosted).await?),
            None => Ok(()),
        }
    }

    /// What lies at a provider now, for other calls or left behind by them.
    async fn hosted_volume(&self, provider: &str) -> Result<u64, EngineError> {
        let noted = self.store.hosted().await?;
        let there = noted.iter().filter(|hosted| hosted.provider == provider);
        Ok(there.map(|hosted| hosted.bytes).fold(0, u64::saturating_add))
    }

    /// Deletes what was made at providers for calls that are over. What cannot be deleted now is
    /// tried again by the next call.
    pub async fn sweep_hosted(&self) -> Result<(), EngineError> {
        let noted = self.store.hosted().await?;
        if noted.is_empty() {
            return Ok(());
        }
        self.recover_turns(mint::now()).await?;
        let models = self.models()?;
        for hosted in noted {
            let turn = self.store.turn(&hosted.turn).await?;
            let is_over =
                turn.is_none_or(|turn| turn.replies.iter().all(|reply| !reply.state.is_open()));
            let Some(stores) = models.hosted(&hosted.provider).filter(|_| is_over) else {
                continue;
            };
            let deleted = match hosted.kind {
                HostedKind::Store => stores.delete_store(&hosted.id).await,
                HostedKind::File => stores.delete_file(&hosted.id).await,
            };
            if deleted.is_ok() {
                self.store.strike_hosted(&hosted).await?;
            }
        }
        Ok(())
    }
}
