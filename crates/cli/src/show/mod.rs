//! How results look to a person: pure functions from results to text with colours, which the
//! printer takes away where they are not wanted.

pub mod style;
pub mod text;

mod bar;
mod figures;
mod findings;
mod hits;
mod imported;
mod indexed;
mod items;
mod listed;
mod receipt;
mod rendered;

pub use figures::{compression, figures, hit_figures, percent};
pub use findings::findings;
pub use hits::hits;
pub use imported::{Brought, imported, restored};
pub use indexed::{Indexed, LeftOut, indexed};
pub use listed::{files, hidden, projects, threads};
pub use receipt::{Names, receipt};
pub use rendered::rendered;

use crate::printer::{Detail, Printer};
use text::number;

/// How much room there is, and how much is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    pub width: usize,
    pub everything: bool,
}

impl View {
    pub fn of(printer: &Printer) -> Self {
        Self { width: printer.width(), everything: printer.detail == Detail::Most }
    }

    /// How many of a list are shown, when a few will do.
    fn shown(&self, few: usize) -> usize {
        if self.everything { usize::MAX } else { few }
    }
}

/// The line below a list that was cut short.
fn and_more(more: usize) -> String {
    style::paint(style::FAINT, &format!("and {} more; --verbose shows all", number(more as u64)))
}

#[cfg(test)]
mod sample;
#[cfg(test)]
mod snapshots;
