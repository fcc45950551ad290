//! `context-chat`: talking with a persona.

use super::conversations::Said;
use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool};
use dossier_core::persona::Upkeep;
use dossier_engine::{ChatEnd, ChatRequest, ChatVoice};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    /// An id or a name.
    context_id: String,
    message: String,
    /// Also remind it of its personality, unless false.
    maintain_personality: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Given {
    response: String,
    context_name: String,
    personality: String,
    user_message: Said,
    assistant_response: Said,
    metadata: Metadata,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    tokens_used: u64,
    history_tokens: u32,
    history_truncated: bool,
    context_expiry: String,
    is_expired: bool,
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl Answer for Given {
    fn text(&self) -> String {
        let mut text = self.response.clone();
        text.extend(self.metadata.warnings.iter().map(|warning| format!("\n\n({warning})")));
        text
    }
}

pub fn tool() -> Tool {
    let face = Face {
        set: ToolSet::Persona,
        name: "context-chat".into(),
        title: "Talk with a persona".into(),
        description:
            "Says something to a persona, which remembers it and answers in its own manner.".into(),
        effect: Effect::Asks,
    };
    Tool::new(face, chat)
}

async fn chat(call: Call, wanted: Wanted) -> Result<Given, Refusal> {
    let request = ChatRequest {
        persona: wanted.context_id,
        message: wanted.message,
        upkeep: match wanted.maintain_personality {
            Some(false) => Upkeep::PromptAlone,
            _ => Upkeep::Reminded,
        },
        voice: match call.stand_in()? {
            Some(model) => ChatVoice::Brought(model),
            None => ChatVoice::Usual(call.usual.model.clone()),
        },
        client_message_id: call.name.clone(),
        now: call.now,
    };
    let mut talk = call.workspace.chat(&request).await?;
    talk.stream = talk.stream.alone();
    let chatted = match call.workspace.chat_end(talk, |event| call.hear(event)).await? {
        ChatEnd::Replied(chatted) => *chatted,
        ChatEnd::Failed { model, message, .. } => {
            return Err(Refusal(format!("{model} did not answer: {message}")));
        }
    };
    let persona = chatted.persona;
    let id = persona.id.to_string();
    Ok(Given {
        response: chatted.reply.message.content.clone(),
        context_name: persona.traits.name,
        personality: persona.traits.personality,
        user_message: Said::of(&id, chatted.question),
        assistant_response: Said::of(&id, chatted.reply),
        metadata: Metadata {
            tokens_used: chatted.tokens_used,
            history_tokens: chatted.history_tokens,
            history_truncated: chatted.history_truncated,
            context_expiry: persona.expires_at.to_string(),
            is_expired: chatted.is_expired,
            model: chatted.model,
            receipt_id: chatted.receipt.map(|receipt| receipt.to_string()),
            warnings: chatted.warnings,
        },
    })
}
