//! Bringing conversations in. What is imported is searchable by its words when the call returns.

use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chunk::draft;
use dossier_core::id::{MessageId, ProjectId, ThreadId};
use dossier_core::message::{Message, Role, Speaker};
use dossier_core::time::Timestamp;
use dossier_store::Thread;
use serde::{Deserialize, Serialize};

/// A conversation as it comes from outside.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Conversation {
    #[serde(default)]
    pub title: Option<String>,
    pub messages: Vec<ConversationMessage>,
}

/// One message of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ConversationMessage {
    #[serde(default)]
    pub id: Option<String>,
    pub speaker: String,
    pub content: String,
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    #[serde(default)]
    pub section: Option<String>,
}

/// Where a conversation went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imported {
    pub thread: ThreadId,
    /// The new ids, in the order of the messages.
    pub messages: Vec<MessageId>,
}

/// Reads a file of conversations: one JSON object, a list of them, or one object a line.
pub fn read_conversations(text: &str) -> Result<Vec<Conversation>, EngineError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let invalid = |error: serde_json::Error| {
        EngineError::Invalid(format!(
            "not a conversation: {}; expected {{\"title\", \"messages\": [{{\"speaker\", \
             \"content\", \"created_at\"?, \"section\"?}}]}}, a list of these, or one a line",
            short(&error)
        ))
    };
    if text.starts_with('[') {
        return serde_json::from_str(text).map_err(invalid);
    }
    let conversations: Result<Vec<Conversation>, _> =
        serde_json::Deserializer::from_str(text).into_iter().collect();
    match conversations.map_err(invalid)? {
        none if none.is_empty() => Err(EngineError::Invalid("the file is empty".to_owned())),
        conversations => Ok(conversations),
    }
}

/// What is wrong with some JSON, and where. It quotes a text that stands in the wrong place, which
/// may be a whole book.
fn short(error: &serde_json::Error) -> String {
    const LONGEST: usize = 200;
    let message = error.to_string();
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => {
            format!("{}… at line {} column {}", &message[..end], error.line(), error.column())
        }
        None => message,
    }
}

impl Workspace {
    /// Stores a conversation as a new thread of the project.
    pub async fn import(
        &self,
        project: &ProjectId,
        conversation: &Conversation,
        now: Timestamp,
    ) -> Result<Imported, EngineError> {
        let thread = Thread {
            id: mint::id(),
            project: project.clone(),
            title: conversation.title.as_deref().map(clean).filter(|title| !title.is_empty()),
            summary: None,
            context_state: serde_json::json!({}),
            round_count: 0,
            external_id: None,
            created_at: now,
            updated_at: now,
        };
        let messages = messages(&thread.id, &conversation.messages, now);
        let drafts = draft::of_thread(&messages);
        self.store.create_thread(&thread).await?;
        if let Err(error) = self.store.append_messages(&thread.id, &messages, &drafts).await {
            self.store.delete_thread(&thread.id).await?;
            return Err(error.into());
        }
        Ok(Imported {
            thread: thread.id,
            messages: messages.into_iter().map(|message| message.id).collect(),
        })
    }
}

/// Messages with ids, places and rounds: each user message begins a round.
fn messages(thread: &ThreadId, given: &[ConversationMessage], now: Timestamp) -> Vec<Message> {
    let mut round = 0;
    let mut parent: Option<MessageId> = None;
    let mut messages = Vec::with_capacity(given.len());
    for (position, given) in given.iter().enumerate() {
        let speaker = Speaker::parse(&clean(&given.speaker));
        if speaker.role == Role::User || round == 0 {
            round += 1;
        }
        let id: MessageId = mint::id();
        messages.push(Message {
            id: id.clone(),
            thread: thread.clone(),
            parent: parent.replace(id),
            position: position as i64,
            round,
            speaker,
            section: given.section.as_deref().map(clean),
            content: clean(&given.content),
            external_id: given.id.as_deref().map(clean),
            created_at: given.created_at.unwrap_or(now),
        });
    }
    messages
}

/// PostgreSQL's text takes no NUL, and nobody writes one on purpose.
fn clean(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversations_come_alone_in_a_list_or_one_a_line() {
        let one = r#"{"title":"a","messages":[{"speaker":"user","content":"hi"}]}"#;
        assert_eq!(read_conversations(one).unwrap().len(), 1);
        assert_eq!(read_conversations(&format!("[{one},{one}]")).unwrap().len(), 2);
        assert_eq!(read_conversations(&format!("{one}\n{one}\n")).unwrap().len(), 2);
    }

    #[test]
    fn what_is_no_conversation_is_refused_with_the_expected_shape() {
        for text in ["", "hello", "{}", "[1]", r#"{"messages":[{"content":"x"}]}"#] {
            let error = read_conversations(text).unwrap_err().to_string();
            assert!(error.contains("speaker") || error.contains("empty"), "{text}: {error}");
        }
    }

    #[test]
    fn a_refusal_does_not_repeat_a_long_text() {
        let text = format!(r#"{{"messages":"{}"}}"#, "é".repeat(5_000));
        let error = read_conversations(&text).unwrap_err().to_string();
        assert!(error.contains("éé… at line 1 column 10014; expected"), "{error}");
        assert!(error.chars().count() < 500, "{error}");
    }
}
