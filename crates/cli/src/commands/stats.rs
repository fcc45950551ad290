//! `dossier stats`: what models took, what was spared, what is kept, and what is still to be done.

use super::Ended;
use crate::flags::StatsFlags;
use crate::session::Session;
use crate::show::text::{counted, left, number, right};
use dossier_engine::{Stats, UsageFilter, UsageSum, now};
use serde_json::{Value, json};

pub async fn run(session: &Session, flags: &StatsFlags) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let project = match &flags.project {
        Some(name) => Some(workspace.existing_project(Some(name)).await?.id),
        None => None,
    };
    let filter =
        UsageFilter { from: flags.from.clone(), to: flags.to.clone(), project, thread: None };
    let stats = workspace.stats(&filter, now()).await?;
    match flags.json {
        true => printer.json(&document(&stats))?,
        false => printer.result(&page(&stats))?,
    }
    if stats.usage.is_empty() {
        printer.note("no model was asked yet; ask one: dossier ask \"…\"");
    }
    Ok(Ended::Done)
}

fn page(stats: &Stats) -> String {
    let mut page = String::from(
        "for             calls      input  from cache     output      spared  answers kept      \
         dollars\n",
    );
    for sum in &stats.usage {
        page.push_str(&row(&sum.key, sum));
    }
    if stats.usage.len() > 1 {
        page.push_str(&row("all", &total(&stats.usage)));
    }
    for waits in &stats.waits {
        let (median, p95) = (millis(waits.median), millis(waits.p95));
        page.push_str(&format!(
            "\n{}: half were answered within {median}, nineteen of twenty within {p95}",
            waits.key
        ));
    }
    let facts =
        stats.facts.iter().map(|(state, count)| format!("{} {state}", number(*count as u64)));
    page.push_str(&format!("\n\nfacts     {}\n", facts.collect::<Vec<_>>().join(", ")));
    let refs = stats.refs;
    page.push_str(&format!(
        "refs      {}; {} tokens stand for {}, {}\n",
        number(refs.count),
        number(refs.compressed_tokens),
        number(refs.tokens),
        counted(refs.accesses, "look at them", "looks at them"),
    ));
    let jobs = stats.jobs.iter().map(|(state, count)| format!("{} {state}", number(*count)));
    let jobs = jobs.collect::<Vec<_>>().join(", ");
    page.push_str(&format!("jobs      {}\n", if jobs.is_empty() { "none" } else { &jobs }));
    page
}

fn row(name: &str, sum: &UsageSum) -> String {
    let cell = |value: i64, columns| right(&number(u64::try_from(value).unwrap_or(0)), columns);
    let dollars = format!("{:.4}", sum.cost as f64 / 1e6);
    format!(
        "{} {} {} {} {} {} {} {}\n",
        left(name, 13),
        cell(sum.calls, 7),
        cell(sum.input, 10),
        cell(sum.cached_input, 11),
        cell(sum.output, 10),
        cell(sum.saved, 11),
        cell(sum.cache_hits, 13),
        right(&dollars, 12),
    )
}

fn total(sums: &[UsageSum]) -> UsageSum {
    let mut total = UsageSum::default();
    for sum in sums {
        total.calls += sum.calls;
        total.input += sum.input;
        total.output += sum.output;
        total.cached_input += sum.cached_input;
        total.cost += sum.cost;
        total.saved += sum.saved;
        total.cache_hits += sum.cache_hits;
    }
    total
}

fn millis(millis: i64) -> String {
    if millis < 1_000 { format!("{millis} ms") } else { format!("{:.1} s", millis as f64 / 1e3) }
}

fn document(stats: &Stats) -> Value {
    let usage = |sum: &UsageSum| {
        json!({
            "component": sum.key,
            "calls": sum.calls,
            "input_tokens": sum.input,
            "output_tokens": sum.output,
            "cached_input_tokens": sum.cached_input,
            "cost": sum.cost as f64 / 1e6,
            "unpriced_calls": sum.unpriced,
            "saved_tokens": sum.saved,
            "cache_hits": sum.cache_hits,
        })
    };
    let waits = |waits: &dossier_engine::Waits| {
        json!({
            "component": waits.key,
            "replies": waits.replies,
            "median_ms": waits.median,
            "p95_ms": waits.p95,
        })
    };
    json!({
        "usage": stats.usage.iter().map(usage).collect::<Vec<_>>(),
        "waits": stats.waits.iter().map(waits).collect::<Vec<_>>(),
        "facts": stats.facts,
        "refs": {
            "count": stats.refs.count,
            "tokens": stats.refs.tokens,
            "compressed_tokens": stats.refs.compressed_tokens,
            "accesses": stats.refs.accesses,
        },
        "jobs": stats.jobs,
    })
}
