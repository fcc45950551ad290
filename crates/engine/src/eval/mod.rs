//! Measuring: how much of the evidence a data set's dossiers hold, at what cost in tokens and
//! time, and which questions would get the answer to another. Each case works in a store of its
//! own that is thrown away, through the same calls as every door.

mod cache;
mod changed;
mod compress;
mod context;
mod dataset;
mod metrics;

pub use cache::{CacheReport, Pair, cache, read_pairs};
pub use changed::Change;
pub use compress::{CompressReport, CompressSum, Payload, measure, read_payloads};
pub use context::{BudgetReport, ContextEval, ContextReport};
pub use dataset::{Case, CaseFile, CaseQuestion, read_cases};
pub use metrics::Quantiles;
