//! `conversation-manage`: what was said with one persona, listed and deleted.

use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool, calling, counted};
use dossier_core::id::MessageId;
use dossier_core::persona::PageDraft;
use dossier_core::time::Timestamp;
use dossier_engine::{Counted, Order, WhichMessages};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    List,
    Delete,
    Clear,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    action: Action,
    context_id: String,
    page: Option<i64>,
    page_size: Option<i64>,
    /// The newest first, unless false.
    reverse: Option<bool>,
    conversation_ids: Option<Vec<String>>,
    /// ISO 8601.
    older_than: Option<String>,
}

#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Given {
    success: bool,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversations: Option<Vec<Said>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted_count: Option<u64>,
}

/// A message as the users of personas know it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Said {
    id: String,
    context_id: String,
    /// `user`, `assistant` or `system`.
    role: String,
    pub content: String,
    token_count: u32,
    created_at: String,
}

impl Said {
    pub fn of(context: &str, counted: Counted) -> Self {
        let role = counted.role().as_str();
        let Counted { message, tokens } = counted;
        Self {
            id: message.id.to_string(),
            context_id: context.to_owned(),
            role: role.to_owned(),
            content: message.content,
            token_count: tokens,
            created_at: message.created_at.to_string(),
        }
    }
}

impl Answer for Given {
    fn text(&self) -> String {
        let mut text = self.message.clone();
        for said in self.conversations.iter().flatten() {
            text +=
                &format!("\n[{}] {} ({}): {}", said.created_at, said.role, said.id, said.content);
        }
        text
    }
}

pub fn tool() -> Tool {
    let face = Face {
        set: ToolSet::Persona,
        name: "conversation-manage".into(),
        title: "Manage what was said with a persona".into(),
        description: "Lists and deletes the messages of one persona.".into(),
        effect: Effect::Deletes,
    };
    Tool::new(face, manage)
}

async fn manage(call: Call, wanted: Wanted) -> Result<Given, Refusal> {
    let Call { workspace, now, .. } = &call;
    let which = match wanted.action {
        Action::List => {
            let page = PageDraft { page: wanted.page, page_size: wanted.page_size };
            let order = match wanted.reverse {
                Some(false) => Order::OldestFirst,
                _ => Order::NewestFirst,
            };
            let page = workspace.persona_messages(&wanted.context_id, page, order, *now).await?;
            let id = page.persona.id.to_string();
            let said = page.messages.into_iter().map(|message| Said::of(&id, message));
            return Ok(Given {
                success: true,
                message: counted(page.total as u64, "message"),
                conversations: Some(said.collect()),
                total_count: Some(page.total),
                ..Given::default()
            });
        }
        Action::Clear => WhichMessages::All,
        Action::Delete => chosen(&wanted)?,
    };
    let deleted = workspace.delete_persona_messages(&wanted.context_id, &which, *now).await;
    let deleted = deleted.map_err(calling("conversation_ids", "message_ids"))?;
    Ok(Given {
        success: true,
        message: format!("deleted {}", counted(deleted, "message")),
        deleted_count: Some(deleted),
        ..Given::default()
    })
}

fn chosen(wanted: &Wanted) -> Result<WhichMessages, Refusal> {
    match (&wanted.conversation_ids, &wanted.older_than) {
        (Some(ids), None) => {
            let ids = ids.iter().map(|id| MessageId::from(id.as_str())).collect();
            Ok(WhichMessages::These(ids))
        }
        (None, Some(time)) => match Timestamp::parse(time) {
            Ok(time) => Ok(WhichMessages::OlderThan(time)),
            Err(_) => Err(Refusal("olderThan: is a time such as 2026-07-28T12:00:00Z".to_owned())),
        },
        _ => {
            Err(Refusal("conversationIds or olderThan: one of them says what is to go".to_owned()))
        }
    }
}
