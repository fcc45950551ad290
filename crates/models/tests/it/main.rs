//! The models against servers on loopback: scripted ones that speak each vendor's format, and
//! llama.cpp, which no one here wrote.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests say what went wrong by panicking"
)]

mod answers;
mod desk;
mod extractive;
mod keys;
mod lists;
mod llama;
mod names;
mod requests;
mod timing;
mod trouble;
