//! Importing: a text in any of the formats is read whole or refused with words that a person can
//! use, and what was read is found again when it is written as JSON or Markdown.

use crate::text;
use dossier_core::exchange::archive::{self, Header, Line, Tally};
use dossier_core::exchange::{self, Bundle, Conversation, Document, markdown};
use dossier_core::message::Speaker;
use serde::Serialize;

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
    bundle.documents.iter().for_each(check_document);
    for conversation in &bundle.conversations {
        conversation.documents.iter().for_each(check_document);
        for message in &conversation.messages {
            let speaker = Speaker::parse(&message.speaker);
            assert!(speaker.name.is_none_or(|name| !name.is_empty()));
        }
        check_written(conversation, &exchange::write_json(conversation));
        let again = check_written(conversation, &markdown::write(conversation));
        assert_eq!(again.id, conversation.id);
    }
}

/// A text is put below a folder of its own, whatever it is called.
fn check_document(document: &Document) {
    let parts: Vec<&str> = document.path.split(['/', '\\']).collect();
    assert!(matches!(parts.as_slice(), ["claude", _, _]), "{parts:?}");
    for part in parts {
        assert!(!matches!(part.trim(), "" | "." | ".."), "{part:?}");
        assert!(!part.contains(char::is_control), "{part:?}");
    }
}

/// Our own formats lose nothing that is said: NULs and empty messages stay, and so does a
/// conversation without any.
fn check_written(conversation: &Conversation, written: &str) -> Conversation {
    let bundle = exchange::read(written).unwrap_or_else(|error| panic!("{error}"));
    let Ok([again]) = <[Conversation; 1]>::try_from(bundle.conversations) else {
        panic!("not one conversation came back");
    };
    assert_eq!(again.messages, conversation.messages);
    assert_eq!(again.title, conversation.title);
    assert_eq!(again.created_at, conversation.created_at);
    again
}

/// A line of an archive is refused, or it is the same when it is written and read again.
fn check_archive(text: &str) {
    let mut tally = Tally::default();
    let mut end = None;
    for line in text.split_inclusive('\n').take(20) {
        match Header::find(line) {
            Ok(Some(header)) => assert_eq!(Header::find(&write(&header)), Ok(Some(header))),
            Ok(None) => {}
            Err(error) => check_refused(&error.to_string()),
        }
        match Line::parse(line, 2) {
            Ok(Line::End(last)) => end = Some(last),
            Ok(parsed) => {
                assert_eq!(Line::parse(&write(&parsed), 2).as_ref(), Ok(&parsed));
                tally.take(line, parsed.kind());
            }
            Err(error) => check_refused(&error.to_string()),
        }
    }
    if let Err(error) = tally.check(end) {
        check_refused(&error.to_string());
    }
}

fn write(line: &impl Serialize) -> String {
    archive::write(line).unwrap_or_else(|error| panic!("{error}"))
}

/// A refusal says something, and does not repeat the whole file.
fn check_refused(error: &str) {
    assert!(!error.trim().is_empty());
    assert!(error.chars().count() <= 1_000, "{} characters", error.chars().count());
}
