//! Tiers of models and the windows they bring: what decides between pointers and full text, and
//! how many recent rounds a model is given. Which model has which, the catalogue says.

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

impl Tier {
    const ALL: [Tier; 4] = [Tier::Smart, Tier::Balanced, Tier::Fast, Tier::Cheap];

    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Smart => "smart",
            Tier::Balanced => "balanced",
            Tier::Fast => "fast",
            Tier::Cheap => "cheap",
        }
    }

    /// A tier by its own name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.as_str() == text)
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
    /// What nearly every model has that nothing is known of.
    pub const CAUTIOUS: Self = Self { context: 32_768, output: 4_096 };

    /// Window, less output, less a margin of one part in fifty for what counting cannot see.
    pub fn input(self) -> u32 {
        self.context.saturating_sub(self.output).saturating_sub(self.context / 50)
    }
}
