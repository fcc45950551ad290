//! The flags of measuring, of settings and of care.

use super::talk::profile_name;
use crate::settings::HeldKey;
use clap::{Args, Subcommand};
use dossier_core::profile::ProfileName;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  dossier eval context talks.jsonl --json")]
pub enum EvalCommand {
    /// How much of the evidence the dossiers hold
    Context(EvalContextFlags),
    /// How many questions would get the answer to another one
    Cache(EvalCacheFlags),
    /// How much compressing saves on results of tools, and whether a value is lost
    Compress(EvalCompressFlags),
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  dossier eval cache pairs.jsonl --json\n\n\
                  A line is {\"id\", \"a\", \"b\", \"label\"}; label 1 means that both ask the same.")]
pub struct EvalCacheFlags {
    /// Data set, one pair of questions a line
    #[arg(value_name = "FILE.jsonl")]
    pub file: PathBuf,
    /// Take only the same characters for the same question
    #[arg(long)]
    pub no_embedder: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  dossier eval compress payloads.json --json\n\nThe file is a list of \
                  {\"name\", \"source\", \"payload\"}. Every id, link, number and error is looked for \
                  in the compressed text, or in what its ref gives back."
)]
pub struct EvalCompressFlags {
    /// Data set
    #[arg(value_name = "FILE.json")]
    pub file: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  dossier eval context talks.jsonl --budget 1000 --budget 3000\n\n\
                  It works in a database of its own that is thrown away. Without --profile there \
                  is no header, and recent messages compete like all others."
)]
pub struct EvalContextFlags {
    /// Data set, one case a line
    #[arg(value_name = "FILE.jsonl")]
    pub file: PathBuf,
    /// Tokens for everything together; may be given several times
    #[arg(long = "budget", value_name = "N", default_values_t = [1000, 3000], value_parser = clap::value_parser!(u32).range(1..))]
    pub budgets: Vec<u32>,
    /// Measure this whole profile
    #[arg(long, value_name = "NAME", value_parser = profile_name())]
    pub profile: Option<ProfileName>,
    /// Find by words alone
    #[arg(long)]
    pub no_embedder: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  dossier stats --from 2026-11-01 --json")]
pub struct StatsFlags {
    /// Only those of this project
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The first day, as in 2026-11-01
    #[arg(long, value_name = "DAY")]
    pub from: Option<String>,
    /// The last day
    #[arg(long, value_name = "DAY")]
    pub to: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  dossier config show")]
pub enum ConfigCommand {
    /// Print each value and where it came from
    #[command(after_help = "Example:\n  dossier config show --json\n\nFlags win over the \
                            environment (DOSSIER_…) over dossier.toml over the database over \
                            defaults.")]
    Show {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Keep a value in the database
    #[command(after_help = "Example:\n  dossier config set user.role \"gardener\"")]
    Set { key: HeldKey, value: String },
    /// Forget a value of the database
    #[command(after_help = "Example:\n  dossier config unset user.role")]
    Unset { key: HeldKey },
    /// Print the settings of a project, or change some
    #[command(
        after_help = "Examples:\n  dossier config project ferry\n  dossier config project ferry \
                      enable_semantic_cache=true semantic_cache_seconds=600\n  dossier config \
                      project ferry system_prompt=\n\nWith enable_semantic_cache, an answer is \
                      given again for semantic_cache_seconds (3600) while everything it was made \
                      from is as it was."
    )]
    Project {
        /// Project whose settings they are
        name: String,
        /// KEY=VALUE; without a value the setting is forgotten
        #[arg(value_name = "KEY=VALUE")]
        changes: Vec<String>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dossier maintain\n  dossier maintain --rebuild --project garden\n  \
                  dossier maintain --restore\n\nAn SQLite database is backed up into the folder \
                  `backups` beside it, once a day by the commands that write, and before its \
                  format changes. PostgreSQL has its own tools, such as pg_dump."
)]
pub struct MaintainFlags {
    /// Make a backup now, due or not
    #[arg(long)]
    pub backup: bool,
    /// List the backups
    #[arg(long, conflicts_with_all = ["backup", "restore", "rebuild"])]
    pub backups: bool,
    /// Put a backup in the place of the database: the newest, or the one named [default: latest]
    #[arg(long, value_name = "BACKUP", num_args = 0..=1, default_missing_value = LATEST, conflicts_with_all = ["backup", "rebuild"])]
    pub restore: Option<String>,
    /// Build the index anew from the stored contents
    #[arg(long)]
    pub rebuild: bool,
    /// Rebuild this project only
    #[arg(long, value_name = "P", requires = "rebuild")]
    pub project: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// The name of the newest backup.
pub const LATEST: &str = "latest";

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  dossier doctor\n\nNothing is changed. The exit code is 1 when \
                  there is a problem."
)]
pub struct DoctorFlags {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dossier completions bash > ~/.local/share/bash-completion/completions/dossier\n  \
                  dossier completions zsh > ~/.zfunc/_dossier\n  \
                  dossier completions fish > ~/.config/fish/completions/dossier.fish"
)]
pub struct CompletionsFlags {
    pub shell: clap_complete::Shell,
}
