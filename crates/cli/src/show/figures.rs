//! The figures of an evaluation: a row for each measure, a column for each budget.

use super::style::{FAINT, paint};
use super::text::{number, right};
use dossier_engine::eval::{
    BudgetReport, CacheReport, CompressReport, CompressSum, ContextReport, Quantiles,
};

const NAME: usize = 24;
const COLUMN: usize = 12;

type Figure = (&'static str, fn(&BudgetReport) -> String);

const FIGURES: [Figure; 12] = [
    ("questions", |report| number(report.questions as u64)),
    ("all evidence", |report| percent(report.all_evidence)),
    ("mean recall", |report| percent(report.mean_recall)),
    ("nDCG@10 of the ranking", |report| format!("{:.3}", report.ndcg_at_10)),
    ("recall@5 of the ranking", |report| percent(report.recall_at_5)),
    ("tokens, median", |report| number(report.tokens.p50)),
    ("tokens, p90", |report| number(report.tokens.p90)),
    ("tokens, most", |report| number(report.tokens.max)),
    ("saved", |report| percent(report.saved)),
    ("assembly ms, median", |report| format!("{:.1}", report.assemble_ms.p50)),
    ("assembly ms, p90", |report| format!("{:.1}", report.assemble_ms.p90)),
    ("assembly ms, p99", |report| format!("{:.1}", report.assemble_ms.p99)),
];

/// The table.
pub fn figures(report: &ContextReport) -> String {
    let row = |name: &str, cell: fn(&BudgetReport) -> String| {
        let cells: String =
            report.budgets.iter().map(|budget| right(&cell(budget), COLUMN)).collect();
        format!("{name:<NAME$}{cells}")
    };
    let heading = row("budget in tokens", |report| number(report.budget));
    let mut text = format!("{}\n", paint(FAINT, &heading));
    for (name, cell) in FIGURES {
        text.push_str(&format!("{}\n", row(name, cell)));
    }
    text
}

/// How many pairs were taken for one question, of those that are one and of those that are two.
pub fn hit_figures(report: &CacheReport) -> String {
    let row = |name: &str, hits: usize, all: usize| {
        let share = percent(hits as f64 / all.max(1) as f64);
        let cells = [number(hits as u64), format!("of {}", number(all as u64)), share];
        let cells: String = cells.iter().map(|cell| right(cell, COLUMN)).collect();
        format!("{name:<NAME$}{cells}\n")
    };
    let right_hits = row("right hits", report.right_hits, report.positives);
    let wrong_hits = row("wrong hits", report.wrong_hits, report.negatives);
    let unchanged = match report.changed {
        0 => String::new(),
        changed => row("before a change", report.hits_before_change, changed),
    };
    let Quantiles { p50, p90, .. } = report.answer_ms;
    format!(
        "{right_hits}{wrong_hits}{unchanged}half were answered in {p50:.1} ms, nine of ten in {p90:.1} ms\n"
    )
}

/// A row for each source, and one for all.
pub fn compression(report: &CompressReport) -> String {
    let row = |name: &str, sum: &CompressSum| {
        let cells = [
            number(sum.payloads as u64),
            number(sum.tokens_minified),
            number(sum.tokens_compressed),
            percent(sum.saved),
            number(sum.protected_values as u64),
            number(sum.lost_values as u64),
        ];
        let cells: String = cells.iter().map(|cell| right(cell, COLUMN)).collect();
        format!("{name:<NAME$}{cells}\n")
    };
    let heading: String = ["payloads", "minified", "compressed", "saved", "values", "lost"]
        .iter()
        .map(|name| right(name, COLUMN))
        .collect();
    let mut text = format!("{}\n", paint(FAINT, &format!("{:<NAME$}{heading}", "source")));
    for (source, sum) in &report.sources {
        text.push_str(&row(source, sum));
    }
    text.push_str(&row("all", &report.all));
    text.push_str(&format!(
        "compressing ms, median {:.1}, p90 {:.1}\n",
        report.compress_ms.p50, report.compress_ms.p90
    ));
    text
}

pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
