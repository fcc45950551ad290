//! Personas: someone to talk with who stays the same, whatever the mood of the conversation.
//!
//! A persona is a prompt that is pinned in front of every turn, four numbers, and a thread of its
//! own. Invariant: what a persona is made of has been checked, and until when it lives follows from
//! its days and from when it was last talked with; nobody sets that date by hand.

mod draft;
mod list;
mod manner;
mod preset;
mod prompts;

pub use draft::{PersonaDraft, SettingsDraft, Traits, advice};
pub use list::{Listing, MOST_ON_PAGE, PageDraft, Position};
pub use manner::{Manner, Upkeep, history_notes, window_note};
pub use preset::{
    CheckedPreset, Figures, NewFeedback, Preset, PresetDraft, Status, built_in, canonical,
    id_for_name,
};
pub use prompts::{PersonalityTemplate, context_summary, personality_creator, templates};

use crate::id::{PersonaId, PresetId, ThreadId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// What a window keeps back beside the history: the prompt, the reply, and what a protocol adds.
pub const RESERVE: u32 = 1_000;

/// What of it belongs to the protocol and to counting.
pub const MARGIN: u32 = 400;

/// The history that suits a model whose context window has so many tokens.
pub fn history_for(window: u32) -> u32 {
    window.saturating_sub(RESERVE)
}

/// The numbers of a persona.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// From 0 to 1; zero is a value.
    pub temperature: f64,
    /// The most tokens of a reply.
    pub max_tokens: u32,
    /// The most tokens of earlier messages that a turn carries.
    pub max_history_tokens: u32,
    /// Days without a conversation after which it expires.
    pub expiry_days: u32,
}

impl Default for Settings {
    /// For a window of 16,000 tokens.
    fn default() -> Self {
        Self { temperature: 0.7, max_tokens: 1_000, max_history_tokens: 15_000, expiry_days: 7 }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Persona {
    pub id: PersonaId,
    /// Where its conversation stands.
    pub thread: ThreadId,
    pub traits: Traits,
    /// What it was made from.
    pub preset: Option<PresetId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When it was last talked with; when it was made, if never.
    pub last_used_at: Timestamp,
    pub expires_at: Timestamp,
}

/// How far a persona is from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    Lasting,
    /// It expires within a day.
    Ending,
    Expired,
}

impl Persona {
    /// When it expires if nobody talks with it after this moment.
    pub fn expiry_from(settings: &Settings, last_used_at: Timestamp) -> Timestamp {
        let days = i64::from(settings.expiry_days) * DAY;
        Timestamp::from_millis(last_used_at.as_millis().saturating_add(days))
    }

    pub fn life(&self, now: Timestamp) -> Life {
        let left = self.expires_at.as_millis().saturating_sub(now.as_millis());
        match left {
            ..=0 => Life::Expired,
            left if left <= DAY => Life::Ending,
            _ => Life::Lasting,
        }
    }

    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.life(now) == Life::Expired
    }

    /// What whoever asks for it should know about its end.
    pub fn expiry_note(&self, now: Timestamp) -> Option<String> {
        let Self { expires_at, traits, .. } = self;
        let name = &traits.name;
        match self.life(now) {
            Life::Lasting => None,
            Life::Ending => {
                let left = expires_at.as_millis() - now.as_millis();
                let hours = (left / HOUR).max(1);
                Some(format!(
                    "{name} expires in {hours} h, at {expires_at}; talk with it or extend it"
                ))
            }
            Life::Expired => Some(format!("{name} expired at {expires_at}; extend it")),
        }
    }

    /// How it speaks in a turn.
    pub fn manner(&self, upkeep: Upkeep) -> Manner {
        Manner {
            persona: self.id.clone(),
            prompt: self.traits.system_prompt.clone(),
            personality: self.traits.personality.clone(),
            upkeep,
            history: self.traits.settings.max_history_tokens,
            output: self.traits.settings.max_tokens,
        }
    }
}

/// A conversation that cannot go on before the persona is given more time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name} ({id}) expired at {expires_at}; extend it (dossier persona extend {id}, or POST \
     /api/personas/{id}/extend), or make another"
)]
pub struct Expired {
    pub id: PersonaId,
    pub name: String,
    pub expires_at: Timestamp,
}

impl Persona {
    /// Refuses a persona whose time is over.
    pub fn expect_alive(&self, now: Timestamp) -> Result<(), Expired> {
        if !self.is_expired(now) {
            return Ok(());
        }
        let name = self.traits.name.clone();
        Err(Expired { id: self.id.clone(), name, expires_at: self.expires_at })
    }
}
