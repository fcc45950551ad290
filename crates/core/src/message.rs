//! Messages of a thread, as the pipeline sees them. A message is written once: its words never
//! change, it can only be deleted.

use crate::id::{MessageId, ThreadId};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who speaks, by kind. A name beside it tells which person or which model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Agent,
    Tool,
    System,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Agent => "agent",
            Role::Tool => "tool",
            Role::System => "system",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Role::User, Role::Agent, Role::Tool, Role::System]
            .into_iter()
            .find(|role| role.as_str() == text)
    }
}

/// Role and name of whoever said something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Speaker {
    pub role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Speaker {
    pub fn user() -> Self {
        Self { role: Role::User, name: None }
    }

    /// Reads the outside form: `user`, `assistant`, `tool`, `system`, one of these with a name as
    /// in `agent:<model>`, or the name of a person.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let role = |role| Self { role, name: None };
        match text.to_lowercase().as_str() {
            "" | "user" | "human" => role(Role::User),
            "assistant" | "agent" | "model" => role(Role::Agent),
            "tool" | "function" => role(Role::Tool),
            "system" | "developer" => role(Role::System),
            _ => {
                let named = text.split_once(':').and_then(|(role, name)| {
                    let role = Role::parse(if role == "assistant" { "agent" } else { role })?;
                    Some((role, name.trim())).filter(|(_, name)| !name.is_empty())
                });
                let (role, name) = named.unwrap_or((Role::User, text));
                Self { role, name: Some(name.to_owned()) }
            }
        }
    }

    /// The word before the colon when the message is shown: the name, or else the role.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(self.role.as_str())
    }
}

/// The outside form, which [`Speaker::parse`] reads back. A person goes by the bare name, unless
/// that would be read as something else.
impl fmt::Display for Speaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.role, &self.name) {
            (role, None) => f.write_str(role.as_str()),
            (Role::User, Some(name)) if Self::parse(name) == *self => f.write_str(name),
            (role, Some(name)) => write!(f, "{}:{name}", role.as_str()),
        }
    }
}

/// One utterance of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub id: MessageId,
    pub thread: ThreadId,
    /// The message this one answers; a thread branches where two messages share a parent.
    pub parent: Option<MessageId>,
    /// Place in the order in which the thread was written, from 0.
    pub position: i64,
    /// A user message and all replies to it share a round; from 1.
    pub round: i64,
    pub speaker: Speaker,
    /// A named part of the thread, such as a sitting or a day.
    pub section: Option<String>,
    pub content: String,
    /// The id the message had where it was imported from.
    pub external_id: Option<String>,
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speaker_is_a_role_or_a_model_or_a_person() {
        let check = |text: &str, role: Role, name: Option<&str>| {
            assert_eq!(Speaker::parse(text), Speaker { role, name: name.map(str::to_owned) });
        };
        check("user", Role::User, None);
        check("assistant", Role::Agent, None);
        check("agent:o3", Role::Agent, Some("o3"));
        check("Caroline", Role::User, Some("Caroline"));
        check("agent:", Role::User, Some("agent:"));
        check("tool:python", Role::Tool, Some("python"));
        check("user:agent", Role::User, Some("agent"));
    }

    #[test]
    fn a_written_speaker_is_read_back() {
        let names = [None, Some("Ana"), Some("agent"), Some("tool:python"), Some("a:b"), Some(":")];
        for role in [Role::User, Role::Agent, Role::Tool, Role::System] {
            for name in names {
                let speaker = Speaker { role, name: name.map(str::to_owned) };
                assert_eq!(Speaker::parse(&speaker.to_string()), speaker, "{speaker}");
            }
        }
    }
}
