//! Walking folders and reading files, with the one path guard for every door.
//!
//! Three steps: [`walk`] finds files by name and metadata alone, [`read`] turns one of them into
//! text, by [`extract`] where it is a document, and [`virtual_path`] vets a path that someone typed. [`Roots`]
//! are the folders that a path from outside may lead into.
//! [`Watch`] tells when to walk again. Nothing here hangs, follows a link
//! out of the given folders, or reads a credential, whichever way the file was reached.

mod error;
mod extract;
mod guard;
mod kind;
mod limits;
mod name;
mod open;
mod read;
mod roots;
mod rules;
mod text;
mod walk;
mod watch;
mod zipped;

pub use error::{FilesError, SkipReason};
pub use extract::{Extracted, Fault, Format, extract};
pub use kind::mime;
pub use limits::Limits;
pub use name::virtual_path;
pub use read::{read, read_upload};
pub use roots::Roots;
pub use text::Text;
pub use walk::{Found, Skipped, Walk, walk, walk_while};
pub use watch::Watch;
pub use zipped::{Member, zipped};
