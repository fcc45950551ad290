//! The OpenAI-compatible door: what speaks to a model by OpenAI's interface speaks to Dossier by a
//! change of the base URL. The vendor's wire formats stay here; what is asked and said is
//! `dossier_core::chat`.

pub mod chat;
pub mod embeddings;
pub mod models;
pub mod responses;

mod chunks;
mod forward;
mod home;
mod message;
mod speech;
mod tools;

pub use speech::Speech;

use crate::problem::{Code, Problem};
use dossier_core::chat::Finish;
use dossier_engine::EngineError;
use std::fmt::Display;

/// The error for what is understood and cannot be honoured.
fn unsupported(param: impl Into<String>, what: &str) -> Problem {
    let detail = format!("{what}; the header X-Dossier-Profile: off passes it on as it is");
    Problem { param: Some(param.into()), ..Problem::new(Code::Invalid, detail) }
}

fn invalid(param: impl Into<String>, what: impl Into<String>) -> Problem {
    Problem { param: Some(param.into()), ..Problem::new(Code::Invalid, what) }
}

fn unknown_model(error: impl Display) -> Problem {
    let detail = format!("{error}; GET /v1/models lists those that can be asked");
    Problem { code: Code::UnknownModel, ..invalid("model", detail) }
}

/// What is wrong, where the vendor has a word of its own for it.
fn of_engine(error: EngineError) -> Problem {
    match &error {
        EngineError::Models(unknown) if unknown.trouble().is_none() => unknown_model(error),
        EngineError::Invalid(_) => {
            Problem { param: Some("messages".to_owned()), ..Problem::from(error) }
        }
        _ => error.into(),
    }
}

/// OpenAI's word for why an answer ended.
fn finish_reason(finish: &Finish) -> &'static str {
    match finish {
        Finish::Length => "length",
        Finish::ToolCalls => "tool_calls",
        Finish::Refused => "content_filter",
        Finish::Stop | Finish::Other(_) => "stop",
    }
}
