//! The one place that writes: results to standard output, everything else to standard error.
//! Texts come with their colours; a stream that cannot show them gets them without.

use crate::flags::{ColorWhen, Global};
use crate::show::style::{ERROR, WARNING, paint};
use crate::show::text::harmless;
use anstream::{AutoStream, ColorChoice};
use dossier_core::guard::masked;
use serde::Serialize;
use std::io::{self, IsTerminal as _, Write as _};

/// The width for a reader whose terminal is not known.
const WIDTH: usize = 100;
const NARROWEST: usize = 60;
const WIDEST: usize = 140;

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Results and errors.
    Least,
    Usual,
    /// Everything there is.
    Most,
}

/// Where a command says what it has to say.
#[derive(Debug, Clone, Copy)]
pub struct Printer {
    color: ColorChoice,
    pub detail: Detail,
}

impl Printer {
    pub fn new(flags: &Global) -> Self {
        let color = match flags.color {
            ColorWhen::Auto => ColorChoice::Auto,
            ColorWhen::Always => ColorChoice::Always,
            ColorWhen::Never => ColorChoice::Never,
        };
        let detail = match (flags.quiet, flags.verbose) {
            (true, _) => Detail::Least,
            (_, 0) => Detail::Usual,
            _ => Detail::Most,
        };
        Self { color, detail }
    }

    /// Columns of the terminal that results are printed to.
    pub fn width(&self) -> usize {
        match terminal_size::terminal_size_of(io::stdout()) {
            Some((terminal_size::Width(width), _)) => usize::from(width).clamp(NARROWEST, WIDEST),
            None => WIDTH,
        }
    }

    /// Whether someone watches what happens.
    pub fn is_watched(&self) -> bool {
        self.detail > Detail::Least && io::stderr().is_terminal()
    }

    /// What the command was asked for.
    pub fn result(&self, text: &str) -> io::Result<()> {
        let mut stream = AutoStream::new(io::stdout().lock(), self.color);
        stream.write_all(text.as_bytes())?;
        stream.flush()
    }

    /// What the command was asked for, for a program to read.
    pub fn json(&self, document: &impl Serialize) -> io::Result<()> {
        self.plain(serde_json::to_string_pretty(document)?)
    }

    /// One of several documents for a program to read, on a line of its own.
    pub fn json_line(&self, document: &impl Serialize) -> io::Result<()> {
        self.plain(serde_json::to_string(document)?)
    }

    /// Text without colours, such as another program reads.
    pub fn plain(&self, mut text: String) -> io::Result<()> {
        text.push('\n');
        let mut stream = io::stdout().lock();
        stream.write_all(text.as_bytes())?;
        stream.flush()
    }

    /// A piece of what a model says, as it comes. What could steer a terminal is left out.
    pub fn piece(&self, text: &str) -> io::Result<()> {
        let text: String = text
            .chars()
            .filter(|character| !character.is_control() || matches!(character, '\n' | '\t'))
            .collect();
        let mut stream = io::stdout().lock();
        stream.write_all(text.as_bytes())?;
        stream.flush()
    }

    /// Something good to know.
    pub fn note(&self, text: &str) {
        if self.detail > Detail::Least {
            self.aside(&fit_to_show(text));
        }
    }

    /// Something that went not quite as wished.
    pub fn warning(&self, text: &str) {
        if self.detail > Detail::Least {
            self.aside(&format!("{} {}", paint(WARNING, "warning:"), fit_to_show(text)));
        }
    }

    /// Why the command failed: the causes in one line, outermost first.
    pub fn error(&self, error: &anyhow::Error) {
        let error = fit_to_show(&format!("{error:#}"));
        self.aside(&format!("{} {error}", paint(ERROR, "error:")));
    }

    /// Nobody can be told that standard error is closed.
    fn aside(&self, text: &str) {
        let mut stream = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stream, "{text}");
    }
}

/// A text without what would harm a terminal, and without the secrets that came into it with a
/// URL or a line of a file.
fn fit_to_show(text: &str) -> String {
    masked(&harmless(text)).into_owned()
}
