//! Presets: what personas are made from. Six come with the program, as data; a person's own stand
//! beside them and do the same. A person who changes a built-in one has a version of their own
//! under its id.

use super::draft::{LONGEST_NAME, LONGEST_PERSONALITY, checked_prompt};
use super::{Settings, SettingsDraft};
use crate::fields::{Checks, FieldErrors};
use crate::id::PresetId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

const FILES: [(&str, &str); 6] = [
    ("calm-counselor.toml", include_str!("../../presets/calm-counselor.toml")),
    ("rational-advisor.toml", include_str!("../../presets/rational-advisor.toml")),
    ("supportive-guide.toml", include_str!("../../presets/supportive-guide.toml")),
    ("professional-assistant.toml", include_str!("../../presets/professional-assistant.toml")),
    (
        "decision-making-supporter.toml",
        include_str!("../../presets/decision-making-supporter.toml"),
    ),
    ("search-key-advisor.toml", include_str!("../../presets/search-key-advisor.toml")),
];

const PREFIX: &str = "preset-";
const LONGEST_DESCRIPTION: usize = 1_000;
/// Of the metadata as JSON, in bytes.
const LONGEST_METADATA: usize = 16 << 10;
const LONGEST_COMMENT: usize = 2_000;

/// Whether a built-in preset has proved itself, or is being tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Stable,
    /// How it is used and judged is counted, and may change it.
    Experimental,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Preset {
    pub id: PresetId,
    pub name: String,
    pub description: String,
    pub system_prompt: String,
    pub personality: String,
    pub settings: Settings,
    /// A JSON object of the user's own; of a built-in preset its key and status.
    pub metadata: Value,
    pub is_active: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    id: String,
    name: String,
    description: String,
    status: Status,
    revised: Timestamp,
    personality: String,
    system_prompt: String,
    settings: Settings,
}

impl From<File> for Preset {
    fn from(file: File) -> Self {
        let key = file.id.trim_start_matches(PREFIX).replace('-', "_");
        Self {
            id: file.id.into(),
            name: file.name,
            description: file.description,
            system_prompt: file.system_prompt.trim().to_owned(),
            personality: file.personality,
            settings: file.settings,
            metadata: json!({"key": key, "status": file.status, "built_in": true}),
            is_active: true,
            created_at: file.revised,
            updated_at: file.revised,
        }
    }
}

/// The presets that come with the program, the stable ones first.
pub fn built_in() -> &'static [Preset] {
    static PRESETS: OnceLock<Vec<Preset>> = OnceLock::new();
    // A test reads each of them, so that all can always be read.
    let read = || FILES.iter().filter_map(|(_, text)| toml::from_str::<File>(text).ok());
    PRESETS.get_or_init(|| read().map(Preset::from).collect())
}

/// The id that a person means: `preset-calm-counselor`, or `calm_counselor` for short.
pub fn canonical(name: &str) -> PresetId {
    let name = name.trim();
    match name.starts_with(PREFIX) {
        true => PresetId::from(name),
        false => {
            PresetId::from(format!("{PREFIX}{}", name.to_lowercase().replace(['_', ' '], "-")))
        }
    }
}

/// The id of a new preset, by its name; `taken` tells which there are.
pub fn id_for_name(name: &str, taken: impl Fn(&PresetId) -> bool) -> PresetId {
    let mut words: Vec<String> = Vec::new();
    for part in name.to_lowercase().split(|c: char| !c.is_ascii_alphanumeric()) {
        if !part.is_empty() && words.iter().map(String::len).sum::<usize>() < 60 {
            words.push(part.chars().take(60).collect());
        }
    }
    let slug = if words.is_empty() { "own".to_owned() } else { words.join("-") };
    let ids = (1_u32..).map(|number| match number {
        1 => PresetId::from(format!("{PREFIX}{slug}")),
        number => PresetId::from(format!("{PREFIX}{slug}-{number}")),
    });
    let mut free = ids.filter(|id| !taken(id));
    free.next().unwrap_or_else(|| PresetId::from(PREFIX))
}

/// Fields of a preset as they are given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PresetDraft {
    pub name: Option<String>,
    pub description: Option<String>,
    pub system_prompt: Option<String>,
    pub personality: Option<String>,
    pub settings: SettingsDraft,
    pub metadata: Option<Value>,
    pub is_active: Option<bool>,
}

/// The checked fields of a preset.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedPreset {
    pub name: String,
    pub description: String,
    pub system_prompt: String,
    pub personality: String,
    pub settings: Settings,
    pub metadata: Value,
    pub is_active: bool,
}

impl PresetDraft {
    /// A preset of these fields alone: it needs a name and a prompt.
    pub fn create(self) -> Result<CheckedPreset, FieldErrors> {
        let mut checks = Checks::default();
        checks.expect(self.name.is_some(), "name", "is missing; give the preset a name");
        let said = "is missing; say who the persona is and how it behaves";
        checks.expect(self.system_prompt.is_some(), "system_prompt", said);
        let blank = CheckedPreset {
            name: String::new(),
            description: String::new(),
            system_prompt: String::new(),
            personality: String::new(),
            settings: Settings::default(),
            metadata: Value::Object(Map::new()),
            is_active: true,
        };
        self.over(blank, checks)
    }

    /// The same preset with these fields changed.
    pub fn change(self, preset: &Preset) -> Result<CheckedPreset, FieldErrors> {
        let Preset { name, description, system_prompt, personality, settings, metadata, .. } =
            preset.clone();
        let own = CheckedPreset {
            name,
            description,
            system_prompt,
            personality,
            settings,
            metadata,
            is_active: preset.is_active,
        };
        self.over(own, Checks::default())
    }

    fn over(
        self,
        mut preset: CheckedPreset,
        mut checks: Checks,
    ) -> Result<CheckedPreset, FieldErrors> {
        if let Some(name) = self.name {
            preset.name = checks.line("name", &name, LONGEST_NAME);
        }
        if let Some(text) = self.description {
            preset.description = checks.text("description", &text, LONGEST_DESCRIPTION);
        }
        if let Some(prompt) = self.system_prompt {
            preset.system_prompt = checked_prompt(&prompt, &mut checks);
        }
        if let Some(text) = self.personality {
            preset.personality = checks.text("default_personality", &text, LONGEST_PERSONALITY);
        }
        preset.settings = self.settings.over(preset.settings, &mut checks);
        if let Some(metadata) = self.metadata {
            checks.expect(metadata.is_object(), "metadata", "is a JSON object");
            let short = metadata.to_string().len() <= LONGEST_METADATA;
            checks.expect(short, "metadata", format!("has at most {LONGEST_METADATA} bytes"));
            preset.metadata = metadata;
        }
        if let Some(is_active) = self.is_active {
            preset.is_active = is_active;
        }
        checks.give(preset)
    }
}

/// How well a preset served, in somebody's judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFeedback {
    /// From 1 to 5.
    pub rating: u32,
    pub comment: Option<String>,
}

impl NewFeedback {
    pub fn check(rating: Option<i64>, comment: Option<&str>) -> Result<Self, FieldErrors> {
        let mut checks = Checks::default();
        let rating = checks.number("rating", rating.unwrap_or(0), 1, 5);
        let comment = comment.map(|text| checks.text("comment", text, LONGEST_COMMENT));
        let comment = comment.filter(|text| !text.is_empty());
        checks.give(Self { rating, comment })
    }
}

/// How a preset was used and judged, over all that was made from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Personas that were made from it, those that are gone too.
    pub personas: u64,
    /// Turns that were answered.
    pub turns: u64,
    /// Turns of these whose history was cut.
    pub truncated: u64,
    /// Turns that no model answered.
    pub failed: u64,
    /// Tokens of these turns.
    pub tokens: u64,
    pub last_used_at: Option<Timestamp>,
    pub ratings: u64,
    /// The mean of the ratings from 1 to 5; none without one.
    pub mean_rating: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_preset_can_be_read() {
        for (name, text) in FILES {
            let file = toml::from_str::<File>(text);
            assert!(file.is_ok(), "{name}: {file:?}");
        }
    }
}
