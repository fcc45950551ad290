//! What the crate promises: properties over generated input, whole dossiers, and its place among
//! the other crates.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests say what went wrong by panicking")]

mod material;

mod arrows;
mod chunk;
mod compress;
mod content;
mod dossier;
mod exchange;
mod facts;
mod fileset;
mod fit;
mod guard;
mod history;
mod persona;
mod quote;
mod rank;
mod sameness;
mod selection;
mod story;
mod tokens;
