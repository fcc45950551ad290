//! `dossier stats`: what models took, what was spared, what is kept, and what is still to be done.

use super::{Ended, measures};
use crate::flags::StatsFlags;
use crate::session::Session;
use crate::show::percent;
use crate::show::text::{counted, left, number, right};
use dossier_core::savings::long_session;
use dossier_engine::{RefSums, Stats, UsageFilter, UsageSum, now};
use serde_json::{Value, json};

/// What the two columns mean, for they differ much.
const NET: &str = "\
spared: tokens that were not sent. net: what that is worth in fresh input, less what had to be
fetched or summarised for it, and less what the vendor's prefix cache would have given anyway
";

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
        "for             calls      input  from cache     output      spared         net  \
         answers kept      dollars\n",
    );
    for sum in &stats.usage {
        page.push_str(&row(&sum.key, sum));
    }
    if stats.usage.len() > 1 {
        page.push_str(&row("all", &total(&stats.usage)));
    }
    if !stats.usage.is_empty() {
        page.push_str(NET);
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
    if stats.refs.is_empty() {
        page.push_str("refs      none\n");
    }
    let all = [("in all".to_owned(), all_refs(stats))];
    let kinds = if stats.refs.len() > 1 { &all[..] } else { &[] };
    for (kind, refs) in stats.refs.iter().chain(kinds) {
        page.push_str(&format!(
            "refs      {} {kind}; {} tokens stand for {} ({} left out), {}\n",
            number(refs.count),
            number(refs.compressed_tokens),
            number(refs.tokens),
            percent(left_out(refs)),
            counted(refs.accesses, "look at them", "looks at them"),
        ));
    }
    page.push_str(&measures::lines(&stats.measures));
    if let Some(rate) = hit_rate(&stats.usage) {
        page.push_str(&format!("answers   {} of the replies were kept answers\n", percent(rate)));
    }
    for session in &stats.long_sessions {
        if let Some(warning) = long_session(session.input) {
            page.push_str(&format!("warning   {}: {warning}\n", session.key));
        }
    }
    page
}

fn all_refs(stats: &Stats) -> RefSums {
    let mut all = RefSums::default();
    for (_, refs) in &stats.refs {
        all.count += refs.count;
        all.tokens += refs.tokens;
        all.compressed_tokens += refs.compressed_tokens;
        all.accesses += refs.accesses;
    }
    all
}

/// The share of tokens that compressed contents do without.
fn left_out(refs: &RefSums) -> f64 {
    1.0 - refs.compressed_tokens as f64 / refs.tokens.max(1) as f64
}

/// The share of replies that no model was asked for.
fn hit_rate(usage: &[UsageSum]) -> Option<f64> {
    let hits: i64 = usage.iter().map(|sum| sum.cache_hits).sum();
    let turns: i64 = usage.iter().filter(|sum| sum.key == "turn").map(|sum| sum.calls).sum();
    (hits + turns > 0).then(|| hits as f64 / (hits + turns) as f64)
}

fn row(name: &str, sum: &UsageSum) -> String {
    let cell = |value: i64, columns| {
        let sign = if value < 0 { "-" } else { "" };
        right(&format!("{sign}{}", number(value.unsigned_abs())), columns)
    };
    let dollars = format!("{:.4}", sum.cost as f64 / 1e6);
    format!(
        "{} {} {} {} {} {} {} {} {}\n",
        left(name, 13),
        cell(sum.calls, 7),
        cell(sum.input, 10),
        cell(sum.cached_input, 11),
        cell(sum.output, 10),
        cell(sum.saved, 11),
        cell(sum.saved_net, 11),
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
        total.saved_net += sum.saved_net;
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
            "net_saved_tokens": sum.saved_net,
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
    let refs = |refs: &RefSums| {
        json!({
            "count": refs.count,
            "tokens": refs.tokens,
            "compressed_tokens": refs.compressed_tokens,
            "accesses": refs.accesses,
        })
    };
    let by_kind = stats.refs.iter().map(|(kind, sums)| (kind.clone(), refs(sums)));
    let session = |sum: &UsageSum| json!({ "conversation_id": sum.key, "input_tokens": sum.input });
    let mut document = json!({
        "usage": stats.usage.iter().map(usage).collect::<Vec<_>>(),
        "waits": stats.waits.iter().map(waits).collect::<Vec<_>>(),
        "facts": stats.facts,
        "refs": refs(&all_refs(stats)),
        "refs_by_kind": by_kind.collect::<serde_json::Map<_, _>>(),
        "answer_hit_rate": hit_rate(&stats.usage),
        "long_sessions": stats.long_sessions.iter().map(session).collect::<Vec<_>>(),
    });
    document
        .as_object_mut()
        .into_iter()
        .for_each(|all| all.extend(measures::fields(&stats.measures)));
    document
}
