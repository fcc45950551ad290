//! The flags of the HTTP API and of those who may come in.

use crate::settings::parse_listen;
use clap::{Args, Subcommand};
use dossier_mcp::ToolSet;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dossier serve\n  dossier serve --listen 127.0.0.1:0 --json\n  dossier serve --root ~/work\n\nOn \
                  this machine alone no token is needed. An address that other machines reach needs \
                  one: dossier token create NAME. The log goes to standard error."
)]
pub struct ServeFlags {
    /// Address and port; port 0 takes a free one [default: 127.0.0.1:7717, or the setting `listen`]
    #[arg(long, value_name = "ADDRESS", value_parser = listen)]
    pub listen: Option<SocketAddr>,
    /// A folder that assistants may be consulted about; several may be given [default: none]
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,
    /// Print the address as JSON, on one line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dossier mcp\n  dossier mcp --tools project --project notes\n\nA \
                  client starts it: name `dossier` as the command and `mcp` as its argument. Only \
                  messages of the protocol go to standard output, and the end of the input ends it."
)]
pub struct McpFlags {
    /// The sets of tools to offer [default: all]
    #[arg(long, value_name = "SET", value_delimiter = ',')]
    pub tools: Vec<ToolSet>,
    /// A folder that files may be read from; several allowed [default: the working directory]
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,
    /// The project that is meant when a call names none [default: default]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
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
