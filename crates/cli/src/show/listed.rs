//! Lists of what there is: a line each, the name last, since it may be long.

use super::style::{FAINT, PLACE, STRONG, paint};
use super::text::{beginning, counted, end, left, number, one_line, right, size};
use super::{View, and_more};
use dossier_core::backup::age;
use dossier_core::time::Timestamp;
use dossier_engine::{FileRecord, Hidden, HoldingKind, ProjectSummary, Thread};

/// Files and threads that are shown when a few will do.
const FEW: usize = 50;
/// Of what stands below the line of a thread.
const INDENT: usize = 14;

pub fn projects(list: &[ProjectSummary]) -> String {
    let line = |ProjectSummary { project, counts }: &ProjectSummary| {
        let used = counts.last_used.unwrap_or(project.updated_at).date().to_string();
        format!(
            "{}{}{}  {}  {}\n",
            right(&counted(counts.files, "file", "files"), 14),
            right(&size(counts.bytes), 12),
            right(&counted(counts.threads, "thread", "threads"), 16),
            paint(FAINT, &used),
            paint(STRONG, &one_line(&project.name)),
        )
    };
    list.iter().map(line).collect()
}

pub fn threads(list: &[Thread], view: View) -> String {
    let line = |thread: &Thread| {
        let rounds = counted(thread.round_count.unsigned_abs(), "round", "rounds");
        let title = thread.title.as_deref().map(one_line).unwrap_or_default();
        let summary = thread.summary.as_deref().map(|summary| {
            let words = beginning(&one_line(summary), view.width.saturating_sub(INDENT));
            format!("{}{}\n", " ".repeat(INDENT), paint(FAINT, &words))
        });
        format!(
            "  {}  {}  {}  {}\n{}",
            paint(FAINT, &thread.updated_at.date().to_string()),
            right(&rounds, 13),
            paint(FAINT, thread.id.as_str()),
            paint(PLACE, &title),
            summary.unwrap_or_default(),
        )
    };
    section("Threads", list, line, view)
}

pub fn files(list: &[FileRecord], view: View) -> String {
    let line = |file: &FileRecord| {
        let mut marks = file.metadata.tags.clone();
        if file.metadata.always_in_context {
            marks.insert(0, "always".to_owned());
        }
        let marks = match marks.as_slice() {
            [] => String::new(),
            marks => paint(FAINT, &format!("  ({})", one_line(&marks.join(", ")))),
        };
        format!(
            "  {}  {}  {}{marks}\n",
            paint(FAINT, &file.updated_at.date().to_string()),
            right(&size(file.size.unsigned_abs()), 10),
            paint(PLACE, &end(&one_line(&file.path), view.width.saturating_sub(28))),
        )
    };
    section("Files", list, line, view)
}

fn section<T>(title: &str, list: &[T], line: impl Fn(&T) -> String, view: View) -> String {
    let mut text =
        format!("{}\n", paint(STRONG, &format!("{title} ({})", number(list.len() as u64))));
    let shown = view.shown(FEW);
    text.extend(list.iter().take(shown).map(line));
    if list.len() > shown {
        text.push_str(&format!("  {}\n", and_more(list.len() - shown)));
    }
    text
}

/// Hidden things, each with the project it is in.
pub fn hidden(list: &[(&Hidden, Option<&str>)], now: Timestamp) -> String {
    let line = |(hidden, project): &(&Hidden, Option<&str>)| {
        let project = project.map(|project| format!("  in {}", one_line(project)));
        format!(
            "{}{}  {}{}\n",
            left(HoldingKind::of(&hidden.holding).as_str(), 9),
            right(&format!("for {} more", age(now, hidden.purge_at)), 20),
            paint(PLACE, &one_line(&hidden.name)),
            paint(FAINT, &project.unwrap_or_default()),
        )
    };
    list.iter().map(line).collect()
}
