//! The log of the commands that serve.

use crate::printer::{Detail, Printer};
use crate::settings::LogFormat;
use crate::telemetry::Telemetry;
use std::io;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The log goes to standard error, and how long things took to a collector, if there is one. What
/// libraries say stays out of both: they do not know what is secret.
pub fn begin(
    format: LogFormat,
    printer: Printer,
    telemetry: Option<&Telemetry>,
) -> anyhow::Result<()> {
    let level = match printer.detail {
        Detail::Least => LevelFilter::WARN,
        Detail::Usual => LevelFilter::INFO,
        Detail::Most => LevelFilter::DEBUG,
    };
    let ours = |level: LevelFilter| Targets::new().with_target("dossier", level);
    // A line of the log stands for itself.
    let events = ours(level).and(filter_fn(|metadata| metadata.is_event()));
    let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
    let layer = match format {
        LogFormat::Text => layer.with_target(false).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).boxed(),
    };
    let spans = ours(LevelFilter::INFO).and(filter_fn(|metadata| metadata.is_span()));
    let traces = telemetry.map(|telemetry| telemetry.layer().with_filter(spans));
    Ok(tracing_subscriber::registry().with(layer.with_filter(events)).with(traces).try_init()?)
}
