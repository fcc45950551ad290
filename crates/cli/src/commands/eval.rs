//! `dossier eval`: figures on a data set, in a database that is thrown away, or below an owner of
//! its own in a PostgreSQL that was named for it.

use super::input::read_text;
use super::{Ended, unless_interrupted};
use crate::flags::{EvalCacheFlags, EvalCompressFlags, EvalContextFlags, Global};
use crate::printer::Printer;
use crate::progress::{Counted, Line};
use crate::session::given;
use crate::settings::{DatabaseUrl, Held, embedder_key};
use crate::show;
use anyhow::Context as _;
use dossier_engine::eval::{
    self, BudgetReport, Case, ContextEval, ContextReport, measure, read_cases, read_pairs,
    read_payloads,
};
use dossier_engine::{Embedder, Engine, Shape, now};
use serde_json::{Value, json};

pub async fn context(
    global: &Global,
    flags: &EvalContextFlags,
    printer: Printer,
) -> anyhow::Result<Ended> {
    let name = || flags.file.display().to_string();
    let cases = read_cases(&read_text(&flags.file)?).with_context(name)?;
    let unknown: Vec<&str> = cases.iter().flat_map(Case::unknown_evidence).collect();
    if let Some(first) = unknown.first() {
        let count = unknown.len();
        printer.warning(&format!(
            "evidence that is not in the data counts as missed: {count} in all, such as {first}"
        ));
    }
    let mut budgets = flags.budgets.clone();
    budgets.sort_unstable();
    budgets.dedup();
    let eval = ContextEval { budgets, shape: flags.profile.map_or(Shape::Bare, Shape::Profile) };
    let folder = tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR")?;
    let database = database(global, &folder);
    let engine = Engine::open(database.reveal(), embedder(global, flags.no_embedder)?)
        .await
        .with_context(|| format!("cannot open the database {database}"))?;
    let line = Line::new(&printer, Counted::Questions);
    let report = unless_interrupted(eval.run(&engine, &cases, &line)).await;
    line.wipe();
    engine.close().await;
    let Some(report) = report? else {
        printer.warning("stopped; nothing was measured to its end");
        return Ok(Ended::Interrupted);
    };
    let report = report?;
    match flags.json {
        true => printer.json(&document(&report))?,
        false => printer.result(&show::figures(&report))?,
    }
    Ok(Ended::Done)
}

pub async fn cache(
    global: &Global,
    flags: &EvalCacheFlags,
    printer: Printer,
) -> anyhow::Result<Ended> {
    let name = || flags.file.display().to_string();
    let pairs = read_pairs(&read_text(&flags.file)?).with_context(name)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR")?;
    let database = database(global, &folder);
    let engine = Engine::open(database.reveal(), embedder(global, flags.no_embedder)?)
        .await
        .with_context(|| format!("cannot open the database {database}"))?;
    let report = unless_interrupted(eval::cache(&engine, &pairs)).await;
    engine.close().await;
    let Some(report) = report? else {
        printer.warning("stopped; nothing was measured to its end");
        return Ok(Ended::Interrupted);
    };
    let report = report?;
    match flags.json {
        true => printer.json(&report)?,
        false => printer.result(&show::hit_figures(&report))?,
    }
    Ok(if report.wrong_hits > 0 { Ended::Unwell } else { Ended::Done })
}

pub async fn compress(
    global: &Global,
    flags: &EvalCompressFlags,
    printer: Printer,
) -> anyhow::Result<Ended> {
    let name = || flags.file.display().to_string();
    let payloads = read_payloads(&read_text(&flags.file)?).with_context(name)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR")?;
    let database = database(global, &folder);
    let engine = Engine::open(database.reveal(), Embedder::none())
        .await
        .with_context(|| format!("cannot open the database {database}"))?;
    let workspace = engine.owner(&"eval-compress".into());
    let report = unless_interrupted(measure(&workspace, &payloads, now())).await;
    engine.close().await;
    let Some(report) = report? else {
        printer.warning("stopped; nothing was measured to its end");
        return Ok(Ended::Interrupted);
    };
    let report = report?;
    match flags.json {
        true => printer.json(&json!(report))?,
        false => printer.result(&show::compression(&report))?,
    }
    Ok(Ended::Done)
}

/// A file in the folder, unless a PostgreSQL was asked for. Where the user's own data lie does
/// not matter here.
fn database(global: &Global, folder: &tempfile::TempDir) -> DatabaseUrl {
    let named = global.database.as_ref().map(DatabaseUrl::new).filter(DatabaseUrl::is_postgres);
    named.unwrap_or_else(|| {
        DatabaseUrl::new(format!("sqlite:{}", folder.path().join("eval.db").display()))
    })
}

fn embedder(global: &Global, none: bool) -> anyhow::Result<Embedder> {
    if none {
        return Ok(Embedder::none());
    }
    let embedder = given(global)?.embedder(&Held::new())?;
    let key = embedder_key(&embedder)?.value;
    Ok(embedder.value.embedder(key))
}

fn document(report: &ContextReport) -> Value {
    let budgets: Vec<Value> = report.budgets.iter().map(budget).collect();
    json!({ "budgets": budgets })
}

fn budget(report: &BudgetReport) -> Value {
    let BudgetReport { tokens, assemble_ms, .. } = report;
    json!({
        "budget": report.budget,
        "questions": report.questions,
        "all_evidence": report.all_evidence,
        "mean_recall": report.mean_recall,
        "ndcg_at_10": report.ndcg_at_10,
        "recall_at_5": report.recall_at_5,
        "tokens": { "p50": tokens.p50, "p90": tokens.p90, "max": tokens.max },
        "saved": report.saved,
        "assemble_ms": { "p50": assemble_ms.p50, "p90": assemble_ms.p90, "p99": assemble_ms.p99 },
    })
}
