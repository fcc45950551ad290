//! Dossier's archive: its lines, and how damage to it is noticed.

use super::written::{content, time};
use dossier_core::exchange::ExchangeError;
use dossier_core::exchange::archive::{
    Bytes, Consult, File, Header, Line, Message, SentFile, Tally, write,
};
use dossier_core::hash::ContentHash;
use dossier_core::message::Role;
use dossier_core::time::Timestamp;
use proptest::prelude::*;
use serde_json::json;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// An archive of these lines.
fn archive(lines: &[Line]) -> String {
    let mut tally = Tally::default();
    let mut text = write(&Header::new(at(0), None)).unwrap();
    tally.take(&text, None);
    for line in lines {
        let written = write(line).unwrap();
        tally.take(&written, line.kind());
        text.push_str(&written);
    }
    text + &write(&Line::End(tally.end())).unwrap()
}

/// Reads an archive as a door does.
fn opened(text: &str) -> Result<Vec<Line>, ExchangeError> {
    let mut tally = Tally::default();
    let mut lines = Vec::new();
    let mut end = None;
    for (number, text) in (1..).zip(text.split_inclusive('\n')) {
        if number == 1 {
            assert!(Header::find(text)?.is_some());
            tally.take(text, None);
            continue;
        }
        match Line::parse(text, number)? {
            Line::End(found) => end = Some(found),
            line => {
                tally.take(text, line.kind());
                lines.push(line);
            }
        }
    }
    tally.check(end).map(|_| lines)
}

prop_compose! {
    fn message()(
        position in 0_i64..100,
        name in proptest::option::of(content()),
        content in content(),
        created in time(),
        deleted_at in time(),
        key in content(),
    ) -> Line {
        Line::Message(Message {
            id: "msg".into(),
            thread: "thr".into(),
            parent: None,
            position,
            round: position,
            role: Role::Tool,
            section: name.clone(),
            name,
            content,
            external_id: None,
            metadata: json!({ key: [1.1, 0.30000000000000004, null] }),
            created_at: created.unwrap_or(at(5)),
            deleted_at,
        })
    }
}

fn line() -> impl Strategy<Value = Line> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..20);
    prop_oneof![message(), bytes.prop_map(file), Just(consult())]
}

proptest! {
    #[test]
    fn an_archive_is_read_back_line_by_line(lines in proptest::collection::vec(line(), 0..8)) {
        prop_assert_eq!(opened(&archive(&lines)).unwrap(), lines);
    }

    #[test]
    fn an_archive_that_was_cut_anywhere_is_refused(
        lines in proptest::collection::vec(line(), 1..5),
        share in 0.0_f64..1.0,
    ) {
        let text = archive(&lines);
        let first = text.find('\n').unwrap() + 1;
        let cut = first + ((text.len() - 1 - first) as f64 * share) as usize;
        let cut = text.floor_char_boundary(cut);
        prop_assert!(opened(&text[..cut]).is_err());
    }

    #[test]
    fn bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        prop_assert_eq!(Bytes::of(bytes.clone()).into_bytes().unwrap(), bytes);
    }
}

fn file(content: Vec<u8>) -> Line {
    Line::File(File {
        id: "fil".into(),
        project: "prj".into(),
        path: "a.txt".to_owned(),
        origin: None,
        canonical: ContentHash::of("x"),
        mime: "text/plain".to_owned(),
        size: 1,
        modified_ns: Some(i64::MAX),
        metadata: json!({}),
        created_at: at(1),
        updated_at: at(1),
        content: Bytes::of(content),
    })
}

fn consult() -> Line {
    let sent =
        SentFile { path: "a.rs".to_owned(), size: 9, modified_ns: i64::MIN, tokens: 3, round: 1 };
    Line::Consult(Consult {
        thread: "thr".into(),
        project: "prj".into(),
        assistant: "o3".to_owned(),
        name: "plan".to_owned(),
        base: Some("/src".to_owned()),
        context: vec![".".to_owned()],
        inline: vec!["a.rs".to_owned()],
        frozen: true,
        sent: vec![sent],
        created_at: at(1),
        used_at: at(2),
    })
}

fn text(text: &str) -> Line {
    file(text.as_bytes().to_vec())
}

#[test]
fn an_archive_looks_like_this() {
    let lines = [text("words"), file(vec![0xff, 0]), consult()];
    insta::assert_snapshot!(archive(&lines));
}

#[test]
fn what_is_missing_is_told() {
    let text = archive(&[text("a"), text("b"), text("c")]);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let check = |text: String, expected: &str| {
        let error = opened(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(lines[..3].concat(), "its last line is missing; it holds 2 files; export it again");
    check([&lines[..2], &lines[4..]].concat().concat(), "it holds 1 of 3 files");
    check(text.replace("\"b\"", "\"x\""), "the archive was changed after it was written");
    check(text.replacen("file", "pile", 1), "line 2: unknown variant `pile`");
    check(text.replacen("\"text\"", "\"test\"", 1), "line 2: unknown variant `test`");
}

#[test]
fn only_an_archive_is_taken_for_one_and_a_newer_one_is_refused() {
    let header = write(&Header::new(at(0), Some("p".to_owned()))).unwrap();
    assert_eq!(
        header,
        "{\"dossier\":\"archive\",\"version\":4,\"created_at\":\"1970-01-01T00:00:00Z\",\"project\":\"p\"}\n"
    );
    for text in ["", "[]", "{\"dossier\":1}", "# dossier", "{\"messages\":[]}"] {
        assert_eq!(Header::find(text), Ok(None), "{text}");
    }
    let newer = Header::find(&header.replace("4,", "5,")).unwrap_err();
    assert_eq!(newer, ExchangeError::NewerArchive { found: 5, known: 4 });
    assert!(Header::find(&header.replace("created_at", "made_at")).is_err());
}
