//! Personas: made, found, changed, given more time and deleted. What is said with one stands in a
//! thread of the project [`PERSONAS`], so that search, export, receipts and forgetting are those of
//! every thread; a persona is hidden and deleted with its thread.

mod chat;
mod messages;
mod presets;

pub use chat::{Chat, ChatEnd, ChatRequest, ChatVoice, Chatted};
pub use messages::{Counted, MessagesPage, WhichMessages};
pub use presets::{Judged, PresetPage, PresetShown};

use crate::changes::{Action, Change};
use crate::error::{EngineError, Known};
use crate::forget::Removal;
use crate::mint;
use crate::turn::new_thread;
use crate::workspace::Workspace;
use dossier_core::fields::FieldErrors;
use dossier_core::id::{PersonaId, PresetId};
use dossier_core::persona::{Listing, PageDraft, Persona, PersonaDraft, Settings, Traits, advice};
use dossier_core::time::Timestamp;
use dossier_store::{Hidden, Holding, Thread, Used};
use serde_json::{Value, json};

/// The project that the conversations of personas are in; made on first use.
pub const PERSONAS: &str = "personas";

/// Personas on a page, when nobody says how many.
const USUAL_PAGE: u32 = 10;

/// The most days from now that a persona can be kept for.
const MOST_DAYS: u32 = 3_650;

const DAY: i64 = 24 * 3_600_000;

/// How often something is tried while others do the same.
const ATTEMPTS: usize = 20;

/// A persona as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonaShown {
    pub persona: Persona,
    /// Whether it can be talked with.
    pub is_active: bool,
    /// What whoever asks should know: that it ends soon, that its prompt is not filled in.
    pub warnings: Vec<String>,
}

impl PersonaShown {
    fn new(persona: Persona, now: Timestamp) -> Self {
        let is_active = !persona.is_expired(now);
        let warnings = persona.expiry_note(now).into_iter().collect();
        Self { persona, is_active, warnings }
    }

    /// The same for somebody who has just written it.
    fn written(persona: Persona, now: Timestamp) -> Self {
        let advice = advice(&persona.traits);
        let mut shown = Self::new(persona, now);
        shown.warnings.extend(advice);
        shown
    }
}

/// Some personas, and how many there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonaPage {
    pub personas: Vec<PersonaShown>,
    pub total: usize,
}

/// The id of the persona whose conversation a thread is.
pub fn persona_of(thread: &Thread) -> Option<&str> {
    thread.context_state.get("persona").and_then(Value::as_str)
}

/// Refuses the conversation of a persona: without its prompt somebody else would answer in its
/// place.
pub(crate) fn expect_none(thread: &Thread) -> Result<(), EngineError> {
    let Some(persona) = persona_of(thread) else { return Ok(()) };
    Err(EngineError::Invalid(format!(
        "this is the conversation of the persona {persona}; talk with it: dossier chat --persona \
         {persona}, or POST /api/personas/{persona}/chat"
    )))
}

impl Workspace {
    /// Makes a persona of these fields.
    pub async fn create_persona(
        &self,
        draft: PersonaDraft,
        now: Timestamp,
    ) -> Result<PersonaShown, EngineError> {
        self.make_persona(draft.create()?, None, now).await
    }

    /// Makes a persona of a preset, with these fields in the place of the preset's.
    pub async fn create_persona_from(
        &self,
        preset: &str,
        draft: PersonaDraft,
        now: Timestamp,
    ) -> Result<PersonaShown, EngineError> {
        let preset = self.active_preset(preset).await?;
        self.make_persona(draft.create_from(&preset)?, Some(preset.id), now).await
    }

    async fn make_persona(
        &self,
        traits: Traits,
        preset: Option<PresetId>,
        now: Timestamp,
    ) -> Result<PersonaShown, EngineError> {
        if let Some(model) = &traits.model {
            self.models_named(std::slice::from_ref(model))?;
        }
        let project = self.project(Some(PERSONAS), now).await?;
        let id: PersonaId = mint::id();
        let thread = Thread {
            title: Some(traits.name.clone()),
            context_state: json!({"persona": id}),
            ..new_thread(&project, now)
        };
        let persona = Persona {
            id,
            thread: thread.id.clone(),
            expires_at: Persona::expiry_from(&traits.settings, now),
            traits,
            preset,
            created_at: now,
            updated_at: now,
            last_used_at: now,
        };
        self.store.create_persona(&persona, &thread).await?;
        if let Some(preset) = &persona.preset {
            let used = Used { personas: 1, ..Used::default() };
            self.store.count_preset(preset, used, now).await?;
        }
        self.tell(Change::persona(Action::Created, &persona.id));
        Ok(PersonaShown::written(persona, now))
    }

    /// Some of the personas, the last used first.
    pub async fn personas(
        &self,
        listing: &Listing,
        page: PageDraft,
        now: Timestamp,
    ) -> Result<PersonaPage, EngineError> {
        let position = page.check(USUAL_PAGE)?;
        let personas = self.all_personas(listing, now).await?;
        let total = personas.len();
        Ok(PersonaPage { personas: position.cut(personas)?, total })
    }

    /// All of them that are wanted.
    pub async fn all_personas(
        &self,
        listing: &Listing,
        now: Timestamp,
    ) -> Result<Vec<PersonaShown>, EngineError> {
        let chosen = listing.choose(self.store.personas().await?, now);
        Ok(chosen.into_iter().map(|persona| PersonaShown::new(persona, now)).collect())
    }

    /// The persona with this id, or with this name if only one has it.
    pub async fn persona(&self, name: &str, now: Timestamp) -> Result<PersonaShown, EngineError> {
        Ok(PersonaShown::new(self.known_persona(name, now).await?, now))
    }

    pub(crate) async fn known_persona(
        &self,
        name: &str,
        now: Timestamp,
    ) -> Result<Persona, EngineError> {
        let id = PersonaId::from(name.trim());
        if let Some(persona) = self.store.persona(&id).await? {
            return Ok(persona);
        }
        if let Some((persona, _)) = self.swept_persona(&id, now).await? {
            persona.expect_alive(now)?;
        }
        let everyone = Listing { include_expired: true, ..Listing::default() };
        let mut called = self.store.personas_called(name.trim()).await?;
        called.retain(|persona| persona.traits.name.eq_ignore_ascii_case(name.trim()));
        match everyone.choose(called, now).as_slice() {
            [persona] => Ok(persona.clone()),
            [] => Err(unknown(name, &everyone.choose(self.store.personas().await?, now))),
            several => {
                let ids: Vec<&str> = several.iter().map(|persona| persona.id.as_str()).collect();
                Err(EngineError::Invalid(format!(
                    "{} personas are called `{}`; name one by its id: {}",
                    ids.len(),
                    name.trim(),
                    ids.join(", ")
                )))
            }
        }
    }

    /// A persona that was hidden because its time was over, and can still be had back.
    async fn swept_persona(
        &self,
        id: &PersonaId,
        now: Timestamp,
    ) -> Result<Option<(Persona, Hidden)>, EngineError> {
        let Some(persona) = self.store.any_persona(id).await? else { return Ok(None) };
        let holding = Holding::Thread(persona.thread.clone());
        let hidden = self.hidden(now).await?.into_iter().find(|hidden| hidden.holding == holding);
        // One that was deleted before its time stays deleted.
        let swept = hidden.filter(|hidden| persona.expires_at <= hidden.hidden_at);
        Ok(swept.map(|hidden| (persona, hidden)))
    }

    /// Changes some fields. Other days take effect from when it was last used.
    pub async fn change_persona(
        &self,
        name: &str,
        draft: PersonaDraft,
        now: Timestamp,
    ) -> Result<PersonaShown, EngineError> {
        let persona = self
            .edit_persona(name, now, |persona| {
                let traits = draft.clone().change(&persona.traits)?;
                let spoken = traits.model.as_ref();
                if let Some(model) = spoken.filter(|_| traits.model != persona.traits.model) {
                    self.models_named(std::slice::from_ref(model))?;
                }
                if traits.settings.expiry_days != persona.traits.settings.expiry_days {
                    let used = persona.last_used_at;
                    persona.expires_at = Persona::expiry_from(&traits.settings, used);
                }
                persona.traits = traits;
                Ok(())
            })
            .await?;
        Ok(PersonaShown::written(persona, now))
    }

    /// Gives a persona more time: so many days beyond its end or from now on, or as many as it has
    /// of its own. One whose time was over comes back.
    pub async fn extend_persona(
        &self,
        name: &str,
        days: Option<i64>,
        now: Timestamp,
    ) -> Result<PersonaShown, EngineError> {
        let days = days.map(checked_days).transpose()?;
        if let Some((_, hidden)) = self.swept_persona(&PersonaId::from(name.trim()), now).await? {
            self.bring_back(&hidden).await?;
        }
        let persona = self
            .edit_persona(name, now, |persona| {
                let until = |from: Timestamp, expiry_days| {
                    let settings = Settings { expiry_days, ..persona.traits.settings };
                    Persona::expiry_from(&settings, from)
                };
                let extended = match days {
                    Some(days) => until(persona.expires_at.max(now), days),
                    None => until(now, persona.traits.settings.expiry_days).max(persona.expires_at),
                };
                persona.expires_at = extended.min(until(now, MOST_DAYS));
                Ok(())
            })
            .await?;
        Ok(PersonaShown::new(persona, now))
    }

    /// Changes a persona as it is at that moment: what others change meanwhile is not undone.
    async fn edit_persona(
        &self,
        name: &str,
        now: Timestamp,
        edit: impl Fn(&mut Persona) -> Result<(), EngineError>,
    ) -> Result<Persona, EngineError> {
        for _ in 0..ATTEMPTS {
            let known = self.known_persona(name, now).await?;
            let mut persona = known.clone();
            edit(&mut persona)?;
            // Two changes never bear the same time, so that each can be told from the one before.
            persona.updated_at = now.max(known.updated_at.successor());
            if self.store.update_persona(&persona, &known).await? {
                self.tell(Change::persona(Action::Changed, &persona.id));
                return Ok(persona);
            }
        }
        Err(EngineError::Conflict(format!(
            "the persona `{name}` is changed without pause; try again"
        )))
    }

    /// Deletes a persona with its conversation: what it was, and what is hidden now; nothing when it
    /// is gone.
    pub async fn remove_persona(
        &self,
        name: &str,
        removal: Removal,
        now: Timestamp,
    ) -> Result<(Persona, Option<Hidden>), EngineError> {
        let known = match self.store.any_persona(&PersonaId::from(name.trim())).await? {
            // What is hidden can be deleted for good.
            Some(persona) if removal == Removal::Now => persona,
            _ => self.known_persona(name, now).await?,
        };
        let hidden = self.remove(&Holding::Thread(known.thread.clone()), removal, now).await?;
        self.tell(Change::persona(Action::Deleted, &known.id));
        Ok((known, hidden))
    }

    /// The threads of personas whose time has been over for a day.
    pub(crate) async fn hide_expired(
        &self,
        grace_days: u32,
        now: Timestamp,
    ) -> Result<u64, EngineError> {
        let mut hidden = 0;
        let before = Timestamp::from_millis(now.as_millis().saturating_sub(DAY));
        for thread in self.store.expired_personas(before).await? {
            let until = self.hide(&Holding::Thread(thread), grace_days, now).await?;
            hidden += u64::from(until.is_some());
        }
        Ok(hidden)
    }
}

fn checked_days(days: i64) -> Result<u32, FieldErrors> {
    let right = u32::try_from(days).ok().filter(|days| (1..=MOST_DAYS).contains(days));
    let said = || FieldErrors::one("days", format!("is a whole number from 1 to {MOST_DAYS}"));
    right.ok_or_else(said)
}

fn unknown(name: &str, personas: &[Persona]) -> EngineError {
    let known =
        |persona: &Persona| Known { id: persona.id.to_string(), name: persona.traits.name.clone() };
    let known = personas.iter().map(known).collect();
    EngineError::Unknown { what: "persona", name: name.to_owned(), known }
}
