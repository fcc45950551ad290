//! Names of rows. Every id is a newtype over text, so that a message id cannot stand where a
//! file id is wanted. Ids that Dossier makes are a short prefix and a ULID (`msg_01J…`); the
//! ULID is made by the caller, because this crate has neither clock nor chance.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An id with a prefix of its own.
pub trait Id: From<String> {
    /// What stands before the underscore.
    const PREFIX: &'static str;

    /// The id with this suffix, which should be a ULID.
    fn with_suffix(suffix: impl fmt::Display) -> Self {
        Self::from(format!("{}_{suffix}", Self::PREFIX).to_lowercase())
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Id for $name {
            const PREFIX: &'static str = $prefix;
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(/** The tenant of a row; `local` on a machine with one person. */ OwnerId, "own");
id!(/** Files, threads and facts of one piece of work. */ ProjectId, "prj");
id!(/** A file of a project. */ FileId, "fil");
id!(/** A conversation. */ ThreadId, "thr");
id!(/** One utterance of a thread. */ MessageId, "msg");
id!(/** The record of one dossier. */ ReceiptId, "rcp");
id!(/** A device or client that works with a thread. */ SessionId, "ses");
id!(/** A durable piece of work for later. */ JobId, "job");
id!(/** One question and the replies to it. */ TurnId, "trn");
id!(/** One call of a model, as it is billed. */ UsageId, "use");
id!(/** One remembered nugget. */ FactId, "fct");
id!(/** What lets a program in. */ TokenId, "tok");
id!(/** Someone to talk with who stays the same. */ PersonaId, "psn");
id!(/** What personas are made from. */ PresetId, "preset");
id!(/** Somebody's judgement of a preset. */ FeedbackId, "fbk");

impl OwnerId {
    /// The owner of everything on a machine with one person.
    pub fn local() -> Self {
        Self::from("local")
    }
}

/// A chunk's number in its store. It names a row, and of two rows of one owner the later one has the
/// higher; no order of results is ever taken from it.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ChunkId(pub i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_its_prefix_and_the_ulid_in_lower_case() {
        let id = MessageId::with_suffix("01HQVJX9KF3T0Q2Z8W1MXNBR4C");
        assert_eq!(id.as_str(), "msg_01hqvjx9kf3t0q2z8w1mxnbr4c");
    }
}
