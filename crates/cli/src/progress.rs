//! How far a long run is, in one line that is wiped when the run ends. Drawn only for someone
//! who watches; where there is no terminal, a line is written now and then.

use crate::printer::Printer;
use dossier_engine::{EmbeddingProgress, Progress};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often something is said where nothing can be drawn.
const NOW_AND_THEN: Duration = Duration::from_secs(10);

/// What is counted first; vectors are counted after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    Files,
    Questions,
    Conversations,
    /// The lines of an archive.
    Records,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Counting,
    Vectors,
}

/// A line with a bar.
#[derive(Debug)]
pub struct Line {
    bar: ProgressBar,
    counted: Counted,
    /// What the line shows at present, and since when.
    shown: Mutex<Option<(Phase, Instant)>>,
    embedded: AtomicU64,
    /// Who is told now and then where nothing can be drawn, and when that was last.
    told: Option<(Printer, Mutex<Instant>)>,
}

impl Line {
    pub fn new(printer: &Printer, counted: Counted) -> Self {
        match printer.is_watched() {
            true => Self::on(counted, ProgressDrawTarget::stderr()),
            false => Self {
                told: Some((*printer, Mutex::new(Instant::now()))),
                ..Self::on(counted, ProgressDrawTarget::hidden())
            },
        }
    }

    fn on(counted: Counted, target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(None, target);
        Self { bar, counted, shown: Mutex::new(None), embedded: AtomicU64::new(0), told: None }
    }

    pub fn wipe(&self) {
        self.bar.finish_and_clear();
    }

    /// How many chunks have got their vectors so far.
    pub fn vectors(&self) -> u64 {
        self.embedded.load(Ordering::Relaxed)
    }

    /// Shows so much of so much, with a message made from how long the phase takes.
    fn show(&self, phase: Phase, done: u64, total: u64, message: impl FnOnce(Duration) -> String) {
        // A panic elsewhere is reported there; a line is not worth another.
        let Ok(mut shown) = self.shown.lock() else { return };
        let begun = match *shown {
            Some((current, begun)) if current == phase => begun,
            _ => Instant::now(),
        };
        if shown.replace((phase, begun)).is_none_or(|(before, _)| before != phase) {
            self.bar.set_style(style(phase, self.counted));
        }
        self.bar.update(|state| {
            state.set_len(total);
            state.set_pos(done);
        });
        let message = message(begun.elapsed());
        if let Some((printer, last)) = &self.told
            && let Ok(mut last) = last.lock()
            && last.elapsed() >= NOW_AND_THEN
        {
            *last = Instant::now();
            printer.note(&sentence(phase, self.counted, done, total, &message));
        }
        self.bar.set_message(message);
        // Drawing is limited to some times a second, and the next batch may be far.
        self.bar.force_draw();
    }
}

impl Progress for Line {
    fn reading(&self, done: u64, total: u64) {
        self.show(Phase::Counting, done, total, |_| String::new());
    }

    fn embedding(&self, so_far: EmbeddingProgress) {
        let EmbeddingProgress { chunks, of_chunks, tokens, of_tokens } = so_far;
        self.embedded.store(chunks, Ordering::Relaxed);
        self.show(Phase::Vectors, tokens, of_tokens, |elapsed| {
            let (chunks, of_chunks) = (HumanCount(chunks), HumanCount(of_chunks));
            format!("{chunks} of {of_chunks} chunks{}", time_left(elapsed, tokens, of_tokens))
        });
    }
}

/// Batches take long, so the estimate is made once for each and not changed in between.
fn time_left(elapsed: Duration, done: u64, total: u64) -> String {
    if done == 0 {
        return String::new();
    }
    let left = elapsed.as_secs_f64() * total.saturating_sub(done) as f64 / done as f64;
    format!(", about {} left", HumanDuration(Duration::from_secs_f64(left.min(1e6))))
}

/// The same as the line says, for a log.
fn sentence(phase: Phase, counted: Counted, done: u64, total: u64, message: &str) -> String {
    let of = format!("{} of {}", HumanCount(done), HumanCount(total));
    match (phase, counted) {
        (Phase::Vectors, _) => format!("vectors: {message}"),
        (_, Counted::Files) => format!("reading: {of} files"),
        (_, Counted::Conversations) => format!("storing: {of} conversations"),
        (_, Counted::Records) => format!("storing: {of} records"),
        (_, Counted::Questions) => format!("asking: {of} questions"),
    }
}

/// The templates are known to be right, since the tests draw them.
fn style(phase: Phase, counted: Counted) -> ProgressStyle {
    let template = match (phase, counted) {
        (Phase::Vectors, _) => "vectors  {bar:30} {msg}",
        (_, Counted::Files) => "reading  {bar:30} {human_pos} of {human_len} files",
        (_, Counted::Conversations) => "storing  {bar:30} {human_pos} of {human_len} conversations",
        (_, Counted::Records) => "storing  {bar:30} {human_pos} of {human_len} records",
        (_, Counted::Questions) => "asking   {bar:30} {human_pos} of {human_len} questions",
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
        let line = Line::on(counted, target);
        draw(&line);
        terminal.contents()
    }

    #[test]
    fn files_are_counted_while_they_are_read() {
        let line = drawn(Counted::Files, |line| line.reading(1_500, 3_000));
        assert_eq!(line, "reading  ━━━━━━━━━━━━━━━━────────────── 1,500 of 3,000 files");
    }

    #[test]
    fn a_log_is_told_the_same() {
        let reading = sentence(Phase::Counting, Counted::Files, 1_500, 3_000, "");
        assert_eq!(reading, "reading: 1,500 of 3,000 files");
        let vectors = sentence(Phase::Vectors, Counted::Files, 5, 10, "9 of 1,000 chunks");
        assert_eq!(vectors, "vectors: 9 of 1,000 chunks");
    }

    #[test]
    fn vectors_follow_in_the_same_line() {
        let line = drawn(Counted::Files, |line| {
            line.reading(5, 5);
            line.embedding(EmbeddingProgress {
                of_chunks: 128,
                of_tokens: 10,
                ..Default::default()
            });
        });
        assert_eq!(line, "vectors  ────────────────────────────── 0 of 128 chunks");
    }

    #[test]
    fn the_bar_of_vectors_is_as_long_as_their_tokens() {
        let so_far = EmbeddingProgress { chunks: 9, of_chunks: 1_000, tokens: 5, of_tokens: 10 };
        let line = drawn(Counted::Files, |line| line.embedding(so_far));
        assert_eq!(
            line,
            "vectors  ━━━━━━━━━━━━━━━━────────────── 9 of 1,000 chunks, about 0 seconds left"
        );
    }

    #[test]
    fn the_time_that_is_left_is_told_when_something_is_done() {
        let check = |seconds, done, total, expected: &str| {
            assert_eq!(time_left(Duration::from_secs(seconds), done, total), expected);
        };
        check(3, 0, 128, "");
        check(10, 64, 192, ", about 20 seconds left");
        check(60, 64, 640, ", about 9 minutes left");
        check(60, 64, 64, ", about 0 seconds left");
        check(60, 1, u64::MAX, ", about 2 weeks left");
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
