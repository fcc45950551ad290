//! The flags of dossiers and of those who read them.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use dossier_core::chat::Effort;
use dossier_core::history::PolicyKind;
use dossier_core::profile::ProfileName;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dossier explain \"how are tokens counted?\" --budget 2000\n  \
                  dossier explain --receipt rcp_01k9… --rendered"
)]
pub struct ExplainFlags {
    /// The question to make a dossier for
    #[arg(required_unless_present = "receipt", conflicts_with = "receipt")]
    pub question: Option<String>,
    /// Show a stored receipt again
    #[arg(long, value_name = "ID", conflicts_with_all = ["project", "thread", "profile", "budget", "model", "history"])]
    pub receipt: Option<String>,
    #[command(flatten)]
    pub frame: FrameFlags,
    /// Model that will read the dossier
    #[arg(long, value_name = "M")]
    pub model: Option<String>,
    /// What becomes of the thread's last turns [default: the profile's]
    #[arg(long, value_name = "POLICY")]
    pub history: Option<HistoryPolicy>,
    /// Print the exact messages instead
    #[arg(long)]
    pub rendered: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dossier ask \"Why are bookings refused?\" --project ferry\n  \
                        dossier ask \"Which is better?\" --model openai/gpt-4o --model anthropic/claude-sonnet-4-5\n  \
                        git diff | dossier ask - --thread Review"
)]
pub struct AskFlags {
    /// The question; `-` reads it from standard input
    pub question: String,
    #[command(flatten)]
    pub talk: TalkFlags,
    /// A text to send with the question
    #[arg(long, value_name = "FILE")]
    pub attach: Vec<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dossier chat --project ferry --model openai/gpt-4o\n  dossier \
                        chat --persona Ada"
)]
pub struct ChatFlags {
    /// Persona to talk with: its name or its id; see dossier persona
    #[arg(long, value_name = "P", conflicts_with_all = ["project", "thread", "profile", "budget", "fresh"])]
    pub persona: Option<String>,
    #[command(flatten)]
    pub talk: TalkFlags,
}

/// Whom to talk with, about what.
#[derive(Debug, Args)]
pub struct TalkFlags {
    /// Model to ask; several answer side by side [default: the setting `model`, or quotes when no
    /// provider is set up]
    #[arg(long, value_name = "M")]
    pub model: Vec<String>,
    #[command(flatten)]
    pub frame: FrameFlags,
    /// Ask even where the project keeps answers and has one; see dossier config project
    #[arg(long)]
    pub fresh: bool,
    /// How long a model that can think does so; its thoughts are shown [default: its provider's]
    #[arg(long, value_name = "HOW", value_parser = effort())]
    pub effort: Option<Effort>,
}

/// From where a dossier is taken, and how large it may be.
#[derive(Debug, Args)]
pub struct FrameFlags {
    /// Project to take from [default: default]
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// Thread the question belongs to: its id or its title [default: a new one]
    #[arg(long, value_name = "T")]
    pub thread: Option<String>,
    /// Profile that sets the numbers [default: lean, or the setting `profile`]
    #[arg(long, value_name = "NAME", value_parser = profile_name())]
    pub profile: Option<ProfileName>,
    /// Tokens for everything together [default: the profile's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: Option<u32>,
}

/// The history policies, as flags name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HistoryPolicy {
    /// No recent turns: messages come by search alone
    None,
    /// Everything in full, or an error when it is too long
    Fixed,
    /// The oldest rounds go, whole
    Truncate,
    /// Older rounds are shortened, then left to search
    Compress,
    /// The last rounds in full
    Recent,
}

impl From<HistoryPolicy> for PolicyKind {
    fn from(policy: HistoryPolicy) -> Self {
        match policy {
            HistoryPolicy::None => PolicyKind::None,
            HistoryPolicy::Fixed => PolicyKind::Fixed,
            HistoryPolicy::Truncate => PolicyKind::Truncate,
            HistoryPolicy::Compress => PolicyKind::Compress,
            HistoryPolicy::Recent => PolicyKind::Recent,
        }
    }
}

/// Like profiles.
fn effort() -> impl TypedValueParser<Value = Effort> {
    PossibleValuesParser::new(Effort::ALL.map(Effort::as_str))
        .try_map(|name| Effort::parse(&name).ok_or("there is no such effort"))
}

/// The profiles stand in `core`, which knows nothing of flags.
pub fn profile_name() -> impl TypedValueParser<Value = ProfileName> {
    PossibleValuesParser::new(ProfileName::ALL.map(ProfileName::as_str))
        .try_map(|name| ProfileName::parse(&name))
}
