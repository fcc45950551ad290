//! What an indexing run has done, and which files it left out.

use super::style::{FAINT, STRONG, paint};
use super::text::{number, one_line, right};
use super::{View, and_more};
use dossier_engine::IndexReport;
use std::collections::BTreeMap;

/// Skipped files of one reason that are shown when a few will do.
const FEW: usize = 5;

/// An indexing run.
#[derive(Debug, Clone)]
pub struct Indexed<'a> {
    pub project: &'a str,
    pub report: &'a IndexReport,
    pub vectors: usize,
    /// Why there are fewer vectors than there might be.
    pub remark: Option<&'a str>,
    pub left_out: Vec<LeftOut>,
}

/// A file that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub path: String,
    pub reason: String,
}

/// The run in numbers.
pub fn indexed(run: &Indexed<'_>, view: View) -> String {
    let report = run.report;
    let mut text = format!("{}\n", paint(STRONG, &format!("Project {}", one_line(run.project))));
    for (name, count) in [
        ("added", report.added),
        ("changed", report.changed),
        ("unchanged", report.unchanged),
        ("removed", report.removed),
        ("chunks", report.chunks),
        ("vectors", run.vectors),
    ] {
        let count = right(&number(count as u64), 9);
        let remark = run.remark.filter(|_| name == "vectors");
        let remark = remark.map_or_else(String::new, |remark| format!("  {remark}"));
        text.push_str(&format!("  {name:<10}{count}{}\n", paint(FAINT, &remark)));
    }
    text.push_str(&left_out(&run.left_out, view));
    text
}

/// Files that were left out, by reason.
fn left_out(files: &[LeftOut], view: View) -> String {
    if files.is_empty() {
        return String::new();
    }
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for LeftOut { path, reason } in files {
        // What stands behind the colon differs from file to file.
        let (reason, path) = match reason.split_once(": ") {
            Some((reason, detail)) => (reason, format!("{path} ({detail})")),
            None => (reason.as_str(), path.clone()),
        };
        groups.entry(reason).or_default().push(one_line(&path));
    }
    let mut text = format!("\n{} ({})\n", paint(STRONG, "Left out"), number(files.len() as u64));
    for (reason, paths) in groups {
        text.push_str(&format!("  {reason}: {}\n", number(paths.len() as u64)));
        let shown = view.shown(FEW);
        for path in paths.iter().take(shown) {
            text.push_str(&format!("    {path}\n"));
        }
        if paths.len() > shown {
            text.push_str(&format!("    {}\n", and_more(paths.len() - shown)));
        }
    }
    text
}
