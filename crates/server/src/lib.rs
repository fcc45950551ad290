//! The HTTP door: it translates requests into calls of the engine and what comes back into JSON.
//! Decisions stand below it.
//!
//! All routes stand in one list, `router.rs`, from which the OpenAPI document is made as well.
//! Every request passes `around.rs` (its id, its limits, the log) and `admit.rs` (who may come in),
//! and every error leaves as a problem document by way of `problem.rs`.

mod options;
mod problem;
mod state;
mod whereabouts;

mod admit;
mod around;
mod idempotency;
mod metrics;

mod body;
mod page;
mod sse;

mod routes;

mod headers;
mod openapi;
mod router;

mod care;
mod serve;

pub use openapi::document;
pub use options::{Applies, Options, RequestLimits, SettingRow, Settings, TokenPolicy};
pub use problem::{Code, Problem};
pub use serve::{Server, ServerError};
