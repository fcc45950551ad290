//! What was said with a persona, listed and deleted.

use crate::body::{PathOf, QueryOf};
use crate::page::{PageQuery, cursor};
use crate::problem::{Code, Problem, Problems};
use crate::state::Caller;
use axum::Json;
use dossier_core::id::MessageId;
use dossier_core::time::Timestamp;
use dossier_engine::{Counted, Order, WhichMessages};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct PersonaMessage {
    pub id: String,
    /// `user`, `assistant` or `system`.
    #[schema(value_type = String)]
    pub role: &'static str,
    pub content: String,
    pub token_count: u32,
    /// How the tokens were counted.
    pub counted_by: String,
    #[schema(format = DateTime)]
    pub created_at: String,
}

impl From<Counted> for PersonaMessage {
    fn from(counted: Counted) -> Self {
        let role = counted.role().as_str();
        let Counted { message, tokens } = counted;
        Self {
            id: message.id.to_string(),
            role,
            content: message.content,
            token_count: tokens,
            counted_by: Counted::COUNTED_BY.method(),
            created_at: message.created_at.to_string(),
        }
    }
}

/// In which order messages are listed.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageOrder {
    #[default]
    NewestFirst,
    OldestFirst,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MessagesQuery {
    /// Rows on a page; 100 when not given.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
    #[serde(default)]
    #[param(inline)]
    pub order: MessageOrder,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PersonaMessagesResponse {
    pub messages: Vec<PersonaMessage>,
    pub total_count: usize,
    pub next_cursor: Option<String>,
    /// That the persona expires within a day.
    pub warnings: Vec<String>,
}

/// List what was said with a persona
#[utoipa::path(
    get,
    path = "/api/personas/{id}/messages",
    operation_id = "list_persona_messages",
    tag = "personas",
    params(("id" = String, Path, description = "The persona's id, or its name"), MessagesQuery),
    responses((status = 200, body = PersonaMessagesResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    PathOf(id): PathOf<String>,
    QueryOf(query): QueryOf<MessagesQuery>,
) -> Result<Json<PersonaMessagesResponse>, Problem> {
    let MessagesQuery { limit, cursor: after, order } = query;
    let page = PageQuery { limit, cursor: after };
    let limit = page.limit()?;
    let wrong = |_| Problem::new(Code::InvalidQuery, "cursor must be the next_cursor of a page");
    let after = page.after()?.map(|after| after.parse::<i64>().map_err(wrong)).transpose()?;
    let order = match order {
        MessageOrder::NewestFirst => Order::NewestFirst,
        MessageOrder::OldestFirst => Order::OldestFirst,
    };
    let more = limit + 1;
    let mut page =
        caller.workspace.persona_messages_after(&id, after, more, order, caller.now).await?;
    let has_more = page.messages.len() > limit;
    page.messages.truncate(limit);
    let last = page.messages.last().filter(|_| has_more);
    let next_cursor = last.map(|last| cursor(&last.message.position.to_string()));
    Ok(Json(PersonaMessagesResponse {
        messages: page.messages.into_iter().map(Into::into).collect(),
        total_count: page.total,
        next_cursor,
        warnings: page.warnings,
    }))
}

/// One of the three.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteMessagesQuery {
    /// Ids of messages, parted by commas.
    pub message_ids: Option<String>,
    /// An ISO 8601 time: what was said before it goes.
    pub older_than: Option<String>,
    /// Everything goes.
    #[serde(default)]
    pub all: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedResponse {
    pub deleted_count: u64,
}

/// Delete what was said with a persona, some of it or all
#[utoipa::path(
    delete,
    path = "/api/personas/{id}/messages",
    operation_id = "delete_persona_messages",
    tag = "personas",
    params(
        ("id" = String, Path, description = "The persona's id, or its name"),
        DeleteMessagesQuery
    ),
    responses((status = 200, body = DeletedResponse), Problems)
)]
pub async fn delete(
    caller: Caller,
    PathOf(id): PathOf<String>,
    QueryOf(query): QueryOf<DeleteMessagesQuery>,
) -> Result<Json<DeletedResponse>, Problem> {
    let which = which(query)?;
    let workspace = &caller.workspace;
    let deleted_count = workspace.delete_persona_messages(&id, &which, caller.now).await?;
    Ok(Json(DeletedResponse { deleted_count }))
}

fn which(query: DeleteMessagesQuery) -> Result<WhichMessages, Problem> {
    match query {
        DeleteMessagesQuery { message_ids: Some(ids), older_than: None, all: false } => {
            let ids = ids.split(',').map(str::trim).filter(|id| !id.is_empty());
            Ok(WhichMessages::These(ids.map(MessageId::from).collect()))
        }
        DeleteMessagesQuery { message_ids: None, older_than: Some(time), all: false } => {
            let time = Timestamp::parse(&time)
                .map_err(|error| Problem::new(Code::InvalidQuery, error.to_string()))?;
            Ok(WhichMessages::OlderThan(time))
        }
        DeleteMessagesQuery { message_ids: None, older_than: None, all: true } => {
            Ok(WhichMessages::All)
        }
        _ => Err(Problem::new(
            Code::InvalidQuery,
            "say which: message_ids, older_than, or all=true; one of them",
        )),
    }
}
