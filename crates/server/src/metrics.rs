//! Counters in the text format of Prometheus. There are as many as routes, methods and statuses,
//! so what clients send cannot make them grow.

use axum::http::{Method, StatusCode};
use dossier_core::compress::content::{Kind, Outcome};
use dossier_core::histogram::Histogram;
use dossier_core::work::Quota;
use dossier_engine::{AnswerSums, CompressionSum, FigureSums, JOB_KINDS, Standing, Today};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Upper bounds of the histogram, in seconds.
const BOUNDS: [f64; 9] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

#[derive(Debug)]
pub struct Metrics {
    began: Instant,
    under_way: AtomicI64,
    requests: Mutex<BTreeMap<(String, String, u16), Histogram>>,
}

impl Default for Metrics {
    fn default() -> Self {
        let requests = Mutex::default();
        Self { began: Instant::now(), under_way: AtomicI64::new(0), requests }
    }
}

/// A request at work; dropping it ends it, also when its client went away.
#[derive(Debug)]
pub struct UnderWay<'a>(&'a AtomicI64);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    pub fn begin(&self) -> UnderWay<'_> {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(&self.under_way)
    }

    pub fn end(&self, method: &Method, route: &str, status: StatusCode, took: Duration) {
        // Anyone may send a method of their own making.
        let method = match *method {
            Method::GET | Method::HEAD | Method::POST | Method::PUT | Method::PATCH => {
                method.as_str()
            }
            Method::DELETE | Method::OPTIONS => method.as_str(),
            _ => "other",
        };
        let kind = (method.to_owned(), route.to_owned(), status.as_u16());
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = requests.entry(kind).or_insert_with(|| Histogram::new(&BOUNDS));
        taken.add(took.as_secs_f64());
    }

    /// Everything, as Prometheus reads it; `listeners` follow the changes at this moment.
    pub fn text(&self, listeners: usize) -> String {
        const SECONDS: &str = "dossier_http_request_duration_seconds";
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut text = String::new();
        for (name, kind, help, value) in [
            (
                "dossier_uptime_seconds",
                "gauge",
                "Since the start.",
                self.began.elapsed().as_secs() as i64,
            ),
            (
                "dossier_http_requests_in_flight",
                "gauge",
                "Requests at work.",
                self.under_way.load(Ordering::Relaxed),
            ),
            ("dossier_event_listeners", "gauge", "Clients that follow changes.", listeners as i64),
        ] {
            head(&mut text, name, kind, help);
            let _ = writeln!(text, "{name} {value}");
        }
        head(&mut text, SECONDS, "histogram", "Until the response begins.");
        for ((method, route, status), taken) in &requests {
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            histogram(&mut text, SECONDS, &labels, taken);
        }
        text
    }
}

/// Writing to a String cannot fail.
fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

fn histogram(text: &mut String, name: &str, labels: &str, taken: &Histogram) {
    let comma = if labels.is_empty() { "" } else { "," };
    for (bound, within) in taken.buckets() {
        let _ = writeln!(text, "{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {within}");
    }
    let (count, seconds) = (taken.count(), taken.seconds());
    let labelled = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    let _ = write!(
        text,
        "{name}_bucket{{{labels}{comma}le=\"+Inf\"}} {count}\n\
         {name}_sum{labelled} {seconds}\n{name}_count{labelled} {count}\n"
    );
}

/// What came of looking for kept answers.
pub fn answers(sums: &AnswerSums) -> String {
    let mut text = String::new();
    for (name, help, label, figures) in [
        (
            "dossier_answer_cache_hits_total",
            "Kept answers that were given again, by how the questions were the same.",
            "how",
            &sums.hits,
        ),
        (
            "dossier_answer_cache_misses_total",
            "Questions that a model was asked though answers are kept, by the reason.",
            "reason",
            &sums.misses,
        ),
    ] {
        head(&mut text, name, "counter", help);
        for (value, count) in figures {
            let _ = writeln!(text, "{name}{{{label}=\"{value}\"}} {count}");
        }
    }
    let name = "dossier_answer_cache_saved_tokens_total";
    let help = "Tokens that no model had to read or write.";
    let saved = sums.saved_tokens;
    head(&mut text, name, "counter", help);
    let _ = writeln!(text, "{name} {saved}");
    text
}

/// What was compressed, by the kind of content and what came of it.
pub fn compressions(sums: &BTreeMap<(Kind, Outcome), CompressionSum>) -> String {
    type Figure = (&'static str, &'static str, fn(&CompressionSum) -> u64);
    const FIGURES: [Figure; 3] = [
        ("dossier_compressions_total", "Contents by what came of compressing them.", |sum| {
            sum.count
        }),
        ("dossier_compression_tokens_before_total", "Tokens of the contents.", |sum| {
            sum.tokens_before
        }),
        ("dossier_compression_tokens_after_total", "Tokens of what was shown.", |sum| {
            sum.tokens_after
        }),
    ];
    let mut text = String::new();
    for (name, help, figure) in FIGURES {
        head(&mut text, name, "counter", help);
        for ((kind, outcome), sum) in sums {
            let (kind, outcome) = (kind.as_str(), outcome.as_str());
            let figure = figure(sum);
            let _ = writeln!(text, "{name}{{kind=\"{kind}\",outcome=\"{outcome}\"}} {figure}");
        }
    }
    text
}

/// How long dossiers and facts took, what they were made of, what calls took and saved.
pub fn figures(sums: &FigureSums) -> String {
    let mut text = String::new();
    for (name, help, taken) in [
        (
            "dossier_assembly_duration_seconds",
            "Finding what bears on a question, and making a dossier of it.",
            &sums.assembling,
        ),
        (
            "dossier_fact_retrieval_duration_seconds",
            "Reading the facts and choosing among them.",
            &sums.recalling,
        ),
    ] {
        head(&mut text, name, "histogram", help);
        histogram(&mut text, name, "", taken);
    }
    for (name, help, label, figures) in [
        (
            "dossier_contexts_total",
            "Dossiers by whether the last turns and the facts were shown whole, trimmed, or hardly.",
            "fit",
            &sums.fittings,
        ),
        (
            "dossier_section_tokens_total",
            "Tokens of dossiers by what they were made of.",
            "section",
            &sums.sections,
        ),
        (
            "dossier_tool_uses_total",
            "Calls of tools by when their schemas were given: first, with the question, or lazy.",
            "schema",
            &sums.tool_uses,
        ),
        (
            "dossier_budget_overruns_total",
            "Requests that met a spent budget of money, or one of tokens that held too little.",
            "budget",
            &sums.overruns,
        ),
    ] {
        head(&mut text, name, "counter", help);
        for (value, count) in figures {
            let _ = writeln!(text, "{name}{{{label}=\"{value}\"}} {count}");
        }
    }
    let name = "dossier_model_calls_total";
    head(&mut text, name, "counter", "Replies and calls by what they were for.");
    for (component, spent) in &sums.spent {
        let _ = writeln!(text, "{name}{{component=\"{component}\"}} {}", spent.calls);
    }
    let name = "dossier_model_tokens_total";
    head(&mut text, name, "counter", "Tokens of calls; cached is a part of input.");
    for (component, spent) in &sums.spent {
        for (kind, tokens) in
            [("input", spent.input), ("cached", spent.cached_input), ("output", spent.output)]
        {
            let _ = writeln!(text, "{name}{{component=\"{component}\",kind=\"{kind}\"}} {tokens}");
        }
    }
    for (name, kind, help, saved) in [
        (
            "dossier_saved_tokens_total",
            "counter",
            "Tokens of conversations that were not sent, and of answers that were given again.",
            sums.saved.gross,
        ),
        (
            // It falls when a call costs more than it saves, as no counter may.
            "dossier_net_saved_tokens",
            "gauge",
            "The same less what was fetched, summarised, or a vendor's cache would have given.",
            sums.saved.net,
        ),
    ] {
        head(&mut text, name, kind, help);
        let _ = writeln!(text, "{name} {saved}");
    }
    text
}

/// What waits, and what was spent today beside what summaries may take.
pub fn standing(standing: &Standing) -> String {
    let mut text = String::new();
    let name = "dossier_jobs";
    head(&mut text, name, "gauge", "Jobs by what has become of them; the queue is what is queued.");
    for state in ["queued", "running", "done", "failed", "skipped"] {
        let count = standing.jobs.get(state).copied().unwrap_or(0);
        let _ = writeln!(text, "{name}{{state=\"{state}\"}} {count}");
    }
    let jobs =
        standing.today.iter().filter(|(component, _)| JOB_KINDS.contains(&component.as_str()));
    let summary: Today = jobs.map(|(_, today)| *today).sum();
    let quota = Quota::default();
    for (name, help, value) in [
        (
            "dossier_summary_tokens_today",
            "Tokens that titles and summaries took today.",
            summary.tokens as f64,
        ),
        (
            "dossier_summary_tokens_quota",
            "What they may take a day, unless an owner has set it otherwise.",
            quota.tokens_per_day as f64,
        ),
        (
            "dossier_summary_dollars_today",
            "What titles and summaries cost today.",
            summary.cost as f64 / 1e6,
        ),
        (
            "dossier_summary_dollars_quota",
            "What they may cost a day, unless an owner has set it otherwise.",
            quota.usd_per_day,
        ),
    ] {
        head(&mut text, name, "gauge", help);
        let _ = writeln!(text, "{name} {value}");
    }
    text
}
