//! The provider's own store in the place of ours, where the owner has chosen it: made when the model
//! first searches, deleted when the call ends.
//!
//! Invariant: whatever is made there is noted with its turn before it is used, and struck off once it
//! is deleted; what a process left behind is deleted when the next one starts, or by the next call.
//! All that lies there at once stays below what the provider keeps for nothing.

use super::plan::Consulting;
use super::tools::{cut, in_turns};
use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::guard::masked;
use dossier_files::{Found, Limits, SkipReason, read};
use dossier_models::{HostedHit, HostedStores, ModelsError};
use dossier_store::{Hosted, HostedKind};
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::spawn_blocking;

/// Until a store is made and has taken its files in, all uploads together.
const FILLING: Duration = Duration::from_secs(120);

/// How long all queries of one search may take.
const SEARCHING: Duration = Duration::from_secs(30);

/// What may lie at a provider at once, in bytes: beyond a gigabyte it is charged for by the day.
const FREE: u64 = 1_000_000_000;

/// The most files that are named as not searched.
const MOST_UNREAD: usize = 5;

/// A store that was made for this call.
#[derive(Debug)]
pub(super) struct Remote {
    store: String,
    /// Names by the ids of the files there.
    names: HashMap<String, String>,
    /// What is not there and why, as the model is told; of very many the first.
    unread: Vec<String>,
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
            let filled = self.fill(workspace, stores);
            let filled = in_time(FILLING, stores.provider(), filled).await;
            // Whatever was wrong with it is not tried again within the call.
            *remote = Some(filled.map_err(|error| error.to_string()));
        }
        match remote.as_ref()? {
            Ok(remote) => {
                let found = remote.search(stores, queries, limit);
                Some(in_time(SEARCHING, stores.provider(), found).await)
            }
            Err(said) => Some(Err(EngineError::Invalid(said.clone()))),
        }
    }

    async fn fill(
        &self,
        workspace: &Workspace,
        stores: &HostedStores,
    ) -> Result<Remote, EngineError> {
        let (mut names, mut unread) = (HashMap::new(), Vec::new());
        let mut volume = workspace.hosted_volume(stores.provider()).await?;
        for (name, found) in self.view.opened() {
            let text = match text_of(found).await? {
                Ok(text) => text,
                Err(reason) => {
                    unread.push(format!("{name} cannot be searched: {reason}"));
                    continue;
                }
            };
            let bytes = text.len() as u64;
            volume = volume.saturating_add(bytes);
            if volume > FREE {
                return Err(EngineError::Invalid(format!(
                    "the store at {} would hold more than the gigabyte that is free of charge",
                    stores.provider()
                )));
            }
            let (there, title) = (stores.clone(), format!("{}.txt", names.len() + 1));
            let upload = async move { there.upload(&title, &text).await };
            let file = self.made(workspace, stores, (HostedKind::File, bytes), upload).await?;
            names.insert(file, name);
        }
        let there = stores.clone();
        let create = async move { there.create().await };
        let store = self.made(workspace, stores, (HostedKind::Store, 0), create).await?;
        let files: Vec<String> = names.keys().cloned().collect();
        stores.fill(&store, &files, FILLING).await?;
        unread.truncate(MOST_UNREAD);
        Ok(Remote { store, names, unread })
    }

    /// Makes a thing at a provider and notes it, by its id. Both are done though the call is given
    /// up meanwhile, or nobody would know of it.
    async fn made(
        &self,
        workspace: &Workspace,
        stores: &HostedStores,
        (kind, bytes): (HostedKind, u64),
        making: impl Future<Output = Result<String, ModelsError>> + Send + 'static,
    ) -> Result<String, EngineError> {
        let (workspace, provider) = (workspace.clone(), stores.provider().to_owned());
        let turn = self.turn();
        let noted = tokio::spawn(async move {
            let id = making.await?;
            // Nothing is made before there is a turn.
            if let Some(turn) = turn {
                let created_at = mint::now();
                let hosted = Hosted { provider, kind, id: id.clone(), turn, bytes, created_at };
                workspace.store.note_hosted(&hosted).await?;
            }
            Ok(id)
        });
        noted.await?
    }
}

impl Remote {
    async fn search(
        &self,
        stores: &HostedStores,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<String>, EngineError> {
        let passage = |hit: HostedHit| {
            let name = self.names.get(&hit.file).map_or("?", String::as_str);
            format!("{name}\n{}", cut(&hit.text).trim_end())
        };
        let mut lists = Vec::with_capacity(queries.len());
        for query in queries {
            let hits = stores.search(&self.store, query, limit).await?;
            lists.push(hits.into_iter().map(passage).collect());
        }
        let mut told = in_turns(lists, limit, String::clone);
        told.extend(self.unread.iter().cloned());
        Ok(told)
    }
}

async fn in_time<T>(
    limit: Duration,
    provider: &str,
    work: impl Future<Output = Result<T, EngineError>>,
) -> Result<T, EngineError> {
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
        let seconds = limit.as_secs();
        Err(EngineError::Invalid(format!("the store at {provider} took longer than {seconds} s")))
    })
}

async fn text_of(found: Found) -> Result<Result<String, SkipReason>, EngineError> {
    let text = spawn_blocking(move || read(&found, &Limits::default())).await?;
    // As our own search shows it.
    Ok(text.map(|text| masked(&text.content).into_owned()))
}

impl Workspace {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn a_store_that_never_answers_is_waited_for_so_long_and_no_longer() {
        for (limit, seconds) in [(FILLING, 120), (SEARCHING, 30)] {
            let begun = Instant::now();
            let late = in_time::<()>(limit, "openai", pending()).await.unwrap_err();
            let told = format!("the store at openai took longer than {seconds} s");
            assert_eq!((late.to_string(), begun.elapsed().as_secs()), (told, seconds));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_in_time_is_taken() {
        let work = async {
            tokio::time::sleep(SEARCHING - Duration::from_secs(1)).await;
            Ok("found")
        };
        assert_eq!(in_time(SEARCHING, "openai", work).await.unwrap(), "found");
    }
}
