//! Prompts that a person picks in a client: to have a persona written, and to have a conversation
//! with one summed up. What is not given is taken from the persona that is named.

use crate::call::Call;
use crate::options::ToolSet;
use crate::resource;
use dossier_core::fields::FieldErrors;
use dossier_core::persona::{context_summary, personality_creator};
use dossier_core::time::Timestamp;
use dossier_engine::{EngineError, Order};
use rmcp::ErrorData;
use rmcp::model::{
    ContentBlock, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage,
    ReadResourceResult, Role,
};
use std::collections::BTreeSet;

pub const CREATOR: &str = "personality-creator";
pub const SUMMARY: &str = "context-summary";

/// The prompts, in the order of their names.
pub fn all(sets: &BTreeSet<ToolSet>) -> Vec<Prompt> {
    if !sets.contains(&ToolSet::Persona) {
        return Vec::new();
    }
    let needed = |name: &str, description: &str| {
        PromptArgument::new(name).with_description(description).with_required(true)
    };
    let optional = |name: &str, description: &str| {
        PromptArgument::new(name).with_description(description).with_required(false)
    };
    let summary = vec![
        needed("contextName", "The persona's name or id."),
        optional("personality", "Its manner; the persona's own unless given."),
        optional("interactionCount", "How many messages there were; counted unless given."),
        optional("timeSpan", "From when to when; looked up unless given."),
    ];
    let creator = vec![
        needed("role", "Who the persona is."),
        needed("traits", "How it is, in a few words."),
        needed("scenario", "What it will be used for."),
    ];
    vec![
        Prompt::new(SUMMARY, Some("Sums up a conversation with a persona."), Some(summary))
            .with_title("Summarise a persona's conversation"),
        Prompt::new(CREATOR, Some("Writes the prompt of a new persona."), Some(creator))
            .with_title("Write a persona"),
    ]
}

/// A prompt with its places filled.
pub async fn get(
    call: &Call,
    sets: &BTreeSet<ToolSet>,
    name: &str,
    arguments: &JsonObject,
) -> Result<GetPromptResult, ErrorData> {
    let given = |field: &str| arguments.get(field).and_then(|value| value.as_str());
    match name {
        _ if all(sets).iter().all(|prompt| prompt.name != name) => {
            let what = format!("there is no prompt `{name}`; prompts/list tells which there are");
            Err(ErrorData::invalid_params(what, None))
        }
        CREATOR => {
            let text = |field| given(field).unwrap_or_default();
            let text = personality_creator(text("role"), text("traits"), text("scenario"));
            let text = text.map_err(|error| refused(error.into()))?;
            Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
        }
        _ => {
            let context = given("contextName").unwrap_or_default();
            let given = Given {
                personality: given("personality"),
                count: given("interactionCount"),
                span: given("timeSpan"),
            };
            summary(call, sets, context, given).await
        }
    }
}

/// What whoever asks for a summary has said of the conversation.
struct Given<'a> {
    personality: Option<&'a str>,
    count: Option<&'a str>,
    span: Option<&'a str>,
}

async fn summary(
    call: &Call,
    sets: &BTreeSet<ToolSet>,
    context: &str,
    given: Given<'_>,
) -> Result<GetPromptResult, ErrorData> {
    let shown = call.workspace.persona(context, call.now).await.map_err(refused)?;
    let persona = shown.persona;
    let id = persona.id.to_string();
    let said = |order| call.workspace.persona_messages_after(&id, None, 1, order, call.now);
    let first = said(Order::OldestFirst).await.map_err(refused)?;
    let last = said(Order::NewestFirst).await.map_err(refused)?;
    let count = match given.count.map(|count| count.trim().parse::<u64>()) {
        None => first.total as u64,
        Some(Ok(count)) => count,
        Some(Err(_)) => {
            let field = FieldErrors::one("interaction_count", "is a whole number");
            return Err(refused(field.into()));
        }
    };
    let day = |time: Timestamp| time.to_string().chars().take(10).collect::<String>();
    let spoken = |page: dossier_engine::MessagesPage| {
        page.messages.first().map(|counted| day(counted.message.created_at))
    };
    let span = match (given.span, spoken(first), spoken(last)) {
        (Some(span), _, _) => span.to_owned(),
        (None, Some(first), Some(last)) => format!("{first} to {last}"),
        (None, _, _) => "nothing was said yet".to_owned(),
    };
    let personality = given.personality.unwrap_or(&persona.traits.personality);
    let name = &persona.traits.name;
    let text =
        context_summary(name, personality, count, &span).map_err(|error| refused(error.into()))?;
    let ReadResourceResult { contents, .. } =
        resource::read(call, sets, &resource::context_uri(&id)).await?;
    let conversation = contents
        .into_iter()
        .map(|contents| PromptMessage::new(Role::User, ContentBlock::resource(contents)));
    let mut messages = vec![PromptMessage::new_text(Role::User, text)];
    messages.extend(conversation);
    Ok(GetPromptResult::new(messages))
}

fn refused(error: EngineError) -> ErrorData {
    ErrorData::invalid_params(crate::tool::Refusal::from(error).0, None)
}
