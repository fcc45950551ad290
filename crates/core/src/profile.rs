//! Profiles: the numbers of a dossier. The pipeline never changes; a profile sets its budget, its
//! shares, what history keeps and what is shed first.

use crate::history::Policy;
use crate::persona::Settings;
use crate::tier::{Tier, Window};
use crate::tokens::Tokenizer;
use serde::{Deserialize, Serialize};

/// How the token budget comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// So many tokens, whatever the model.
    Tokens(u32),
    /// What the model's window leaves after its output and a margin.
    Window,
}

/// Tokens that a section is sure of; what it does not use flows to the best of the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Floors {
    pub history: u32,
    pub facts: u32,
    pub summaries: u32,
}

/// Classes of items in the order in which they are admitted; what is admitted last is shed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The last round: what the question follows on.
    NewestRound,
    /// The ten best facts.
    BestFacts,
    /// Summaries and file excerpts that are up to date.
    FreshSummaries,
    FactsBeyondTen,
    StaleSummaries,
    /// Facts that are hardly like the question.
    WeakFacts,
    /// The thread's last turns, newest first.
    History,
    /// Whatever search has found, best first, without regard to sections.
    Ranked,
}

/// How retrieved file excerpts are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excerpts {
    Full,
    /// Pointers for models that can read for themselves, full text for others.
    ByTier,
}

/// The tools by which a model reads the project for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tools {
    None,
    /// With their schemas, for models that are given pointers.
    ForPointers,
    /// By name in the header; a schema comes when it is asked for.
    Directory,
}

/// Whether a model is told what surrounds the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surroundings {
    /// The project's files in the header; round and title in the turn's own message.
    Told,
    Untold,
}

/// One way of making dossiers.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub name: &'static str,
    pub budget: Budget,
    /// The most that system prompt, user card, tool directory and the list of files may take
    /// together; none for a bare measurement, which has no header.
    pub header_cap: Option<u32>,
    /// Whether a model is told of the project's files and of its place in the conversation.
    pub surroundings: Surroundings,
    pub floors: Floors,
    pub history: Policy,
    pub admission: &'static [Class],
    pub excerpts: Excerpts,
    pub tools: Tools,
    /// What scores below this share of the best is hardly related, and is left out though there may
    /// be room.
    pub least_share: f32,
    /// A retrieved item above so many tokens is shown trimmed. It does not depend on the budget,
    /// so that a larger budget never pushes out what a smaller one had room for.
    pub longest_excerpt: u32,
}

/// The profiles by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProfileName {
    Lean,
    Project,
    /// A conversation with a persona, which brings its numbers.
    Persona,
    /// Of consultations alone, which bring their files with them.
    Consult,
}

impl ProfileName {
    /// Those that a person can choose.
    pub const ALL: [ProfileName; 2] = [ProfileName::Lean, ProfileName::Project];

    pub fn as_str(self) -> &'static str {
        match self {
            ProfileName::Lean => "lean",
            ProfileName::Project => "project",
            ProfileName::Persona => "persona",
            ProfileName::Consult => "consult",
        }
    }

    pub fn parse(text: &str) -> Result<Self, UnknownProfile> {
        let known = Self::ALL.into_iter().find(|name| name.as_str() == text);
        known.ok_or_else(|| UnknownProfile { name: text.to_owned() })
    }

    /// The profile of this name for a model of this tier.
    pub fn profile(self, tier: Tier) -> Profile {
        match self {
            ProfileName::Lean => Profile::lean(),
            ProfileName::Project => Profile::project(tier),
            ProfileName::Persona => Profile::persona(Settings::default().max_history_tokens),
            ProfileName::Consult => Profile::consult(),
        }
    }
}

/// A name that no profile has which can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no profile `{name}`; choose {}",
    ProfileName::ALL.map(ProfileName::as_str).join(" or ")
)]
pub struct UnknownProfile {
    name: String,
}

impl Profile {
    /// Three thousand tokens a turn, whatever the length of the thread.
    pub fn lean() -> Self {
        Self {
            name: "lean",
            budget: Budget::Tokens(3_000),
            header_cap: Some(600),
            surroundings: Surroundings::Untold,
            floors: Floors { history: 1_000, facts: 800, summaries: 600 },
            history: Policy::Compress { tokens: 1_000 },
            admission: &[
                Class::NewestRound,
                Class::BestFacts,
                Class::FreshSummaries,
                Class::FactsBeyondTen,
                Class::StaleSummaries,
                Class::WeakFacts,
                Class::History,
                Class::Ranked,
            ],
            excerpts: Excerpts::Full,
            tools: Tools::Directory,
            least_share: 0.2,
            longest_excerpt: 1_000,
        }
    }

    /// A project's files and conversations, as much as the model's window holds.
    pub fn project(tier: Tier) -> Self {
        Self {
            name: "project",
            budget: Budget::Window,
            header_cap: Some(2_000),
            surroundings: Surroundings::Told,
            floors: Floors { history: u32::MAX, facts: 800, ..Floors::default() },
            history: Policy::Recent { rounds: tier.recent_rounds() },
            admission: &[
                Class::NewestRound,
                Class::BestFacts,
                Class::FactsBeyondTen,
                Class::History,
                Class::Ranked,
            ],
            excerpts: Excerpts::ByTier,
            tools: Tools::ForPointers,
            least_share: 0.2,
            longest_excerpt: 4_000,
        }
    }

    /// A persona's own conversation: its prompt, and as many of the last rounds as it carries.
    pub fn persona(history: u32) -> Self {
        Self {
            name: "persona",
            budget: Budget::Window,
            header_cap: Some(0),
            surroundings: Surroundings::Untold,
            floors: Floors { history: u32::MAX, ..Floors::default() },
            history: Policy::Truncate { tokens: history },
            admission: &[Class::NewestRound, Class::History],
            excerpts: Excerpts::Full,
            tools: Tools::None,
            least_share: 0.0,
            longest_excerpt: 0,
        }
    }

    /// Files that the caller names, as much as the window holds, and every turn since the first. A
    /// full window ends the thread.
    pub fn consult() -> Self {
        Self {
            name: "consult",
            budget: Budget::Window,
            header_cap: Some(600),
            surroundings: Surroundings::Untold,
            floors: Floors::default(),
            history: Policy::Fixed { tokens: u32::MAX },
            admission: &[],
            excerpts: Excerpts::Full,
            tools: Tools::None,
            least_share: 0.0,
            longest_excerpt: 1_000,
        }
    }

    /// No header and no recent turns: everything competes on its score alone. For measuring.
    pub fn bare() -> Self {
        Self {
            name: "bare",
            header_cap: None,
            floors: Floors::default(),
            history: Policy::None,
            admission: &[Class::Ranked],
            tools: Tools::None,
            least_share: 0.0,
            ..Self::lean()
        }
    }

    /// Whether what is remembered has its place.
    pub fn remembers(&self) -> bool {
        self.floors.facts > 0
    }

    /// Whether summaries have their place.
    pub fn summarises(&self) -> bool {
        self.floors.summaries > 0
    }

    /// The budget in tokens: what was asked for or what the profile says, never more than the
    /// project allows and the model's window leaves, and with a margin where tokens can only be
    /// estimated.
    pub fn tokens(
        &self,
        asked: Option<u32>,
        allowed: Option<u64>,
        window: Window,
        tokenizer: Tokenizer,
    ) -> u32 {
        let own = match self.budget {
            Budget::Tokens(tokens) => tokens,
            Budget::Window => window.input(),
        };
        let allowed = allowed.and_then(|tokens| u32::try_from(tokens).ok()).unwrap_or(u32::MAX);
        let tokens = asked.unwrap_or(own).min(window.input()).min(allowed);
        if tokenizer.is_exact() { tokens } else { tokens - tokens / 20 }
    }

    /// The budget of a dossier for a caller who brings texts of its own: `beside` are sent with the
    /// dossier and take their part of the window, `inside` must stand in it. What must stand in it
    /// never takes more than it leaves to everything else: half of what there would be without.
    pub fn tokens_with(
        &self,
        asked: Option<u32>,
        allowed: Option<u64>,
        window: Window,
        tokenizer: Tokenizer,
        Brought { inside, beside }: Brought,
    ) -> u32 {
        let window = Window { context: window.context.saturating_sub(beside), ..window };
        let own = self.tokens(asked, allowed, window, tokenizer);
        let needed = inside.saturating_add(own / 2);
        own.max(self.tokens(Some(needed), allowed, window, Tokenizer::O200k))
    }
}

/// Tokens of what a caller brings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Brought {
    pub inside: u32,
    pub beside: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_the_lean_profile_make_up_its_budget() {
        let lean = Profile::lean();
        let Floors { history, facts, summaries } = lean.floors;
        let header = lean.header_cap.unwrap();
        assert_eq!(lean.budget, Budget::Tokens(header + history + facts + summaries));
    }

    #[test]
    fn a_smart_model_is_given_twenty_recent_rounds_a_balanced_one_ten_the_others_five() {
        for (tier, rounds) in
            [(Tier::Smart, 20), (Tier::Balanced, 10), (Tier::Fast, 5), (Tier::Cheap, 5)]
        {
            let expected = Policy::Recent { rounds };
            assert_eq!(Profile::project(tier).history, expected, "{}", tier.as_str());
        }
    }

    #[test]
    fn no_budget_exceeds_what_the_window_leaves_and_the_project_allows() {
        let window = Window { context: 8_000, output: 1_000 };
        let left = window.input();
        assert!(left < 7_000);
        let tokens = |profile: &Profile, asked, allowed| {
            profile.tokens(asked, allowed, window, Tokenizer::O200k)
        };
        assert_eq!(tokens(&Profile::project(Tier::Smart), None, None), left);
        assert_eq!(tokens(&Profile::lean(), Some(100_000), None), left);
        assert_eq!(tokens(&Profile::lean(), None, None), 3_000);
        assert_eq!(tokens(&Profile::lean(), None, Some(2_000)), 2_000);
        let claude = Tokenizer::for_model("claude-opus-4");
        assert_eq!(Profile::lean().tokens(None, None, window, claude), 2_850);
    }

    #[test]
    fn what_a_caller_brings_leaves_room_for_the_rest_and_never_exceeds_the_window() {
        let window = Window { context: 20_000, output: 1_000 };
        let check = |inside, beside, expected| {
            let brought = Brought { inside, beside };
            let lean = Profile::lean();
            let tokens = lean.tokens_with(None, None, window, Tokenizer::O200k, brought);
            assert_eq!(tokens, expected, "{brought:?}");
        };
        check(0, 0, 3_000);
        check(1_500, 5_000, 3_000);
        check(4_000, 0, 5_500);
        check(100_000, 0, window.input());
        check(100_000, 10_000, 10_000 - 1_000 - 200);
        check(10, 30_000, 0);
    }
}
