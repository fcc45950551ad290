//! The flags of adding and finding.

use clap::Args;
use std::path::PathBuf;

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
