//! The items of a receipt as two tables: a line of columns for each item, and below it why.

use super::style::{FAINT, PLACE, PLAIN, STRONG, of_form, paint};
use super::text::{end, left, number, one_line, right, width, wrapped};
use super::{View, and_more};
use dossier_core::item::{Form, Kind, Source};
use dossier_core::receipt::ReceiptItem;

const FORM: usize = 8;
const KIND: usize = 9;
const TOKENS: usize = 8;
const SCORE: usize = 8;
/// Where the source begins, and with it the reason below.
const INDENT: usize = 2 + FORM + 1 + KIND + 1;
/// Left-out items that are shown when a few will do.
const FEW: usize = 10;

/// What a model sees, and what was ranked and left out.
pub(super) struct Tables<'a> {
    inside: Vec<&'a ReceiptItem>,
    outside: Vec<&'a ReceiptItem>,
    view: View,
    /// Columns of the source: no more than the longest needs, so that both tables agree.
    source: usize,
}

impl<'a> Tables<'a> {
    pub(super) fn of(items: &'a [ReceiptItem], view: View) -> Self {
        let (inside, outside): (Vec<_>, Vec<_>) =
            items.iter().partition(|item| item.form != Form::Dropped);
        let room = view.width.saturating_sub(INDENT + TOKENS + SCORE);
        let shown = inside.iter().chain(outside.iter().take(view.shown(FEW)));
        let longest = shown.map(|item| width(&place(&item.source))).max().unwrap_or(0);
        Self { inside, outside, view, source: longest.clamp(room.min(10), room) }
    }

    pub(super) fn inside(&self) -> Vec<String> {
        let mut lines = vec![heading("In the dossier", self.inside.len())];
        if self.inside.is_empty() {
            return lines;
        }
        lines.push(self.columns());
        for item in &self.inside {
            lines.push(self.row(item));
            lines.extend(self.why(&item.reason, item));
        }
        lines
    }

    pub(super) fn outside(&self) -> Vec<String> {
        let mut lines = vec![heading("Left out", self.outside.len())];
        if self.outside.is_empty() {
            return lines;
        }
        let shared = shared_cause(&self.outside);
        if let Some(cause) = shared {
            let cause = cause.trim_start_matches("left out: ");
            lines
                .extend(wrapped(cause, self.view.width - 2).iter().map(|line| format!("  {line}")));
        }
        lines.push(self.columns());
        let shown = self.view.shown(FEW);
        for item in self.outside.iter().take(shown) {
            lines.push(self.row(item));
            let reason = shared.map_or(item.reason.as_str(), |cause| without(&item.reason, cause));
            lines.extend(self.why(reason, item));
        }
        if self.outside.len() > shown {
            lines.push(format!("  {}", and_more(self.outside.len() - shown)));
        }
        lines
    }

    fn columns(&self) -> String {
        let names = format!(
            "  {} {} {}{}{}",
            left("form", FORM),
            left("kind", KIND),
            left("source", self.source),
            right("tokens", TOKENS),
            right("score", SCORE),
        );
        paint(FAINT, &names)
    }

    fn row(&self, item: &ReceiptItem) -> String {
        let style = if item.form == Form::Dropped { PLAIN } else { PLACE };
        let row = format!(
            "  {} {} {}{}{}",
            paint(of_form(item.form), &left(item.form.as_str(), FORM)),
            left(kind(item.kind), KIND),
            paint(style, &left(&end(&place(&item.source), self.source), self.source)),
            right(&number(item.tokens), TOKENS),
            right(&score(item), SCORE),
        );
        row.trim_end().to_owned()
    }

    fn why(&self, reason: &str, item: &ReceiptItem) -> Vec<String> {
        let columns = self.view.width - INDENT;
        let mut lines = wrapped(&one_line(reason), columns);
        if self.view.everything && !item.scores.is_empty() {
            let scores = item.scores.iter().map(|(name, value)| format!("{name} {value:.2}"));
            let scores = format!("signals: {}", scores.collect::<Vec<_>>().join(", "));
            lines.extend(wrapped(&one_line(&scores), columns));
        }
        let indent = " ".repeat(INDENT);
        lines.iter().map(|line| format!("{indent}{}", paint(FAINT, line))).collect()
    }
}

fn heading(title: &str, count: usize) -> String {
    format!("{} ({})", paint(STRONG, title), number(count as u64))
}

fn score(item: &ReceiptItem) -> String {
    item.score.map_or_else(String::new, |score| format!("{score:.2}"))
}

/// What all reasons end with, so that it need not be said for each.
fn shared_cause<'a>(items: &[&'a ReceiptItem]) -> Option<&'a str> {
    let cause = |item: &&'a ReceiptItem| item.reason.rsplit("; ").next();
    let first = items.first().and_then(cause)?;
    (items.len() > 1 && items.iter().all(|item| cause(item) == Some(first))).then_some(first)
}

fn without<'a>(reason: &'a str, cause: &str) -> &'a str {
    reason.strip_suffix(cause).unwrap_or(reason).trim_end_matches("; ")
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Rules => "rules",
        Kind::UserCard => "user card",
        Kind::ToolDirectory => "tools",
        Kind::ProjectMap => "files",
        Kind::File => "file",
        Kind::Message => "message",
        Kind::Fact => "fact",
        Kind::Summary => "summary",
    }
}

pub(super) fn place(source: &Source) -> String {
    one_line(&source.to_string())
}
