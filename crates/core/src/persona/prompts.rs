//! Texts for whoever makes a persona of their own: templates to fill in, a prompt that has a model
//! write one, and a prompt that has a conversation summed up. The texts are data.

use super::Settings;
use crate::fields::{Checks, FieldErrors};
use crate::render::clean;
use minijinja::{Environment, Value, context};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

const TEMPLATES: &str = include_str!("../../presets/templates.toml");
const CREATOR: &str = include_str!("../../prompts/personality-creator.md");
const SUMMARY: &str = include_str!("../../prompts/context-summary.md");

/// The longest argument, in characters.
const LONGEST: usize = 2_000;

/// A persona with places in double braces that are to be filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonalityTemplate {
    pub id: String,
    pub name: String,
    pub description: String,
    pub personality: String,
    pub system_prompt: String,
    pub settings: Settings,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    template: Vec<PersonalityTemplate>,
}

pub fn templates() -> &'static [PersonalityTemplate] {
    static TEMPLATES_READ: OnceLock<Vec<PersonalityTemplate>> = OnceLock::new();
    // A test reads them, so that they can always be read.
    let read = || toml::from_str(TEMPLATES).map_or_else(|_| Vec::new(), |file: File| file.template);
    TEMPLATES_READ.get_or_init(read)
}

/// Has a model write a persona's prompt.
pub fn personality_creator(
    role: &str,
    traits: &str,
    scenario: &str,
) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let role = argument(&mut checks, "role", role);
    let traits = argument(&mut checks, "traits", traits);
    let scenario = argument(&mut checks, "scenario", scenario);
    checks.give(rendered(CREATOR, context! { role, traits, scenario }))
}

/// Has a model sum a conversation up. A persona may be without a personality.
pub fn context_summary(
    context_name: &str,
    personality: &str,
    interaction_count: u64,
    time_span: &str,
) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let context_name = argument(&mut checks, "context_name", context_name);
    let personality = match personality.trim() {
        "" => String::new(),
        said => argument(&mut checks, "personality", said),
    };
    let time_span = argument(&mut checks, "time_span", time_span);
    let values = context! { context_name, personality, interaction_count, time_span };
    checks.give(rendered(SUMMARY, values))
}

fn argument(checks: &mut Checks, field: &'static str, text: &str) -> String {
    let text = clean(text.trim());
    let right = (1..=LONGEST).contains(&text.chars().count());
    checks.expect(right, field, format!("has 1 to {LONGEST} characters"));
    text
}

/// Our own texts name only what they are given; a test renders both.
fn rendered(text: &str, values: Value) -> String {
    Environment::new().render_str(text, values).unwrap_or_default()
}
