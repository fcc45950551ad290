//! The flags about models and their providers.

use clap::{Args, Subcommand, ValueEnum};
use dossier_core::catalogue::Protocol;

#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  dossier provider set anthropic --key")]
pub enum ProviderCommand {
    /// List the providers: where they are, where their keys come from, whether they can be asked
    #[command(after_help = "Example:\n  dossier provider list --json")]
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Set a provider up: its address, its interface, its key
    #[command(after_help = "Examples:\n  dossier provider set anthropic --key\n  \
                      dossier provider set home --base-url http://127.0.0.1:8080/v1\n  \
                      pass show openai | dossier provider set openai --key\n\nThe key is asked for, \
                      or read from standard input. It is sealed in the data folder.")]
    Set {
        /// openai, anthropic, google, xai, ollama, or a name of your own
        name: String,
        /// Where it is, as in https://host/v1; an empty one is forgotten
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
        /// The interface of its models [default: the known one, or chat]
        #[arg(long, value_name = "NAME")]
        protocol: Option<ProtocolName>,
        /// Read its key from standard input; an empty one is removed
        #[arg(long)]
        key: bool,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Ask a provider for its models; the exit code is 1 when it does not tell them
    #[command(after_help = "Example:\n  dossier provider test openai")]
    Test {
        name: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Forget what was set of a provider, and its stored key
    #[command(after_help = "Example:\n  dossier provider remove home")]
    Remove { name: String },
}

/// The interfaces, as flags name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProtocolName {
    Chat,
    Responses,
    Anthropic,
    Gemini,
}

impl From<ProtocolName> for Protocol {
    fn from(name: ProtocolName) -> Self {
        match name {
            ProtocolName::Chat => Self::Chat,
            ProtocolName::Responses => Self::Responses,
            ProtocolName::Anthropic => Self::Anthropic,
            ProtocolName::Gemini => Self::Gemini,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  dossier models\n  dossier models --all --json\n  \
                        dossier models --refresh")]
pub struct ModelsFlags {
    /// Also those whose provider is not set up
    #[arg(long)]
    pub all: bool,
    /// Ask the providers for their models first
    #[arg(long)]
    pub refresh: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
