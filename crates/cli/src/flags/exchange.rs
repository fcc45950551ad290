//! The flags of bringing in, writing out, listing and forgetting.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use dossier_engine::{Format, HoldingKind};
use std::path::PathBuf;

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
