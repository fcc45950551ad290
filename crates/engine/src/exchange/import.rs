//! Bringing conversations in. A conversation that is here already is known again: it is left as it
//! is, or the messages that are new are added. One that has become another is a thread of its own.

use crate::error::EngineError;
use crate::flags::{FACTS, flag};
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chunk::{Draft, draft};
use dossier_core::exchange::{
    Conversation, ConversationMessage, Document, Known, LeftOut, Relation, clean, clean_content,
    relation,
};
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, ProjectId, ThreadId};
use dossier_core::message::{Message, Role, Speaker};
use dossier_core::time::Timestamp;
use dossier_store::{FileRecord, Holding, MessageRow, StoreError, Thread, ThreadImport};
use serde::Serialize;
use std::collections::BTreeMap;

/// How often an import begins again when another process was quicker.
const ATTEMPTS: usize = 20;

/// Rows that are read together.
pub(super) const PAGE: usize = 500;

/// Where a conversation went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imported {
    pub thread: ThreadId,
    pub outcome: Outcome,
    /// The ids of its messages, in their order.
    pub messages: Vec<MessageId>,
    /// How many of them are new.
    pub added: usize,
    /// How many attachments became files.
    pub files: usize,
    /// How much was not taken, and why.
    pub left_out: BTreeMap<LeftOut, usize>,
}

/// What became of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    New,
    /// The thread was here, and got the messages that it lacked.
    Extended,
    Here,
    /// A thread of the same name differs from it, so it is a new one.
    Diverged,
}

/// What became of texts that belong to no conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Documents {
    pub stored: usize,
    /// They look like credentials, or have unsafe names.
    pub refused: usize,
}

impl Workspace {
    /// Stores a conversation as a thread of the project, or finds it there.
    pub async fn import(
        &self,
        project: &ProjectId,
        conversation: &Conversation,
        now: Timestamp,
    ) -> Result<Imported, EngineError> {
        let mut attempts = 1;
        loop {
            match self.import_once(project, conversation, now).await {
                Err(EngineError::Store(StoreError::Conflict { .. })) if attempts < ATTEMPTS => {
                    attempts += 1;
                }
                result => return result,
            }
        }
    }

    async fn import_once(
        &self,
        project: &ProjectId,
        conversation: &Conversation,
        now: Timestamp,
    ) -> Result<Imported, EngineError> {
        let name = clean(&conversation.name());
        let mut outcome = Outcome::New;
        // An export of this very thread.
        if let Some(id) = name.strip_prefix("dossier:")
            && let Some(thread) = self.thread_again(&ThreadId::from(id), now).await?
            && thread.project == *project
        {
            if let Some(imported) = self.import_into(&thread, conversation, now).await? {
                return Ok(imported);
            }
            outcome = Outcome::Diverged;
        }
        for edition in 1_u64.. {
            let external_id = match edition {
                1 => name.clone(),
                edition => format!("{name}/{edition}"),
            };
            self.revive_from(project, &external_id, now).await?;
            let Some(thread) = self.store.thread_from(project, &external_id).await? else {
                return self.import_new(project, external_id, conversation, outcome, now).await;
            };
            if let Some(imported) = self.import_into(&thread, conversation, now).await? {
                return Ok(imported);
            }
            outcome = Outcome::Diverged;
        }
        Err(EngineError::Invalid(format!("{name} has too many editions")))
    }

    /// The thread with this id, brought back if it was hidden.
    pub(super) async fn thread_again(
        &self,
        id: &ThreadId,
        now: Timestamp,
    ) -> Result<Option<Thread>, EngineError> {
        if let Some(thread) = self.store.thread(id).await? {
            return Ok(Some(thread));
        }
        self.revive(&Holding::Thread(id.clone()), now).await?;
        Ok(self.store.thread(id).await?)
    }

    async fn import_new(
        &self,
        project: &ProjectId,
        external_id: String,
        conversation: &Conversation,
        outcome: Outcome,
        now: Timestamp,
    ) -> Result<Imported, EngineError> {
        let title = conversation.title.as_deref().map(clean);
        let thread = Thread {
            id: mint::id(),
            project: project.clone(),
            title: title.filter(|title| !title.is_empty()),
            summary: None,
            context_state: serde_json::json!({}),
            round_count: 0,
            external_id: Some(external_id),
            created_at: conversation.created_at.unwrap_or(now),
            updated_at: now,
        };
        let messages = messages(&thread.id, None, &conversation.messages, now);
        let chunks = draft::of_thread(&messages);
        let (files, left_out) = self.attachments(project, conversation, now).await?;
        let import =
            ThreadImport { thread: &thread, messages: &messages, chunks: &chunks, files: &files };
        self.store.create_imported(import).await?;
        self.learn_imported(project, &messages).await?;
        Ok(Imported {
            added: messages.len(),
            thread: thread.id,
            outcome,
            messages: messages.into_iter().map(|message| message.id).collect(),
            files: files.len(),
            left_out,
        })
    }

    /// Finds the conversation in a thread or adds what the thread lacks; nothing when they differ.
    async fn import_into(
        &self,
        thread: &Thread,
        conversation: &Conversation,
        now: Timestamp,
    ) -> Result<Option<Imported>, EngineError> {
        let rows = self.rows(&thread.id).await?;
        let said = |row| match row {
            &MessageRow { deleted_at: Some(_), .. } => Known::Deleted,
            MessageRow { message, .. } => Known::Said(message),
        };
        let known: Vec<Known<'_>> = rows.iter().map(said).collect();
        let given = &conversation.messages;
        let mut imported = Imported {
            thread: thread.id.clone(),
            outcome: Outcome::Here,
            messages: rows.iter().map(|row| row.message.id.clone()).take(given.len()).collect(),
            added: 0,
            files: 0,
            left_out: conversation.left_out.clone(),
        };
        let known = match relation(&known, given) {
            Relation::Diverged => return Ok(None),
            Relation::Here => return Ok(Some(imported)),
            Relation::Longer(known) => known,
        };
        let messages = messages(&thread.id, rows.last(), &given[known..], now);
        let before = rows.iter().rev().find(|row| row.deleted_at.is_none());
        let previous =
            std::iter::once(before.map(|row| &row.message)).chain(messages.iter().map(Some));
        let chunks: Vec<Draft> = messages
            .iter()
            .zip(previous)
            .filter_map(|(message, previous)| draft::of_message(message, previous))
            .collect();
        let (files, left_out) = self.attachments(&thread.project, conversation, now).await?;
        let import = ThreadImport { thread, messages: &messages, chunks: &chunks, files: &files };
        self.store.extend_imported(import).await?;
        self.learn_imported(&thread.project, &messages).await?;
        imported.outcome = Outcome::Extended;
        imported.added = messages.len();
        imported.messages.extend(messages.into_iter().map(|message| message.id));
        imported.files = files.len();
        imported.left_out = left_out;
        Ok(Some(imported))
    }

    /// Remembers what imported messages state, where the project wants it.
    async fn learn_imported(
        &self,
        project: &ProjectId,
        messages: &[Message],
    ) -> Result<(), EngineError> {
        match self.store.project(project).await? {
            Some(project) if flag(&project, FACTS) => {
                self.learn_facts(&project.id, messages, &[]).await
            }
            _ => Ok(()),
        }
    }

    /// All messages of a thread, deleted ones too.
    pub(super) async fn rows(&self, thread: &ThreadId) -> Result<Vec<MessageRow>, EngineError> {
        let mut rows: Vec<MessageRow> = Vec::new();
        loop {
            let from = rows.last().map_or(0, |row| row.message.position + 1);
            let page = self.store.message_rows(thread, from, PAGE).await?;
            let is_last = page.len() < PAGE;
            rows.extend(page);
            if is_last {
                return Ok(rows);
            }
        }
    }

    /// The attachments that are not yet files of the project, and what was left out with those
    /// that none takes.
    async fn attachments(
        &self,
        project: &ProjectId,
        conversation: &Conversation,
        now: Timestamp,
    ) -> Result<(Vec<(FileRecord, String, Vec<Draft>)>, BTreeMap<LeftOut, usize>), EngineError>
    {
        let mut left_out = conversation.left_out.clone();
        let (files, refused) = self.files_of(project, &conversation.documents, now).await?;
        if refused > 0 {
            *left_out.entry(LeftOut::Refused).or_default() += refused;
        }
        Ok((files, left_out))
    }

    async fn files_of(
        &self,
        project: &ProjectId,
        documents: &[Document],
        now: Timestamp,
    ) -> Result<(Vec<(FileRecord, String, Vec<Draft>)>, usize), EngineError> {
        let mut wanted = Vec::new();
        let mut refused = 0;
        for document in documents {
            let Ok(path) = dossier_files::virtual_path(&document.path) else {
                refused += 1;
                continue;
            };
            let known = self.store.file_at(project, &path).await?;
            let hash = ContentHash::of(clean(&document.content));
            if known.is_none_or(|known| known.content != hash) {
                wanted.push((document.path.as_str(), document.content.as_str()));
            }
        }
        Ok((self.drafted_texts(project, &wanted, now).await?, refused))
    }

    /// Stores texts that belong to no conversation as files of the project.
    pub async fn import_documents(
        &self,
        project: &ProjectId,
        documents: &[Document],
        now: Timestamp,
    ) -> Result<Documents, EngineError> {
        let (files, refused) = self.files_of(project, documents, now).await?;
        self.store.put_files(&files).await?;
        Ok(Documents { stored: files.len(), refused })
    }
}

/// Messages with ids, places and rounds, behind the last one that is here: each user message
/// begins a round.
fn messages(
    thread: &ThreadId,
    last: Option<&MessageRow>,
    given: &[ConversationMessage],
    now: Timestamp,
) -> Vec<Message> {
    let mut round = last.map_or(0, |row| row.message.round);
    let mut parent: Option<MessageId> = last.map(|row| row.message.id.clone());
    let first = last.map_or(0, |row| row.message.position + 1);
    let mut messages = Vec::with_capacity(given.len());
    for (position, given) in (first..).zip(given) {
        let speaker = Speaker::parse(&clean(&given.speaker));
        if speaker.role == Role::User || round == 0 {
            round += 1;
        }
        let id: MessageId = mint::id();
        messages.push(Message {
            id: id.clone(),
            thread: thread.clone(),
            parent: parent.replace(id),
            position,
            round,
            speaker,
            section: given.section.as_deref().map(clean),
            content: clean_content(&given.content),
            external_id: given.id.as_deref().map(clean),
            created_at: given.created_at.unwrap_or(now),
        });
    }
    messages
}
