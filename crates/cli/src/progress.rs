//! How far a long run is, in one line that is wiped when the run ends. Drawn only for someone
//! who watches.

use crate::printer::Printer;
use dossier_engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::Duration;

/// What is counted first; vectors are counted after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    Files,
    Questions,
}

/// What the line shows at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Waiting,
    Counting,
    Vectors,
}

/// A line with a bar.
#[derive(Debug)]
pub struct Line {
    bar: ProgressBar,
    counted: Counted,
    phase: Mutex<Phase>,
}

impl Line {
    pub fn new(printer: &Printer, counted: Counted) -> Self {
        let target = match printer.is_watched() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        Self { bar, counted, phase: Mutex::new(Phase::Waiting) }
    }

    pub fn wipe(&self) {
        self.bar.finish_and_clear();
    }

    /// How many chunks have got their vectors so far.
    pub fn vectors(&self) -> u64 {
        match self.phase.lock() {
            Ok(phase) if *phase == Phase::Vectors => self.bar.position(),
            _ => 0,
        }
    }

    fn show(&self, phase: Phase, done: u64, total: u64) {
        if let Ok(mut shown) = self.phase.lock()
            && *shown != phase
        {
            *shown = phase;
            self.bar.reset();
            self.bar.set_style(style(phase, self.counted));
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

impl Progress for Line {
    fn reading(&self, done: u64, total: u64) {
        self.show(Phase::Counting, done, total);
    }

    fn embedding(&self, done: u64, total: u64) {
        self.show(Phase::Vectors, done, total);
    }
}

/// A style is known to be right when the tests have drawn it; until then a plain bar will do.
fn style(phase: Phase, counted: Counted) -> ProgressStyle {
    let template = match (phase, counted) {
        (Phase::Vectors, _) => {
            "vectors    {bar:30} {human_pos} of {human_len} chunks, {eta} left"
        }
        (_, Counted::Files) => "reading    {bar:30} {human_pos} of {human_len} files",
        (_, Counted::Questions) => "asking     {bar:30} {human_pos} of {human_len} questions",
    };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━━─")
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;

    fn drawn(counted: Counted, draw: impl FnOnce(&Line)) -> String {
        let terminal = InMemoryTerm::new(5, 100);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let bar = ProgressBar::with_draw_target(None, target);
        let line = Line { bar, counted, phase: Mutex::new(Phase::Waiting) };
        draw(&line);
        line.bar.force_draw();
        terminal.contents()
    }

    #[test]
    fn files_are_counted_while_they_are_read() {
        let line = drawn(Counted::Files, |line| line.reading(1_500, 3_000));
        assert_eq!(line, "reading    ━━━━━━━━━━━━━━━━────────────── 1,500 of 3,000 files");
    }

    #[test]
    fn vectors_follow_in_the_same_line_with_the_time_that_is_left() {
        let line = drawn(Counted::Files, |line| {
            line.reading(5, 5);
            line.embedding(64, 128);
        });
        assert!(line.starts_with("vectors    ━"), "{line}");
        assert!(line.contains("64 of 128 chunks, ") && line.ends_with(" left"), "{line}");
    }

    #[test]
    fn a_wiped_line_leaves_nothing() {
        let line = drawn(Counted::Questions, |line| {
            line.reading(1, 2);
            line.wipe();
        });
        assert_eq!(line, "");
    }
}
