//! Importing: a text in any of the formats is read whole or refused with words that a person can
//! use, and what was read is found again when it is written as JSON or Markdown.

use crate::text;
use dossier_core::exchange::{self, Bundle, Conversation, archive, markdown};
use dossier_core::message::Speaker;

pub fn import(data: &[u8]) {
    let text = text(data);
    check_archive(&text);
    match exchange::read(&text) {
        Ok(bundle) => check_read(&text, &bundle),
        Err(error) => check_refused(&error.to_string()),
    }
}

fn check_read(text: &str, bundle: &Bundle) {
    assert_eq!(exchange::read(&format!("\u{feff}{text}")).as_ref(), Ok(bundle));
    for conversation in &bundle.conversations {
        for message in &conversation.messages {
            let speaker = Speaker::parse(&message.speaker);
            assert!(speaker.name.is_none_or(|name| !name.is_empty()));
        }
        check_written(conversation, &exchange::write_json(conversation));
        check_written(conversation, &markdown::write(conversation));
    }
}

/// Our own formats lose nothing that is said.
fn check_written(conversation: &Conversation, written: &str) {
    let again = exchange::read(written).map(|bundle| {
        bundle.conversations.into_iter().map(|conversation| conversation.messages).collect()
    });
    assert_eq!(again, Ok(vec![conversation.messages.clone()]));
}

/// A line of an archive is understood or refused.
fn check_archive(text: &str) {
    if let Some(line) = text.lines().next() {
        let refused = [archive::Header::find(line).err(), archive::Line::parse(line, 2).err()];
        for error in refused.into_iter().flatten() {
            check_refused(&error.to_string());
        }
    }
}

/// A refusal says something, and does not repeat the whole file.
fn check_refused(error: &str) {
    assert!(!error.trim().is_empty());
    assert!(error.chars().count() <= 1_000, "{} characters", error.chars().count());
}
