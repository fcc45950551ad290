//! `context-manage`: personas made, found, changed, given more time and deleted.

use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool, calling, counted, needed};
use dossier_core::persona::{Listing, PageDraft, PersonaDraft, Settings, SettingsDraft};
use dossier_engine::PersonaShown;
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Create,
    CreateFromPreset,
    List,
    Get,
    Update,
    Extend,
    Delete,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    action: Action,
    /// An id or a name.
    context_id: Option<String>,
    preset_id: Option<String>,
    preset_overrides: Option<Overrides>,
    name: Option<String>,
    system_prompt: Option<String>,
    personality: Option<String>,
    model: Option<String>,
    tags: Option<Vec<String>>,
    /// 0 to 1.
    temperature: Option<f64>,
    max_tokens: Option<i64>,
    max_history_tokens: Option<i64>,
    expiry_days: Option<i64>,
    page: Option<i64>,
    page_size: Option<i64>,
    #[serde(default)]
    include_expired: bool,
    search: Option<String>,
    tag: Option<String>,
    /// Delete for good.
    #[serde(default)]
    now: bool,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Overrides {
    name: Option<String>,
    temperature: Option<f64>,
    max_tokens: Option<i64>,
    max_history_tokens: Option<i64>,
    expiry_days: Option<i64>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Numbers {
    /// 0 to 1.
    temperature: Option<f64>,
    max_tokens: Option<i64>,
    max_history_tokens: Option<i64>,
    expiry_days: Option<i64>,
}

impl From<Numbers> for SettingsDraft {
    fn from(numbers: Numbers) -> Self {
        let Numbers { temperature, max_tokens, max_history_tokens, expiry_days } = numbers;
        Self { temperature, max_tokens, max_history_tokens, expiry_days }
    }
}

#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Given {
    success: bool,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Context>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contexts: Option<Vec<Context>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_count: Option<usize>,
}

/// A persona as its users know it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    id: String,
    name: String,
    system_prompt: String,
    personality: String,
    #[serde(flatten)]
    settings: SettingsGiven,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preset_id: Option<String>,
    created_at: String,
    updated_at: String,
    expires_at: String,
    is_active: bool,
    /// What whoever asks should know, such as that it ends soon.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsGiven {
    temperature: f64,
    max_tokens: u32,
    max_history_tokens: u32,
    expiry_days: u32,
}

impl From<Settings> for SettingsGiven {
    fn from(settings: Settings) -> Self {
        let Settings { temperature, max_tokens, max_history_tokens, expiry_days } = settings;
        Self { temperature, max_tokens, max_history_tokens, expiry_days }
    }
}

impl From<PersonaShown> for Context {
    fn from(PersonaShown { persona, is_active, warnings }: PersonaShown) -> Self {
        let traits = persona.traits;
        Self {
            id: persona.id.to_string(),
            name: traits.name,
            system_prompt: traits.system_prompt,
            personality: traits.personality,
            settings: traits.settings.into(),
            model: traits.model,
            tags: traits.tags,
            preset_id: persona.preset.map(|preset| preset.to_string()),
            created_at: persona.created_at.to_string(),
            updated_at: persona.updated_at.to_string(),
            expires_at: persona.expires_at.to_string(),
            is_active,
            warnings,
        }
    }
}

impl Answer for Given {
    fn text(&self) -> String {
        let mut text = self.message.clone();
        for context in self.context.iter().chain(self.contexts.iter().flatten()) {
            let Context { id, name, personality, expires_at, warnings, .. } = context;
            text += &format!("\n{name} ({id}), until {expires_at}");
            if !personality.is_empty() {
                text += &format!(": {personality}");
            }
            text.extend(warnings.iter().map(|warning| format!("\n  {warning}")));
        }
        text
    }
}

pub fn tool() -> Tool {
    let face = Face {
        set: ToolSet::Persona,
        name: "context-manage".into(),
        title: "Manage personas".into(),
        description: "Makes, lists, changes, extends and deletes personas: contexts with a system prompt and a memory.".into(),
        effect: Effect::Deletes,
    };
    Tool::new(face, manage)
}

async fn manage(call: Call, wanted: Wanted) -> Result<Given, Refusal> {
    let Call { workspace, now, .. } = &call;
    let name = || needed("contextId", wanted.context_id.as_deref());
    let draft = || PersonaDraft {
        name: wanted.name.clone(),
        system_prompt: wanted.system_prompt.clone(),
        personality: wanted.personality.clone(),
        settings: SettingsDraft {
            temperature: wanted.temperature,
            max_tokens: wanted.max_tokens,
            max_history_tokens: wanted.max_history_tokens,
            expiry_days: wanted.expiry_days,
        },
        model: wanted.model.clone(),
        tags: wanted.tags.clone(),
    };
    let one = |message: &str, shown: PersonaShown| Given {
        success: true,
        message: message.to_owned(),
        context: Some(shown.into()),
        ..Given::default()
    };
    Ok(match wanted.action {
        Action::Create => {
            one("the context was made", workspace.create_persona(draft(), *now).await?)
        }
        Action::CreateFromPreset => {
            let preset = needed("presetId", wanted.preset_id.as_deref())?;
            let mut draft = draft();
            if let Some(overrides) = &wanted.preset_overrides {
                draft.name = overrides.name.clone().or(draft.name);
                let given = &mut draft.settings;
                given.temperature = overrides.temperature.or(given.temperature);
                given.max_tokens = overrides.max_tokens.or(given.max_tokens);
                given.max_history_tokens =
                    overrides.max_history_tokens.or(given.max_history_tokens);
                given.expiry_days = overrides.expiry_days.or(given.expiry_days);
            }
            let shown = workspace.create_persona_from(preset, draft, *now).await?;
            one("the context was made from the preset", shown)
        }
        Action::List => {
            let listing = Listing {
                include_expired: wanted.include_expired,
                search: wanted.search.clone(),
                tag: wanted.tag.clone(),
            };
            let page = PageDraft { page: wanted.page, page_size: wanted.page_size };
            let page = workspace.personas(&listing, page, *now).await?;
            Given {
                success: true,
                message: counted(page.total as u64, "context"),
                contexts: Some(page.personas.into_iter().map(Context::from).collect()),
                total_count: Some(page.total),
                ..Given::default()
            }
        }
        Action::Get => one("the context is here", workspace.persona(name()?, *now).await?),
        Action::Update => {
            one("the context was changed", workspace.change_persona(name()?, draft(), *now).await?)
        }
        Action::Extend => {
            let extended = workspace.extend_persona(name()?, wanted.expiry_days, *now).await;
            one("the context has more time", extended.map_err(calling("expiry_days", "days"))?)
        }
        Action::Delete => {
            let removal = call.removal(wanted.now);
            let (persona, hidden) = workspace.remove_persona(name()?, removal, *now).await?;
            let rest = match hidden {
                Some(hidden) => format!(
                    "until {} dossier forget thread {} --project personas --undo brings it back",
                    hidden.purge_at, persona.thread
                ),
                None => "it is gone for good".to_owned(),
            };
            Given {
                success: true,
                message: format!("{} was deleted; {rest}", persona.traits.name),
                ..Given::default()
            }
        }
    })
}
