//! Properties of compressing contents: whatever they are, no value is altered, every value that is
//! not shown is reached through the ref, and what was planted is found.

mod needles;

use dossier_core::compress::content::{Compressor, Content, Outcome, summary};
use dossier_core::compress::protected;
use dossier_core::json::Json;
use dossier_core::refs::{RefName, Request, expand, names};
use dossier_core::tokens::Tokenizer;
use proptest::prelude::*;
use std::collections::HashSet;

/// A content compressed, with the name of its ref.
pub struct Case {
    pub content: Content,
    pub name: String,
    pub text: String,
    pub outcome: Outcome,
}

pub fn case(text: &str) -> Case {
    let compressor = Compressor::default();
    let content = Content::new(text, None);
    let kind = content.ref_kind(compressor.extractors());
    let name = RefName::whole(kind, &content.hash()).shown([]).to_string();
    let compression = compressor.compress(&content, &name);
    Case { content, name, text: compression.text, outcome: compression.audit.outcome }
}

/// Every scalar of a document as it is written, or the text itself.
fn scalars(text: &str) -> Vec<String> {
    let Some(json) = Json::parse(text) else { return vec![text.to_owned()] };
    let mut found = Vec::new();
    json.scalars(&mut |_, value| found.extend(value.scalar().map(str::to_owned)));
    found
}

/// The text without what is said about it, and without the names of members.
fn unframed(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = ["[…", "[in part"].iter().filter_map(|start| rest.find(start)).min() {
        shown.push_str(&rest[..at]);
        shown.push(' ');
        let mut depth = 0;
        let end = rest[at..].char_indices().find(|(_, c)| {
            depth += i32::from(*c == '[') - i32::from(*c == ']');
            depth == 0
        });
        rest = end.map_or("", |(end, _)| &rest[at + end + 1..]);
    }
    shown + rest
}

/// Everything that holds for any content.
fn check(text: &str) {
    let case = case(text);
    let shown = unframed(&case.text);
    if case.outcome != Outcome::Compressed {
        assert_eq!(case.text, case.content.text(), "what is not compressed is the original");
        return;
    }
    assert_eq!(names(&case.text)[0].to_string(), case.name, "the ref stands first");
    let whole = expand(case.content.text(), &Request::default()).text;
    let restored = scalars(&whole);
    let originals = scalars(case.content.text());
    assert_eq!(restored, originals, "the ref gives everything back");
    let known: HashSet<&str> = originals.iter().flat_map(|text| protected(text)).collect();
    if Json::parse(text).is_none() {
        for value in protected(&shown) {
            assert!(known.contains(value), "`{value}` was made up in\n{}", case.text);
        }
    }
    assert_eq!(case.text, self::case(text).text, "the same content gives the same text");
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,9}([.,:/-][0-9]{1,4}){0,3}( (km|MB|%|€|[0-9]{3}))?",
        "[$€#v+-][0-9]{1,6}(\\.[0-9]{1,3}){0,2}",
        "https?://[a-z]{1,9}\\.(org|com)/[a-z0-9/._~?&=%#()|-]{0,60}",
        "[A-Z]{2,5}-[0-9]{1,6}",
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "[a-z]{1,8}@[a-z]{1,8}\\.org",
    ]
}

fn words() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => "[a-zA-Z]{1,12}",
        3 => value(),
        1 => "\\PC{0,10}",
        1 => prop::sample::select(vec!["ERROR", "error: it broke", "日本語", "|", "\"", " […", "\\", "\u{1b}[0m"]).prop_map(str::to_owned),
    ];
    let between = prop::sample::select(vec![" ", ". ", "\n", "\n\n", ", ", "\t", ""]);
    prop::collection::vec((part, between), 0..40)
        .prop_map(|parts| parts.into_iter().map(|(part, between)| part + between).collect())
}

fn document() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,8})?(e[+-]?[0-9]{1,3})?".prop_map(Json::Number),
        words().prop_map(Json::Text),
        value().prop_map(Json::Text),
    ];
    leaf.prop_recursive(5, 200, 12, |inner| {
        let name = prop_oneof!["[a-z]{1,6}", "(id|url|html_url|error|name|type|a\\.b|k8s)"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..30).prop_map(Json::List),
            prop::collection::vec((name, inner), 0..12).prop_map(Json::Object),
        ]
    })
}

fn lines() -> impl Strategy<Value = String> {
    prop::collection::vec((words(), 1..30_usize), 0..12).prop_map(|parts| {
        parts.into_iter().map(|(line, times)| format!("{line}\n").repeat(times)).collect()
    })
}

proptest! {
    #[test]
    fn documents_are_never_altered(document in document()) {
        check(&document.minified());
    }

    #[test]
    fn texts_are_never_altered(text in prop_oneof![lines(), words()]) {
        check(&text);
    }

    #[test]
    fn a_summary_has_its_size(document in document(), text in lines()) {
        for text in [document.minified(), text] {
            let content = Content::new(&text, None);
            let summary = summary(&content, "json");
            prop_assert!(summary.chars().count() <= 500, "{summary}");
            let tokens = Tokenizer::O200k.count(&summary);
            prop_assert!(tokens <= 120, "{tokens}: {summary}");
            prop_assert!(tokens >= 50 || content.is_small(), "{tokens}: {summary}");
        }
    }
}

#[test]
fn a_content_that_begins_with_an_address_has_no_summary_that_is_too_short() {
    let text = "A\nhttp://a.org/|?%a~a-%)~%?/-#%|%a \n".repeat(8);
    let summary = summary(&Content::new(&text, None), "json");
    let expected = "json of 200 tokens: 16 lines of text. Begins: A … Nothing of it is lost: all of \
        it is kept behind the ref, its secrets masked. Expand the ref for all of it, or with a slice \
        of its lines, such as offset 0, limit 50, for a part of it.";
    assert_eq!(summary, expected);
    assert!((50..=120).contains(&Tokenizer::O200k.count(&summary)));
}

#[test]
fn hostile_contents_end_soon_and_are_whole_or_honest() {
    let many = |part: &str| part.repeat((1 << 17) / part.len());
    for text in [
        "x".repeat(2 << 20),
        many("["),
        many("{\"a\":"),
        many("x"),
        many("1"),
        many("1,"),
        many("a b "),
        many("\n"),
        many("ERROR x\n"),
        many("<div>"),
        format!("<html><script>{}", many("</scrip>")),
        format!("[{}1]", many("[],")),
        format!("[{}{{}}]", many("{\"id\":1,\"url\":\"http://a.org/1\"},")),
        format!("\"{}\"", many("\\n")),
        format!(
            "{{{}\"z\":1}}",
            (0..9_000).map(|n| format!("\"key_url{n}\":\"http://a.org/{n}\",")).collect::<String>()
        ),
        format!("{}{}", "[".repeat(120), "]".repeat(120)),
        format!(
            "[{{{}}}]",
            (0..9_000).map(|n| format!("\"k{n}\":{n}")).collect::<Vec<_>>().join(",")
        ),
    ] {
        assert_ne!(case(&text).outcome, Outcome::CheckFailed, "{:.60}", text);
        check(&text);
    }
}

#[test]
fn a_stack_trace_is_shown_whole() {
    let frames: String = (0..60).map(|n| format!("\tat org.pool.A{n}.f(A.java:{n})\n")).collect();
    let case = case(&format!("java.lang.IllegalStateException: pool exhausted\n{frames}"));
    assert_eq!(case.outcome, Outcome::NotWorthIt);
    assert_eq!(case.text, case.content.text());
}

#[test]
fn errors_of_a_document_are_shown_as_far_as_there_is_room_and_counted() {
    let jobs = |count: usize, text: &str| {
        let jobs: Vec<String> =
            (0..count).map(|n| format!(r#"{{"error":"{text} {n} is full"}}"#)).collect();
        case(&format!(r#"{{"padding":"{}","jobs":[{}]}}"#, "a b ".repeat(9_000), jobs.join(",")))
    };
    let shown = jobs(60, "disk").text;
    for n in 0..60 {
        assert!(shown.contains(&format!("disk {n} is full")), "{n} in\n{shown}");
    }
    let shown = jobs(90, &"disk ".repeat(40)).text;
    let told = shown.matches("is full").count();
    let fold = format!("[… {} more errors after jobs[{}].error]", 90 - told, told - 1);
    assert!(shown.ends_with(&fold), "{told} in\n{shown}");
}

#[test]
fn small_contents_pass_whole() {
    let case = case(r#"{"id": 7, "url": "https://a.org/7"}"#);
    assert_eq!(case.outcome, Outcome::Small);
    assert_eq!(case.text, r#"{"id": 7, "url": "https://a.org/7"}"#);
}

#[test]
fn secrets_are_masked_before_anything_is_stored() {
    let content = Content::new(
        r#"{"user":"ana","password":"hunter2hunter2","nested":[{"api_key":"sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"}]}"#,
        None,
    );
    assert!(!content.text().contains("hunter2"), "{}", content.text());
    assert!(!content.text().contains("abcdefghijklmnop"), "{}", content.text());
    assert!(Json::parse(content.text()).is_some());
}

#[test]
fn the_order_of_members_does_not_change_the_hash() {
    let hash = |text| Content::new(text, None).hash();
    assert_eq!(hash(r#"{"a":1,"b":[{"c":2,"d":3}]}"#), hash(r#"{ "b": [{"d":3,"c":2}], "a": 1 }"#));
    assert_ne!(hash(r#"{"a":1}"#), hash(r#"{"a":1.0}"#));
}

fn repositories(count: usize) -> String {
    let items: Vec<String> = (0..count)
        .map(|n| {
            format!(
                r#"{{"id":{n},"full_name":"o/r{n}","html_url":"https://github.com/o/r{n}","forks_url":"https://api.github.com/repos/o/r{n}/forks","stargazers_count":{},"updated_at":"2026-03-0{}T00:00:00Z","owner":{{"login":"o","id":1,"avatar_url":"https://a.org/1","followers_url":"https://api.github.com/o"}},"description":null}}"#,
                n * 10,
                n % 9 + 1,
            )
        })
        .collect();
    format!(r#"{{"total_count":{count},"incomplete_results":false,"items":[{}]}}"#, items.join(","))
}

#[test]
fn a_search_shows_its_count_its_first_ten_and_what_is_left_over() {
    let case = case(&repositories(12));
    insta::assert_snapshot!(case.text);
    insta::assert_snapshot!(summary(&case.content, "github_search"));
}

/// Repositories as a search of GitHub gives them.
fn search(count: usize) -> String {
    const PLACES: [&str; 24] = [
        "archive",
        "assignees",
        "blobs",
        "branches",
        "collaborators",
        "comments",
        "commits",
        "compare",
        "contents",
        "contributors",
        "deployments",
        "downloads",
        "events",
        "forks",
        "hooks",
        "issues",
        "keys",
        "labels",
        "languages",
        "merges",
        "milestones",
        "pulls",
        "releases",
        "tags",
    ];
    let item = |n: usize| {
        let api = format!("https://api.github.com/repos/harbour/ferry-{n}");
        let urls: String = PLACES
            .iter()
            .map(|place| format!(r#""{place}_url":"{api}/{place}{{/id}}","#))
            .collect();
        format!(
            r#"{{"id":{id},"node_id":"R_kgDO{id}","name":"ferry-{n}","full_name":"harbour/ferry-{n}","private":false,"owner":{{"login":"harbour","id":77,"node_id":"O_77","avatar_url":"https://avatars.githubusercontent.com/u/77?v=4","gravatar_id":"","url":"https://api.github.com/users/harbour","html_url":"https://github.com/harbour","type":"Organization","site_admin":false}},"html_url":"https://github.com/harbour/ferry-{n}","description":"Plans the crossings of ferry {n}","fork":false,"url":"{api}",{urls}"created_at":"2024-01-0{day}T08:00:00Z","updated_at":"2026-03-0{day}T08:00:00Z","pushed_at":"2026-03-0{day}T08:00:00Z","homepage":null,"size":{id},"stargazers_count":{n},"watchers_count":{n},"language":"Rust","has_issues":true,"has_wiki":false,"mirror_url":null,"archived":false,"open_issues_count":{n},"license":{{"key":"mit","name":"MIT License","spdx_id":"MIT","url":"https://api.github.com/licenses/mit","node_id":"L_1"}},"topics":["ferry","timetable"],"visibility":"public","default_branch":"main","score":1.0}}"#,
            id = 4_000 + n,
            day = n % 9 + 1,
        )
    };
    let items: Vec<String> = (0..count).map(item).collect();
    format!(r#"{{"total_count":{count},"incomplete_results":false,"items":[{}]}}"#, items.join(","))
}

/// The blocks of a page as Notion gives them.
fn page(count: usize) -> String {
    let block = |n: usize| {
        let user = r#"{"object":"user","id":"7f0d0000-1111-4222-8333-000000000001"}"#;
        let annotations = r#"{"bold":false,"italic":false,"strikethrough":false,"underline":false,"code":false,"color":"default"}"#;
        let words = format!("Crossing {n} leaves at {:02}:15 and carries {n} cars.", n % 24);
        format!(
            r#"{{"object":"block","id":"2a1b{n:04}-1111-4222-8333-444455556666","parent":{{"type":"page_id","page_id":"9c8d0000-1111-4222-8333-000000000002"}},"created_time":"2026-03-01T08:00:00.000Z","last_edited_time":"2026-03-02T09:00:00.000Z","created_by":{user},"last_edited_by":{user},"has_children":false,"archived":false,"in_trash":false,"type":"paragraph","paragraph":{{"rich_text":[{{"type":"text","text":{{"content":"{words}","link":null}},"annotations":{annotations},"plain_text":"{words}","href":null}}],"color":"default"}}}}"#
        )
    };
    let blocks: Vec<String> = (0..count).map(block).collect();
    format!(
        r#"{{"object":"list","results":[{}],"next_cursor":null,"has_more":false,"type":"block","block":{{}}}}"#,
        blocks.join(",")
    )
}

#[test]
fn known_documents_lose_as_many_tokens_as_is_promised_and_no_value() {
    for (text, least) in [(search(30), 65), (page(40), 30)] {
        check(&text);
        let case = case(&text);
        let (before, after) = (case.content.tokens(), Tokenizer::O200k.count(&case.text));
        let saved = 100 - after * 100 / before;
        assert!(saved >= least, "{saved} % of {before} in\n{}", case.text);
    }
}

#[test]
fn an_error_in_an_item_that_is_not_shown_is_shown() {
    let items: Vec<String> = (0..60)
        .map(|n| {
            let error = if n == 41 { "\"disk full on node-7\"" } else { "null" };
            format!(r#"{{"id":"job-{n}","state":"done","error":{error},"took":{n}.50}}"#)
        })
        .collect();
    let case = case(&format!("[{}]", items.join(",")));
    insta::assert_snapshot!(case.text);
}
