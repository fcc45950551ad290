//! Documents written by real programs, and what is taken out of them. A snapshot shows the whole
//! text; a line in brackets stands where a place begins.

use std::fs;
use std::path::Path;

use dossier_files::{Extracted, Fault, Format, SkipReason, extract};
use insta::assert_snapshot;

use crate::folder::Folder;

const MIB: usize = 1024 * 1024;

pub fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    fs::read(path).expect("the fixture is there")
}

fn of(name: &str) -> Result<Extracted, Fault> {
    let bytes = fixture(name);
    let format = Format::of(name, &bytes).expect("a document");
    extract(format, &bytes, MIB)
}

/// The text with its places.
#[track_caller]
fn shown(name: &str) -> String {
    let Extracted { text, places } = of(name).expect("a text");
    let mut places = places.iter().peekable();
    let mut shown = String::new();
    for (line, number) in text.lines().zip(1..) {
        while let Some(place) = places.next_if(|place| place.line == number) {
            shown.push_str(&format!("[{}]\n", place.label));
        }
        shown.push_str(&format!("{line}\n"));
    }
    assert_eq!(places.next(), None, "every place stands in the text");
    shown
}

#[test]
fn a_pdf_by_reportlab() {
    assert_snapshot!(shown("reportlab.pdf"));
}

#[test]
fn a_pdf_that_only_its_owner_may_change_is_read() {
    assert_eq!(shown("owner-password.pdf"), shown("reportlab.pdf"));
}

#[test]
fn a_pdf_with_a_password_is_told_apart_from_a_scanned_one() {
    assert_eq!(of("password.pdf"), Err(Fault::Encrypted));
    assert_eq!(of("scanned.pdf"), Err(Fault::NoText));
}

#[test]
fn a_pdf_by_libreoffice() {
    assert_snapshot!(shown("libreoffice.pdf"));
}

#[test]
fn a_pdf_by_chromium_has_its_columns_one_after_the_other() {
    assert_snapshot!(shown("chromium.pdf"));
}

#[test]
fn a_pdf_by_typst_has_its_divided_words_put_together() {
    assert_snapshot!(shown("typst.pdf"));
}

#[test]
fn a_docx_by_libreoffice() {
    assert_snapshot!(shown("libreoffice.docx"));
}

#[test]
fn a_docx_by_python_without_what_is_deleted_or_hidden() {
    assert_snapshot!(shown("python-docx.docx"));
}

#[test]
fn footnotes_of_a_docx_stand_at_its_end() {
    assert_snapshot!(shown("footnote.docx"));
}

#[test]
fn footnotes_of_an_odt_stand_where_they_are_called() {
    assert_snapshot!(shown("footnote.odt"));
}

#[test]
fn an_odt_by_libreoffice() {
    assert_snapshot!(shown("libreoffice.odt"));
}

#[test]
fn a_pptx_by_python_slide_by_slide() {
    assert_snapshot!(shown("python-pptx.pptx"));
}

#[test]
fn an_epub_by_libreoffice() {
    assert_snapshot!(shown("libreoffice.epub"));
}

#[test]
fn a_page_written_by_hand() {
    assert_snapshot!(shown("written.html"));
}

#[test]
fn a_page_by_rustdoc_without_its_navigation() {
    assert_snapshot!(shown("rustdoc.html"));
}

#[test]
fn a_notebook_cell_by_cell_without_pictures() {
    let shown = shown("nbformat.ipynb");
    let (rises, rest): (Vec<&str>, Vec<&str>) =
        shown.lines().partition(|line| *line == "water rises");
    assert_eq!(rises.len(), 166, "long outputs are cut");
    assert_snapshot!(rest.join("\n"));
}

#[test]
fn a_message_with_its_attachments() {
    assert_snapshot!(shown("multipart.eml"));
}

#[test]
fn a_message_in_another_encoding() {
    assert_snapshot!(shown("japanese.eml"));
}

#[test]
fn a_message_that_is_a_page() {
    assert_snapshot!(shown("html.eml"));
}

#[test]
fn a_mailbox_message_by_message() {
    assert_snapshot!(shown("two.mbox"));
}

#[test]
fn what_was_written_comes_back_whole() {
    let squeezed =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    let written = squeezed(&of("written.html").expect("a text").text);
    for name in ["libreoffice.docx", "libreoffice.odt"] {
        // Numbers of a list are drawn by the program that shows it.
        let text = squeezed(&of(name).expect("a text").text);
        assert_eq!(text, written.replace("1firststop2secondstop", "firststopsecondstop"), "{name}");
    }
    for name in ["libreoffice.pdf", "chromium.pdf"] {
        assert_eq!(squeezed(&of(name).expect("a text").text), written, "{name}");
    }
}

#[test]
fn a_pdf_is_known_by_its_first_bytes_too() {
    let folder = Folder::new();
    folder.write("report", fixture("reportlab.pdf"));
    let text = folder.read("report").expect("a text");
    assert_eq!(text.places.len(), 2);
}

#[test]
fn a_document_that_cannot_be_read_is_skipped_with_its_reason() {
    let folder = Folder::new();
    folder.write("broken.pdf", "%PDF-1.7\nno more");
    folder.write("password.pdf", fixture("password.pdf"));
    folder.write("scanned.pdf", fixture("scanned.pdf"));
    folder.write("text.docx", "no archive");
    folder.write("list.ipynb", "[1, 2]");
    let reason = |path: &str| folder.read(path).map_err(|reason| reason.to_string());
    for (path, fault) in [
        ("broken.pdf", "it is damaged or not what its name says; it cannot be read as a PDF"),
        ("password.pdf", "it is encrypted; save a copy without a password"),
        ("scanned.pdf", "it holds no text (scanned?)"),
        ("text.docx", "it is damaged or not what its name says; its archive cannot be read"),
        ("list.ipynb", "it is damaged or not what its name says; it is no notebook in JSON"),
    ] {
        assert_eq!(reason(path), Err(format!("no text can be taken out of it: {fault}")), "{path}");
    }
}

#[test]
fn a_spreadsheet_is_left_to_other_programs() {
    let folder = Folder::of(&["sums.xlsx", "letter.doc"]);
    let reason = "a format that is not read; save it as PDF, DOCX or HTML";
    folder.check(&[&format!("- letter.doc: {reason}"), &format!("- sums.xlsx: {reason}")]);
}

#[test]
fn a_key_is_refused_inside_a_document_too() {
    let folder = Folder::new();
    folder.write("key.html", "<p>-----BEGIN RSA PRIVATE KEY-----<p>MII");
    assert_eq!(folder.read("key.html"), Err(SkipReason::Credential));
}

#[test]
fn the_text_of_a_document_has_to_keep_the_limit_as_well() {
    let page = format!("<p>{}", "&nabla;x ".repeat(100));
    let fault = Fault::TooLong { limit: 300 };
    assert_eq!(extract(Format::Html, page.as_bytes(), 300), Err(fault));
}
