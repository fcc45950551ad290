//! Conversations from and for other programs.

mod archive;
mod markdown;
mod vendors;
mod written;
