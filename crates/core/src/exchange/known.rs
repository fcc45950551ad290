//! Whether a conversation from outside is one that is here already. A thread is only ever added
//! to, so what differs from it is another thread.

use super::{ConversationMessage, clean, clean_content};
use crate::chat::without_binaries;
use crate::message::{Message, Speaker};

/// A message of the thread that goes by the conversation's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known<'a> {
    Said(&'a Message),
    /// Deleted here; it may have been anything, and is not brought back.
    Deleted,
}

/// How a conversation relates to that thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// All of it is here.
    Here,
    /// The thread is its beginning: so many messages are here.
    Longer(usize),
    /// They begin alike at best.
    Diverged,
}

pub fn relation(known: &[Known<'_>], given: &[ConversationMessage]) -> Relation {
    let alike = known.iter().zip(given).all(|(known, given)| is_same(*known, given));
    match alike {
        false => Relation::Diverged,
        true if known.len() < given.len() => Relation::Longer(known.len()),
        true => Relation::Here,
    }
}

fn is_same(known: Known<'_>, given: &ConversationMessage) -> bool {
    let Known::Said(known) = known else { return true };
    let other_id = match (&given.id, &known.external_id) {
        (Some(given), Some(external)) => *external != clean(given) && known.id.as_str() != given,
        _ => false,
    };
    !other_id
        && known.speaker.role == Speaker::parse(&clean(&given.speaker)).role
        // What came with an archive is as it was stored elsewhere.
        && without_binaries(&known.content) == clean_content(&given.content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn message(id: &str, external: Option<&str>, content: &str) -> Message {
        Message {
            id: id.into(),
            thread: "thr".into(),
            parent: None,
            position: 0,
            round: 1,
            speaker: Speaker::user(),
            section: None,
            content: content.to_owned(),
            external_id: external.map(str::to_owned),
            created_at: Timestamp::from_millis(0),
        }
    }

    fn given(id: Option<&str>, content: &str) -> ConversationMessage {
        ConversationMessage {
            id: id.map(str::to_owned),
            speaker: "Ana".to_owned(),
            content: content.to_owned(),
            created_at: None,
            section: None,
        }
    }

    #[test]
    fn a_thread_is_its_conversation_or_the_beginning_of_it_or_another() {
        let said = [message("m1", Some("a"), "one"), message("m2", None, "two\u{fffd}")];
        let known = [Known::Said(&said[0]), Known::Said(&said[1]), Known::Deleted];
        let check = |given: &[ConversationMessage], expected| {
            assert_eq!(relation(&known, given), expected, "{given:?}");
        };
        let [one, two, three] =
            [given(Some("a"), "one"), given(Some("m2"), "two\0"), given(None, "x")];
        check(&[], Relation::Here);
        check(std::slice::from_ref(&one), Relation::Here);
        check(&[one.clone(), two.clone(), three.clone()], Relation::Here);
        check(&[one.clone(), two.clone(), three.clone(), three.clone()], Relation::Longer(3));
        check(&[one.clone(), given(None, "too")], Relation::Diverged);
        check(&[given(Some("b"), "one")], Relation::Diverged);
        check(&[given(None, "one"), two], Relation::Here);
        assert_eq!(relation(&[], &[one]), Relation::Longer(0));
    }
}
