//! What is aimed at, as it was reached: how long dossiers took and what they are made of, the
//! caches, what was shortened, and whether summaries were worth what they cost.

use crate::show::percent;
use crate::show::text::{counted, number};
use dossier_engine::{CompressedSum, Measures, Quantiles, SelectionSum, SummaryCost};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

/// How many summaries are told one by one, the dearest first.
const TOLD: usize = 5;

/// How many days are told of, the last first.
const DAYS: usize = 7;

/// For a person.
pub fn lines(measures: &Measures) -> String {
    let contexts = &measures.contexts;
    let mut lines = String::new();
    let mut line = |name: &str, text: String| lines.push_str(&format!("{name:<9} {text}\n"));
    if let Some(took) = contexts.took {
        let took = took_within("assembled", took);
        line("contexts", format!("{}; {took}", listed(&contexts.fittings)));
        line("tokens", listed(&contexts.sections));
    }
    for sum in &measures.selections.by_profile {
        line("chosen", served(sum));
    }
    let days = &measures.selections.by_day;
    if days.len() > 1 {
        for sum in days.iter().rev().take(DAYS) {
            line("", served(sum));
        }
    }
    if let Some(took) = contexts.recalled {
        line("recalling", took_within("done", took));
    }
    if let Some(rate) = measures.hit_rate() {
        let told = [("", &contexts.hits), ("; not given: ", &contexts.misses)];
        let told = told.map(|(before, counts)| match counts.is_empty() {
            true => String::new(),
            false => format!("{before}{}", listed(counts)),
        });
        line("looked up", format!("{} found {}", percent(rate), told.concat()));
    }
    for sum in &measures.compressions {
        line("shortened", shortened(sum));
    }
    let jobs = listed(&measures.jobs);
    line("jobs", if jobs.is_empty() { "none".to_owned() } else { jobs });
    let today = format!(
        "{} of {} tokens and ${:.4} of ${:.2} today",
        number(measures.today.tokens),
        number(measures.quota.tokens_per_day),
        measures.today.cost as f64 / 1e6,
        measures.quota.usd_per_day,
    );
    line("summaries", today);
    let sums = measures.summed();
    if sums.count > 0 {
        let net = if sums.net < 0 { "-" } else { "" };
        let told = format!(
            "{} by models took {} tokens (${:.4}) and served {}: {net}{} tokens net; {}",
            number(sums.count as u64),
            number(sums.spent),
            sums.cost as f64 / 1e6,
            counted(sums.uses, "time", "times"),
            number(sums.net.unsigned_abs()),
            breaks_even(sums.break_even),
        );
        line("summaries", told);
    }
    for SummaryCost { name, worth, .. } in measures.summaries.iter().take(TOLD) {
        let (spent, uses) = (number(worth.spent), counted(worth.uses, "use", "uses"));
        let even = breaks_even(worth.break_even());
        line("", format!("{}: {spent} tokens, {uses}; {even}", name.shown([])));
    }
    lines
}

/// Of a profile or a day.
fn served(sum: &SelectionSum) -> String {
    let SelectionSum { key, replies, shown, used, could_fetch, lacking, .. } = sum;
    let share = match shown {
        0 => String::new(),
        shown => format!(" ({})", percent(*used as f64 / *shown as f64)),
    };
    let fetched = match could_fetch {
        0 => String::new(),
        could => format!(
            "; {} of {} that could fetch more fetched what was left out",
            number(*lacking),
            number(*could),
        ),
    };
    format!(
        "{key}: {} used {} of {} shown{share}{fetched}",
        counted(*replies, "reply", "replies"),
        number(*used),
        counted(*shown, "item", "items"),
    )
}

fn shortened(sum: &CompressedSum) -> String {
    let CompressedSum { kind, outcome, count, tokens_before, tokens_after } = sum;
    let told = match outcome.as_str() {
        "check_failed" => "shown as they were, since the check failed".to_owned(),
        "compressed" => {
            let left_out = 1.0 - *tokens_after as f64 / (*tokens_before).max(1) as f64;
            format!("{} tokens left out", percent(left_out))
        }
        other => other.replace('_', " "),
    };
    format!("{} {kind}: {told}", number(*count))
}

fn breaks_even(uses: Option<u64>) -> String {
    match uses {
        Some(0) => "cost nothing".to_owned(),
        Some(uses) => format!("worth it from {} on", counted(uses, "use", "uses")),
        None => "not shorter than what is shown without".to_owned(),
    }
}

fn took_within(done: &str, took: Quantiles) -> String {
    let Quantiles { p50, p90 } = took;
    format!(
        "half were {done} within {:.1} ms, nine of ten within {:.1} ms",
        millis(p50),
        millis(p90)
    )
}

fn listed(counts: &BTreeMap<impl Display, u64>) -> String {
    let counts = counts.iter().map(|(name, count)| format!("{} {name}", number(*count)));
    counts.collect::<Vec<_>>().join(", ")
}

fn millis(took: Duration) -> f64 {
    took.as_secs_f64() * 1e3
}

/// For a program.
pub fn fields(measures: &Measures) -> Map<String, Value> {
    let contexts = &measures.contexts;
    let quantiles = |took: Option<Quantiles>| {
        took.map(|took| json!({ "p50": millis(took.p50), "p90": millis(took.p90) }))
    };
    let compressed = |sum: &CompressedSum| {
        json!({
            "kind": sum.kind,
            "outcome": sum.outcome,
            "count": sum.count,
            "tokens_before": sum.tokens_before,
            "tokens_after": sum.tokens_after,
        })
    };
    let summary = |summary: &SummaryCost| {
        let worth = summary.worth;
        json!({
            "ref": summary.name.to_string(),
            "model": summary.model,
            "tokens": worth.spent,
            "cost": summary.cost.map(|cost| cost as f64 / 1e6),
            "uses": worth.uses,
            "spared_tokens_per_use": worth.spared,
            "break_even_uses": worth.break_even(),
            "net_tokens": worth.net(),
        })
    };
    let selection = |sum: &SelectionSum| {
        json!({
            "key": sum.key,
            "replies": sum.replies,
            "shown": sum.shown,
            "used": sum.used,
            "left_out": sum.left_out,
            "could_fetch": sum.could_fetch,
            "lacking": sum.lacking,
            "fetched_left_out": sum.missed,
            "fetched_in_short": sum.followed,
        })
    };
    let selections = &measures.selections;
    let sums = measures.summed();
    let fields = [
        (
            "contexts",
            json!({
                "count": contexts.count,
                "assemble_ms": quantiles(contexts.took),
                "recall_ms": quantiles(contexts.recalled),
                "tokens": contexts.sections,
                "fit": contexts.fittings,
            }),
        ),
        (
            "selections",
            json!({
                "by_profile": selections.by_profile.iter().map(selection).collect::<Vec<_>>(),
                "by_day": selections.by_day.iter().map(selection).collect::<Vec<_>>(),
            }),
        ),
        (
            "answer_cache",
            json!({
                "hits": contexts.hits,
                "refused": contexts.misses,
                "hit_rate": measures.hit_rate(),
            }),
        ),
        ("compression", measures.compressions.iter().map(compressed).collect()),
        ("jobs", json!(measures.jobs)),
        (
            "summaries_today",
            json!({
                "tokens": measures.today.tokens,
                "tokens_quota": measures.quota.tokens_per_day,
                "cost": measures.today.cost as f64 / 1e6,
                "cost_quota": measures.quota.usd_per_day,
            }),
        ),
        (
            "summaries",
            json!({
                "count": sums.count,
                "tokens": sums.spent,
                "cost": sums.cost as f64 / 1e6,
                "uses": sums.uses,
                "net_tokens": sums.net,
                "break_even_uses": sums.break_even,
                "each": measures.summaries.iter().map(summary).collect::<Vec<_>>(),
            }),
        ),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}
