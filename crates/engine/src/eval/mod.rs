//! Measuring: how much of the evidence a data set's dossiers hold, at what cost in tokens and
//! time. Each case works in a store of its own that is thrown away, through the same calls as
//! every door.

mod compress;
mod context;
mod dataset;
mod metrics;

pub use compress::{CompressReport, CompressSum, Payload, measure, read_payloads};
pub use context::{BudgetReport, ContextEval, ContextReport};
pub use dataset::{Case, CaseFile, CaseQuestion, read_cases};
pub use metrics::Quantiles;
