//! What an import has brought, in numbers and thread by thread.

use super::style::{FAINT, STRONG, paint};
use super::text::{counted, number, one_line, right};
use super::{View, and_more};
use dossier_core::exchange::LeftOut;
use dossier_core::guard::masked;
use dossier_engine::{Documents, Imported, Outcome, Restored};
use std::collections::BTreeMap;

/// Threads that are shown when a few will do.
const FEW: usize = 20;

/// Conversations that were brought in.
#[derive(Debug, Clone)]
pub struct Brought<'a> {
    pub project: &'a str,
    /// By their titles.
    pub threads: Vec<(Option<&'a str>, Imported)>,
    pub documents: Documents,
    /// What no thread has come of.
    pub left_out: &'a BTreeMap<LeftOut, usize>,
}

pub fn imported(brought: &Brought<'_>, view: View) -> String {
    let threads = &brought.threads;
    let outcome = |wanted: &[Outcome]| {
        threads.iter().filter(|(_, imported)| wanted.contains(&imported.outcome)).count()
    };
    let sum = |count: fn(&Imported) -> usize| -> usize {
        threads.iter().map(|(_, imported)| count(imported)).sum()
    };
    let rows = [
        ("new threads", outcome(&[Outcome::New, Outcome::Diverged])),
        ("extended", outcome(&[Outcome::Extended])),
        ("already here", outcome(&[Outcome::Here])),
        ("new messages", sum(|imported| imported.added)),
        ("new files", sum(|imported| imported.files) + brought.documents.stored),
    ];
    let mut text =
        format!("{}\n", paint(STRONG, &format!("Project {}", one_line(brought.project))));
    for (name, count) in rows {
        text.push_str(&format!("  {name:<13}{}\n", right(&number(count as u64), 9)));
    }
    if !threads.is_empty() {
        text.push_str(&format!("\n{}\n", paint(STRONG, "Threads")));
    }
    let shown = view.shown(FEW);
    for (title, imported) in threads.iter().take(shown) {
        text.push_str(&format!("  {}\n", thread(*title, imported)));
    }
    if threads.len() > shown {
        text.push_str(&format!("  {}\n", and_more(threads.len() - shown)));
    }
    text + &left_out(brought)
}

fn thread(title: Option<&str>, imported: &Imported) -> String {
    let messages = counted(imported.messages.len() as u64, "message", "messages");
    let title = title.map(|title| one_line(&masked(title))).unwrap_or_default();
    let remark = match imported.outcome {
        Outcome::New => String::new(),
        Outcome::Here => "  already here".to_owned(),
        Outcome::Extended => format!("  {} of them new", number(imported.added as u64)),
        Outcome::Diverged => {
            "  differs from the thread of that name, so it is a new one".to_owned()
        }
    };
    let line = format!("{}  {messages}  {title}", imported.thread);
    format!("{}{}", line.trim_end(), paint(FAINT, &remark))
}

fn left_out(brought: &Brought<'_>) -> String {
    let mut reasons = brought.left_out.clone();
    if brought.documents.refused > 0 {
        *reasons.entry(LeftOut::Refused).or_default() += brought.documents.refused;
    }
    for (_, imported) in &brought.threads {
        for (reason, count) in &imported.left_out {
            *reasons.entry(*reason).or_default() += count;
        }
    }
    if reasons.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint(STRONG, "Left out"));
    for (reason, count) in reasons {
        text.push_str(&format!("  {}: {}\n", described(reason), number(count as u64)));
    }
    text
}

fn described(reason: LeftOut) -> &'static str {
    match reason {
        LeftOut::OtherBranches => "messages of other branches",
        LeftOut::Hidden => "messages that were hidden where they come from",
        LeftOut::Reasoning => "pieces of reasoning",
        LeftOut::WebPages => "web pages that a tool has read",
        LeftOut::UnknownKinds => "messages of kinds that are not known",
        LeftOut::Preamble => "text before the first speaker",
        LeftOut::Refused => "attachments that look like credentials or have unsafe names",
        LeftOut::Empty => "conversations without messages",
    }
}

/// What an archive has brought.
pub fn restored(restored: &Restored) -> String {
    let mut text = format!("{}\n", paint(STRONG, "Archive"));
    let kinds: Vec<&str> = restored.added.keys().chain(restored.here.keys()).copied().collect();
    let mut seen = BTreeMap::new();
    for kind in kinds {
        let count = |counts: &BTreeMap<&str, u64>| counts.get(kind).copied().unwrap_or(0);
        seen.insert(kind, (count(&restored.added), count(&restored.here)));
    }
    if seen.is_empty() {
        text.push_str("  nothing is in it\n");
    }
    for (kind, (added, here)) in seen {
        let remark = match here {
            0 => String::new(),
            here => format!("  {} already here", number(here)),
        };
        let count = right(&number(added), 9);
        text.push_str(&format!("  {kind:<13}{count}{}\n", paint(FAINT, &remark)));
    }
    for note in &restored.notes {
        text.push_str(&format!("  {}\n", one_line(note)));
    }
    text
}
