//! `personality-preset-manage`: recipes for personas.

use super::contexts::{Numbers, SettingsGiven};
use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool, counted, needed};
use dossier_core::persona::{PageDraft, PresetDraft};
use dossier_engine::{PresetShown, Removal};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Create,
    List,
    Get,
    Update,
    Delete,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    action: Action,
    preset_id: Option<String>,
    name: Option<String>,
    description: Option<String>,
    system_prompt: Option<String>,
    default_personality: Option<String>,
    default_settings: Option<Numbers>,
    metadata: Option<Map<String, Value>>,
    is_active: Option<bool>,
    page: Option<i64>,
    page_size: Option<i64>,
    #[serde(default)]
    include_inactive: bool,
    /// Delete for good.
    #[serde(default)]
    now: bool,
}

#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Given {
    success: bool,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    preset: Option<Preset>,
    #[serde(skip_serializing_if = "Option::is_none")]
    presets: Option<Vec<Preset>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_count: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    id: String,
    name: String,
    description: String,
    system_prompt: String,
    default_personality: String,
    default_settings: SettingsGiven,
    is_active: bool,
    metadata: Map<String, Value>,
    created_at: String,
    updated_at: String,
}

impl From<PresetShown> for Preset {
    fn from(PresetShown { preset, .. }: PresetShown) -> Self {
        Self {
            id: preset.id.to_string(),
            name: preset.name,
            description: preset.description,
            system_prompt: preset.system_prompt,
            default_personality: preset.personality,
            default_settings: preset.settings.into(),
            is_active: preset.is_active,
            metadata: match preset.metadata {
                Value::Object(metadata) => metadata,
                _ => Map::new(),
            },
            created_at: preset.created_at.to_string(),
            updated_at: preset.updated_at.to_string(),
        }
    }
}

impl Answer for Given {
    fn text(&self) -> String {
        let mut text = self.message.clone();
        for preset in self.preset.iter().chain(self.presets.iter().flatten()) {
            text += &format!("\n{} ({}): {}", preset.name, preset.id, preset.description);
        }
        text
    }
}

pub fn tool() -> Tool {
    let face = Face {
        set: ToolSet::Persona,
        name: "personality-preset-manage".into(),
        title: "Manage presets".into(),
        description: "Makes, lists, changes and deletes presets, from which personas are made."
            .into(),
        effect: Effect::Deletes,
    };
    Tool::new(face, manage)
}

async fn manage(call: Call, wanted: Wanted) -> Result<Given, Refusal> {
    let Call { workspace, now, .. } = &call;
    let name = || needed("presetId", wanted.preset_id.as_deref());
    let draft = || PresetDraft {
        name: wanted.name.clone(),
        description: wanted.description.clone(),
        system_prompt: wanted.system_prompt.clone(),
        personality: wanted.default_personality.clone(),
        settings: wanted.default_settings.unwrap_or_default().into(),
        metadata: wanted.metadata.clone().map(Value::Object),
        is_active: wanted.is_active,
    };
    let one = |message: &str, shown: PresetShown| Given {
        success: true,
        message: message.to_owned(),
        preset: Some(shown.into()),
        ..Given::default()
    };
    Ok(match wanted.action {
        Action::Create => one("the preset was made", workspace.create_preset(draft(), *now).await?),
        Action::List => {
            let page = PageDraft { page: wanted.page, page_size: wanted.page_size };
            let page = workspace.presets(page, wanted.include_inactive).await?;
            Given {
                success: true,
                message: counted(page.total as u64, "preset"),
                presets: Some(page.presets.into_iter().map(Preset::from).collect()),
                total_count: Some(page.total),
                ..Given::default()
            }
        }
        Action::Get => one("the preset is here", workspace.preset(name()?).await?),
        Action::Update => {
            let changed =
                workspace.change_preset(name()?, draft(), call.usual.grace_days, *now).await?;
            one("the preset was changed", changed)
        }
        Action::Delete => {
            let removal = call.removal(wanted.now);
            let removed = workspace.remove_preset(name()?, removal, *now).await?;
            let message = match removal {
                Removal::After { days: 1.. } => {
                    "the preset was put away; update it with isActive true to have it back"
                }
                _ => "the preset was deleted",
            };
            one(message, removed)
        }
    })
}
