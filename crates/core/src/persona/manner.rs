//! How a persona speaks in a turn: what stands pinned before everything else, and what is told of
//! its history. Invariant: the same persona gives the same bytes on every turn, whatever was said.

use super::{MARGIN, RESERVE};
use crate::guard::masked;
use crate::id::PersonaId;
use crate::item::{Item, Kind, Source};
use crate::tier::Window;
use crate::tokens::Tokenizer;
use serde::{Deserialize, Serialize};

const STEADY: &str = include_str!("../../prompts/steady.md");

/// From this share of the limit on, whoever talks is told that the history fills up, in percent.
const NEARLY_FULL: u64 = 80;

/// Whether the model is reminded to keep the persona. Its prompt is there either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Upkeep {
    #[default]
    Reminded,
    PromptAlone,
}

/// What a turn needs to know of a persona. It is stored with the turn, so that the turn can be
/// repeated as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manner {
    pub persona: PersonaId,
    pub prompt: String,
    pub personality: String,
    pub upkeep: Upkeep,
    /// The most tokens of history and of a reply.
    pub history: u32,
    pub output: u32,
}

impl Manner {
    /// The pinned items: the prompt first.
    pub fn items(&self, tokenizer: Tokenizer) -> Vec<Item> {
        let pinned = |name: &str, text: &str, reason: &str| {
            let text = masked(text).into_owned();
            let tokens = tokenizer.count(&text);
            let id = format!("{}{name}", self.persona);
            Item::pinned(Kind::Rules, Source::persona(&id), text, tokens, reason)
        };
        let mut items = vec![pinned("", &self.prompt, "pinned: the persona's prompt")];
        if !self.personality.is_empty() {
            let text = format!("Your personality: {}", self.personality);
            items.push(pinned("#personality", &text, "pinned: the persona's personality"));
        }
        if self.upkeep == Upkeep::Reminded {
            let reason = "pinned: the persona is kept whatever is said";
            items.push(pinned("#upkeep", STEADY.trim_end(), reason));
        }
        items
    }

    /// The budget of its dossiers: its history with what is always sent and the question, as far as
    /// the window holds it beside a reply, with a margin where tokens can only be estimated.
    pub fn budget(&self, question: &str, window: Window, tokenizer: Tokenizer) -> u32 {
        let pinned: u32 = self.items(tokenizer).iter().map(|item| item.tokens).sum();
        let room = Window { output: self.output.min(window.output), ..window }.input();
        let room = if tokenizer.is_exact() { room } else { room - room / 20 };
        [self.history, pinned, tokenizer.count(question), MARGIN]
            .into_iter()
            .fold(0, u32::saturating_add)
            .min(room)
    }
}

/// What is told when a model's window has no room for the history that a persona carries.
pub fn window_note(limit: u32, left_out: usize) -> Option<String> {
    (left_out > 0).then(|| {
        let rounds = rounds(left_out);
        format!(
            "the model's window has no room for {limit} tokens of history: {left_out} {rounds} left \
             out, whole; set max_history_tokens to the window less {RESERVE}"
        )
    })
}

/// What is told of a history of so many tokens from which so many rounds were left out.
pub fn history_notes(used: u32, limit: u32, left_out: usize) -> Option<String> {
    if left_out > 0 {
        let rounds = rounds(left_out);
        return Some(format!(
            "the history is longer than its {limit} tokens: the oldest {left_out} {rounds} left \
             out, whole; the prompt is not touched, and search still finds them"
        ));
    }
    let nearly_full = u64::from(used) * 100 >= u64::from(limit) * NEARLY_FULL;
    nearly_full.then(|| {
        format!("the history holds {used} of {limit} tokens; when it is full, its oldest rounds go")
    })
}

fn rounds(left_out: usize) -> &'static str {
    if left_out == 1 { "round was" } else { "rounds were" }
}
