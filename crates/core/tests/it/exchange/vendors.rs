//! The exports of ChatGPT and Claude, as snapshots of everything that is taken from them.

use dossier_core::exchange::{Bundle, read};
use serde_json::json;

const CHATGPT: &str = include_str!("fixtures/chatgpt.json");
const CLAUDE: &str = include_str!("fixtures/claude.json");
const CLAUDE_PROJECTS: &str = include_str!("fixtures/claude-projects.json");

/// A bundle as someone would write it down.
fn shown(bundle: &Bundle) -> String {
    let mut lines = Vec::new();
    for conversation in &bundle.conversations {
        let created = conversation.created_at.map(|time| time.to_string()).unwrap_or_default();
        lines.push(format!("{} {:?} {created}", conversation.name(), conversation.title));
        for message in &conversation.messages {
            let time = message.created_at.map(|time| time.to_string()).unwrap_or_default();
            let id = message.id.as_deref().unwrap_or_default();
            lines.push(format!("  {id} {} {time} {:?}", message.speaker, message.content));
        }
        let documents = conversation.documents.iter();
        lines.extend(documents.map(|text| format!("  + {} {:?}", text.path, text.content)));
        lines.push(format!("  left out: {}", json!(conversation.left_out)));
    }
    lines.extend(bundle.documents.iter().map(|text| format!("+ {} {:?}", text.path, text.content)));
    lines.push(format!("left out: {} {:?}", json!(bundle.left_out), bundle.warnings));
    lines.join("\n")
}

#[test]
fn the_line_a_user_of_chatgpt_sees_is_taken_and_the_rest_is_counted() {
    insta::assert_snapshot!(shown(&read(CHATGPT).unwrap()));
}

#[test]
fn messages_of_claude_come_with_their_attachments_as_documents() {
    insta::assert_snapshot!(shown(&read(CLAUDE).unwrap()));
}

#[test]
fn documents_of_claudes_projects_are_taken() {
    insta::assert_snapshot!(shown(&read(CLAUDE_PROJECTS).unwrap()));
}

#[test]
fn the_list_may_stand_in_an_object_and_kinds_may_be_mixed() {
    let wrapped = format!("{{\"conversations\": {CHATGPT}}}");
    assert_eq!(read(&wrapped).unwrap(), read(CHATGPT).unwrap());
    let mut both = read(CHATGPT).unwrap();
    both.add(read(CLAUDE).unwrap());
    assert_eq!(read(&format!("\u{feff}{wrapped}\n{{\"conversations\": {CLAUDE}}}")).unwrap(), both);
}

#[test]
fn a_branch_of_claude_that_was_left_is_counted() {
    let message = |uuid: &str, parent: &str, text: &str| {
        json!({"uuid": uuid, "parent_message_uuid": parent, "sender": "human", "text": text,
               "model": "claude-opus"})
    };
    let messages = [message("1", "0", "a"), message("2", "1", "old"), message("3", "1", "new")];
    let talk = json!({"uuid": "c", "name": "n", "chat_messages": messages});
    insta::assert_snapshot!(shown(&read(&talk.to_string()).unwrap()), @r#"
    claude:c Some("n") 
      1 human  "a"
      3 human  "new"
      left out: {"other_branches":1}
    left out: {} []
    "#);
}

#[test]
fn a_conversation_that_is_none_is_named() {
    let check = |text: &str, expected: &str| {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check(
        r#"[{"mapping": {}}, {"title": "Tides", "mapping": 1}]"#,
        "conversation 2 (Tides): its mapping",
    );
    check(r#"{"name": "Moor", "chat_messages": {}}"#, "conversation 1 (Moor): its chat_messages");
    check(&CHATGPT[..CHATGPT.len() / 2], "line 15, column");
    check("[1]", "not a conversation: element 1 is no object; known are");
    check("", "the file is empty");
    check(&"[".repeat(10_000_000), "line 1, column 129: recursion limit exceeded");
    check(&format!("[{}", "{\"messages\":[".repeat(1_000_000)), "line 1, column ");
}

#[test]
fn trees_that_lead_nowhere_or_in_circles_end() {
    let node = |parent: &str| {
        json!({"parent": parent, "message": {"id": "m", "author": {"role": "user"},
               "content": {"content_type": "text", "parts": ["hello"]}}})
    };
    let talk = |mapping: serde_json::Value, current: &str| {
        json!({"mapping": mapping, "current_node": current}).to_string()
    };
    let circle = read(&talk(json!({"a": node("b"), "b": node("a")}), "a")).unwrap();
    assert_eq!(circle.conversations[0].messages.len(), 2);
    let lost = read(&talk(json!({"a": node("gone")}), "nowhere")).unwrap();
    assert_eq!(lost.conversations[0].messages.len(), 1);
    let odd = json!({"a": {"message": {"content": 7, "author": []}, "parent": 5, "children": 3}});
    assert_eq!(read(&talk(odd, "a")).unwrap().conversations, []);
}
