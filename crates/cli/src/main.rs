//! The `dossier` command: flags become settings, settings open the engine, the engine does the
//! work. The only place where a result becomes an exit code.

mod commands;
mod flags;
mod log;
mod models;
mod panics;
mod printer;
mod progress;
mod prompt;
mod session;
mod settings;
mod show;
mod telemetry;

use clap::Parser as _;
use commands::Ended;
use flags::Flags;
use printer::Printer;
use std::io;
use std::process::ExitCode;

const FAILED: u8 = 1;
/// What a shell reports for a command that Ctrl-C has ended.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    panics::mask();
    let flags = Flags::parse();
    let printer = Printer::new(&flags.global);
    match run(flags, printer) {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::Unwell) => ExitCode::from(FAILED),
        Ok(Ended::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) if reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            printer.error(&error);
            ExitCode::from(FAILED)
        }
    }
}

fn run(flags: Flags, printer: Printer) -> anyhow::Result<Ended> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(commands::run(flags, printer));
    // After Ctrl-C a batch of vectors may still be under way, which nobody waits for.
    runtime.shutdown_background();
    ended
}

/// Whoever read the results has seen enough, as `head` does.
fn reader_is_gone(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
