//! The flags as they are typed, and nothing more: which value holds in the end is decided in
//! `settings`. Each group of commands has a file.

mod care;
mod exchange;
mod facts;
mod find;
mod models;
mod persona;
mod refs;
mod serve;
mod talk;

pub use care::{
    CompletionsFlags, ConfigCommand, DoctorFlags, EvalCacheFlags, EvalCommand, EvalCompressFlags,
    EvalContextFlags, LATEST, MaintainFlags, StatsFlags,
};
pub use exchange::{
    ExportFlags, ExportFormat, ForgetFlags, ForgetWhat, ImportFlags, ListFlags, Noun,
};
pub use facts::FactsCommand;
pub use find::{IndexFlags, SearchFlags};
pub use models::{ModelsFlags, ProviderCommand};
pub use persona::{NumberFields, PersonaCommand, PersonaFields, PresetCommand, PresetFields};
pub use refs::RefsCommand;
pub use serve::{McpFlags, ServeFlags, TokenCommand};
pub use talk::{AskFlags, ChatFlags, ExplainFlags, TalkFlags};

use crate::settings::{EmbedderChoice, EmbedderParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Decides what a model sees on each turn, and says why.
#[derive(Debug, Parser)]
#[command(
    name = "dossier",
    version,
    after_help = "Example:\n  dossier index ~/notes\n  dossier explain \"when is the review?\""
)]
pub struct Flags {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Flags of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Folder of the database [default: $XDG_DATA_HOME/dossier]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Database, sqlite:PATH or postgres://… [default: dossier.db in the data folder]
    #[arg(long, global = true, value_name = "URL")]
    pub database: Option<String>,
    /// Settings file [default: dossier.toml in the working directory, if it is there]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What turns text into vectors: local, none (find by words alone), or an OpenAI-compatible
    /// service, https://host/v1#model, with its key in DOSSIER_EMBEDDER_KEY [default: local]
    #[arg(long, global = true, value_name = "NAME|URL#MODEL", value_parser = EmbedderParser)]
    pub embedder: Option<EmbedderChoice>,
    /// Print results and errors only
    #[arg(long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print everything there is; given twice, the log of serve and mcp tells every step
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorWhen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add files to a project; only changed ones are read again
    Index(IndexFlags),
    /// Find passages of a project
    Search(SearchFlags),
    /// Show the dossier for a question, item by item with reasons; calls no model
    Explain(ExplainFlags),
    /// Ask one or several models, each with the dossier that suits it
    Ask(AskFlags),
    /// Talk with a model or a persona in the terminal
    Chat(ChatFlags),
    /// Make, list, change and delete personas
    #[command(subcommand)]
    Persona(PersonaCommand),
    /// Remember, look at, search, change and forget facts
    #[command(subcommand)]
    Facts(FactsCommand),
    /// Look at contents that were stored by their names, expand and forget them
    #[command(subcommand)]
    Refs(RefsCommand),
    /// List the models that can be asked
    Models(ModelsFlags),
    /// Set up, list and try the providers of models
    #[command(subcommand)]
    Provider(ProviderCommand),
    /// Serve the web page, the HTTP API and MCP until stopped
    Serve(ServeFlags),
    /// Serve an AI client over standard input and output (MCP)
    Mcp(McpFlags),
    /// Make, list and revoke the access tokens of the HTTP API
    #[command(subcommand)]
    Token(TokenCommand),
    /// Bring conversations or an archive in
    Import(ImportFlags),
    /// Write threads, a project or everything to a file
    Export(ExportFlags),
    /// List projects, threads and files
    List(ListFlags),
    /// Hide a project, a thread or files, bring them back, or delete them for good
    Forget(ForgetFlags),
    /// Measure quality, tokens and time on a data set
    #[command(subcommand)]
    Eval(EvalCommand),
    /// Look at settings, and change those that the database holds
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Do what waits: back up, make missing vectors, delete what is past its time
    Maintain(MaintainFlags),
    /// Show what models took, what was spared, what is kept and what is to be done
    Stats(StatsFlags),
    /// Check settings, database, index, backups, embedder and providers; say how to mend what is wrong
    Doctor(DoctorFlags),
    /// Print a script that completes commands and flags in a shell
    Completions(CompletionsFlags),
}
