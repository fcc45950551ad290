//! Tiers of models and the windows they bring: what decides between pointers and full text, and
//! how many recent rounds a model is given.

use serde::{Deserialize, Serialize};

/// How capable a model is, and how dear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    Smart,
    Balanced,
    Fast,
    Cheap,
}

/// How the parts of model names begin, the most telling first; the first that fits one decides.
const NAMES: &[(&str, Tier)] = &[
    ("mini", Tier::Fast),
    ("nano", Tier::Cheap),
    ("lite", Tier::Cheap),
    ("flash", Tier::Fast),
    ("haiku", Tier::Cheap),
    ("4o", Tier::Balanced),
    ("3.5", Tier::Cheap),
    ("opus", Tier::Smart),
    ("sonnet", Tier::Smart),
    ("gpt", Tier::Smart),
    ("o1", Tier::Smart),
    ("o3", Tier::Smart),
    ("o4", Tier::Smart),
    ("gemini", Tier::Smart),
    ("grok", Tier::Smart),
];

/// Windows of models by how their names begin, without the provider; the first that fits decides.
const WINDOWS: &[(&str, u32, u32)] = &[
    ("gpt-3.5", 16_385, 4_096),
    ("gpt-4-turbo", 128_000, 4_096),
    ("gpt-4o", 128_000, 16_384),
    ("gpt-4.", 1_047_576, 32_768),
    ("gpt-4", 8_192, 4_096),
    ("gpt-5", 400_000, 128_000),
    ("o1", 200_000, 100_000),
    ("o3", 200_000, 100_000),
    ("o4", 200_000, 100_000),
    ("claude", 200_000, 8_192),
    ("gemini", 1_048_576, 65_536),
    ("grok", 131_072, 16_384),
];

/// The name after the provider, in lower case.
fn bare(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).to_lowercase()
}

impl Tier {
    /// The tier of a model by its name; balanced when the name tells nothing.
    pub fn for_model(model: &str) -> Self {
        let name = bare(model);
        let family = name.split(['-', ':', '_']).next().unwrap_or_default();
        if !NAMES.iter().any(|(part, _)| family == *part) && family != "claude" {
            return Tier::Balanced;
        }
        let parts: Vec<&str> = name.split(['-', ':', '_']).collect();
        NAMES
            .iter()
            .find(|(name, _)| parts.iter().any(|part| part.starts_with(name)))
            .map_or(Tier::Balanced, |(_, tier)| *tier)
    }

    /// A tier by its own name.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "smart" => Some(Tier::Smart),
            "balanced" => Some(Tier::Balanced),
            "fast" => Some(Tier::Fast),
            "cheap" => Some(Tier::Cheap),
            _ => None,
        }
    }

    pub fn recent_rounds(self) -> u32 {
        match self {
            Tier::Smart => 20,
            Tier::Balanced => 10,
            Tier::Fast | Tier::Cheap => 5,
        }
    }

    /// Whether a model of this tier is given pointers and reads for itself.
    pub fn reads_for_itself(self) -> bool {
        self == Tier::Smart
    }
}

/// A model's context window and the most it may write, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    pub context: u32,
    pub output: u32,
}

impl Default for Window {
    /// What the larger models have at least.
    fn default() -> Self {
        Self { context: 128_000, output: 8_192 }
    }
}

impl Window {
    /// The window of a model by its name; what every larger model has when the name tells nothing.
    pub fn for_model(model: &str) -> Self {
        let name = bare(model);
        WINDOWS.iter().find(|(start, ..)| name.starts_with(start)).map_or_else(
            Self::default,
            |(_, context, output)| Self { context: *context, output: *output },
        )
    }

    /// Window, less output, less a margin of one part in fifty for what counting cannot see.
    pub fn input(self) -> u32 {
        self.context.saturating_sub(self.output).saturating_sub(self.context / 50)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_tells_its_tier() {
        for (model, tier) in [
            ("gpt-4o", Tier::Balanced),
            ("openai/gpt-4o-mini", Tier::Fast),
            ("claude-3-5-haiku", Tier::Cheap),
            ("claude-opus-4", Tier::Smart),
            ("gemini-2.5-flash", Tier::Fast),
            ("google/gemini-2.5-pro", Tier::Smart),
            ("gpt-4.1-mini", Tier::Fast),
            ("gpt-3.5-turbo", Tier::Cheap),
            ("o3", Tier::Smart),
            ("o3-mini", Tier::Fast),
            ("marco-o1", Tier::Balanced),
            ("someone's-own", Tier::Balanced),
        ] {
            assert_eq!(Tier::for_model(model), tier, "{model}");
        }
    }

    #[test]
    fn a_models_name_tells_its_window() {
        assert_eq!(Window::for_model("gpt-4").context, 8_192);
        assert_eq!(Window::for_model("openai/gpt-4.1").context, 1_047_576);
        assert_eq!(Window::for_model("someone's-own"), Window::default());
    }
}
