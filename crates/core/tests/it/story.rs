//! Conversations that clients tell again and again are known, whatever they change about them.

use dossier_core::chat::{
    Image, Images, Message as Said, Part, Said as What, ToolCall, ToolResult,
};
use dossier_core::message::{Message, Role, Speaker};
use dossier_core::story::{self, Spoken, Story, Untold};
use dossier_core::time::Timestamp;
use proptest::prelude::*;

fn call(id: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), name: "weather".to_owned(), arguments: arguments.to_owned() }
}

fn calling(text: &str, calls: &[ToolCall]) -> Said {
    What::Assistant { text: text.to_owned(), calls: calls.to_vec(), sealed: None }.into()
}

fn result(call: &str, content: &str) -> Said {
    let content = content.to_owned();
    Said::results(vec![ToolResult { call: call.to_owned(), content, failed: false }])
}

fn spoken(role: Role, name: Option<&str>, content: &str) -> Spoken {
    Spoken { role, name: name.map(str::to_owned), content: content.to_owned() }
}

/// What was said as the store has it.
fn stored(said: &[Spoken]) -> Vec<Message> {
    let message = |(position, spoken): (i64, &Spoken)| Message {
        id: format!("msg_{position}").into(),
        thread: "thr_1".into(),
        parent: None,
        position,
        round: 1,
        speaker: Speaker { role: spoken.role, name: spoken.name.clone() },
        section: None,
        content: spoken.content.clone(),
        external_id: None,
        created_at: Timestamp::from_millis(0),
    };
    (0..).zip(said).map(message).collect()
}

#[test]
fn a_story_is_taken_apart() {
    let image = Image { mime: "image/png".to_owned(), base64: "AAEC".to_owned() };
    let sketch = Image { mime: "image/gif".to_owned(), base64: "AA==".to_owned() };
    let tail = [calling("", &[call("a", "{\"city\": \"Bergen\"}"), call("b", "{}")])];
    let messages = vec![
        Said::system("Be brief."),
        Said::user("Hello").with(Part::Image(sketch.clone())),
        Said::assistant("Hello!"),
        Said::system("It is Monday."),
        Said::user("Rain?").with(Part::Image(image.clone())),
        tail[0].clone(),
        result("a", "yes"),
        result("b", ""),
    ];
    let results = vec![
        ToolResult { call: "a".to_owned(), content: "yes".to_owned(), failed: false },
        ToolResult { call: "b".to_owned(), content: String::new(), failed: false },
    ];
    let calls = "[calls weather({\"city\":\"Bergen\"})]\n\n[calls weather({})]";
    assert_eq!(
        Story::new(messages).unwrap(),
        Story {
            instructions: Some("Be brief.\n\nIt is Monday.".to_owned()),
            said: vec![
                spoken(Role::User, None, "Hello\n\n[image/gif, 1 bytes]"),
                spoken(Role::Agent, None, "Hello!"),
                spoken(Role::User, None, "Rain?\n\n[image/png, 3 bytes]"),
                spoken(Role::Agent, None, calls),
                spoken(Role::Tool, Some("weather"), "yes"),
            ],
            question: 2,
            images: Images::new(vec![sketch], vec![image]),
            tail: vec![tail[0].clone(), Said::results(results)],
        }
    );
}

#[test]
fn calls_and_results_belong_together() {
    let check = |messages: Vec<Said>, expected: Untold| {
        assert_eq!(Story::new(messages).unwrap_err(), expected);
    };
    let no_result = || Untold::NoResult("a".to_owned());
    let made = || calling("", &[call("a", "{}")]);
    check(vec![], Untold::Nothing);
    check(vec![Said::system("x")], Untold::NoQuestion);
    check(vec![Said::user("  ")], Untold::NoQuestion);
    check(vec![Said::user("x"), result("a", "1")], Untold::NotCalled("a".to_owned()));
    check(vec![Said::user("x"), made(), result("b", "1")], no_result());
    check(vec![Said::user("x"), made(), Said::user("y")], no_result());
    check(vec![Said::user("x"), made()], no_result());
}

#[test]
fn a_thread_goes_on_where_the_story_does() {
    let messages = ["a", "b", "c", "d"].into_iter().map(Said::user).collect::<Vec<_>>();
    let story = Story::new(messages).unwrap();
    let all = stored(&story.said);
    assert_eq!(story.known_with(1, &all[1..3]), Some(3));
    assert_eq!(story.known_with(2, &all[1..3]), None);
    assert_eq!(story.known_with(3, &all[2..]), None);
    assert_eq!(story.overlap_with(&all[..2]), 2);
    let window = Story::new(vec![Said::user("b"), Said::user("c")]).unwrap();
    assert_eq!(window.overlap_with(&all[..2]), 1);
    assert_eq!(window.overlap_with(&all), 0);
    assert_eq!(window.common_with(&all), 0);
}

fn message() -> impl Strategy<Value = Said> {
    let text = "[a-c]{1,2}";
    prop_oneof![text.prop_map(Said::user), text.prop_map(Said::assistant)]
}

fn conversation() -> impl Strategy<Value = Vec<Said>> {
    proptest::collection::vec(message(), 0..8).prop_map(|mut messages| {
        messages.push(Said::user("last"));
        messages
    })
}

fn hashes(messages: Vec<Said>) -> Vec<String> {
    let links = Story::new(messages).unwrap().links();
    links.into_iter().map(|(_, hash)| hash.to_string()).collect()
}

/// The same with system text between, and white space around what was said.
fn disguised(messages: &[Said]) -> Vec<Said> {
    let disguise = |message: &Said| {
        let said = match &message.said {
            What::User { .. } => Said::user(format!(" {}\n", message.text())),
            _ => Said::assistant(format!("{} ", message.text())),
        };
        [Said::system("rules"), said]
    };
    messages.iter().flat_map(disguise).collect()
}

proptest! {
    #[test]
    fn two_stories_share_as_many_links_as_they_begin_alike(
        left in conversation(), right in conversation(),
    ) {
        let alike = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
        let (left, right) = (hashes(left), hashes(right));
        let shared = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
        prop_assert_eq!(shared, alike);
        prop_assert!(left[shared..].iter().all(|hash| !right.contains(hash)));
    }

    #[test]
    fn a_story_is_known_in_any_disguise(messages in conversation()) {
        prop_assert_eq!(hashes(disguised(&messages)), hashes(messages));
    }

    #[test]
    fn what_is_stored_of_a_story_is_found_in_it_again(
        messages in conversation(), cut in 0..9_usize, other in message(),
    ) {
        let story = Story::new(messages).unwrap();
        let cut = cut.min(story.said.len());
        let mut all = stored(&story.said[..cut]);
        prop_assert_eq!(story.common_with(&all), cut);
        prop_assert_eq!(story.known_with(0, &all), Some(cut));
        prop_assert!(story.overlap_with(&all) >= cut);
        all.extend(stored(&Story::new(vec![other, Said::user("!")]).unwrap().said));
        prop_assert!(story.known_with(0, &all).is_none());
        prop_assert!(story.common_with(&all) >= cut);
    }

    #[test]
    fn the_reply_that_is_repeated_has_the_link_it_was_stored_under(
        messages in conversation(), text in "[a-c ]{0,4}", calls in 0..2_usize,
    ) {
        prop_assume!(!text.trim().is_empty() || calls > 0);
        let calls = vec![call("x", "{\"a\":1}"); calls];
        let before = Story::new(messages.clone()).unwrap().links();
        let content = story::reply(&text, &calls);
        let link = story::link(before.last().map(|(_, hash)| hash), Role::Agent, &content);
        let mut again = messages;
        again.push(calling(&text, &[]));
        if let [made] = calls.as_slice() {
            again.pop();
            again.push(calling(&text, &[ToolCall { arguments: "{ \"a\" : 1 }".to_owned(), ..made.clone() }]));
            again.push(result("x", "1"));
        }
        again.push(Said::user("more"));
        prop_assert!(hashes(again).contains(&link.to_string()));
    }
}
