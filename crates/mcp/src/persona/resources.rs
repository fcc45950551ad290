//! Personas and presets as they are read by their addresses.

use super::contexts::{Context, SettingsGiven};
use super::conversations::Said;
use super::presets::Preset;
use crate::call::Call;
use crate::resource::context_uri;
use dossier_core::persona::{Listing, PageDraft};
use dossier_engine::{EngineError, Order, PersonaShown, PresetShown};
use serde::Serialize;

/// How many of the last messages are shown with a persona.
const RECENT: i64 = 20;

/// The personas that can be talked with.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contexts {
    contexts: Vec<Summary>,
    total_count: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    uri: String,
    id: String,
    name: String,
    personality: String,
    tags: Vec<String>,
    expires_at: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl From<PersonaShown> for Summary {
    fn from(PersonaShown { persona, warnings, .. }: PersonaShown) -> Self {
        let id = persona.id.to_string();
        Self {
            uri: context_uri(&id),
            id,
            name: persona.traits.name,
            personality: persona.traits.personality,
            tags: persona.traits.tags,
            expires_at: persona.expires_at.to_string(),
            warnings,
        }
    }
}

pub async fn contexts(call: &Call) -> Result<Contexts, EngineError> {
    let personas = call.workspace.all_personas(&Listing::default(), call.now).await?;
    let contexts: Vec<Summary> = personas.into_iter().map(Summary::from).collect();
    Ok(Contexts { total_count: contexts.len(), contexts })
}

/// One persona with what was said last, the oldest first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OneContext {
    context: Context,
    recent_messages: Vec<Said>,
    message_count: usize,
}

pub async fn context(call: &Call, name: &str) -> Result<OneContext, EngineError> {
    let shown = call.workspace.persona(name, call.now).await?;
    let id = shown.persona.id.to_string();
    let page = PageDraft { page: None, page_size: Some(RECENT) };
    let newest = Order::NewestFirst;
    let said = call.workspace.persona_messages(&id, page, newest, call.now).await?;
    let mut messages: Vec<Said> =
        said.messages.into_iter().map(|message| Said::of(&id, message)).collect();
    messages.reverse();
    Ok(OneContext { context: shown.into(), recent_messages: messages, message_count: said.total })
}

/// The presets that personas can be made from.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Presets {
    presets: Vec<PresetSummary>,
    total_count: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PresetSummary {
    id: String,
    name: String,
    description: String,
    default_settings: SettingsGiven,
    is_built_in: bool,
}

impl From<PresetShown> for PresetSummary {
    fn from(PresetShown { preset, is_built_in }: PresetShown) -> Self {
        Self {
            id: preset.id.to_string(),
            name: preset.name,
            description: preset.description,
            default_settings: preset.settings.into(),
            is_built_in,
        }
    }
}

pub async fn presets(call: &Call) -> Result<Presets, EngineError> {
    let presets = call.workspace.every_preset(false).await?;
    let presets: Vec<PresetSummary> = presets.into_iter().map(PresetSummary::from).collect();
    Ok(Presets { total_count: presets.len(), presets })
}

pub async fn preset(call: &Call, id: &str) -> Result<Preset, EngineError> {
    Ok(call.workspace.preset(id).await?.into())
}
