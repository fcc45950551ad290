//! How much of the evidence dossiers hold.

use anyhow::Result;
use dossier_core::profile::ProfileName;
use dossier_engine::eval::{BudgetReport, Case, ContextEval};
use dossier_engine::{Embedder, Engine, Shape, Silent};
use std::fmt::Write as _;

pub async fn measure(conversations: &[Case], files: &[Case]) -> Result<String> {
    let lean = Shape::Profile(ProfileName::Lean);
    let budgets = vec![1_000, 3_000];
    let runs = [
        ("conversations", conversations, Embedder::local(), Shape::Bare, budgets.clone()),
        (
            "conversations, no embedder",
            conversations,
            Embedder::none(),
            Shape::Bare,
            budgets.clone(),
        ),
        ("conversations, profile lean", conversations, Embedder::local(), lean, vec![3_000]),
        ("files", files, Embedder::local(), Shape::Bare, vec![3_000]),
        ("files, no embedder", files, Embedder::none(), Shape::Bare, vec![3_000]),
    ];
    let mut table = String::from(
        "| Data | Budget | Questions | All evidence | Mean recall | nDCG@10 | Recall@5 | Tokens P90 \
         | Saved | Assembly P50 / P90 ms |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, cases, embedder, shape, budgets) in runs {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite:{}", folder.path().join("bench.db").display());
        let engine = Engine::open(&url, embedder).await?;
        let report = ContextEval { budgets, shape }.run(&engine, cases, &Silent).await?;
        engine.close().await;
        for budget in &report.budgets {
            writeln!(table, "{}", row(name, budget))?;
        }
    }
    Ok(table)
}

fn row(name: &str, report: &BudgetReport) -> String {
    format!(
        "| {name} | {} | {} | {:.1} % | {:.1} % | {:.3} | {:.3} | {} | {:.1} % | {:.1} / {:.1} |",
        report.budget,
        report.questions,
        100.0 * report.all_evidence,
        100.0 * report.mean_recall,
        report.ndcg_at_10,
        report.recall_at_5,
        report.tokens.p90,
        100.0 * report.saved,
        report.assemble_ms.p50,
        report.assemble_ms.p90,
    )
}
