//! Refs: content that is stored once, under its hash, and stands in a text by its name.
//!
//! A name is `ref:<kind>:<sha256>[:view]`. Texts show a beginning of the hash; it is checked
//! against the whole one when it is resolved, so that no content is taken for another.

mod expand;
mod fresh;
mod lines;
mod name;
mod pasted;
mod source;

pub use expand::{Expanded, Request, Slice, expand, json_lines};
pub use fresh::{STALE, freshness, is_stale};
pub use lines::lines;
pub use name::{Kind, NotARef, RefName, View, names};
pub use pasted::{Pasted, pasted};
pub use source::source_key;
