//! What comes out of a ZIP, and what does not.

use std::io::{Cursor, Write};

use dossier_files::{Member, zipped};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn packed(members: &[(&str, &[u8])]) -> Cursor<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn wanted_members_come_in_the_order_of_their_names() {
    let zip =
        packed(&[("b.json", b"2"), ("image.png", &[0xff]), ("x/a.json", b"3"), ("a.json", b"1")]);
    let members = zipped(zip, 10, |name| name.ends_with(".json")).unwrap();
    let member = |name: &str, text: &str| Member { name: name.to_owned(), text: text.to_owned() };
    assert_eq!(members, [member("a.json", "1"), member("b.json", "2"), member("x/a.json", "3")]);
}

#[test]
fn more_than_the_limit_is_not_unpacked() {
    let zip = packed(&[("a", &[b' '; 1_000_000]), ("b", &[b' '; 1_000_000])]);
    assert!(zip.get_ref().len() < 10_000);
    assert_eq!(zipped(zip.clone(), 2_000_000, |_| true).unwrap().len(), 2);
    let error = zipped(zip, 1_999_999, |_| true).unwrap_err().to_string();
    assert!(error.contains("b makes it more than 1999999 bytes when unpacked"), "{error}");
}

#[test]
fn damage_and_other_bytes_are_named() {
    let check = |bytes: &[u8], expected: &str| {
        let error = zipped(Cursor::new(bytes), 100, |_| true).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(b"PK\x03\x04", "the ZIP cannot be read");
    check(packed(&[("a", &[b'x', 0xff])]).get_ref(), "a is not text in UTF-8: byte 1 is wrong");
    let whole = packed(&[("a", b"some words that are long enough to be damaged")]).into_inner();
    check(&whole[..whole.len() / 2], "the ZIP cannot be read");
    let mut damaged = whole;
    damaged[40] ^= 0xff;
    check(&damaged, "the ZIP cannot be read");
}
