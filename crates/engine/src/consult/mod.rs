//! Consulting: another model is asked about files that the caller names.
//!
//! A session is a thread under the client's own name for it, one for each assistant. Its files stand
//! in the questions that are replayed, each once for each of its versions; what does not fit is
//! searched within the call. A consultation is a turn like any other: durable, followed, given up.
//!
//! Invariant: one call at a time goes on in a session, in whichever process; and what is remembered
//! of files is what an answered question holds.

mod arrange;
mod assistants;
mod begin;
mod given_up;
mod hosted;
mod material;
mod plan;
mod replay;
mod report;
mod resume;
mod sessions;
mod settings;
mod tools;
mod vectors;
mod view;

pub use assistants::Assistant;
pub use begin::{ConsultJob, ConsultRequest, Consultation};
pub use report::{FilesReport, SkippedFile};
pub use sessions::{ConsultDescription, ConsultSessionRow, InlineFile, SessionChoice};

pub(crate) use arrange::Share;
pub(crate) use plan::Consulting;
pub(crate) use vectors::VectorCache;
