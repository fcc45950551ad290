//! The states of a turn. Every reply goes its own way, so that one failing model fails alone:
//! prepared → called → replied, or failed, cancelled, interrupted on the way. A turn whose replies
//! have all ended is learned from once.

use serde::{Deserialize, Serialize};

/// How far one model's reply has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplyState {
    /// The question is stored; the model has not been asked.
    Prepared,
    /// Its dossier is stored and the model is being asked.
    Called,
    /// The reply is a message of the thread.
    Replied,
    /// The model or its provider gave an error.
    Failed,
    /// The person who asked has given up.
    Cancelled,
    /// The process that asked has ended in the middle.
    Interrupted,
}

impl ReplyState {
    pub const ALL: [ReplyState; 6] = [
        Self::Prepared,
        Self::Called,
        Self::Replied,
        Self::Failed,
        Self::Cancelled,
        Self::Interrupted,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Prepared => "prepared",
            Self::Called => "called",
            Self::Replied => "replied",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// Whether somebody is, or should be, at work on it.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Prepared | Self::Called)
    }

    /// Whether the model may be asked again for the same turn.
    pub fn can_be_retried(self) -> bool {
        matches!(self, Self::Failed | Self::Cancelled | Self::Interrupted)
    }

    /// Whether a reply may go from this state to that one.
    pub fn leads_to(self, next: Self) -> bool {
        match self {
            Self::Prepared => next != Self::Prepared,
            // It may be asked once more with less before it.
            Self::Called => next != Self::Prepared,
            Self::Replied => false,
            // Asked again.
            Self::Failed | Self::Cancelled | Self::Interrupted => next == Self::Prepared,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_back_from_its_name() {
        for state in ReplyState::ALL {
            assert_eq!(ReplyState::parse(state.as_str()), Some(state));
            let json = serde_json::to_string(&state).unwrap();
            assert_eq!(json, format!("\"{}\"", state.as_str()));
        }
    }

    #[test]
    fn what_was_replied_stays_and_what_ended_otherwise_can_be_tried_again() {
        for next in ReplyState::ALL {
            assert!(!ReplyState::Replied.leads_to(next), "{next:?}");
        }
        for state in ReplyState::ALL {
            assert_eq!(state.can_be_retried(), state.leads_to(ReplyState::Prepared), "{state:?}");
            assert_eq!(state.is_open(), state.leads_to(ReplyState::Replied), "{state:?}");
        }
    }
}
