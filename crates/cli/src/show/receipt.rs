//! `dossier explain`: a receipt as a page. A headline, the budget as a bar, what is in, what was
//! left out, and what else is good to know.

use super::items::Tables;
use super::style::{FAINT, STRONG, WARNING, paint};
use super::text::{counted, number, one_line, width, wrapped};
use super::{View, bar};
use dossier_core::intent::Intent;
use dossier_core::receipt::Receipt;

/// Lines of a long question that are shown.
const QUESTION_LINES: usize = 3;

/// What the receipt knows by id alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    pub project: String,
    pub thread: Option<String>,
}

/// The page.
pub fn receipt(receipt: &Receipt, names: &Names, view: View) -> String {
    let mut lines = headline(receipt, names, view);
    lines.push(String::new());
    lines.extend(indented(bar::bar(&receipt.budget, view.width - 2)));
    let tables = Tables::of(&receipt.items, view);
    lines.push(String::new());
    lines.extend(tables.inside());
    lines.push(String::new());
    lines.extend(tables.outside());
    let remarks = remarks(receipt, view);
    if !remarks.is_empty() {
        lines.push(String::new());
        lines.extend(remarks);
    }
    lines.join("\n") + "\n"
}

fn headline(receipt: &Receipt, names: &Names, view: View) -> Vec<String> {
    let question = one_line(&receipt.question);
    let mut lines = wrapped(&question, view.width);
    if lines.len() > QUESTION_LINES && !view.everything {
        lines.truncate(QUESTION_LINES);
        lines.push(format!("… ({})", counted(receipt.question.len() as u64, "byte", "bytes")));
    }
    let mut lines: Vec<String> = lines.iter().map(|line| paint(STRONG, line)).collect();
    let budget = &receipt.budget;
    let mut facts = vec![
        format!(
            "{} of {} tokens ({})",
            number(budget.used),
            number(budget.limit),
            budget.counted_by
        ),
        format!("profile {}", receipt.profile),
        intent(receipt.intent).to_owned(),
        format!("project {}", names.project),
    ];
    facts.extend(names.thread.as_ref().map(|thread| format!("thread {thread}")));
    facts.extend(receipt.model.as_ref().map(|model| format!("model {model}")));
    facts.push(format!("receipt {}", receipt.id));
    lines.extend(listed(&facts, view.width).iter().map(|line| paint(FAINT, line)));
    lines
}

/// Facts one after the other, none of them broken unless it is too long for a line.
fn listed(facts: &[String], columns: usize) -> Vec<String> {
    const BETWEEN: &str = " · ";
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        let fact = one_line(fact);
        match lines.last_mut() {
            Some(line) if width(line) + width(BETWEEN) + width(&fact) <= columns => {
                line.push_str(BETWEEN);
                line.push_str(&fact);
            }
            _ => lines.extend(wrapped(&fact, columns)),
        }
    }
    lines
}

fn indented(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

/// What lies outside the list, and what may surprise.
fn remarks(receipt: &Receipt, view: View) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(cached) = &receipt.cached {
        let why = match cached.stale {
            true => "the model could not be reached, and the time of its last answer is over",
            false => "no model was asked",
        };
        remarks.push(format!(
            "Cache: {why}; the answer is that of message {}, kept at {}.",
            cached.from_message, cached.kept_at
        ));
    }
    let beyond = &receipt.beyond;
    if beyond.chunks > 0 {
        let chunks = counted(beyond.chunks, "chunk", "chunks");
        remarks.push(format!("Not ranked: {chunks} of the project that nothing speaks for."));
    }
    if beyond.rounds > 0 {
        let rounds = counted(beyond.rounds, "earlier round", "earlier rounds");
        remarks.push(format!(
            "Not carried: {rounds} of the thread; search still finds what was said."
        ));
    }
    let coverage = &receipt.coverage;
    match &coverage.embedder {
        None if coverage.chunks > 0 => {
            remarks.push("Vectors: none; everything is found by words alone.".to_owned());
        }
        Some(model) if coverage.with_vectors < coverage.chunks => remarks.push(format!(
            "Vectors: {} of {} by {model}; the rest is found by words alone.",
            number(coverage.with_vectors),
            counted(coverage.chunks, "chunk", "chunks"),
        )),
        _ => {}
    }
    if let Some(prefix) = &receipt.prefix {
        let bytes = counted(prefix.bytes as u64, "byte is", "bytes are");
        remarks.push(format!(
            "Prefix: the first {bytes} as in the previous turn ({}).",
            prefix.previous
        ));
    }
    let mut lines: Vec<String> =
        remarks.iter().flat_map(|remark| wrapped(remark, view.width)).collect();
    for warning in &receipt.budget.warnings {
        let mut warning = wrapped(&format!("Warning: {}", one_line(warning)), view.width);
        if let Some(first) = warning.first_mut() {
            *first = first.replacen("Warning:", &paint(WARNING, "Warning:"), 1);
        }
        lines.extend(warning);
    }
    lines
}

fn intent(intent: Intent) -> &'static str {
    match intent {
        Intent::QuickCapture => "quick capture",
        Intent::ContextLookup => "context lookup",
        Intent::DeepAnalysis => "deep analysis",
        Intent::Planning => "planning",
    }
}
