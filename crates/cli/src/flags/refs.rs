//! The flags of refs.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:\n  dossier refs add result.json\n  dossier refs expand \
                  ref:json:9f2c4e1a0b3d --field 'items[].id'")]
pub enum RefsCommand {
    /// Store a content and print it in short
    #[command(
        after_help = "Examples:\n  dossier refs add result.json\n  some-command | dossier refs add -"
    )]
    Add {
        /// A file, or - for standard input
        file: PathBuf,
        /// What it is called, as in github_search
        #[arg(long, value_name = "KIND")]
        kind: Option<String>,
        /// The project it belongs to, in whose dossiers it is shown when it is named
        #[arg(long, value_name = "NAME")]
        project: Option<String>,
        /// How long it is kept after it was stored or last expanded
        #[arg(long, value_name = "DAYS")]
        days: Option<u32>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// List the refs, the last stored first
    #[command(after_help = "Example:\n  dossier refs list --kind log --json")]
    List {
        /// Only those of this kind
        #[arg(long, value_name = "KIND")]
        kind: Option<String>,
        /// Only those whose name or summary holds this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// No more than so many
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u16,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show a ref: its summary and its content in short
    #[command(after_help = "Example:\n  dossier refs show ref:log:9f2c4e1a0b3d")]
    Show {
        /// Its name; eight digits of the hash are enough
        name: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Print what a ref or a message holds: all of it, some fields, or a slice
    #[command(after_help = "Examples:\n  dossier refs expand ref:json:9f2c4e1a0b3d --field \
                            'items[].id'\n  dossier refs expand ref:log:0a1b2c3d4e5f --offset 90 \
                            --limit 20")]
    Expand {
        /// Its name, with :summary or :compressed behind it for these, or the id of a message
        name: String,
        /// A path into a JSON document; may be given several times
        #[arg(long = "field", value_name = "PATH")]
        fields: Vec<String>,
        /// The first item or line, counted from 0
        #[arg(long, value_name = "N")]
        offset: Option<usize>,
        /// How many items or lines
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Say that what a ref was made from has changed
    #[command(after_help = "Example:\n  dossier refs stale ref:log:9f2c4e1a0b3d")]
    Stale {
        /// Its name; eight digits of the hash are enough
        name: String,
    },
    /// Delete a ref for good, with its content when nothing else holds it
    #[command(after_help = "Example:\n  dossier refs forget ref:log:9f2c4e1a0b3d")]
    Forget {
        /// Its name; eight digits of the hash are enough
        name: String,
    },
}
