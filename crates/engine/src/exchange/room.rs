//! Whether what comes in has room, asked before the first of it is stored: an import is several
//! transactions, and none of them is to be the first that is too much.

use super::archive::Archive;
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::exchange::archive::Line;
use dossier_core::exchange::{Bundle, Conversation, Document, clean};
use dossier_core::hash::ContentHash;
use dossier_core::id::{ProjectId, ThreadId};
use dossier_store::Holding;
use std::collections::HashSet;

/// How much something would add.
#[derive(Debug, Default)]
struct Demand {
    threads: u64,
    /// Messages of the longest thread.
    longest: u64,
    bytes: u64,
}

impl Workspace {
    /// Refuses conversations for which there is no room in the project of this name, which need
    /// not exist yet.
    pub async fn check_room(
        &self,
        project: Option<&str>,
        bundle: &Bundle,
    ) -> Result<(), EngineError> {
        let project = self.known_project(project).await?.map(|project| project.id);
        let mut demand = Demand::default();
        for conversation in &bundle.conversations {
            self.add_conversation(project.as_ref(), conversation, &mut demand).await?;
        }
        self.add_documents(project.as_ref(), &bundle.documents, &mut demand).await?;
        self.allow(&demand).await
    }

    async fn allow(&self, demand: &Demand) -> Result<(), EngineError> {
        let Demand { threads, longest, bytes } = *demand;
        Ok(self.store.allow(threads, longest, bytes).await?)
    }

    async fn add_conversation(
        &self,
        project: Option<&ProjectId>,
        conversation: &Conversation,
        demand: &mut Demand,
    ) -> Result<(), EngineError> {
        let messages = &conversation.messages;
        demand.longest = demand.longest.max(messages.len() as u64);
        let held = match project {
            Some(project) => self.held(project, &clean(&conversation.name())).await?,
            None => None,
        };
        demand.threads += u64::from(held.is_none());
        let new = messages.iter().skip(held.unwrap_or(0));
        demand.bytes += new.map(|message| message.content.len() as u64).sum::<u64>();
        self.add_documents(project, &conversation.documents, demand).await
    }

    /// How many messages are here of the thread that a conversation of this name goes to.
    async fn held(&self, project: &ProjectId, name: &str) -> Result<Option<usize>, EngineError> {
        let store = &self.store;
        let thread = match name.strip_prefix("dossier:") {
            Some(id) => store.thread(&ThreadId::from(id)).await?,
            None => store.thread_from(project, name).await?,
        };
        if let Some(thread) = thread {
            let next = store.next_position(&thread.id).await?;
            return Ok(Some(usize::try_from(next).unwrap_or(0)));
        }
        Ok(match store.hidden_from(project, name).await? {
            Some(hidden) => Some(store.hidden_messages(&hidden).await?.len()),
            None => None,
        })
    }

    async fn add_documents(
        &self,
        project: Option<&ProjectId>,
        documents: &[Document],
        demand: &mut Demand,
    ) -> Result<(), EngineError> {
        for document in documents {
            let known = match (project, dossier_files::virtual_path(&document.path)) {
                (Some(project), Ok(path)) => self.store.file_at(project, &path).await?,
                // It will be refused.
                (_, Err(_)) => continue,
                _ => None,
            };
            if known.is_none() {
                demand.bytes += document.content.len() as u64;
            }
        }
        Ok(())
    }

    /// Refuses an archive for which there is no room, and goes back to its beginning.
    pub(super) async fn check_archive(&self, archive: &mut Archive) -> Result<(), EngineError> {
        let hidden = self.store.hidden().await?;
        let hidden: HashSet<Holding> = hidden.into_iter().map(|hidden| hidden.holding).collect();
        let mut demand = Demand::default();
        // The messages of the thread that is being read, if it is new.
        let mut new = None;
        while let Some(line) = archive.next()? {
            match line {
                Line::Thread(thread) => {
                    let here = hidden.contains(&Holding::Thread(thread.id.clone()))
                        || self.store.thread(&thread.id).await?.is_some();
                    demand.threads += u64::from(!here);
                    new = (!here).then_some(0);
                }
                Line::Message(message) => {
                    if let Some(count) = &mut new {
                        *count += 1;
                        demand.longest = demand.longest.max(*count);
                        demand.bytes += message.content.len() as u64;
                    }
                }
                Line::File(file) => {
                    let here = hidden.contains(&Holding::File(file.id.clone()))
                        || self.store.file(&file.id).await?.is_some();
                    if !here {
                        demand.bytes += file.content.into_bytes()?.len() as u64;
                    }
                }
                Line::Ref(reference) => {
                    let bytes = reference.content.into_bytes()?;
                    if self.store.blob(&ContentHash::of(&bytes)).await?.is_none() {
                        demand.bytes += bytes.len() as u64;
                    }
                }
                _ => {}
            }
        }
        archive.rewind()?;
        self.allow(&demand).await
    }
}
