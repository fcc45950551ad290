//! What was said with a persona: page by page, and deleted, some of it or all.

use crate::changes::{Action, Change};
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::chunk::{Draft, draft};
use dossier_core::fields::FieldErrors;
use dossier_core::guard::masked;
use dossier_core::id::MessageId;
use dossier_core::message::{Message, Role};
use dossier_core::persona::{PageDraft, Persona};
use dossier_core::render::WireRole;
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_store::Order;
use std::collections::HashSet;

/// Messages on a page, when nobody says how many.
const USUAL_PAGE: u32 = 20;

/// A message with its tokens, its secrets masked.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    pub message: Message,
    pub tokens: u32,
}

impl Counted {
    /// How the tokens were counted.
    pub const COUNTED_BY: Tokenizer = Tokenizer::O200k;

    pub(super) fn new(message: Message) -> Self {
        let content = masked(&message.content).into_owned();
        let tokens = Self::COUNTED_BY.count(&content);
        Self { message: Message { content, ..message }, tokens }
    }

    /// Who said it, as vendors call them.
    pub fn role(&self) -> WireRole {
        match self.message.speaker.role {
            Role::User => WireRole::User,
            Role::Agent => WireRole::Assistant,
            Role::System | Role::Tool => WireRole::System,
        }
    }
}

/// Some messages of a persona, and how many there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagesPage {
    pub persona: Persona,
    pub messages: Vec<Counted>,
    pub total: usize,
    /// What whoever asks should know.
    pub warnings: Vec<String>,
}

/// The messages that are to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhichMessages {
    These(Vec<MessageId>),
    OlderThan(Timestamp),
    All,
}

impl Workspace {
    pub async fn persona_messages(
        &self,
        name: &str,
        page: PageDraft,
        order: Order,
        now: Timestamp,
    ) -> Result<MessagesPage, EngineError> {
        let position = page.check(USUAL_PAGE)?;
        let persona = self.known_persona(name, now).await?;
        let total = self.store.message_count(&persona.thread).await?;
        let total = usize::try_from(total).unwrap_or(usize::MAX);
        let start = position.start(total)?;
        let size = position.size as usize;
        let messages = self.store.message_page(&persona.thread, order, start, size).await?;
        Ok(page_of(persona, messages, total, now))
    }

    /// The same after a position, for whoever goes on from the last message that was shown.
    pub async fn persona_messages_after(
        &self,
        name: &str,
        after: Option<i64>,
        limit: usize,
        order: Order,
        now: Timestamp,
    ) -> Result<MessagesPage, EngineError> {
        let persona = self.known_persona(name, now).await?;
        let total = self.store.message_count(&persona.thread).await?;
        let total = usize::try_from(total).unwrap_or(usize::MAX);
        let messages = self.store.messages_after(&persona.thread, order, after, limit).await?;
        Ok(page_of(persona, messages, total, now))
    }

    /// Deletes messages of a persona for good; how many there were. An id that is not one of its
    /// messages is refused, and then nothing is deleted.
    pub async fn delete_persona_messages(
        &self,
        name: &str,
        which: &WhichMessages,
        now: Timestamp,
    ) -> Result<u64, EngineError> {
        let persona = self.known_persona(name, now).await?;
        let said = self.store.messages(&persona.thread).await?;
        let going: HashSet<&MessageId> = match which {
            WhichMessages::All => said.iter().map(|message| &message.id).collect(),
            WhichMessages::OlderThan(time) => {
                let older = said.iter().filter(|message| message.created_at < *time);
                older.map(|message| &message.id).collect()
            }
            WhichMessages::These(ids) => checked(&said, ids)?,
        };
        if going.is_empty() {
            return Ok(0);
        }
        let (deleted, kept): (Vec<Message>, Vec<Message>) =
            said.iter().cloned().partition(|message| going.contains(&message.id));
        let reindexed = reindexed(&said, &kept);
        let ids: Vec<MessageId> = deleted.into_iter().map(|message| message.id).collect();
        let deleted = self.store.delete_messages(&persona.thread, &ids, &reindexed, now).await?;
        self.tell(Change::persona(Action::Changed, &persona.id));
        Ok(deleted)
    }
}

fn page_of(persona: Persona, messages: Vec<Message>, total: usize, now: Timestamp) -> MessagesPage {
    let messages = messages.into_iter().map(Counted::new).collect();
    let warnings = persona.expiry_note(now).into_iter().collect();
    MessagesPage { persona, messages, total, warnings }
}

fn checked<'a>(
    said: &[Message],
    ids: &'a [MessageId],
) -> Result<HashSet<&'a MessageId>, FieldErrors> {
    if ids.is_empty() {
        return Err(FieldErrors::one("message_ids", "name at least one message"));
    }
    let known: HashSet<&MessageId> = said.iter().map(|message| &message.id).collect();
    let strange: Vec<&str> =
        ids.iter().filter(|id| !known.contains(id)).map(MessageId::as_str).take(10).collect();
    match strange.is_empty() {
        true => Ok(ids.iter().collect()),
        false => Err(FieldErrors::one(
            "message_ids",
            format!("{} is none of its messages; list them first", strange.join(", ")),
        )),
    }
}

/// The new chunks of the messages whose words were found together with those of one that goes.
fn reindexed(said: &[Message], kept: &[Message]) -> Vec<Draft> {
    let previous = |messages: &[Message], place: usize| {
        draft::answered(messages, place).map(|message| message.id.clone())
    };
    let mut drafts = Vec::new();
    let mut place_before = 0;
    for (place, message) in kept.iter().enumerate() {
        while said.get(place_before).is_some_and(|before| before.id != message.id) {
            place_before += 1;
        }
        if previous(said, place_before) != previous(kept, place) {
            drafts.extend(draft::of_message(message, draft::answered(kept, place)));
        }
    }
    drafts
}
