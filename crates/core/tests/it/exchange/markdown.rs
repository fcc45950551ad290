//! Markdown: written for people, read back without loss, and read from logs of others.

use super::written::{content, conversation};
use dossier_core::exchange::{ConversationMessage, LeftOut, markdown, read};
use proptest::prelude::*;

const TALK: &str = r#"{"id": "thr_1", "title": "Tides", "created_at": "2026-03-01", "messages": [
    {"id": "msg_1", "speaker": "Ana", "content": "When is high tide?\n\n```\n<!-- dossier:end -->\n```",
     "created_at": "2026-03-01T12:30:10Z", "section": "day 1"},
    {"speaker": "agent:o3", "content": "At 16:32.\n"}]}"#;

#[test]
fn a_conversation_reads_well_and_carries_what_a_heading_cannot() {
    insta::assert_snapshot!(markdown::write(&read(TALK).unwrap().conversations[0]));
}

#[test]
fn line_ends_may_be_changed_on_the_way() {
    let talk = r#"{"title": "T", "messages": [{"speaker": "a", "content": "b\nc"}]}"#;
    let talk = read(talk).unwrap();
    let text = format!("{0}{0}", markdown::write(&talk.conversations[0]));
    let read = read(&text.replace('\n', "\r\n")).unwrap();
    assert_eq!(read.conversations, [&talk.conversations[..], &talk.conversations[..]].concat());
}

#[test]
fn what_was_cut_or_broken_is_named() {
    let text = markdown::write(&read(TALK).unwrap().conversations[0]);
    let check = |text: &str, expected: &str| {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(
        &text[..text.len() - 20],
        "conversation 1 (Tides): its end, <!-- dossier-2:end -->, is missing",
    );
    check(
        &text.replace("\"speaker\":\"agent:o3\"", "\"speaker\""),
        "conversation 1 (Tides), message 2: its comment",
    );
    check(&text.replace("## agent:o3", ""), "message 1: the heading after it is missing");
}

proptest! {
    #[test]
    fn what_is_written_as_markdown_is_read_back(
        conversations in proptest::collection::vec(conversation(), 1..4),
        before in "[a-z \n]{0,20}",
    ) {
        let text: String = conversations.iter().map(markdown::write).collect();
        let bundle = read(&format!("intro {before}\n{text}")).unwrap();
        prop_assert_eq!(&bundle.conversations, &conversations);
    }

    #[test]
    fn no_text_is_too_odd_to_be_read_or_refused(text in content()) {
        let _ = read(&text);
        let _ = markdown::read(&text);
    }
}

/// The speakers and what they say in a log.
fn check(log: &str, expected: &[(&str, &str)]) {
    let bundle = read(log).unwrap();
    let said = |message: &ConversationMessage| (message.speaker.clone(), message.content.clone());
    let said: Vec<_> = bundle.conversations[0].messages.iter().map(said).collect();
    let expected: Vec<_> =
        expected.iter().map(|(who, what)| ((*who).to_owned(), (*what).to_owned())).collect();
    assert_eq!(said, expected, "{log}");
}

#[test]
fn logs_mark_their_speakers_by_headings_bold_words_or_labels() {
    check(
        "# T\n\n## User\n\nhi\n\n## Assistant\n\nhello\n\n### Answer\n\nyes",
        &[("user", "hi"), ("assistant", "hello\n\n### Answer\n\nyes")],
    );
    check(
        "**You:** hi\n**ChatGPT:** hello\n**bold** words",
        &[("user", "hi"), ("agent:ChatGPT", "hello\n**bold** words")],
    );
    check(
        "#### You said:\nhi\n#### ChatGPT said:\n```\n#### You said:\n```",
        &[("user", "hi"), ("agent:ChatGPT", "```\n#### You said:\n```")],
    );
    check(
        "Human: hi\nAssistant: well\nNote: this\nHuman:\nbye",
        &[("user", "hi"), ("assistant", "well\nNote: this"), ("user", "bye")],
    );
    let bundle = read("# Talk\n\nsaved on Monday\n\n**User**: hi\n\n**GPT-4o**: yes").unwrap();
    let conversation = &bundle.conversations[0];
    assert_eq!(conversation.title.as_deref(), Some("Talk"));
    assert_eq!(conversation.messages[1].speaker, "agent:GPT-4o");
    assert_eq!(conversation.left_out, [(LeftOut::Preamble, 1)].into());
}

#[test]
fn people_may_speak_under_their_own_names() {
    check(
        "# Trip\n\n## Ana\n\nWhen?\n\n## Ben Müller\n\nOn Friday.\n\n### Plan\n\nBy train.\n\n\
         ## Ana\n\n```\n## Changed\n```\n\n## Ben Müller\n\nFine.",
        &[
            ("Ana", "When?"),
            ("Ben Müller", "On Friday.\n\n### Plan\n\nBy train."),
            ("Ana", "```\n## Changed\n```"),
            ("Ben Müller", "Fine."),
        ],
    );
}

#[test]
fn a_document_with_headings_is_no_talk() {
    let section = |heading: &&str| format!("## {heading}\n\nSome text.\n\n");
    let document = |headings: &[&str]| headings.iter().map(section).collect::<String>();
    for headings in [
        // What a README has, and a change log, and a comparison, and a diary.
        &["Installation", "Usage", "Configuration", "License"][..],
        &["Install", "Build", "Test", "License", "Contributing", "Credits"],
        &["Added", "Fixed", "Added", "Fixed"],
        &["1.2.0", "1.1.0", "1.0.0", "0.9.0"],
        &["Pros", "Cons", "Pros", "Cons"],
        &["Monday", "Tuesday", "Monday", "Tuesday"],
        // Too few turns, someone who speaks once, someone who speaks twice in a row.
        &["Ana", "Ben", "Ana"],
        &["Ana", "Ben", "Ana", "Ben", "Cleo"],
        &["Ana", "Ana", "Ben", "Ben"],
        // No names.
        &["How it works", "Why it works", "How it works", "Why it works"],
        &["ana", "ben", "ana", "ben"],
    ] {
        let text = document(headings);
        assert!(read(&text).is_err(), "{text}");
    }
    let talk = document(&["Ana", "Ben", "Ana", "Ben"]);
    assert!(read(&talk).is_ok());
    assert!(read(&format!("{talk}# Appendix\n\nMore.\n")).is_err());
    assert!(read(&talk.replacen("Some text.", "", 1)).is_err());
}

#[test]
fn prose_is_no_log() {
    for text in ["# Notes\n\nthe user: is king", "## User\n\nmanual", "**AI** is here"] {
        assert!(read(text).is_err(), "{text}");
    }
}
