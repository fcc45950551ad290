//! Counters in the text format of Prometheus. There are as many as routes, methods and statuses,
//! so what clients send cannot make them grow.

use axum::http::{Method, StatusCode};
use dossier_core::compress::content::{Kind, Outcome};
use dossier_engine::{AnswerSums, CompressionSum};
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
    requests: Mutex<BTreeMap<(String, String, u16), Measure>>,
}

/// What the requests of one kind took.
#[derive(Debug, Clone, Default)]
struct Measure {
    count: u64,
    seconds: f64,
    /// How many took no longer than each bound.
    within: [u64; BOUNDS.len()],
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
        let measure = requests.entry(kind).or_default();
        let seconds = took.as_secs_f64();
        measure.count += 1;
        measure.seconds += seconds;
        for (within, bound) in measure.within.iter_mut().zip(BOUNDS) {
            *within += u64::from(seconds <= bound);
        }
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
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n");
        }
        let _ = write!(
            text,
            "# HELP {SECONDS} Until the response begins.\n# TYPE {SECONDS} histogram\n"
        );
        for ((method, route, status), measure) in &requests {
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            for (within, bound) in measure.within.iter().zip(BOUNDS) {
                let _ = writeln!(text, "{SECONDS}_bucket{{{labels},le=\"{bound}\"}} {within}");
            }
            let Measure { count, seconds, .. } = measure;
            let _ = write!(
                text,
                "{SECONDS}_bucket{{{labels},le=\"+Inf\"}} {count}\n\
                 {SECONDS}_sum{{{labels}}} {seconds}\n{SECONDS}_count{{{labels}}} {count}\n"
            );
        }
        text
    }
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
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} counter\n");
        for (value, count) in figures {
            let _ = writeln!(text, "{name}{{{label}=\"{value}\"}} {count}");
        }
    }
    let name = "dossier_answer_cache_saved_tokens_total";
    let help = "Tokens that no model had to read or write.";
    let saved = sums.saved_tokens;
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {saved}\n");
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
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} counter\n");
        for ((kind, outcome), sum) in sums {
            let (kind, outcome) = (kind.as_str(), outcome.as_str());
            let figure = figure(sum);
            let _ = writeln!(text, "{name}{{kind=\"{kind}\",outcome=\"{outcome}\"}} {figure}");
        }
    }
    text
}
