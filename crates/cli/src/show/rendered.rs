//! The exact messages of a dossier, each below the role it is sent under.

use super::style::{FAINT, paint};
use dossier_core::render::{WireMessage, WireRole};

/// The messages as text. Rendering has already freed them of control characters.
pub fn rendered(messages: &[WireMessage]) -> String {
    let mut text = String::new();
    for message in messages {
        let role = match message.role {
            WireRole::System => "system",
            WireRole::User => "user",
            WireRole::Assistant => "assistant",
        };
        let line = paint(FAINT, &format!("── {role} ──"));
        text.push_str(&format!("{line}\n{}", message.content));
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}
