//! Colours, few and calm. Nothing is told by colour alone.

use anstyle::{AnsiColor, Style};
use dossier_core::item::{Form, Section};

pub const PLAIN: Style = Style::new();
pub const STRONG: Style = Style::new().bold();
pub const FAINT: Style = Style::new().dimmed();
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub const PLACE: Style = AnsiColor::Cyan.on_default();

pub fn of_form(form: Form) -> Style {
    match form {
        Form::Full => AnsiColor::Green.on_default(),
        Form::Trimmed | Form::Line => AnsiColor::Yellow.on_default(),
        Form::Pointer => AnsiColor::Blue.on_default(),
        Form::Dropped => FAINT,
    }
}

pub fn of_section(section: Section) -> Style {
    match section {
        Section::Header => AnsiColor::Magenta.on_default(),
        Section::History => AnsiColor::Blue.on_default(),
        Section::Facts => AnsiColor::Yellow.on_default(),
        Section::Summaries => AnsiColor::Green.on_default(),
        Section::Question => AnsiColor::Cyan.on_default(),
    }
}

/// The text in its style.
pub fn paint(style: Style, text: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => format!("{style}{text}{style:#}"),
    }
}
