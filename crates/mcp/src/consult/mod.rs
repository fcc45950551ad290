//! The tools of the set `consult`: one for each assistant, and one for the sessions with them.

mod chat;
mod sessions;

pub use chat::{CLIENT, tool as chat_tool};
pub use sessions::tool as sessions_tool;
