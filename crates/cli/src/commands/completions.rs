//! `dossier completions`: what a shell needs to complete commands and flags.

use super::Ended;
use crate::flags::{CompletionsFlags, Flags};
use crate::printer::Printer;
use clap::CommandFactory as _;

pub fn run(flags: &CompletionsFlags, printer: Printer) -> anyhow::Result<Ended> {
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut Flags::command(), "dossier", &mut script);
    printer.plain(String::from_utf8_lossy(&script).trim_end().to_owned())?;
    Ok(Ended::Done)
}
