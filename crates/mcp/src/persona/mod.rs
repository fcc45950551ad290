//! The tools of the set `persona`, with the names and shapes that their users know: a persona is a
//! context there, and what is said with it a conversation.

mod chat;
mod contexts;
mod conversations;
mod presets;
mod resources;
#[cfg(test)]
mod tests;

pub use resources::{
    context as context_resource, contexts as contexts_resource, preset as preset_resource,
    presets as presets_resource,
};

use crate::tool::Tool;

pub fn tools() -> Vec<Tool> {
    vec![chat::tool(), contexts::tool(), conversations::tool(), presets::tool()]
}
