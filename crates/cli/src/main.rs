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
use std::env;
use std::io;
#[cfg(unix)]
use std::process::Command;
use std::process::ExitCode;

const FAILED: u8 = 1;
/// What a shell reports for a command that Ctrl-C has ended.
const INTERRUPTED: u8 = 130;

/// With these in its surroundings the runtime of the built-in model prints among our results.
const DISTURBING: [&str; 2] = ["RTEN_TIMING", "RTEN_OPTIMIZER_DEBUG"];

fn main() -> ExitCode {
    panics::mask();
    let flags = Flags::parse();
    let printer = Printer::new(&flags.global);
    if DISTURBING.iter().any(|name| env::var_os(name).is_some())
        && let Err(error) = begin_again()
    {
        printer.warning(&format!("cannot begin again without {}: {error}", DISTURBING.join(", ")));
    }
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

/// Becomes the same program without the variables that disturb it; returns only when it cannot.
/// A process that may have threads cannot change its own variables safely.
#[cfg(unix)]
fn begin_again() -> io::Result<()> {
    use std::os::unix::process::CommandExt as _;
    let mut arguments = env::args_os();
    let mut command = Command::new(env::current_exe()?);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    command.args(arguments);
    for name in DISTURBING {
        command.env_remove(name);
    }
    Err(command.exec())
}

#[cfg(not(unix))]
fn begin_again() -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
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
