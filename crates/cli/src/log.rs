//! The log of the commands that serve.
//!
//! Invariant: it is written to standard error alone, and no secret is in it, whoever wrote the line.

use crate::settings::{LogFormat, LogLevel, ServerSettings};
use crate::telemetry::Telemetry;
use dossier_core::guard::masked;
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, Write};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, Targets, filter_fn};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The log goes to standard error, and how long things took to a collector, if there is one. What
/// libraries say stays out of both, but for the log at its finest: there each step is told with the
/// time it took, and what the library of the protocol has to say of every message.
pub fn begin(settings: &ServerSettings, telemetry: Option<&Telemetry>) -> anyhow::Result<()> {
    let format = settings.log.value;
    let level = match settings.log_level.value {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let is_finest = level == LevelFilter::TRACE;
    let ours = |level: LevelFilter| Targets::new().with_target("dossier", level);
    let told = match is_finest {
        true => ours(level).with_target("rmcp", level),
        false => ours(level),
    };
    // A line of the log stands for itself, unless every step is one.
    let told = told.and(filter_fn(move |metadata| is_finest || metadata.is_event()));
    let steps = if is_finest { FmtSpan::CLOSE } else { FmtSpan::NONE };
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(move || Masked(format))
        .with_ansi(false)
        .with_span_events(steps);
    let layer = match format {
        LogFormat::Text => layer.with_target(is_finest).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).boxed(),
    };
    let spans = ours(LevelFilter::INFO).and(filter_fn(|metadata| metadata.is_span()));
    let traces = telemetry.map(|telemetry| telemetry.layer().with_filter(spans));
    Ok(tracing_subscriber::registry().with(layer.with_filter(told)).with(traces).try_init()?)
}

/// Standard error for lines that may quote what a client or a provider has said.
struct Masked(LogFormat);

impl Write for Masked {
    /// Takes a whole line: a secret in two pieces would not be known.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        io::stderr().lock().write_all(fit(&String::from_utf8_lossy(line), self.0).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// A line without its secrets. One for a program stays what a program can read.
fn fit(line: &str, format: LogFormat) -> Cow<'_, str> {
    match (format, serde_json::from_str(line)) {
        (LogFormat::Json, Ok(mut document)) => {
            mask(&mut document);
            format!("{document}\n").into()
        }
        _ => masked(line),
    }
}

fn mask(value: &mut Value) {
    match value {
        Value::String(text) => *text = masked(text).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(mask),
        Value::Object(fields) => fields.values_mut().for_each(mask),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_secret_in_a_line_is_masked_and_the_line_stays_readable() {
        let said =
            r#"{"arguments": {"password": "hunter2hunter2", "url": "postgres://ana:s3cret@db/x"}}"#;
        let text = format!("DEBUG rmcp: received request request={said:?}\n");
        let line = json!({"level": "DEBUG", "message": said, "spans": [{"said": said}]});
        for (line, format) in [(text, LogFormat::Text), (format!("{line}\n"), LogFormat::Json)] {
            let shown = fit(&line, format);
            assert!(!shown.contains("hunter2") && !shown.contains("s3cret"), "{shown}");
            assert!(shown.contains("[masked]") && shown.ends_with('\n'), "{shown}");
            let is_document = serde_json::from_str::<Value>(&shown).is_ok();
            assert_eq!(is_document, format == LogFormat::Json, "{shown}");
        }
    }
}
