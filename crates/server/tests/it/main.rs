//! What the HTTP door promises, told as stories: a real server on a real socket, and a real client.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    dead_code,
    reason = "stories say what went wrong by panicking, and borrow the desk of the store's"
)]

#[macro_use]
#[path = "../../../store/tests/it/database.rs"]
mod database;
mod desk;
mod steady;

mod access;
mod consult;
mod context;
mod conversations;
mod document;
mod facts;
mod files;
mod hidden;
mod live;
mod missing;
mod openai;
mod personas;
mod projects;
mod providers;
mod refs;
mod repeats;
mod rubbish;
mod settings;
mod turns;
mod web;
