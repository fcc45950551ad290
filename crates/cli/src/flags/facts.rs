//! The flags of facts.

use clap::{Subcommand, ValueEnum};
use dossier_core::facts::FactKind;
use dossier_engine::FactState;

#[derive(Debug, Subcommand)]
#[command(
    after_help = "Examples:\n  dossier facts add \"We chose Redis for the queue.\"\n  dossier \
                  facts search \"which queue?\"\n  dossier facts list --state doubtful"
)]
pub enum FactsCommand {
    /// Remember something; what it contradicts is closed
    #[command(
        after_help = "Example:\n  dossier facts add \"The launch is on 2027-03-05.\" --tag launch \
                      --pin"
    )]
    Add {
        /// One to three lines
        text: String,
        /// The project it belongs to
        #[arg(long, value_name = "NAME")]
        project: Option<String>,
        /// Told from the text when it is missing
        #[arg(long, value_enum)]
        kind: Option<KindFlag>,
        /// May be given several times
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// Never let it fade, nor be closed by itself
        #[arg(long)]
        pin: bool,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// List what is remembered, the last confirmed first
    #[command(after_help = "Example:\n  dossier facts list --state doubtful --json")]
    List {
        /// Only those of this project
        #[arg(long, value_name = "NAME")]
        project: Option<String>,
        /// Which ones
        #[arg(long, value_enum, default_value_t = StateFlag::Holds)]
        state: StateFlag,
        #[arg(long, value_enum)]
        kind: Option<KindFlag>,
        #[arg(long, value_name = "TAG")]
        tag: Option<String>,
        /// No more than so many
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u16,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Find the facts that bear on a question
    #[command(after_help = "Example:\n  dossier facts search \"when do we launch?\"")]
    Search {
        query: String,
        /// The project to look in
        #[arg(long, value_name = "NAME")]
        project: Option<String>,
        /// May be given several times
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// How many, from 8 to 20
        #[arg(long, value_name = "N")]
        limit: Option<u16>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show a fact with the words that it rests on
    #[command(after_help = "Example:\n  dossier facts show fct_01k9…")]
    Show {
        id: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Change a fact, or accept one that waits for you
    #[command(after_help = "Examples:\n  dossier facts edit fct_01k9… --text \"The launch is on \
                            2027-04-12.\"\n  dossier facts edit fct_01k9… --accept")]
    Edit {
        id: String,
        #[arg(long)]
        text: Option<String>,
        #[arg(long, value_enum)]
        kind: Option<KindFlag>,
        /// In place of those it has; may be given several times
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// Let a doubtful fact hold
        #[arg(long)]
        accept: bool,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Never let a fact fade, nor be closed by itself
    #[command(after_help = "Example:\n  dossier facts pin fct_01k9…")]
    Pin { id: String },
    /// Let a fact fade and be closed like any other
    #[command(after_help = "Example:\n  dossier facts unpin fct_01k9…")]
    Unpin { id: String },
    /// Delete a fact for good, with what receipts quote of it
    #[command(after_help = "Example:\n  dossier facts forget fct_01k9…")]
    Forget { id: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KindFlag {
    Decision,
    Entity,
    Task,
    Metric,
    Link,
    Fact,
}

impl From<KindFlag> for FactKind {
    fn from(kind: KindFlag) -> Self {
        match kind {
            KindFlag::Decision => Self::Decision,
            KindFlag::Entity => Self::Entity,
            KindFlag::Task => Self::Task,
            KindFlag::Metric => Self::Metric,
            KindFlag::Link => Self::Link,
            KindFlag::Fact => Self::Fact,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StateFlag {
    /// What models are shown
    Holds,
    /// What something newer has closed
    Closed,
    /// What waits for you
    Doubtful,
    All,
}

impl StateFlag {
    pub fn state(self) -> Option<FactState> {
        match self {
            Self::Holds => Some(FactState::Holds),
            Self::Closed => Some(FactState::Closed),
            Self::Doubtful => Some(FactState::Doubtful),
            Self::All => None,
        }
    }
}
