//! What the engine promises, told as stories. Each is run on a real SQLite file and on a real
//! PostgreSQL, through the calls that every door makes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "stories say what went wrong by panicking")]

#[macro_use]
#[path = "../../../store/tests/it/database.rs"]
mod database;
mod desk;
mod leave;

mod agreement;
mod answers;
mod archive;
mod assemble;
mod consult;
mod directory;
mod documents;
mod facts;
mod flags;
mod forget;
mod import;
mod index;
mod jobs;
mod learned;
mod persona;
mod refs;
mod regression;
mod search;
mod selections;
mod summaries;
mod turn;
