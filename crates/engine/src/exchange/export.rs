//! Threads for people and other programs. Everything of a store goes into an archive instead.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::exchange::{Conversation, ConversationMessage, markdown, write_json};
use dossier_core::id::ProjectId;
use dossier_core::message::Message;
use dossier_store::Thread;
use std::io::Write;

/// How threads are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One object a line.
    Json,
    /// One after the other.
    Markdown,
}

impl Workspace {
    /// Writes a thread; returns how many messages it has.
    pub async fn export_thread(
        &self,
        thread: &Thread,
        format: Format,
        out: &mut (dyn Write + Send),
    ) -> Result<usize, EngineError> {
        let messages = self.store.messages(&thread.id).await?;
        let conversation = Conversation {
            id: Some(format!("dossier:{}", thread.id)),
            title: thread.title.clone(),
            created_at: Some(thread.created_at),
            messages: messages.iter().map(outside).collect(),
            ..Conversation::default()
        };
        let text = match format {
            Format::Json => write_json(&conversation) + "\n",
            Format::Markdown => markdown::write(&conversation),
        };
        out.write_all(text.as_bytes()).map_err(EngineError::Writing)?;
        Ok(conversation.messages.len())
    }

    /// The threads of a project in the order in which they were begun.
    pub async fn threads(&self, project: &ProjectId) -> Result<Vec<Thread>, EngineError> {
        let mut threads = self.store.threads(project).await?;
        threads
            .sort_by(|left, right| (left.created_at, &left.id).cmp(&(right.created_at, &right.id)));
        Ok(threads)
    }
}

fn outside(message: &Message) -> ConversationMessage {
    ConversationMessage {
        id: Some(message.id.to_string()),
        speaker: message.speaker.to_string(),
        content: message.content.clone(),
        created_at: Some(message.created_at),
        section: message.section.clone(),
    }
}
