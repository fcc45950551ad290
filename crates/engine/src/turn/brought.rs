//! What a caller brings who speaks to the model itself: its own instructions and tools, and what
//! came after the question. It is stored with the turn, so that the turn can be repeated.

use dossier_core::chat::{Message, ToolSpec};
use dossier_core::persona::Manner;
use dossier_core::profile;
use dossier_core::tokens::Tokenizer;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Brought {
    /// The persona that speaks: pinned in place of the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<Manner>,
    /// Pinned in the dossier's header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Sent in place of ours; the caller runs them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// Calls of these tools and their results, sent as they are behind the question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tail: Vec<Message>,
}

impl Brought {
    /// What the receipt says of the results that are sent beside the dossier.
    pub(super) fn told_beside(&self, tokenizer: Tokenizer) -> Option<String> {
        let tokens = self.tail_tokens(tokenizer);
        (tokens > 0).then(|| {
            format!(
                "about {tokens} tokens of the client's own calls of tools and their results are \
                 sent as they are, beside the budget"
            )
        })
    }

    fn tail_tokens(&self, tokenizer: Tokenizer) -> u32 {
        let tail = self.tail.iter().filter_map(|message| serde_json::to_string(message).ok());
        tail.map(|text| tokenizer.count(&text)).fold(0, u32::saturating_add)
    }

    /// What it takes of the dossier with its question, and what it takes beside it.
    pub(crate) fn tokens(&self, question: &str, tokenizer: Tokenizer) -> profile::Brought {
        let instructions = self.instructions.as_deref().map_or(0, |text| tokenizer.count(text));
        let tools = self.tools.iter().filter_map(|tool| serde_json::to_string(tool).ok());
        let tools = tools.map(|text| tokenizer.count(&text));
        profile::Brought {
            inside: instructions.saturating_add(tokenizer.count(question)),
            beside: tools.fold(self.tail_tokens(tokenizer), u32::saturating_add),
        }
    }
}
