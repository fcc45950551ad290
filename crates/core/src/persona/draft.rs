//! What somebody wants a persona to be, and what becomes of it when it is checked: every field that
//! is wrong is named, and nothing is half taken.

use super::{Preset, Settings};
use crate::fields::{Checks, FieldErrors};
use crate::tokens::Tokenizer;

pub(super) const LONGEST_NAME: usize = 200;
pub(super) const LONGEST_PROMPT: usize = 32_000;
pub(super) const LONGEST_PERSONALITY: usize = 4_000;
const LONGEST_MODEL: usize = 200;
const MOST_TAGS: usize = 20;
const LONGEST_TAG: usize = 50;
/// A prompt above so many tokens crowds out what it is for.
const LONG_PROMPT: u32 = 2_000;
const MOST_TOKENS: u32 = 2_000_000;
const MOST_DAYS: u32 = 3_650;

/// What a persona is made of, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Traits {
    pub name: String,
    pub system_prompt: String,
    pub personality: String,
    pub settings: Settings,
    /// The model that speaks for it; whoever is usually asked, if none.
    pub model: Option<String>,
    /// In order, each once.
    pub tags: Vec<String>,
}

/// Fields as they are given; what is missing stays as it is, or takes its default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PersonaDraft {
    pub name: Option<String>,
    pub system_prompt: Option<String>,
    pub personality: Option<String>,
    pub settings: SettingsDraft,
    /// Empty for none.
    pub model: Option<String>,
    pub tags: Option<Vec<String>>,
}

/// Numbers as they are given.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SettingsDraft {
    pub temperature: Option<f64>,
    pub max_tokens: Option<i64>,
    pub max_history_tokens: Option<i64>,
    pub expiry_days: Option<i64>,
}

impl SettingsDraft {
    pub(super) fn over(self, settings: Settings, checks: &mut Checks) -> Settings {
        let temperature = self.temperature.unwrap_or(settings.temperature);
        let right = (0.0..=1.0).contains(&temperature);
        checks.expect(right, "temperature", "is a number from 0 to 1");
        let mut number = |field, given: Option<i64>, own: u32, most: u32| {
            given.map_or(own, |given| checks.number(field, given, 1, most))
        };
        Settings {
            temperature,
            max_tokens: number("max_tokens", self.max_tokens, settings.max_tokens, MOST_TOKENS),
            max_history_tokens: number(
                "max_history_tokens",
                self.max_history_tokens,
                settings.max_history_tokens,
                MOST_TOKENS,
            ),
            expiry_days: number("expiry_days", self.expiry_days, settings.expiry_days, MOST_DAYS),
        }
    }
}

impl PersonaDraft {
    /// A persona of these fields alone: it needs a name and a prompt.
    pub fn create(self) -> Result<Traits, FieldErrors> {
        let mut checks = Checks::default();
        checks.expect(self.name.is_some(), "name", "is missing; give the persona a name");
        let said = "is missing; say who the persona is and how it behaves";
        checks.expect(self.system_prompt.is_some(), "system_prompt", said);
        let blank = Traits {
            name: String::new(),
            system_prompt: String::new(),
            personality: String::new(),
            settings: Settings::default(),
            model: None,
            tags: Vec::new(),
        };
        self.over(blank, checks)
    }

    /// A persona of a preset, with these fields in the place of the preset's.
    pub fn create_from(self, preset: &Preset) -> Result<Traits, FieldErrors> {
        let traits = Traits {
            name: preset.name.clone(),
            system_prompt: preset.system_prompt.clone(),
            personality: preset.personality.clone(),
            settings: preset.settings,
            model: None,
            tags: Vec::new(),
        };
        self.over(traits, Checks::default())
    }

    /// The same persona with these fields changed.
    pub fn change(self, traits: &Traits) -> Result<Traits, FieldErrors> {
        self.over(traits.clone(), Checks::default())
    }

    fn over(self, mut traits: Traits, mut checks: Checks) -> Result<Traits, FieldErrors> {
        if let Some(name) = self.name {
            traits.name = checks.line("name", &name, LONGEST_NAME);
        }
        if let Some(prompt) = self.system_prompt {
            traits.system_prompt = checked_prompt(&prompt, &mut checks);
        }
        if let Some(text) = self.personality {
            traits.personality = checks.text("personality", &text, LONGEST_PERSONALITY);
        }
        traits.settings = self.settings.over(traits.settings, &mut checks);
        if let Some(model) = self.model {
            let model = Some(model).filter(|model| !model.trim().is_empty());
            traits.model = model.map(|model| checks.line("model", &model, LONGEST_MODEL));
        }
        if let Some(tags) = self.tags {
            traits.tags = checked_tags(tags, &mut checks);
        }
        checks.give(traits)
    }
}

/// A prompt that says something.
pub(super) fn checked_prompt(prompt: &str, checks: &mut Checks) -> String {
    let says = prompt.chars().any(char::is_alphabetic);
    let said = "says nothing; describe who the persona is and how it behaves";
    checks.expect(says, "system_prompt", said);
    checks.text("system_prompt", prompt, LONGEST_PROMPT)
}

fn checked_tags(tags: Vec<String>, checks: &mut Checks) -> Vec<String> {
    let mut tags: Vec<String> = tags.iter().map(|tag| tag.trim().to_lowercase()).collect();
    tags.sort();
    tags.dedup();
    let is_tag = |tag: &String| {
        let length = tag.chars().count();
        (1..=LONGEST_TAG).contains(&length) && !tag.chars().any(|c| c.is_control() || c == ',')
    };
    let right = tags.len() <= MOST_TAGS && tags.iter().all(is_tag);
    let said = format!(
        "are up to {MOST_TAGS}, each of 1 to {LONGEST_TAG} characters on one line without a comma"
    );
    checks.expect(right, "tags", said);
    tags
}

/// What may be wrong with a persona, though it can be used.
pub fn advice(traits: &Traits) -> Vec<String> {
    let mut advice = Vec::new();
    let Traits { system_prompt, personality, .. } = traits;
    if [system_prompt, personality].iter().any(|text| text.contains("{{") && text.contains("}}")) {
        let said = "the prompt still holds a place in double braces; fill it in";
        advice.push(said.to_owned());
    }
    let tokens = Tokenizer::O200k.count(system_prompt);
    if tokens > LONG_PROMPT {
        advice.push(format!(
            "the prompt has {tokens} tokens, which every turn pays for; 200 to 400 are usual"
        ));
    }
    advice
}
