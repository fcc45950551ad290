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

/// Parts of model names, the most telling first; the first that stands in a name decides.
const NAMES: &[(&str, Tier)] = &[
    ("gpt-4o-mini", Tier::Fast),
    ("gpt-4o", Tier::Balanced),
    ("flash-lite", Tier::Cheap),
    ("flash", Tier::Fast),
    ("haiku", Tier::Cheap),
    ("nano", Tier::Cheap),
    ("mini", Tier::Fast),
    ("gpt-3.5", Tier::Cheap),
    ("gpt-5", Tier::Smart),
    ("gpt-4", Tier::Smart),
    ("o3", Tier::Smart),
    ("o1", Tier::Smart),
    ("opus", Tier::Smart),
    ("sonnet", Tier::Smart),
    ("gemini", Tier::Smart),
    ("grok", Tier::Smart),
];

impl Tier {
    /// The tier of a model by its name; balanced when the name tells nothing.
    pub fn for_model(model: &str) -> Self {
        let model = model.to_lowercase();
        NAMES
            .iter()
            .find(|(part, _)| model.contains(part))
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
    /// What every current model has at least.
    fn default() -> Self {
        Self { context: 128_000, output: 8_192 }
    }
}

impl Window {
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
            ("someone's-own", Tier::Balanced),
        ] {
            assert_eq!(Tier::for_model(model), tier, "{model}");
        }
    }
}
