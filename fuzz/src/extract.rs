//! Taking text out of documents: whatever the bytes, it is a text that keeps its limit or a reason
//! why there is none, and every place and every chunk of it is exact.

use crate::chunk::Counter;
use crate::{number, text};
use dossier_core::chunk::{Draft, Location, Place, draft};
use dossier_core::id::FileId;
use dossier_files::{Extracted, Format, extract as take_out};
use std::io::{Cursor, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const BARE: [Format; 9] = [
    Format::Pdf,
    Format::Docx,
    Format::Odt,
    Format::Pptx,
    Format::Epub,
    Format::Html,
    Format::Notebook,
    Format::Mail,
    Format::Mailbox,
];
/// Archives, which no fuzzer can change inside without making their checksums wrong. Their inputs
/// are the parts, and they are packed here.
const PACKED: [Format; 4] = [Format::Docx, Format::Odt, Format::Pptx, Format::Epub];
/// Before each part; behind it its name, on a line.
const PART: char = '\u{1e}';

/// The first byte chooses the format.
pub fn extract(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let chosen = usize::from(*first) % (BARE.len() + PACKED.len());
    let most = if number(data, 4) == 0 { number(data, 4_000) } else { 256 << 10 };
    match BARE.get(chosen) {
        Some(format) => check(*format, rest, most),
        None => check(PACKED[chosen - BARE.len()], &packed(&text(rest)), most),
    }
}

fn packed(parts: &str) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for part in parts.split(PART).skip(1) {
        let (name, content) = part.split_once('\n').unwrap_or((part, ""));
        // A name that is there already is refused, and the archive goes on without it.
        if zip.start_file(name, SimpleFileOptions::DEFAULT).is_ok() {
            zip.write_all(content.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    zip.finish().unwrap_or_else(|error| panic!("{error}")).into_inner()
}

fn check(format: Format, bytes: &[u8], most: usize) {
    watch_panics();
    let taken = take_out(format, bytes, most);
    assert!(!PANICKED.load(Ordering::Relaxed), "{format:?} panics in our own code");
    if number(bytes, 8) == 0 {
        assert_eq!(take_out(format, bytes, most), taken);
    }
    match taken {
        Ok(Extracted { text, places }) => {
            assert!(text.len() <= most, "{} bytes, not {most}", text.len());
            check_text(&text);
            check_places(&text, &places);
            check_drafts(&text, &places);
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
}

/// Whether our own code has panicked.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// A panic of a parser is a fault of the document, but ours are not to panic. Those of the crates
/// that we build on are let pass.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let outer = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let of_others = |file: &str| file.contains("/registry/src/");
            if !panic.location().is_some_and(|location| of_others(location.file())) {
                PANICKED.store(true, Ordering::Relaxed);
                outer(panic);
            }
        }));
    });
}

fn check_text(text: &str) {
    assert!(text.ends_with('\n') && !text.trim().is_empty());
    let control = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    assert_eq!(control, None);
}

/// They are in order, stand on lines of the text, and can be shown on a line.
fn check_places(text: &str, places: &[Place]) {
    assert!(places.is_sorted_by_key(|place| place.line));
    let lines = text.lines().count() as u32;
    for Place { line, label } in places {
        assert!((1..=lines).contains(line), "line {line} of {lines}");
        assert!((1..=101).contains(&label.chars().count()), "{label:?}");
        assert!(!label.contains(char::is_control), "{label:?}");
    }
}

/// Between the chunks is nothing but white space, and each stands where it says, in one place.
fn check_drafts(text: &str, places: &[Place]) {
    let path = "papers/on ferries.pdf";
    let (mut at, mut characters) = (0, 0);
    let mut counter = Counter::default();
    for draft in draft::of_document(&FileId::from("fil_1"), path, text, places) {
        let Draft { content, location, .. } = draft;
        let before = text[at..].find(&content).unwrap_or_else(|| panic!("{content:?} is lost"));
        let gap = &text[at..at + before];
        assert!(gap.trim().is_empty(), "{gap:?} is lost");
        at += before + content.len();
        counter.read(gap);
        let (start_line, end_line) = counter.read(&content);
        let start_char = characters + gap.chars().count() as u64;
        characters = start_char + content.chars().count() as u64;
        let begun = places.partition_point(|place| place.line <= start_line);
        assert!(places.get(begun).is_none_or(|next| next.line > end_line));
        let held = begun.checked_sub(1).map(|last| places[last].label.clone());
        let expected = Location::File {
            path: path.to_owned(),
            start_line,
            end_line,
            start_char,
            end_char: characters,
            place: held,
        };
        assert_eq!(location, expected);
    }
    assert!(text[at..].trim().is_empty(), "{:?} is lost", &text[at..]);
}
