//! Dossier's own JSON: read, refused, and written so that it is read back.

use dossier_core::exchange::{Conversation, ConversationMessage, read, write_json};
use dossier_core::time::Timestamp;
use proptest::prelude::*;

#[test]
fn conversations_come_alone_in_a_list_or_one_a_line() {
    let one = r#"{"title":"a","messages":[{"speaker":"user","content":"hi"}]}"#;
    for (text, count) in
        [(one.to_owned(), 1), (format!("[{one},{one}]"), 2), (format!("{one}\n{one}\n"), 2)]
    {
        assert_eq!(read(&text).unwrap().conversations.len(), count, "{text}");
    }
}

#[test]
fn what_is_wrong_is_named_by_conversation_and_message() {
    let check = |text: &str, expected: &str| {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    };
    let good = r#"{"messages":[{"speaker":"a","content":"b"}]}"#;
    check("{}", "not a conversation: conversation 1 has no messages; known are");
    check("hello", "not a conversation: nobody is seen to ask and to answer in it; known are");
    check(r#"{"messages":1}"#, "conversation 1: its messages are no list");
    check(
        &format!(
            r#"{good}{{"title":"T","messages":[{{"speaker":"a","content":"b"}},{{"content":"x"}}]}}"#
        ),
        "conversation 2 (T), message 2: missing field `speaker`; a message is {\"speaker\"",
    );
    check(
        r#"{"messages":[{"speaker":"a","content":"b","created_at":"last May"}]}"#,
        "conversation 1, message 1: `last May` is not an ISO 8601 time",
    );
    check(r#"{"title":3,"messages":[]}"#, "conversation 1: its title is no text");
    check(r#"{"created_at":3,"messages":[]}"#, "conversation 1: its created_at is no");
    check(&format!("{good}\n{{\"messages\": ["), "line 2, column ");
}

#[test]
fn what_is_wrong_is_told_briefly_however_long_it_is() {
    let long = "word ".repeat(1_000);
    let check = |text: String, expected: &str| {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.chars().count() < 600 && error.ends_with(expected), "{error}");
    };
    check(format!(r#"{{"messages":["{long}"]}}"#), r#""created_at"?, "section"?}"#);
    check(format!(r#"{{"created_at":"{long}","messages":[]}}"#), "…");
}

#[test]
fn keys_that_are_not_known_are_told() {
    let text = r#"{"titel":"a","messages":[{"speaker":"user","content":"hi","time":1}]}"#;
    assert_eq!(
        read(text).unwrap().warnings,
        [
            "conversation 1: `titel` is not known and was left out",
            "conversation 1, message 1: `time` is not known and was left out",
        ]
    );
}

#[test]
fn without_an_id_only_an_equal_conversation_has_the_same_name() {
    let name = |text: &str| read(text).unwrap().conversations[0].name();
    let talk = r#"{"title":"a","messages":[{"speaker":"user","content":"hi"}]}"#;
    assert_eq!(name(talk), name(&talk.replace(':', ": ")));
    assert_ne!(name(talk), name(&talk.replace("hi", "ho")));
    assert_eq!(name(&talk.replace("{\"title\"", "{\"id\":\"thr_1\",\"title\"")), "dossier:thr_1");
}

/// Contents that look like what stands around them.
pub fn content() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\n\n"),
        Just("\r\n"),
        Just("<!-- dossier:message {} -->"),
        Just("<!-- dossier:end -->"),
        Just("<!-- dossier-2:end -->"),
        Just("<!-- dossier:conversation {} -->"),
        Just("## user, 2026-01-01 00:00"),
        Just("# Title"),
        Just("```"),
        Just("````rust\n"),
        Just("-->"),
        Just("--"),
        Just("**User:**"),
        Just("{\"dossier\":\"archive\",\"version\":1}"),
        Just(" "),
        Just("\t"),
        Just("\u{2028}"),
        Just("\u{feff}"),
        Just("words"),
        Just("🦭"),
    ];
    prop_oneof![
        3 => proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

pub fn time() -> impl Strategy<Value = Option<Timestamp>> {
    proptest::option::of((0_i64..4_000_000_000_000).prop_map(Timestamp::from_millis))
}

prop_compose! {
    pub fn message()(
        id in proptest::option::of(content()),
        speaker in content(),
        content in content(),
        created_at in time(),
        section in proptest::option::of(content()),
    ) -> ConversationMessage {
        ConversationMessage { id, speaker, content, created_at, section }
    }
}

prop_compose! {
    pub fn conversation()(
        id in proptest::option::of(content()),
        title in proptest::option::of(content()),
        created_at in time(),
        messages in proptest::collection::vec(message(), 0..5),
    ) -> Conversation {
        let id = id.map(|id| format!("dossier:{id}"));
        Conversation { id, title, created_at, messages, ..Conversation::default() }
    }
}

proptest! {
    #[test]
    fn what_is_written_as_json_is_read_back(
        conversations in proptest::collection::vec(conversation(), 1..4)
    ) {
        let lines: Vec<String> = conversations.iter().map(write_json).collect();
        prop_assert!(lines.iter().all(|line| !line.contains('\n')));
        let bundle = read(&lines.join("\n")).unwrap();
        prop_assert_eq!(&bundle.conversations, &conversations);
        prop_assert_eq!(&bundle.warnings, &Vec::<String>::new());
    }
}
