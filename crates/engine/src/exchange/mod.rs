//! Conversations and archives from and for elsewhere. Everything is read and checked before
//! anything is stored; each conversation is stored whole; what is stored is searchable by its
//! words at once.

mod archive;
mod consult;
mod export;
mod import;
mod incoming;
mod refs;
mod restore;
mod room;
mod save;

pub use archive::Archive;
pub use export::Format;
pub use import::{Documents, Imported, Outcome};
pub use incoming::Incoming;
pub use restore::Restored;
