//! The files of a consultation: which stand inline, which are sent this time, and which are left to
//! search.
//!
//! Invariant: a file never changes sides. The list of inline files grows while everything fits,
//! closes at the first overflow, and is never rewritten; so what a model was given once stays where
//! it was. Only sizes and times decide whether a file is sent again.

mod identity;
mod map;
mod message;
mod room;
mod split;
mod state;

pub use identity::{canonical, identity};
pub use map::Map;
pub use message::{blocks, map_item, sent_item};
pub use room::Room;
pub use split::{Crowded, Measured, Sides, Split, Used, sides};
pub use state::{FileState, Seen, Sent};
