//! The flags as they are typed, and nothing more: which value holds in the end is decided in
//! `settings`.

use crate::settings::{EmbedderChoice, EmbedderParser, HeldKey, parse_listen};
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use dossier_core::history::PolicyKind;
use dossier_core::profile::ProfileName;
use dossier_engine::{Format, HoldingKind};
use std::net::SocketAddr;
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
    /// Print everything there is
    #[arg(long, global = true)]
    pub verbose: bool,
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
    /// Talk with a model in the terminal
    Chat(ChatFlags),
    /// Serve the HTTP API until stopped
    Serve(ServeFlags),
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
    /// Check settings, database, index, backups and embedder; say how to mend what is wrong
    Doctor(DoctorFlags),
    /// Print a script that completes commands and flags in a shell
    Completions(CompletionsFlags),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  dossier index src docs/report.pdf --project garden\n  \
                        dossier index src --watch")]
pub struct IndexFlags {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Project, made on first use [default: default]
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// Put these files into every dossier of the project
    #[arg(long)]
    pub always: bool,
    /// Take these files out of every dossier again; search still finds them
    #[arg(long, conflicts_with = "always")]
    pub no_always: bool,
    /// Stop when words are searchable; vectors come with the next run
    #[arg(long)]
    pub no_vectors: bool,
    /// Stay and follow edits, one line a pass, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// Print one JSON document; with --watch, one a line for each pass
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  dossier search 'token budget \"strict priority\"' --limit 5\n\n\
                  What stands in double quotes must be there word for word."
)]
pub struct SearchFlags {
    /// Words to look for
    pub query: String,
    /// Project to look in [default: default]
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// The most passages to print
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
    /// A thread whose messages are not wanted, by its id or its title
    #[arg(long, value_name = "T")]
    pub exclude_thread: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

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
    /// Project to take from [default: default]
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// Thread the question belongs to: its id or its title
    #[arg(long, value_name = "T")]
    pub thread: Option<String>,
    /// Profile that sets the numbers [default: lean, or the setting `profile`]
    #[arg(long, value_name = "NAME", value_parser = profile_name())]
    pub profile: Option<ProfileName>,
    /// Tokens for everything together [default: the profile's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: Option<u32>,
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
#[command(after_help = "Example:\n  dossier chat --project ferry --model openai/gpt-4o")]
pub struct ChatFlags {
    #[command(flatten)]
    pub talk: TalkFlags,
}

/// Whom to talk with, about what.
#[derive(Debug, Args)]
pub struct TalkFlags {
    /// Model to ask; several answer side by side [default: quotes, when no provider is set up]
    #[arg(long, value_name = "M")]
    pub model: Vec<String>,
    /// Project to take from, made on first use [default: default]
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// Thread to go on with: its id or its title [default: a new one]
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

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  dossier import chatgpt-export.zip --project garden\n  \
                  dossier import backup.jsonl\n\nA file is known by its content: the ZIP or the \
                  conversations.json of ChatGPT or Claude; an archive, JSON or Markdown of dossier \
                  export; Markdown with a heading for each speaker; or {\"title\", \"messages\": \
                  [{\"speaker\", \"content\", \"created_at\"?, \"section\"?}]}, a list of these, \
                  or one a line. What is here already is known again.")]
pub struct ImportFlags {
    /// Files of conversations, or archives; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Project, made on first use; archives bring their own [default: default]
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true).multiple(true),
    after_help = "Examples:\n  dossier export --all --output backup.jsonl\n  \
                  dossier export --thread Planning --project garden > planning.md\n\nWithout \
                  --format, --all and --project write an archive: everything, for dossier import \
                  into any database. Markdown and JSON hold the messages of threads."
)]
pub struct ExportFlags {
    /// Everything of every project, and the settings
    #[arg(long, group = "what", conflicts_with_all = ["project", "thread", "format"])]
    pub all: bool,
    /// Files and threads of this project; with --thread, where the thread is [default: default]
    #[arg(long, group = "what", value_name = "P")]
    pub project: Option<String>,
    /// One thread, by its id or its title
    #[arg(long, group = "what", value_name = "T")]
    pub thread: Option<String>,
    /// How threads are written [default: an archive; markdown for one thread]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ExportFormat>,
    /// File to write, readable by you alone [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The formats of threads, as flags name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    Markdown,
    Json,
}

impl From<ExportFormat> for Format {
    fn from(format: ExportFormat) -> Self {
        match format {
            ExportFormat::Markdown => Format::Markdown,
            ExportFormat::Json => Format::Json,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  dossier list\n  dossier list threads --project garden\n  \
                        dossier list --hidden\n\nWithout a noun, the projects are listed, or \
                        the threads and files of the project that is named.")]
pub struct ListFlags {
    pub what: Option<Noun>,
    /// Project to look in [default: default]
    #[arg(long, value_name = "P")]
    pub project: Option<String>,
    /// List what is hidden and can be brought back
    #[arg(long)]
    pub hidden: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Noun {
    Projects,
    Threads,
    Files,
}

impl Noun {
    pub fn kind(self) -> HoldingKind {
        match self {
            Noun::Projects => HoldingKind::Project,
            Noun::Threads => HoldingKind::Thread,
            Noun::Files => HoldingKind::File,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  dossier forget thread Planning --project garden\n  \
                  dossier forget thread Planning --project garden --undo\n  \
                  dossier forget file notes/private.md --now\n\nWhat is hidden is gone from \
                  search, dossiers, lists and exports, and can be brought back for 7 days \
                  (dossier config set forget.grace_days N). After that dossier maintain, or the \
                  daily care of a command that writes, deletes it for good, once a backup has \
                  been made since it was hidden. Indexing a file or importing a thread again \
                  brings it back.")]
pub struct ForgetFlags {
    #[command(subcommand)]
    pub what: ForgetWhat,
    /// Delete at once and for good, with everything that quotes it
    #[arg(long, global = true, conflicts_with = "undo")]
    pub now: bool,
    /// Bring back what is hidden
    #[arg(long, global = true)]
    pub undo: bool,
    /// Print one JSON document
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum ForgetWhat {
    /// A project with all its files and threads
    #[command(after_help = "Example:\n  dossier forget project garden")]
    Project {
        /// Its name; with --undo also its id
        #[arg(value_name = "P")]
        name: String,
    },
    /// A thread with all its messages
    #[command(after_help = "Example:\n  dossier forget thread Planning --project garden")]
    Thread {
        /// Its id or its title
        #[arg(value_name = "T")]
        thread: String,
        /// Project it is in [default: default]
        #[arg(long, value_name = "P")]
        project: Option<String>,
    },
    /// Files, or all files of a folder
    #[command(after_help = "Example:\n  dossier forget file notes/private.md drafts")]
    File {
        /// Paths in the project, as dossier list files prints them, or on disk
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<String>,
        /// Project they are in [default: default]
        #[arg(long, value_name = "P")]
        project: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  dossier eval context talks.jsonl --json")]
pub enum EvalCommand {
    /// How much of the evidence the dossiers hold
    Context(EvalContextFlags),
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
#[command(
    after_help = "Examples:\n  dossier serve\n  dossier serve --listen 127.0.0.1:0 --json\n\nOn \
                  this machine alone no token is needed. An address that other machines reach needs \
                  one: dossier token create NAME. The log goes to standard error."
)]
pub struct ServeFlags {
    /// Address and port; port 0 takes a free one [default: 127.0.0.1:7717, or the setting `listen`]
    #[arg(long, value_name = "ADDRESS", value_parser = listen)]
    pub listen: Option<SocketAddr>,
    /// Print the address as JSON, on one line
    #[arg(long)]
    pub json: bool,
}

fn listen(text: &str) -> Result<SocketAddr, String> {
    parse_listen(text).map_err(|error| error.to_string())
}

#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  dossier token create laptop")]
pub enum TokenCommand {
    /// Make a token, and show it this once
    #[command(after_help = "Examples:\n  dossier token create laptop\n  \
                            dossier token create build --owner ana --days 90")]
    Create {
        /// What it is for
        name: String,
        /// Whose projects it opens [default: local, the owner on this machine]
        #[arg(long, value_name = "OWNER")]
        owner: Option<String>,
        /// Days until it expires [default: never]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        days: Option<u32>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// List the tokens, without their secrets
    #[command(after_help = "Example:\n  dossier token list --json")]
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Let a token open nothing any more, at once
    #[command(after_help = "Example:\n  dossier token revoke laptop")]
    Revoke {
        /// Its name or its id
        token: String,
    },
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

/// The profiles stand in `core`, which knows nothing of flags.
fn profile_name() -> impl clap::builder::TypedValueParser<Value = ProfileName> {
    PossibleValuesParser::new(ProfileName::ALL.map(ProfileName::as_str)).try_map(|name| {
        ProfileName::parse(&name).ok_or_else(|| format!("there is no profile `{name}`"))
    })
}
