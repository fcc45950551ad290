//! Documents made to do harm, or damaged: an error with a reason, or a bounded text; never a
//! crash, and never more memory than a document may take.

use std::io::{Cursor, Write};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use dossier_files::{Extracted, Fault, Format, extract};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::documents::fixture;

const MIB: usize = 1024 * 1024;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a part begins");
        zip.write_all(bytes).expect("memory takes it");
    }
    zip.finish().expect("the archive ends").into_inner()
}

/// A PDF of these objects, numbered from 1; the first is the catalogue.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (object, number) in objects.iter().zip(1..) {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let start = file.len();
    let size = objects.len() + 1;
    let trailer =
        format!("{table}trailer << /Root 1 0 R /Size {size} >>\nstartxref\n{start}\n%%EOF");
    file.extend_from_slice(trailer.as_bytes());
    file
}

fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let head = format!("<< {dictionary} /Length {} >>\nstream\n", data.len());
    [head.as_bytes(), data, b"\nendstream"].concat()
}

/// One page with this resource dictionary and these contents.
fn one_page(resources: &str, contents: Vec<u8>, more: &[Vec<u8>]) -> Vec<u8> {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << {resources} >> \
         /Contents 4 0 R >>"
    );
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.into_bytes(),
        contents,
    ];
    objects.extend_from_slice(more);
    pdf(&objects)
}

#[track_caller]
fn check(format: Format, bytes: &[u8], expected: Result<&str, Fault>) {
    let text = extract(format, bytes, MIB).map(|extracted| extracted.text);
    assert_eq!(text, expected.map(str::to_owned));
}

#[test]
fn a_small_pdf_made_here_is_read() {
    let contents = stream("", b"BT /F 9 Tf 9 9 Td (afloat) Tj ET");
    check(Format::Pdf, &one_page("", contents, &[]), Ok("afloat\n"));
}

#[test]
fn a_pdf_that_unpacks_to_gigabytes_is_refused() {
    let bomb = packed(&vec![b' '; 65 * MIB]);
    let contents = stream("/Filter /FlateDecode", &bomb);
    let fault = || Fault::Bomb("a stream is larger than 64 MiB");
    check(Format::Pdf, &one_page("", contents, &[]), Err(fault()));
    // As objects, which are unpacked when the file is opened, and in disguise.
    for kind in ["/Type /ObjStm /N 1 /First 4", "/Type /Obj#53tm /N 1 /First 4 /Subtype /Image"] {
        let objects = stream(&format!("{kind} /Filter /FlateDecode"), &bomb);
        check(Format::Pdf, &one_page("", stream("", b""), &[objects]), Err(fault()));
    }
    // Without the header of zlib, which readers do not miss.
    let bare = stream("/Filter /FlateDecode", &bomb[2..]);
    check(Format::Pdf, &one_page("", bare, &[]), Err(fault()));
    let all = Fault::Bomb("its streams are larger than 512 MiB");
    let streams = vec![stream("/Filter /FlateDecode", &packed(&vec![b' '; 60 * MIB])); 9];
    check(Format::Pdf, &one_page("", stream("", b""), &streams), Err(all));
    let twice = stream("/Filter [/FlateDecode /FlateDecode]", &packed(&packed(&bomb)));
    let fault = Fault::Bomb("a stream is packed more than once");
    check(Format::Pdf, &one_page("", twice, &[]), Err(fault));
}

#[test]
fn a_bomb_behind_damage_or_a_long_dictionary_is_refused() {
    let bomb = &packed(&vec![b' '; 65 * MIB])[2..];
    let fault = || Fault::Bomb("a stream is larger than 64 MiB");
    // A stored block whose second length is wrong: strict readers stop here, others go on.
    let damaged = [&[0, 1, 0, 9, 9, b' '][..], bomb].concat();
    let contents = stream("/Filter /FlateDecode", &damaged);
    check(Format::Pdf, &one_page("", contents, &[]), Err(fault()));
    let objects = stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &damaged);
    check(Format::Pdf, &one_page("", stream("", b""), &[objects]), Err(fault()));
    // Far from its type, beside words that make it look like a picture.
    let long = format!(
        "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Pad [{}] /Subtype /Image",
        "0 ".repeat(2_000)
    );
    check(Format::Pdf, &one_page("", stream("", b""), &[stream(&long, bomb)]), Err(fault()));
}

#[test]
fn a_mail_with_many_small_bombs_unpacks_to_no_more_than_one() {
    let page = format!("<w:document><w:p><w:t>{}</w:t></w:p></w:document>", " ".repeat(60 * MIB));
    let bomb = BASE64.encode(zipped(&[("word/document.xml", page.as_bytes())]));
    let attachment = |number: usize, content: &str| {
        format!(
            "--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\
             Content-Disposition: attachment; filename={number}.docx\r\n\r\n{content}\r\n"
        )
    };
    let honest = zipped(&[("word/document.xml", b"<w:p><w:t>honest</w:t></w:p>")]);
    let honest = BASE64.encode(honest);
    let mail = |bombs: usize| {
        let all: String = (0..bombs).map(|number| attachment(number, &bomb)).collect();
        let all = all + &attachment(bombs, &honest);
        let head = "Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
        let text = extract(Format::Mail, format!("{head}{all}--b--").as_bytes(), MIB).unwrap().text;
        text.contains("honest")
    };
    assert!(mail(3), "what fits into the budget is read");
    assert!(!mail(20), "and nothing after it is spent");
}

#[test]
fn forms_that_draw_each_other_end() {
    // Each draws the next ten times: ten to the power of twelve in all.
    let calls = b"/X Do ".repeat(10);
    let form = |next: usize| {
        stream(
            &format!(
                "/Type /XObject /Subtype /Form /BBox [0 0 9 9] \
                 /Resources << /XObject << /X {next} 0 R >> >>"
            ),
            &calls,
        )
    };
    let forms: Vec<Vec<u8>> = (6..26).map(form).chain([form(5)]).collect();
    let bytes = one_page("/XObject << /X 5 0 R >>", stream("", &calls), &forms);
    let fault = Fault::Bomb("its pages take too many steps to draw");
    check(Format::Pdf, &bytes, Err(fault));
    let itself = one_page("/XObject << /X 4 0 R >>", stream("/Subtype /Form", b"/X Do"), &[]);
    check(Format::Pdf, &itself, Err(Fault::NoText));
}

#[test]
fn a_page_tree_that_is_a_circle_ends() {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Parent 2 0 R /Count 9 >>".to_vec(),
    ];
    check(Format::Pdf, &pdf(&objects), Err(Fault::NoText));
}

#[test]
fn packed_rubbish_is_no_text() {
    let rubbish: Vec<u8> =
        (0..60_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for filter in ["FlateDecode", "LZWDecode", "RunLengthDecode", "ASCII85Decode"] {
        let contents = stream(&format!("/Filter /{filter}"), &rubbish);
        check(Format::Pdf, &one_page("", contents, &[]), Err(Fault::NoText));
    }
}

#[test]
fn arrays_nested_very_deep_do_not_use_up_the_stack() {
    let deep = b"[".repeat(200_000);
    let result =
        extract(Format::Pdf, &one_page("", stream("", &deep), std::slice::from_ref(&deep)), MIB);
    assert!(result.is_err(), "{result:?}");
}

#[test]
fn a_zip_that_unpacks_to_gigabytes_is_refused() {
    let bomb = vec![b' '; 65 * MIB];
    let fault = || Fault::Bomb("a part is larger than 64 MiB, or all are larger than 256");
    check(Format::Docx, &zipped(&[("word/document.xml", &bomb)]), Err(fault()));
    check(Format::Odt, &zipped(&[("content.xml", &bomb)]), Err(fault()));
}

#[test]
fn entities_do_not_multiply() {
    let laughs = br#"<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
        <w:document xmlns:w="w"><w:p><w:r><w:t>x&b;&amp;&#33;</w:t></w:r></w:p></w:document>"#;
    check(Format::Docx, &zipped(&[("word/document.xml", laughs)]), Ok("x&!\n"));
}

#[test]
fn a_hundred_thousand_nested_tags_are_read() {
    for tag in ["div", "b", "ul><li", "table><tr><td", "p hidden"] {
        let page = format!("<p>Before.</p>{}", format!("<{tag}>").repeat(100_000));
        check(Format::Html, page.as_bytes(), Ok("Before.\n"));
    }
    let xml = format!("<p>{}", "<a>".repeat(100_000));
    let broken = Fault::Damaged("its XML is not well-formed");
    check(Format::Docx, &zipped(&[("word/document.xml", xml.as_bytes())]), Err(Fault::NoText));
    let xml = format!("{xml}</p>");
    check(Format::Docx, &zipped(&[("word/document.xml", xml.as_bytes())]), Err(broken));
}

#[test]
fn a_hundred_thousand_attributes_pages_or_sealed_streams_take_no_time() {
    let attributes: String = (0..100_000).map(|n| format!(" a{n}='1'")).collect();
    let xml = format!("<w:document><w:p{attributes}><w:t>x</w:t></w:p></w:document>");
    check(Format::Docx, &zipped(&[("word/document.xml", xml.as_bytes())]), Ok("x\n"));
    let items: String = (0..100_000).map(|n| format!("<item id='{n}' href='{n}'/>")).collect();
    let spine: String = (0..100_000).map(|n| format!("<itemref idref='{n}'/>")).collect();
    let package = format!("<package>{items}<item id='a' href='a'/>{spine}<itemref idref='a'/>");
    let book = zipped(&[
        ("META-INF/container.xml", b"<rootfile full-path='p'/>"),
        ("p", package.as_bytes()),
        ("a", b"<p>The end."),
    ]);
    check(Format::Epub, &book, Ok("The end.\n"));
    let sealed = [&b"%PDF-1.7 /Encrypt "[..], &b"#stream".repeat(100_000)].concat();
    check(Format::Pdf, &sealed, Err(Fault::Bomb("a stream is larger than 64 MiB")));
}

#[test]
fn a_notebook_nested_very_deep_is_refused() {
    let deep = format!("{{\"cells\": {}", "[".repeat(200_000));
    let fault = Fault::Damaged("it is no notebook in JSON");
    check(Format::Notebook, deep.as_bytes(), Err(fault));
}

#[test]
fn messages_in_messages_end() {
    let nested: String = (0..2_000)
        .map(|n| {
            format!(
                "Subject: level {n}\r\nContent-Type: multipart/mixed; boundary=b{n}\r\n\r\n\
                 --b{n}\r\nContent-Type: message/rfc822\r\n\r\n"
            )
        })
        .collect();
    let Extracted { text, .. } = extract(Format::Mail, nested.as_bytes(), MIB).expect("a text");
    assert!(text.starts_with("Subject: level 0\n"), "{text}");
    assert!(!text.contains("level 9"), "{text}");
}

/// Fixtures, and what may be done to them.
fn damaged() -> impl Strategy<Value = (Format, Vec<u8>)> {
    let names = [
        "reportlab.pdf",
        "owner-password.pdf",
        "chromium.pdf",
        "typst.pdf",
        "libreoffice.docx",
        "libreoffice.odt",
        "libreoffice.epub",
        "written.html",
        "nbformat.ipynb",
        "multipart.eml",
        "two.mbox",
    ];
    let change = (any::<prop::sample::Index>(), 0..4_u8, any::<u8>(), 1..200_usize);
    (prop::sample::select(names.to_vec()), prop::collection::vec(change, 1..20)).prop_map(
        |(name, changes)| {
            let mut bytes = fixture(name);
            let format = Format::of(name, b"").expect("a document");
            for (at, kind, byte, length) in changes {
                if bytes.is_empty() {
                    break;
                }
                let at = at.index(bytes.len());
                let end = (at + length).min(bytes.len());
                match kind {
                    0 => bytes[at] = byte,
                    1 => drop(bytes.drain(at..end)),
                    2 => {
                        let copy = bytes[at..end].to_vec();
                        bytes.splice(at..at, copy);
                    }
                    _ if byte == 0 => bytes.truncate(at),
                    _ => bytes[at] ^= 1 << (byte % 8),
                }
            }
            (format, bytes)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn a_damaged_document_gives_a_bounded_text_or_a_reason((format, bytes) in damaged()) {
        if let Ok(Extracted { text, places }) = extract(format, &bytes, 20_000) {
            prop_assert!(text.len() <= 20_001);
            prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
            prop_assert!(places.is_sorted_by_key(|place| place.line));
            let lines = text.lines().count() as u32;
            prop_assert!(places.iter().all(|place| (1..=lines).contains(&place.line)));
        }
    }

    #[test]
    fn no_bytes_are_too_odd(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        format in prop::sample::select(vec![Format::Pdf, Format::Docx, Format::Html, Format::Mail]),
    ) {
        let _ = extract(format, &bytes, MIB);
    }
}
