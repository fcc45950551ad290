//! What a panic says: on standard error, and without the secrets that may have come into it.

use dossier_core::guard::masked;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write as _};
use std::panic::{self, PanicHookInfo};
use std::thread;

/// From now on.
pub fn mask() {
    panic::set_hook(Box::new(|panic| {
        // Nobody can be told that standard error is closed.
        let _ = io::stderr().lock().write_all(told(panic).as_bytes());
    }));
}

fn told(panic: &PanicHookInfo<'_>) -> String {
    let thread = thread::current();
    let name = thread.name().unwrap_or("<unnamed>");
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let said = masked(panic.payload_as_str().unwrap_or("it does not say why"));
    // Where the usual variable asks for it.
    let trace = Backtrace::capture();
    let trace = match trace.status() {
        BacktraceStatus::Captured => format!("{trace}\n"),
        _ => String::new(),
    };
    format!("thread '{name}' panicked{place}:\n{said}\n{trace}")
}
